// SPDX-License-Identifier: Apache-2.0
/// Recognizes fat trees, and routes permutations in them.
#pragma once

#include <optional>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// A fat tree XGFT(h; m1, …, mh; w1, …, wh) whose nodes and routers are numbered as in make_fat_tree(). It has w1
/// planes, which share only the nodes.
class tree_shape {
 public:
  /// Returns the tree that \p network is; nothing if it is not such a tree.
  static std::optional<tree_shape> of(const step_network& network);

  std::size_t height() const { return m_children.size(); }
  std::uint32_t children(std::size_t level) const { return m_children[level - 1]; }  ///< m of the given level, 1…h
  std::uint32_t parents(std::size_t level) const { return m_parents[level - 1]; }    ///< w of the given level, 1…h
  std::uint32_t planes() const { return m_parents.front(); }
  std::uint32_t nodes_below(std::size_t level) const { return m_below[level]; }  ///< below a router; 1 for level 0
  /// Whether the routers of \p level and all higher levels, except the top level, have as many parents as children.
  bool full_from(std::size_t level) const;

  struct pair {
    node_id from = 0, to = 0;
  };
  /// Returns disjoint paths in \p plane for \p pairs. Each path leads up to the lowest common router and down again.
  /// Each node may send and receive at most one message. The number of paths that leave or enter the nodes of a router
  /// of level 1 must not exceed the number of its parents. Above level 1, the tree must be full.
  std::vector<channel_path> route(const std::vector<pair>& pairs, std::uint32_t plane) const;

 private:
  explicit tree_shape(const step_network& network) : m_network(&network) {}
  bool read();
  bool verify() const;
  vertex_id router(std::size_t level, node_id below, std::uint32_t position) const;
  channel_path path(const pair& p, const std::vector<std::uint32_t>& positions) const;

  const step_network* m_network;
  std::vector<std::uint32_t> m_children, m_parents;
  std::vector<std::uint32_t> m_below;      // for levels 0…h: nodes below a router
  std::vector<std::uint32_t> m_positions;  // for levels 0…h: product of the parents w of the levels up to it
  std::vector<std::uint32_t> m_first;      // for levels 1…h: first router of the level
};

}  // namespace weft::schedule
