// SPDX-License-Identifier: Apache-2.0
/// Broadcast trees, which determine how one datum gets from a root to all nodes of a set. Seven algorithms make such
/// trees, and all collectives are built from these trees.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective_network.h"
#include "weft/core/types.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// A set of nodes in grid order, with dimension 0 running fastest. The set contains all nodes of a network, the nodes
/// of a group, or the intermediates of all groups. A set without a grid has a single side, and `listed` is true. A node
/// of the set is identified by its index in `nodes`; a node of a row is identified by its coordinate.
struct node_grid {
  std::vector<std::uint32_t> sides;
  std::vector<node_id> nodes;
  std::vector<std::uint32_t> pitch;  ///< for each dimension, hops from one node of a row to the next
  std::vector<bool> ring;            ///< for each dimension, whether the last node of a row is next to the first
  bool listed = false;

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }
};

node_grid listed_nodes(std::vector<node_id> nodes);

/// Returns all nodes of \p network.
node_grid all_nodes(const collective_network& network);

/// Returns the nodes of a tree from \p root to \p others. If these are all nodes of the network, this is all_nodes(),
/// otherwise a list sorted by node number.
node_grid nodes_of_tree(node_id root, const std::vector<node_id>& others, const collective_network& network);

/// Returns the index of \p node in \p grid, which must contain it.
std::uint32_t index_of(const node_grid& grid, node_id node);

/// One message of a tree between two nodes, which are given by their indices in a node_grid. It waits for the message
/// that brings the datum to `from`.
struct tree_send {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t level = 0;  ///< sends of the same level may run at the same time
};

/// A tree within one row: for each level, the sends from coordinate to coordinate. A tree of a grid is a product of row
/// trees.
using row_tree = std::vector<std::vector<tree_send>>;

row_tree make_row_tree(collective_algorithm algorithm, std::uint32_t side, std::uint32_t root, bool ring);

/// Returns the dimensions in the order in which a tree of a grid uses them, with one entry for each level.
/// \param levels number of levels of the row trees in each dimension
std::vector<unsigned> dimension_sequence(collective_algorithm algorithm, const node_grid& grid,
                                         const std::vector<std::size_t>& levels);

/// Whether the tree of the algorithm on a grid is a product of row trees.
constexpr bool is_product_tree(collective_algorithm a) {
  return a == collective_algorithm::Tree || a == collective_algorithm::InterleavedTree ||
         a == collective_algorithm::DoublingTree || a == collective_algorithm::NeighbourForwarding;
}

/// Returns the indices of a grid in an order in which consecutive nodes are neighbors. The order is a Hamiltonian cycle
/// if the grid has one, otherwise a path. Without a grid, the nearest remaining node always comes next.
std::vector<std::uint32_t> ring_order(const node_grid& grid, const collective_network& network);

/// The trees of one algorithm over one set of nodes, one tree for each root.
class broadcast_trees {
 public:
  /// \p algorithm must be one of the first seven collective algorithms. Grid and network must outlive this object.
  broadcast_trees(collective_algorithm algorithm, const node_grid& grid, const collective_network& network);

  /// Returns the sends of the tree from the node with index \p root to all others, sorted by level.
  std::vector<tree_send> from(std::uint32_t root) const;

 private:
  collective_algorithm m_algorithm;
  const node_grid* m_grid;
  const collective_network* m_network;
  std::vector<std::uint32_t> m_order;  ///< order of the nodes, for the ring algorithm
};

}  // namespace weft
