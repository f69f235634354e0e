// SPDX-License-Identifier: Apache-2.0
/// Which node each rank of a program is on.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/types.h"
#include "weft/workload/collective/collective_network.h"

namespace weft {

/// Sum over all pairs of ranks of bytes times hops. \p traffic as replay_program::traffic() gives it, of as many ranks
/// as there are \p nodes.
std::uint64_t mapping_cost(const std::vector<std::uint64_t>& traffic, const std::vector<node_id>& nodes,
                           const collective_network& network);

/// Ranks on nodes of their own so that mapping_cost() is small: threshold accepting (G. Dueck, T. Scheuer, Journal of
/// Computational Physics 90, 1990) from rank r on node r by swaps of two nodes, taken or free; the best that was seen,
/// so never worse than that beginning. At least as many nodes as \p ranks.
std::vector<node_id> place_ranks(const std::vector<std::uint64_t>& traffic, std::uint32_t ranks,
                                 const collective_network& network, std::uint64_t seed);

}  // namespace weft
