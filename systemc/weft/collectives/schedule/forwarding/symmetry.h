// SPDX-License-Identifier: Apache-2.0
/// Groups of automorphisms of a network in which only the identity fixes a node. If such a group maps an algorithm to
/// itself, the sends of one chunk of each orbit determine the algorithm.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/permutation.h"

namespace weft::schedule {

/// Returns automorphisms of \p graph that preserve bandwidths and shared limits. The identity comes first, followed by
/// automorphisms that preserve the order of links, such as the translations of a torus. There are at most \p most
/// automorphisms for each image of node 0.
/// \throws time_is_over
std::vector<permutation> automorphisms(const link_graph& graph, const search_control& control = {},
                                       std::size_t most = 32);

/// Returns groups in which only the identity fixes a node, the largest first. The trivial group is not listed.
/// \throws time_is_over
std::vector<std::vector<permutation>> free_groups(const link_graph& graph, const search_control& control = {});

/// How the elements of a free group map nodes, links and chunks. Equivalent chunks keep their order.
struct chunk_symmetry {
  /// For each group element, its permutations of nodes, links and chunks. The identity comes first.
  std::vector<permutation> nodes, links, chunks;
  std::vector<chunk_id> chunk_representatives;  ///< one chunk of each orbit
  std::vector<link_id> link_representatives;
  std::size_t order() const { return nodes.size(); }
};

/// Returns the trivial group, which contains only the identity.
chunk_symmetry no_symmetry(const forwarding_problem& p);

/// Returns the groups of free_groups() that map the chunks of \p p to chunks, the largest first.
/// \throws time_is_over
std::vector<chunk_symmetry> symmetries_of(const forwarding_problem& p, const search_control& control = {});

}  // namespace weft::schedule
