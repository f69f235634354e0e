// SPDX-License-Identifier: Apache-2.0
/// Maps the ranks of a program to nodes of the network.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective_network.h"
#include "weft/core/types.h"

namespace weft {

/// Returns the cost of a mapping: the sum of bytes times hops over all pairs of ranks.
/// \param traffic bytes between ranks, as replay_program::traffic() returns them
/// \param nodes the node of each rank
std::uint64_t mapping_cost(const std::vector<std::uint64_t>& traffic, const std::vector<node_id>& nodes,
                           const collective_network& network);

/// Places each rank on a node of its own so that mapping_cost() is small. Uses threshold accepting (G. Dueck, T.
/// Scheuer, Journal of Computational Physics 90, 1990). The search starts with rank r on node r and swaps the contents
/// of two nodes, which may be free. Returns the best mapping found, which is never worse than the start. There must be
/// at least \p ranks nodes.
std::vector<node_id> place_ranks(const std::vector<std::uint64_t>& traffic, std::uint32_t ranks,
                                 const collective_network& network, std::uint64_t seed);

/// The same search, which starts with rank r on node start[r]. The ranks in \p stays remain there.
/// \param stays by rank; empty: all ranks may move
std::vector<node_id> place_ranks(const std::vector<std::uint64_t>& traffic, std::vector<node_id> start,
                                 const std::vector<bool>& stays, const collective_network& network, std::uint64_t seed);

}  // namespace weft
