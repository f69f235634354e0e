// SPDX-License-Identifier: Apache-2.0
/// What a step has room for while it is being filled, and paths through that room.
#pragma once

#include <vector>

#include "weft/schedule/problem.h"

namespace weft::schedule {

/// Transfers that each channel can still serve in a step.
class step_room {
 public:
  explicit step_room(const step_network& network);

  bool has(channel_id c) const { return m_left[c] > 0; }
  bool fits(const channel_path& path) const;
  void take(const channel_path& path);
  void give_back(const channel_path& path);
  /// Whether \p node can still send, and receive.
  bool sends(node_id node) const;
  bool receives(node_id node) const;

 private:
  const step_network* m_network;
  std::vector<unsigned> m_left;  // by channel
};

/// Paths that a transfer may take by the rule of a problem. Remembers distances: 4 bytes for each node that was asked
/// for and each vertex.
class path_search {
 public:
  path_search(const step_network& network, path_rule rule);

  /// Channels of a shortest path; Unreached where there is none.
  std::uint32_t distance(node_id from, node_id to) { return to_node(to)[from]; }
  /// A shortest of the paths that \p room has room for; empty where there is none.
  channel_path find(const step_room& room, node_id from, node_id to);
  /// Whether the rule allows the path.
  bool allows(node_id from, node_id to, const channel_path& path);
  /// A path from the nearest node that \p holds is set for; empty where there is none.
  channel_path find_from_any(const step_room& room, const std::vector<bool>& holds, node_id to);

 private:
  const std::vector<std::uint32_t>& to_node(node_id node);
  channel_path walk_back(vertex_id from, vertex_id to) const;

  const step_network& m_network;
  const path_rule m_rule;
  std::vector<std::vector<std::uint32_t>> m_distances;  // to each node, from each vertex
  std::vector<std::uint32_t> m_seen;                    // by vertex: the search that came there last
  std::vector<channel_id> m_by;                         // by vertex: the channel by which it came
  std::vector<vertex_id> m_queue;
  std::uint32_t m_search = 0;
};

/// Why some receiver cannot be reached by some sender at all; empty where all can.
std::string unreachable(const problem& p);

}  // namespace weft::schedule
