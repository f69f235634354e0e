// SPDX-License-Identifier: Apache-2.0
/// Groups of automorphisms of a network that fix no node. An algorithm that such a group maps to itself is determined
/// by the sends of one chunk of each orbit.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/permutation.h"

namespace weft::schedule {

/// Automorphisms of \p graph with its bandwidths and shared limits, the identity first; at most \p most for each image
/// of node 0. Those that preserve the order of links come first, for example translations of tori.
/// \throws time_is_over
std::vector<permutation> automorphisms(const link_graph& graph, const search_control& control = {},
                                       std::size_t most = 32);

/// Groups in which only the identity fixes a node, largest first, without the trivial one.
/// \throws time_is_over
std::vector<std::vector<permutation>> free_groups(const link_graph& graph, const search_control& control = {});

/// The action of a free group on links and chunks. Equivalent chunks keep their order.
struct chunk_symmetry {
  /// Each group element as an image of nodes, links and chunks; the identity first.
  std::vector<permutation> nodes, links, chunks;
  std::vector<chunk_id> chunk_representatives;  ///< one of each orbit
  std::vector<link_id> link_representatives;
  std::size_t order() const { return nodes.size(); }
};

/// The trivial group.
chunk_symmetry no_symmetry(const forwarding_problem& p);

/// The actions of free_groups() on \p p; only groups that map its chunks to chunks, largest first.
/// \throws time_is_over
std::vector<chunk_symmetry> symmetries_of(const forwarding_problem& p, const search_control& control = {});

}  // namespace weft::schedule
