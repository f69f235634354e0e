// SPDX-License-Identifier: Apache-2.0
/// Schedules in two phases: the first selects a route for each chunk, the second selects the round of each send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/symmetry.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// A link of a chunk's route. The chunk uses it after the link at position `before` of the route.
struct route_link {
  static constexpr std::size_t Start = std::numeric_limits<std::size_t>::max();
  link_id link = 0;
  std::size_t before = Start;  ///< an earlier position in the route; Start if the link leaves a holder
};

/// The route of a chunk: a path or a tree that begins at a holder.
using chunk_route = std::vector<route_link>;

/// Returns the number of rounds that the links need for these routes: the maximum of load / bandwidth over all limits,
/// rounded up.
std::size_t load_of(const forwarding_problem& p, const std::vector<chunk_route>& routes);

/// Selects a shortest path for each chunk so that the maximum load is small. Local search repeatedly removes the path
/// of a chunk and inserts it where the loads are lowest. The routes are symmetric under \p symmetry. \p p must satisfy
/// is_unicast().
/// \throws time_is_over
std::vector<chunk_route> balanced_routes(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                         std::uint64_t seed, std::size_t passes, const search_control& control = {});

/// Schedules the sends of the routes in steps of one round each. Of the chunks that wait for a link, the one with the
/// longest remaining route goes first; equal ones are drawn at random. On all networks examined, the result takes
/// load_of() rounds, or as many rounds as the longest route has links.
/// \throws time_is_over
forwarding_algorithm in_time(const forwarding_problem& p, const std::vector<chunk_route>& routes, std::uint64_t seed,
                             const search_control& control = {});

}  // namespace weft::schedule
