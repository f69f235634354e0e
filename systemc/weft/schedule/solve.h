// SPDX-License-Identifier: Apache-2.0
/// The way from a question to a schedule: bounds, then constructions, searches and exact methods until a bound is met
/// or time is over.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/schedule/bounds/bounds.h"
#include "weft/schedule/method.h"
#include "weft/schedule/problem.h"
#include "weft/schedule/time.h"

namespace weft::schedule {

/// A method that was tried, or was not and why. Of combined messages one for each schedule that a method found. Of
/// restrictions those that found what nothing before had matched.
struct attempt {
  const method* by = nullptr;
  std::string restricted_to;           ///< "1 port": a more restricted question than the one asked; else empty
  bool combining = false;              ///< of that question
  std::string unfit;                   ///< not empty: it was not run
  std::optional<schedule_cost> found;  ///< of its schedule
  double seconds = 0;                  ///< of the method
};

struct answer {
  std::optional<step_schedule> best;  ///< passes check()
  const method* by = nullptr;         ///< that found it
  std::string restricted_to;          ///< as of attempt
  lower_bounds bounds;
  std::size_t refuted_below = 0;  ///< fewer steps are impossible within what `refuted` says; 0: no such limit
  std::string refuted;
  std::vector<attempt> attempts;
  bool out_of_time = false;  ///< or stopped, before a bound was met and all methods had ended

  /// The bound of R is met.
  bool optimal() const { return best && best->start_ups() <= best_of(bounds.start_ups).steps; }
};

struct solve_options {
  const method* only = nullptr;  ///< none: all that fit
  bool search = true;            ///< else constructions only
  search_control control{};      ///< seed, threads, time, ways to stop and to tell
};

/// The answer is no worse than what the methods find for any of restrictions_of() \p p: fewer ports, shortest paths,
/// single messages. Constructions come first, for the question, then for its restrictions; then the bound by flows;
/// then searches in the same order. Restrictions are left out whose bounds show that they have nothing better.
///
/// A construction may take all the time there is. Without a search store_and_forward has half a second once there is a
/// schedule. Searches of restrictions have half of what is left then; in its half
/// each method that fits has an equal share of what is left to it and those after it. A schedule with fewer steps is
/// better, then one of smaller occupancy.
/// \throws std::invalid_argument where a node that sends has no path to one that receives, and for an `only` that is
/// unfit
answer solve(const problem& p, const solve_options& options);

/// The method of that name. \throws std::invalid_argument with the names that there are
const method& method_named(const std::string& name);

}  // namespace weft::schedule
