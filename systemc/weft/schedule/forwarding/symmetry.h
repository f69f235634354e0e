// SPDX-License-Identifier: Apache-2.0
/// Groups of automorphisms of a network that leave no node in place: an algorithm that such a group maps onto itself is
/// given by the sends of one chunk of each orbit.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/method.h"
#include "weft/schedule/permutation.h"

namespace weft::schedule {

/// Automorphisms of \p graph with its bandwidths and shared limits, the identity first; no more than \p most for each
/// image of node 0. Those that keep the order of links come first: translations of tori, for one.
/// \throws time_is_over
std::vector<permutation> automorphisms(const link_graph& graph, const search_control& control = {},
                                       std::size_t most = 32);

/// Groups of which no element but the identity leaves a node in place, the largest first; without the trivial one.
/// \throws time_is_over
std::vector<std::vector<permutation>> free_groups(const link_graph& graph, const search_control& control = {});

/// What a free group does to links and chunks. Chunks that are alike keep their order.
struct chunk_symmetry {
  /// A group element for each, as an image of nodes, links and chunks; the identity first.
  std::vector<permutation> nodes, links, chunks;
  std::vector<chunk_id> chunk_representatives;  ///< one of each orbit
  std::vector<link_id> link_representatives;
  std::size_t order() const { return nodes.size(); }
};

/// No symmetry.
chunk_symmetry no_symmetry(const forwarding_problem& p);

/// What each of free_groups() does to \p p; those that map its chunks to chunks, the largest first.
/// \throws time_is_over
std::vector<chunk_symmetry> symmetries_of(const forwarding_problem& p, const search_control& control = {});

}  // namespace weft::schedule
