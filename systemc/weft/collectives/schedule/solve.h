// SPDX-License-Identifier: Apache-2.0
/// Solves a scheduling problem. It computes lower bounds, then runs constructions, searches and exact methods until a
/// schedule meets a bound or time is over.
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

/// A run of a method, or the reason why the method was not run. If messages are combined, there is one entry for each
/// schedule that a method found. Runs on restricted problems are listed only if they improved on everything before
/// them.
struct attempt {
  const method* by = nullptr;
  std::string restricted_to;           ///< restrictions, such as "1 port"; empty for the problem itself
  bool combining = false;              ///< whether the problem of this run combines messages
  std::string unfit;                   ///< the reason why the method was not run; empty if it ran
  std::optional<schedule_cost> found;  ///< cost of the schedule that the method found
  double seconds = 0;                  ///< run time of the method
};

struct answer {
  std::optional<step_schedule> best;  ///< passes check()
  const method* by = nullptr;         ///< the method that found `best`
  std::string restricted_to;          ///< the restrictions under which `best` was found, as in attempt
  lower_bounds bounds;
  std::size_t refuted_below = 0;  ///< fewer steps are impossible in the scope that `refuted` names; 0: no such limit
  std::string refuted;
  std::vector<attempt> attempts;
  bool out_of_time = false;  ///< time ran out, or the user stopped it, before a bound was met or all methods had ended

  /// Whether the best schedule has as few steps as the strongest lower bound.
  bool optimal() const { return best && best->start_ups() <= best_of(bounds.start_ups).steps; }
};

struct solve_options {
  const method* only = nullptr;  ///< null: all methods that fit
  bool search = true;            ///< false: constructions only
  search_control control{};      ///< seed, threads, deadline, stop and progress callbacks
};

/// Solves \p p. A schedule with fewer steps is better; with equal steps, one with smaller occupancy is better. The
/// answer is at least as good as everything that the methods find for restrictions_of() \p p.
/// Order: constructions run on the problem and then on its restrictions. The flow bound follows, then searches on the
/// problem and on its restrictions. A restriction is skipped if its bounds show that it cannot improve the result.
/// Time: a construction may use all available time. Without searches, `store_and_forward` gets half a second once
/// another construction has a schedule. Searches of restrictions get half of the remaining time. Within this half, each
/// method that fits gets an equal share of the time that is left for it and the methods after it.
/// \throws std::invalid_argument if a sending node has no path to one of its receivers, and if the method `only` does
/// not fit
answer solve(const problem& p, const solve_options& options);

/// Returns the method called \p name.
/// \throws std::invalid_argument, with the list of known names, if there is none
const method& method_named(const std::string& name);

}  // namespace weft::schedule
