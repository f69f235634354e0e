// SPDX-License-Identifier: Apache-2.0
/// Schedules by routes: first the links of each chunk are selected, then the times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/symmetry.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// A link of a chunk's route, used after link `before` of the route.
struct route_link {
  static constexpr std::size_t Start = std::numeric_limits<std::size_t>::max();
  link_id link = 0;
  std::size_t before = Start;  ///< earlier position in the route; Start: leaves a holder
};

/// A path, or a tree from a holder.
using chunk_route = std::vector<route_link>;

/// Rounds that the links need for these routes: the maximum of load / bandwidth, rounded up.
std::size_t load_of(const forwarding_problem& p, const std::vector<chunk_route>& routes);

/// Selects a shortest path for each chunk so that the maximum load is small, by local search: repeatedly removes a
/// chunk and reinserts it where the loads are lowest. \p symmetry maps the routes to themselves. \p p must satisfy
/// is_unicast().
/// \throws time_is_over
std::vector<chunk_route> balanced_routes(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                         std::uint64_t seed, std::size_t passes, const search_control& control = {});

/// Schedules the routes in steps of one round. Of the chunks that wait for a link, those with the longest remaining
/// route go first (farthest to go first), with random choice among equals. On all networks examined, this takes
/// load_of() rounds or as many as the longest route.
/// \throws time_is_over
forwarding_algorithm in_time(const forwarding_problem& p, const std::vector<chunk_route>& routes, std::uint64_t seed,
                             const search_control& control = {});

}  // namespace weft::schedule
