// SPDX-License-Identifier: Apache-2.0
/// Solves a problem: runs bounds, then constructions, searches and exact methods until a bound is met or time is over.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/bounds/bounds.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/problem.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {

/// A method that was tried, or the reason why it was not. For combined messages, there is one for each schedule that a
/// method found. For restrictions, only those that improved on everything before.
struct attempt {
  const method* by = nullptr;
  std::string restricted_to;           ///< "1 port": a more restricted problem than the one given; otherwise empty
  bool combining = false;              ///< whether that problem combines messages
  std::string unfit;                   ///< if not empty: the reason why it was not run
  std::optional<schedule_cost> found;  ///< cost of its schedule
  double seconds = 0;                  ///< run time of the method
};

struct answer {
  std::optional<step_schedule> best;  ///< passes check()
  const method* by = nullptr;         ///< the method that found it
  std::string restricted_to;          ///< as in attempt
  lower_bounds bounds;
  std::size_t refuted_below = 0;  ///< fewer steps are impossible in the scope of `refuted`; 0: no such limit
  std::string refuted;
  std::vector<attempt> attempts;
  bool out_of_time = false;  ///< time ran out, or the user stopped it, before a bound was met or all methods had ended

  /// Whether the bound of R is met.
  bool optimal() const { return best && best->start_ups() <= best_of(bounds.start_ups).steps; }
};

struct solve_options {
  const method* only = nullptr;  ///< null: all methods that fit
  bool search = true;            ///< false: constructions only
  search_control control{};      ///< seed, threads, deadline, stop and progress callbacks
};

/// Solves \p p. The answer is at least as good as what the methods find for any of restrictions_of() \p p: fewer ports,
/// shortest paths, single messages. Constructions run first, for the problem and then for its restrictions, followed by
/// the bound by flows, and then by searches in the same order. Restrictions whose bounds show that they cannot improve
/// are skipped.
/// A construction may use all available time. Without a search, store_and_forward gets half a second once there is a
/// schedule. Searches of restrictions get half of the remaining time; within its half, each method that fits gets an
/// equal share of what is left to it and its successors. A schedule with fewer steps is better; with equal steps, one
/// with smaller occupancy.
/// \throws std::invalid_argument if a sending node has no path to a receiving one, and for an unfit `only`
answer solve(const problem& p, const solve_options& options);

/// The method called \p name. \throws std::invalid_argument with the list of known names
const method& method_named(const std::string& name);

}  // namespace weft::schedule
