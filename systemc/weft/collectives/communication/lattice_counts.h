// SPDX-License-Identifier: Apache-2.0
/// Hops of broadcast trees over a lattice of nodes, computed without generating messages: distances are sums over the
/// dimensions, and trees are products of row trees, so their total hops factorize too. Part of collective_hops().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/communication/broadcast_tree.h"
#include "weft/collectives/communication/collective_hops.h"

namespace weft {

/// All combinations of a set of coordinates in each dimension: a region of the grid, or the intermediates of its
/// groups. Coordinates are relative to the start of the region.
struct lattice {
  node_grid grid;                                       ///< sides, pitch and rings; contains no nodes
  std::vector<std::vector<std::uint32_t>> coordinates;  ///< by dimension

  std::size_t size() const;
  /// Number of rows in \p dimension.
  std::size_t across(std::size_t dimension) const { return size() / coordinates[dimension].size(); }
};

lattice make_lattice(std::vector<std::vector<std::uint32_t>> coordinates, std::vector<std::uint32_t> pitch,
                     std::vector<bool> ring);

/// The coordinates of the node with \p index in a grid.
std::vector<std::uint32_t> coordinates_at(std::size_t index, const std::vector<std::uint32_t>& sides);

/// Whether the same number of data starts at every node.
bool all_equal(const std::vector<std::uint64_t>& weights);

/// Counts of the trees of one algorithm over one lattice.
class lattice_counts {
 public:
  using counts = std::vector<collective_count>;

  /// \p network must outlive it.
  lattice_counts(collective_algorithm a, lattice over, const collective_network& network);

  /// Counts by level; for trees without rounds, in any partition. \param weights number of data that start at each node
  counts of(const std::vector<std::uint64_t>& weights);

 private:
  /// Counts of one row tree by level; a tree without rounds has one level.
  struct row_counts {
    std::vector<std::uint64_t> sends;
    std::vector<std::uint64_t> hops;
  };

  std::uint64_t row_distance(std::size_t d, std::uint32_t i, std::uint32_t j) const;
  std::uint64_t distance(std::size_t from, std::size_t to) const;
  counts all_at_once(const std::vector<std::uint64_t>& weights) const;
  const row_counts& row_of(std::size_t d, std::uint32_t root);
  /// The rows that already have the datum carry out a level of a row tree.
  counts product_trees(const std::vector<std::uint64_t>& weights);
  /// If all weights are equal, each send of the tree occurs, over all roots, once at an offset from every node.
  counts rank_tree(const std::vector<std::uint64_t>& weights) const;
  /// Sum of the distances from every node to the node \p offset after it.
  std::uint64_t at_offset(std::uint32_t offset) const;
  /// Every root omits the one link that leads back to it.
  counts ring(const std::vector<std::uint64_t>& weights) const;

  collective_algorithm m_algorithm;
  lattice m_over;
  const collective_network& m_network;
  std::vector<std::vector<row_counts>> m_rows;  ///< by dimension and root; computed on demand
};

}  // namespace weft
