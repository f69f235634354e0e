// SPDX-License-Identifier: Apache-2.0
/// Spanning trees for long messages: the optimal throughput of an allgather or a broadcast, and trees that reach it
/// (Edmonds 1973; as in ForestColl, Zhao and others 2024).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/routes.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// A number of rounds as a reduced fraction.
struct round_ratio {
  std::int64_t rounds = 0;
  std::int64_t per = 1;
  std::size_t rounded_up() const { return static_cast<std::size_t>((rounds + per - 1) / per); }
  friend bool operator==(const round_ratio& a, const round_ratio& b) { return a.rounds == b.rounds && a.per == b.per; }
};

/// The reason why tree_throughput() and packed_trees() do not fit: each chunk must go from one node to all nodes, and
/// links must share no limit. Empty if they fit.
std::string trees_unfit(const forwarding_problem& p);

/// The minimum time for all chunks if they are divisible: the maximum, over all sets of nodes, of the chunks that start
/// in the set divided by the bandwidth that leaves it. Exact, by minimum cuts (Newton's method on the ratio).
/// \throws time_is_over
round_ratio tree_throughput(const forwarding_problem& p, const search_control& control = {});

/// A spanning tree for each chunk from its holder, so that each link is in at most \p rounds times its bandwidth of
/// them. Such trees exist if and only if \p rounds is at least tree_throughput(). Short trees are tried first.
/// \throws std::invalid_argument for fewer rounds, time_is_over
std::vector<chunk_route> packed_trees(const forwarding_problem& p, std::size_t rounds,
                                      const search_control& control = {});

}  // namespace weft::schedule
