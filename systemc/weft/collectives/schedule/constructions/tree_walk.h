// SPDX-License-Identifier: Apache-2.0
/// Spanning trees, for constructions that send along them.
#pragma once

#include <optional>

#include "weft/collectives/schedule/constructions/random_order.h"
#include "weft/collectives/schedule/constructions/residual_capacity.h"

namespace weft::schedule {

/// A breadth-first spanning tree of full-duplex links over routers. It begins at a root vertex, and its leaves are
/// nodes.
class spanning_tree {
 public:
  /// Makes the tree from \p root. Only the nodes in \p members belong to it. If a vertex can have several parents, \p
  /// order draws one of them; without \p order, the first is used.
  spanning_tree(const step_network& network, vertex_id root, const std::vector<bool>& members, random_order* order);

  /// Whether the tree contains all members.
  bool complete() const { return m_complete; }
  /// Returns the vertices of the tree; each parent comes before its children.
  const std::vector<vertex_id>& vertices() const { return m_order; }
  /// Returns the members in the order of a depth-first walk around the tree.
  std::vector<node_id> walk() const;
  /// Returns the path from \p from to \p to in the tree.
  channel_path path(node_id from, node_id to) const;
  vertex_id parent(vertex_id v) const { return m_parent[v]; }

 private:
  const step_network& m_network;
  std::vector<vertex_id> m_order;
  std::vector<vertex_id> m_parent;       // parent of each vertex; the root is its own parent
  std::vector<channel_id> m_up, m_down;  // for each vertex, the channel to its parent and the channel from it
  std::vector<std::uint32_t> m_depth;
  bool m_complete = true;
};

/// Returns at most \p most trees for a construction to try in turn. Their roots differ. The first trees are
/// deterministic, the others random.
std::vector<spanning_tree> trees_to_try(const step_network& network, const std::vector<bool>& members,
                                        std::uint64_t seed, std::size_t most);

/// Returns, for each node, whether it sends or receives.
std::vector<bool> members_of(const problem& p);

}  // namespace weft::schedule
