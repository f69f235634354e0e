// SPDX-License-Identifier: Apache-2.0
/// A method that finds schedules: a construction, a search or an exact method; `--method NAME`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/problem.h"
#include "weft/collectives/schedule/proof.h"

namespace weft::schedule {

/// Thrown by search_control::go_on(): time is over during work that has no partial result.
struct time_is_over {};

/// Inputs of a method besides the problem, including those that stop it.
struct search_control {
  std::uint64_t seed = 1;
  unsigned jobs = 1;  ///< threads; the result does not depend on them unless time runs out
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// Whether the user requests an end, for example by Ctrl-C; may be empty. Called from any thread.
  std::function<bool()> stop{};
  /// Called with a line about the progress; may be empty. Called from one thread at a time.
  std::function<void(const std::string&)> on_progress{};
  /// A schedule of this many steps cannot be improved: a lower bound of the problem.
  std::size_t enough = 0;
  /// Searches look for fewer steps than this; 0: no limit.
  std::size_t less_than = 0;
  /// Receives the refutations of the problem by CaDiCaL: all of them, or the last. Null: no proof is written.
  proof_sink* proof = nullptr;

  /// A copy with progress messages that begin with the result of \p state.
  search_control reporting(std::function<std::string()> state) const {
    search_control result = *this;
    if (on_progress) {
      result.on_progress = [state = std::move(state), report = on_progress](const std::string& line) {
        report(state() + "; " + line);
      };
    }
    return result;
  }

  /// To be called regularly by everything that may take longer than a few milliseconds.
  bool over() const { return (stop && stop()) || std::chrono::steady_clock::now() >= deadline; }
  /// \throws time_is_over
  void go_on() const {
    if (over()) throw time_is_over{};
  }
};

/// Returns the result of \p work, or a default value if time is over first. Work without partial results calls
/// control.go_on(); other work stores its results outside of \p work.
template <class Work>
auto unless_over(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const time_is_over&) {
    return decltype(work())();
  }
}

struct search_result {
  std::optional<step_schedule> found;  ///< the schedule with the fewest steps
  /// No schedule with fewer steps exists; proved by refutation, within the scope that `refuted` names.
  std::size_t refuted_below = 0;  ///< steps; 0: nothing refuted
  std::string refuted;            ///< "by CaDiCaL, transfers straight from origin to destination"
  /// For combined messages: non-dominated schedules with more steps and less occupancy.
  std::vector<step_schedule> others{};
};

/// The first schedule becomes `found`, the rest `others`. \param front by ascending R; may be empty
inline search_result as_result(std::vector<step_schedule> front) {
  search_result result;
  if (front.empty()) return result;
  result.found = std::move(front.front());
  front.erase(front.begin());
  result.others = std::move(front);
  return result;
}

struct method {
  enum class kind : std::uint8_t {
    Construction,  ///< takes milliseconds, or reports at once that it does not fit
    Search,        ///< searches until it reaches `enough` or time is over
    Exact,         ///< also refutes
    Baseline,      ///< a search from the papers, for comparison; selected only by name
  };
  const char* name;
  const char* description;  ///< one line, including the source
  kind what;
  /// The reason why the method does not fit the problem; empty if it fits.
  std::function<std::string(const problem&)> unfit;
  /// Only for a problem that fits. Results pass check(). Ends soon after the control is over, with the results so far.
  /// \throws time_is_over if there are none
  std::function<search_result(const problem&, const search_control&)> run;
};

/// All methods, in the order in which `auto` tries them; baselines last.
const std::vector<const method*>& methods();

}  // namespace weft::schedule
