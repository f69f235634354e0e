// SPDX-License-Identifier: Apache-2.0
/// A method that finds schedules: a construction, a search or an exact method. `weft schedule --method NAME` selects
/// one by name.
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

/// search_control::go_on() throws this when the time is over and the current work has no partial result.
struct time_is_over {};

/// Inputs of a method besides the problem, including the conditions that stop it.
struct search_control {
  std::uint64_t seed = 1;
  unsigned jobs = 1;  ///< number of threads; affects the result only if time runs out
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// Returns true when the user requests an end, for example by Ctrl-C. May be empty. May be called from any thread.
  std::function<bool()> stop{};
  /// Receives a line of text about the progress. May be empty. Never called by two threads at the same time.
  std::function<void(const std::string&)> on_progress{};
  /// A lower bound of the problem: a schedule with this number of steps cannot be improved.
  std::size_t enough = 0;
  /// Searches look only for schedules with fewer steps than this. 0: no limit.
  std::size_t less_than = 0;
  /// Receives CaDiCaL's proofs that no schedule with fewer steps exists. It may keep all proofs or only the last. Null:
  /// no proof is written.
  proof_sink* proof = nullptr;

  /// Returns a copy whose progress messages begin with the text that \p state returns.
  search_control reporting(std::function<std::string()> state) const {
    search_control result = *this;
    if (on_progress) {
      result.on_progress = [state = std::move(state), report = on_progress](const std::string& line) {
        report(state() + "; " + line);
      };
    }
    return result;
  }

  /// Whether the work must stop. Code that may take longer than a few milliseconds calls this regularly.
  bool over() const { return (stop && stop()) || std::chrono::steady_clock::now() >= deadline; }
  /// \throws time_is_over
  void go_on() const {
    if (over()) throw time_is_over{};
  }
};

/// Returns the result of \p work, or a default value if the time is over first. Work that has no partial results calls
/// control.go_on(). Other work stores its partial results in variables outside of \p work.
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
  /// No schedule with fewer steps than this exists within the scope that `refuted` names. 0: nothing is proved.
  std::size_t refuted_below = 0;  ///< number of steps
  std::string refuted;            ///< scope of the proof: "by CaDiCaL, transfers straight from origin to destination"
  /// If messages are combined: other non-dominated schedules, which have more steps and less occupancy than `found`.
  std::vector<step_schedule> others{};
};

/// Makes a result from \p front: its first schedule becomes `found`, the rest become `others`.
/// \param front schedules by ascending R; may be empty
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
    Construction,  ///< takes milliseconds, or reports at once that it does not fit the problem
    Search,        ///< searches until it has a schedule of `enough` steps or time is over
    Exact,         ///< also proves that no schedule with fewer steps exists
    Baseline,      ///< a search from the papers, for comparison; selected only by name
  };
  const char* name;
  const char* description;  ///< one line of help text, which includes the source
  kind what;
  /// The reason why the method does not fit the problem; empty if it fits.
  std::function<std::string(const problem&)> unfit;
  /// Runs the method on a problem for which unfit() is empty. The results pass check(). When the control is over, the
  /// method ends soon and returns its results so far.
  /// \throws time_is_over if there are no results yet
  std::function<search_result(const problem&, const search_control&)> run;
};

/// Returns all methods in the order in which `auto` tries them. Baselines come last.
const std::vector<const method*>& methods();

}  // namespace weft::schedule
