// SPDX-License-Identifier: Apache-2.0
/// Spanning trees for constructions that send along them.
#pragma once

#include <optional>

#include "weft/collectives/schedule/constructions/random_order.h"
#include "weft/collectives/schedule/constructions/residual_capacity.h"

namespace weft::schedule {

/// A breadth-first tree of full-duplex links over routers from a root vertex, with nodes as its leaves.
class spanning_tree {
 public:
  /// Makes the tree from \p root. If a vertex has several parents to choose from, \p order draws one; without \p order,
  /// the first is used. Only nodes in \p members belong to the tree.
  spanning_tree(const step_network& network, vertex_id root, const std::vector<bool>& members, random_order* order);

  /// Whether the tree contains all members.
  bool complete() const { return m_complete; }
  /// Vertices, parents before children.
  const std::vector<vertex_id>& vertices() const { return m_order; }
  /// Members in the order of a depth-first walk around the tree.
  std::vector<node_id> walk() const;
  /// The unique path in the tree.
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

/// Trees for a construction to try in turn: from several roots, first deterministic, then random.
std::vector<spanning_tree> trees_to_try(const step_network& network, const std::vector<bool>& members,
                                        std::uint64_t seed, std::size_t most);

/// Nodes that send or receive.
std::vector<bool> members_of(const problem& p);

}  // namespace weft::schedule
