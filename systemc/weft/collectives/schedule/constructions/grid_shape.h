// SPDX-License-Identifier: Apache-2.0
/// Recognizes meshes, tori, rings and hypercubes.
#pragma once

#include <optional>
#include <vector>

#include "weft/collectives/schedule/constructions/line_patterns.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// A grid with one node at each router. Nodes and routers are numbered row by row, as in make_grid() and
/// make_hypercube().
class grid_shape {
 public:
  struct side {
    line_kind kind = line_kind::Line;
    std::uint32_t length = 1;
    std::uint32_t stride = 1;  ///< difference of the router numbers of two neighbors
  };

  /// Returns the grid that \p network is; nothing if it is not such a grid.
  static std::optional<grid_shape> of(const step_network& network);

  const std::vector<side>& sides() const { return m_sides; }
  /// Returns the path from \p from to \p to that makes one move in each dimension, in the order of dimensions. The
  /// coordinates of \p from are the start positions of the moves.
  channel_path path(node_id from, node_id to, const std::vector<line_move>& moves) const;

 private:
  explicit grid_shape(const step_network& network) : m_network(&network) {}
  bool read();
  std::optional<channel_id> link(std::uint32_t from, std::uint32_t to) const;
  std::size_t links_of(const side& s) const;

  const step_network* m_network;
  std::vector<side> m_sides;
  std::vector<std::vector<channel_id>> m_up, m_down;  // links to the next and previous router
};

}  // namespace weft::schedule
