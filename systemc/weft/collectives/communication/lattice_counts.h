// SPDX-License-Identifier: Apache-2.0
/// Counts the hops of broadcast trees over a lattice of nodes without generating messages, as a part of
/// collective_hops(). Distances are sums over the dimensions, and trees are products of row trees. Therefore the total
/// hops also factorize.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/communication/broadcast_tree.h"
#include "weft/collectives/communication/collective_hops.h"

namespace weft {

/// A lattice: all combinations of a set of coordinates in each dimension. It represents a region of the grid, or the
/// intermediates of its groups. Coordinates are relative to the start of the region.
struct lattice {
  node_grid grid;                                       ///< sides, pitch and rings of the grid, without nodes
  std::vector<std::vector<std::uint32_t>> coordinates;  ///< coordinates in each dimension

  std::size_t size() const;
  /// Returns the number of rows in \p dimension.
  std::size_t across(std::size_t dimension) const { return size() / coordinates[dimension].size(); }
};

lattice make_lattice(std::vector<std::vector<std::uint32_t>> coordinates, std::vector<std::uint32_t> pitch,
                     std::vector<bool> ring);

/// Returns the coordinates of the node with \p index in a grid.
std::vector<std::uint32_t> coordinates_at(std::size_t index, const std::vector<std::uint32_t>& sides);

/// Whether the same number of data starts at every node.
bool all_equal(const std::vector<std::uint64_t>& weights);

/// Counts the messages and hops of the trees of one algorithm over one lattice.
class lattice_counts {
 public:
  using counts = std::vector<collective_count>;

  /// \p network must outlive this object.
  lattice_counts(collective_algorithm a, lattice over, const collective_network& network);

  /// Returns the counts of each level. For trees without rounds, only the sum of the counts is defined.
  /// \param weights number of data that start at each node
  counts of(const std::vector<std::uint64_t>& weights);

 private:
  /// The counts of each level of one row tree. A tree without rounds has one level.
  struct row_counts {
    std::vector<std::uint64_t> sends;
    std::vector<std::uint64_t> hops;
  };

  std::uint64_t row_distance(std::size_t d, std::uint32_t i, std::uint32_t j) const;
  std::uint64_t distance(std::size_t from, std::size_t to) const;
  counts all_at_once(const std::vector<std::uint64_t>& weights) const;
  const row_counts& row_of(std::size_t d, std::uint32_t root);
  /// Counts for algorithms whose trees are products of row trees. At each level, all rows that already have the datum
  /// carry out a level of a row tree.
  counts product_trees(const std::vector<std::uint64_t>& weights);
  /// Counts for RankTree. If all weights are equal, the trees of all roots together contain each send of a tree once
  /// from every node, at the same offset.
  counts rank_tree(const std::vector<std::uint64_t>& weights) const;
  /// Returns the sum of the distances from every node to the node \p offset positions after it.
  std::uint64_t at_offset(std::uint32_t offset) const;
  /// Counts for Ring. The tree of a root uses all links of the ring except the link that leads back to the root.
  counts ring(const std::vector<std::uint64_t>& weights) const;

  collective_algorithm m_algorithm;
  lattice m_over;
  const collective_network& m_network;
  std::vector<std::vector<row_counts>> m_rows;  ///< row trees by dimension and root, computed on demand
};

}  // namespace weft
