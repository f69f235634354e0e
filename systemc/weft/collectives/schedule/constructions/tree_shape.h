// SPDX-License-Identifier: Apache-2.0
/// Recognizes fat trees, and routes permutations in them.
#pragma once

#include <optional>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// XGFT(h; m1, …, mh; w1, …, wh) with nodes and routers numbered as in make_fat_tree(). Its w1 planes share only the
/// nodes.
class tree_shape {
 public:
  /// Empty if the network is not such a tree.
  static std::optional<tree_shape> of(const step_network& network);

  std::size_t height() const { return m_children.size(); }
  std::uint32_t children(std::size_t level) const { return m_children[level - 1]; }  ///< m of level 1…h
  std::uint32_t parents(std::size_t level) const { return m_parents[level - 1]; }    ///< w
  std::uint32_t planes() const { return m_parents.front(); }
  std::uint32_t nodes_below(std::size_t level) const { return m_below[level]; }  ///< below a router; level 0: 1
  /// Whether routers of \p level and above, except the top level, have as many parents as children.
  bool full_from(std::size_t level) const;

  struct pair {
    node_id from = 0, to = 0;
  };
  /// Disjoint paths in \p plane, each up to the lowest common router and down. Each node may send and receive at most
  /// one message. At most as many paths may leave or enter the nodes of a router of level 1 as it has parents; above
  /// that level the tree must be full.
  std::vector<channel_path> route(const std::vector<pair>& pairs, std::uint32_t plane) const;

 private:
  explicit tree_shape(const step_network& network) : m_network(&network) {}
  bool read();
  bool verify() const;
  vertex_id router(std::size_t level, node_id below, std::uint32_t position) const;
  channel_path path(const pair& p, const std::vector<std::uint32_t>& positions) const;

  const step_network* m_network;
  std::vector<std::uint32_t> m_children, m_parents;
  std::vector<std::uint32_t> m_below;      // M of level 0…h
  std::vector<std::uint32_t> m_positions;  // W of level 0…h
  std::vector<std::uint32_t> m_first;      // first router of level 1…h, at 1…h
};

}  // namespace weft::schedule
