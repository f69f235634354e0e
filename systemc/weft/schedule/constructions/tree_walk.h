// SPDX-License-Identifier: Apache-2.0
/// Spanning trees, for constructions that send along them.
#pragma once

#include <optional>

#include "weft/schedule/constructions/random_order.h"
#include "weft/schedule/constructions/step_room.h"

namespace weft::schedule {

/// A tree of full-duplex links over routers, breadth first from a vertex, and nodes as its leaves.
class spanning_tree {
 public:
  /// The tree from \p root; where a vertex has several ways to it, it takes that which \p order draws, or the first.
  /// Only nodes that \p members is set for belong to it.
  spanning_tree(const step_network& network, vertex_id root, const std::vector<bool>& members, random_order* order);

  /// Whether all members are in it.
  bool complete() const { return m_complete; }
  /// Vertices, parents first.
  const std::vector<vertex_id>& vertices() const { return m_order; }
  /// Members in the order of a walk around the tree, depth first.
  std::vector<node_id> walk() const;
  /// The only path of the tree.
  channel_path path(node_id from, node_id to) const;
  vertex_id parent(vertex_id v) const { return m_parent[v]; }

 private:
  const step_network& m_network;
  std::vector<vertex_id> m_order;
  std::vector<vertex_id> m_parent;       // by vertex; of the root: itself
  std::vector<channel_id> m_up, m_down;  // by vertex: to the parent, and from it
  std::vector<std::uint32_t> m_depth;
  bool m_complete = true;
};

/// Trees that a construction tries one after the other: from several roots, first without and then with chance.
std::vector<spanning_tree> trees_to_try(const step_network& network, const std::vector<bool>& members,
                                        std::uint64_t seed, std::size_t most);

/// Nodes that send or receive.
std::vector<bool> members_of(const problem& p);

}  // namespace weft::schedule
