// SPDX-License-Identifier: Apache-2.0
/// Hops of broadcast trees over a lattice of nodes, without their messages: a distance is a sum over dimensions, a tree
/// a product of trees in rows, and so is what they add up to. A part of collective_hops().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/workload/collective/broadcast_tree.h"
#include "weft/workload/collective/collective_hops.h"

namespace weft {

/// All combinations of coordinates: a region of the grid, or the intermediates of its groups. Coordinates are counted
/// from the beginning of the region.
struct lattice {
  node_grid grid;                                       ///< sides, pitch and rings; the nodes are left out
  std::vector<std::vector<std::uint32_t>> coordinates;  ///< by dimension

  std::size_t size() const;
  /// Rows in \p dimension.
  std::size_t across(std::size_t dimension) const { return size() / coordinates[dimension].size(); }
};

lattice make_lattice(std::vector<std::vector<std::uint32_t>> coordinates, std::vector<std::uint32_t> pitch,
                     std::vector<bool> ring);

/// The coordinates of a node from its \p index in a grid.
std::vector<std::uint32_t> coordinates_at(std::size_t index, const std::vector<std::uint32_t>& sides);

/// Whether as many data start at every node.
bool all_equal(const std::vector<std::uint64_t>& weights);

/// Counts of the trees of one algorithm over one lattice.
class lattice_counts {
 public:
  using counts = std::vector<collective_count>;

  /// \p network outlives it.
  lattice_counts(collective_algorithm a, lattice over, const collective_network& network);

  /// By level; of trees that have no rounds, by any part. \p weights say how many data start at each node.
  counts of(const std::vector<std::uint64_t>& weights);

 private:
  /// Of one row tree, by level; one without rounds has one.
  struct row_counts {
    std::vector<std::uint64_t> sends;
    std::vector<std::uint64_t> hops;
  };

  std::uint64_t row_distance(std::size_t d, std::uint32_t i, std::uint32_t j) const;
  std::uint64_t distance(std::size_t from, std::size_t to) const;
  counts all_at_once(const std::vector<std::uint64_t>& weights) const;
  const row_counts& row_of(std::size_t d, std::uint32_t root);
  /// A level of a row tree is done by as many rows as have the datum by then.
  counts product_trees(const std::vector<std::uint64_t>& weights);
  /// Where all weights are the same, all roots together send over an offset from every node.
  counts rank_tree(const std::vector<std::uint64_t>& weights) const;
  /// Sum of the distances from every node to the one that stands \p offset after it.
  std::uint64_t at_offset(std::uint32_t offset) const;
  /// Every root leaves out the one link that leads back to it.
  counts ring(const std::vector<std::uint64_t>& weights) const;

  collective_algorithm m_algorithm;
  lattice m_over;
  const collective_network& m_network;
  std::vector<std::vector<row_counts>> m_rows;  ///< by dimension and root, as far as they were asked for
};

}  // namespace weft
