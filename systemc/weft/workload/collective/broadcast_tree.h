// SPDX-License-Identifier: Apache-2.0
/// How one datum gets from a root to all nodes of a set: the seven algorithms that collectives are built of.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/types.h"
#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_parameters.h"

namespace weft {

/// Nodes in the order of a grid, dimension 0 fastest: all of a network, those of a group, the intermediates of all
/// groups. A set that is no grid has one side, and `listed`. A node of the set is named by its index in `nodes`, a node
/// of a row by its coordinate.
struct node_grid {
  std::vector<std::uint32_t> sides;
  std::vector<node_id> nodes;
  std::vector<std::uint32_t> pitch;  ///< hops from one node of a row to the next
  std::vector<bool> ring;            ///< whether the last node of a row is next to the first
  bool listed = false;

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }
};

node_grid listed_nodes(std::vector<node_id> nodes);

/// All nodes of a network.
node_grid all_nodes(const collective_network& network);

/// The nodes of a tree from \p root to \p others: all of the network if these are, else a list in the order of numbers.
node_grid nodes_of_tree(node_id root, const std::vector<node_id>& others, const collective_network& network);

/// \return the index of \p node, which is in \p grid
std::uint32_t index_of(const node_grid& grid, node_id node);

/// One message of a tree between two nodes of a node_grid, by their indices. It waits for the one that brought the
/// datum to `from`.
struct tree_send {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t level = 0;  ///< sends of one level may go on at the same time
};

/// A tree within one row: at [level] the sends from coordinate to coordinate. The trees of a grid are products of
/// these.
using row_tree = std::vector<std::vector<tree_send>>;

row_tree make_row_tree(collective_algorithm algorithm, std::uint32_t side, std::uint32_t root, bool ring);

/// The dimensions in the order in which a tree of a grid uses them, one entry for each level.
/// \param levels of the row trees, by dimension
std::vector<unsigned> dimension_sequence(collective_algorithm algorithm, const node_grid& grid,
                                         const std::vector<std::size_t>& levels);

/// True for the algorithms whose tree on a grid is a product of row trees.
constexpr bool is_product_tree(collective_algorithm a) {
  return a == collective_algorithm::Tree || a == collective_algorithm::InterleavedTree ||
         a == collective_algorithm::DoublingTree || a == collective_algorithm::NeighbourForwarding;
}

/// The indices of a grid in an order in which neighbours follow each other: a Hamiltonian cycle where a mesh has one,
/// else a path; of nodes without a grid, always on to the nearest that is left.
std::vector<std::uint32_t> ring_order(const node_grid& grid, const collective_network& network);

/// The trees of one algorithm over one set of nodes.
class broadcast_trees {
 public:
  /// \p algorithm is one of the first seven. Keeps references to grid and network.
  broadcast_trees(collective_algorithm algorithm, const node_grid& grid, const collective_network& network);

  /// The sends from index \p root to all others; levels ascend.
  std::vector<tree_send> from(std::uint32_t root) const;

 private:
  collective_algorithm m_algorithm;
  const node_grid* m_grid;
  const collective_network* m_network;
  std::vector<std::uint32_t> m_order;  ///< of a ring
};

}  // namespace weft
