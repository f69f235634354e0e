// SPDX-License-Identifier: Apache-2.0
/// Schedules by routes: first which links each chunk takes, then when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/forwarding/symmetry.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// A link that a chunk takes, once it has taken link `before` of its route.
struct route_link {
  static constexpr std::size_t Start = std::numeric_limits<std::size_t>::max();
  link_id link = 0;
  std::size_t before = Start;  ///< place in the route, further to the front; Start: leaves a holder
};

/// A path, or a tree from a holder.
using chunk_route = std::vector<route_link>;

/// Rounds that the links need for these routes: the greatest of load / bandwidth, rounded up.
std::size_t load_of(const forwarding_problem& p, const std::vector<chunk_route>& routes);

/// A shortest path for each chunk, such that the most loaded link has little to do: again and again, a chunk is taken
/// out and put back where loads are least. Mapped onto themselves by \p symmetry. \p p is_unicast().
/// \throws time_is_over
std::vector<chunk_route> balanced_routes(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                         std::uint64_t seed, std::size_t passes, const search_control& control = {});

/// Steps of one round. Each link carries, of the chunks that wait for it, those with the longest way to go (farthest to
/// go first); among equals the draws decide. On all networks tried this takes load_of() rounds, or the longest route.
/// \throws time_is_over
forwarding_algorithm in_time(const forwarding_problem& p, const std::vector<chunk_route>& routes, std::uint64_t seed,
                             const search_control& control = {});

}  // namespace weft::schedule
