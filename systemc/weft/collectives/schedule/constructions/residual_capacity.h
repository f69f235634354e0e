// SPDX-License-Identifier: Apache-2.0
/// Residual capacity of a step while it is being filled, and paths through it.
#pragma once

#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// Transfers that each channel can still serve in a step.
class residual_capacity {
 public:
  explicit residual_capacity(const step_network& network);

  bool has(channel_id c) const { return m_left[c] > 0; }
  bool fits(const channel_path& path) const;
  void reserve(const channel_path& path);
  void release(const channel_path& path);
  /// Whether \p node can still send.
  bool sends(node_id node) const;
  bool receives(node_id node) const;

 private:
  const step_network* m_network;
  std::vector<unsigned> m_left;  // by channel
};

/// Finds paths that the path rule of a problem allows. Caches distances: 4 bytes for each requested node and each
/// vertex.
class path_search {
 public:
  path_search(const step_network& network, path_rule rule);

  /// Number of channels on a shortest path; Unreached if there is none.
  std::uint32_t distance(node_id from, node_id to) { return to_node(to)[from]; }
  /// A shortest of the allowed paths with enough capacity; empty if there is none.
  channel_path find(const residual_capacity& capacity, node_id from, node_id to);
  /// The same, but faster and incomplete: takes the first free channel nearer to \p to at each router, without
  /// backtracking.
  channel_path walk(const residual_capacity& capacity, node_id from, node_id to);
  /// Whether the rule allows the path.
  bool allows(node_id from, node_id to, const channel_path& path);
  /// A path from the nearest node for which \p holds is set; empty if there is none.
  channel_path find_from_any(const residual_capacity& capacity, const std::vector<bool>& holds, node_id to);

 private:
  const std::vector<std::uint32_t>& to_node(node_id node);
  channel_path walk_back(vertex_id from, vertex_id to) const;

  const step_network& m_network;
  const path_rule m_rule;
  std::vector<std::vector<std::uint32_t>> m_distances;  // to each node, from each vertex
  std::vector<std::uint32_t> m_seen;                    // by vertex: the search that visited it last
  std::vector<channel_id> m_by;                         // by vertex: the channel by which that search arrived
  std::vector<vertex_id> m_queue;
  std::uint32_t m_search = 0;
};

/// Describes a receiver that cannot be reached by some sender; empty if all can be reached.
std::string unreachable(const problem& p);

}  // namespace weft::schedule
