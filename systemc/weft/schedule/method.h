// SPDX-License-Identifier: Apache-2.0
/// A way to find schedules: a construction, a search or an exact method; `--method NAME`.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/schedule/problem.h"

namespace weft::schedule {

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
  /// What is refuted last is written to FILE.cnf and FILE.drat, for drat-trim; empty: no proof is written.
  std::string proof{};

  bool over() const { return (stop && stop()) || std::chrono::steady_clock::now() >= deadline; }
};

struct search_result {
  std::optional<step_schedule> found;
  /// No schedule of fewer steps exists; shown by refutation, within what `refuted` says.
  std::size_t refuted_below = 0;  ///< steps; 0: nothing refuted
  std::string refuted;            ///< "by CaDiCaL, transfers straight from origin to destination"
};

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
  /// Only for a problem that fits. What it finds passes check().
  std::function<search_result(const problem&, const search_control&)> run;
};

/// All methods, in the order in which `auto` tries them; baselines last.
const std::vector<const method*>& methods();

}  // namespace weft::schedule
