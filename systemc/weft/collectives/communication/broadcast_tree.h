// SPDX-License-Identifier: Apache-2.0
/// Broadcast trees: how one datum gets from a root to all nodes of a set. Collectives are built from these seven
/// algorithms.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective_network.h"
#include "weft/core/types.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// Nodes in grid order, dimension 0 fastest: all nodes of a network, those of a group, or the intermediates of all
/// groups. A set without a grid has one side, and `listed` is true. Nodes of the set are identified by their index in
/// `nodes`, nodes of a row by their coordinate.
struct node_grid {
  std::vector<std::uint32_t> sides;
  std::vector<node_id> nodes;
  std::vector<std::uint32_t> pitch;  ///< for each dimension, hops from one node of a row to the next
  std::vector<bool> ring;            ///< for each dimension, whether the last node of a row is next to the first
  bool listed = false;

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }
};

node_grid listed_nodes(std::vector<node_id> nodes);

/// All nodes of a network.
node_grid all_nodes(const collective_network& network);

/// The nodes of a tree from \p root to \p others: the whole network if these are all of its nodes, otherwise a list
/// sorted by number.
node_grid nodes_of_tree(node_id root, const std::vector<node_id>& others, const collective_network& network);

/// \return the index of \p node, which must be in \p grid
std::uint32_t index_of(const node_grid& grid, node_id node);

/// One message of a tree between two nodes of a node_grid, given by their indices. It waits for the message that brings
/// the datum to `from`.
struct tree_send {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t level = 0;  ///< sends of the same level may run at the same time
};

/// A tree within one row: the sends from coordinate to coordinate, by level. The trees of a grid are products of row
/// trees.
using row_tree = std::vector<std::vector<tree_send>>;

row_tree make_row_tree(collective_algorithm algorithm, std::uint32_t side, std::uint32_t root, bool ring);

/// The dimensions in the order in which a tree of a grid uses them, one entry for each level.
/// \param levels number of levels of the row trees, by dimension
std::vector<unsigned> dimension_sequence(collective_algorithm algorithm, const node_grid& grid,
                                         const std::vector<std::size_t>& levels);

/// True for the algorithms whose tree on a grid is a product of row trees.
constexpr bool is_product_tree(collective_algorithm a) {
  return a == collective_algorithm::Tree || a == collective_algorithm::InterleavedTree ||
         a == collective_algorithm::DoublingTree || a == collective_algorithm::NeighbourForwarding;
}

/// The indices of a grid in an order in which consecutive nodes are neighbors: a Hamiltonian cycle if a mesh has one,
/// otherwise a path. Without a grid, the order always continues with the nearest remaining node.
std::vector<std::uint32_t> ring_order(const node_grid& grid, const collective_network& network);

/// The trees of one algorithm over one set of nodes.
class broadcast_trees {
 public:
  /// \p algorithm must be one of the first seven. Keeps references to grid and network.
  broadcast_trees(collective_algorithm algorithm, const node_grid& grid, const collective_network& network);

  /// The sends from index \p root to all others; levels ascend.
  std::vector<tree_send> from(std::uint32_t root) const;

 private:
  collective_algorithm m_algorithm;
  const node_grid* m_grid;
  const collective_network* m_network;
  std::vector<std::uint32_t> m_order;  ///< for the ring algorithm
};

}  // namespace weft
