// SPDX-License-Identifier: Apache-2.0
/// A way to find schedules: a construction, a search or an exact method; `--method NAME`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/schedule/problem.h"
#include "weft/schedule/proof.h"

namespace weft::schedule {

/// Thrown by search_control::go_on(): time ended in the midst of work that has nothing to show until it is complete.
struct time_is_over {};

/// What a method is given besides the problem, and how it is stopped.
struct search_control {
  std::uint64_t seed = 1;
  unsigned jobs = 1;  ///< threads; the result does not depend on them unless time runs out
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  /// Whether the user wants no more, as by Ctrl-C; may be empty. Called from any thread.
  std::function<bool()> stop{};
  /// Called with a line on what goes on; may be empty. From one thread at a time.
  std::function<void(const std::string&)> tell{};
  /// A schedule of so many steps is not to be improved on: a lower bound of the problem.
  std::size_t enough = 0;
  /// Searches look for fewer steps than this; 0: no limit.
  std::size_t less_than = 0;
  /// Takes what CaDiCaL refutes of the problem, all or the last; none: no proof is written.
  proof_sink* proof = nullptr;

  /// The same, whose lines of progress begin with what \p state returns.
  search_control reporting(std::function<std::string()> state) const {
    search_control result = *this;
    if (tell) {
      result.tell = [state = std::move(state), report = tell](const std::string& line) {
        report(state() + "; " + line);
      };
    }
    return result;
  }

  /// To be asked in all that may take longer than some milliseconds.
  bool over() const { return (stop && stop()) || std::chrono::steady_clock::now() >= deadline; }
  /// \throws time_is_over
  void go_on() const {
    if (over()) throw time_is_over{};
  }
};

/// What \p work returns, or a default value where time ended before it was done. Work that has nothing to show
/// before its end calls control.go_on(); other work keeps what it has outside of \p work.
template <class Work>
auto unless_over(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const time_is_over&) {
    return decltype(work())();
  }
}

struct search_result {
  std::optional<step_schedule> found;  ///< of fewest steps
  /// No schedule of fewer steps exists; shown by refutation, within what `refuted` says.
  std::size_t refuted_below = 0;  ///< steps; 0: nothing refuted
  std::string refuted;            ///< "by CaDiCaL, transfers straight from origin to destination"
  /// Of combined messages: schedules of more steps and less occupancy, none dominated by another.
  std::vector<step_schedule> others{};
};

/// The first as what is found, the rest as others. \p front: by ascending R; may be empty
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
    Construction,  ///< milliseconds, or says at once that it does not fit
    Search,        ///< looks until it meets `enough` or time is over
    Exact,         ///< also refutes
    Baseline,      ///< a search of the papers, for comparison: only by its name
  };
  const char* name;
  const char* description;  ///< one line, with its source
  kind what;
  /// Why the method does not fit the problem; empty where it does.
  std::function<std::string(const problem&)> unfit;
  /// Only for a problem that fits. What it finds passes check(). Ends soon after the control is over, with what was
  /// found by then. \throws time_is_over where that is nothing
  std::function<search_result(const problem&, const search_control&)> run;
};

/// All methods, in the order in which `auto` tries them; baselines last.
const std::vector<const method*>& methods();

}  // namespace weft::schedule
