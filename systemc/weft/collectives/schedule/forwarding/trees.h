// SPDX-License-Identifier: Apache-2.0
/// Spanning trees for long messages. Computes the optimal throughput of an allgather or a broadcast, and trees that
/// reach it (Edmonds 1973; ForestColl, Zhao and others 2024).
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

/// Returns the reason why tree_throughput() and packed_trees() do not fit \p p, or an empty text if they fit. They
/// require that each chunk goes from one node to all nodes and that links share no limit.
std::string trees_unfit(const forwarding_problem& p);

/// Returns the minimum time for all chunks if chunks can be divided. This is the maximum, over all sets of nodes, of
/// the number of chunks that start in the set divided by the bandwidth that leaves it. The result is exact; minimum
/// cuts and Newton's method on the ratio yield it.
/// \throws time_is_over
round_ratio tree_throughput(const forwarding_problem& p, const search_control& control = {});

/// Returns a spanning tree for each chunk, which begins at the chunk's holder. Each link is in at most \p rounds times
/// its bandwidth of the trees. Such trees exist if and only if \p rounds is at least tree_throughput(). Short trees are
/// tried first.
/// \throws std::invalid_argument if \p rounds is too small, and time_is_over
std::vector<chunk_route> packed_trees(const forwarding_problem& p, std::size_t rounds,
                                      const search_control& control = {});

}  // namespace weft::schedule
