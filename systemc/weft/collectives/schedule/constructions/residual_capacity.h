// SPDX-License-Identifier: Apache-2.0
/// The residual capacity of a step to which transfers are added, and a search for paths that fit into it.
#pragma once

#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// The number of transfers that each channel can still serve in a step.
class residual_capacity {
 public:
  explicit residual_capacity(const step_network& network);

  bool has(channel_id c) const { return m_left[c] > 0; }
  bool fits(const channel_path& path) const;
  void reserve(const channel_path& path);
  void release(const channel_path& path);
  /// Whether \p node can still send, or receive, in the step.
  bool sends(node_id node) const;
  bool receives(node_id node) const;

 private:
  const step_network* m_network;
  std::vector<unsigned> m_left;  // transfers left for each channel
};

/// Finds paths that the path rule of a problem allows. It caches distances, which take 4 bytes for each pair of a
/// requested node and a vertex.
class path_search {
 public:
  path_search(const step_network& network, path_rule rule);

  /// Returns the number of channels on a shortest path; Unreached if there is no path.
  std::uint32_t distance(node_id from, node_id to) { return to_node(to)[from]; }
  /// Returns a shortest path among the allowed paths with enough capacity; empty if there is none.
  channel_path find(const residual_capacity& capacity, node_id from, node_id to);
  /// Like find(), but faster and incomplete: at each router it takes the first free channel that leads nearer to \p to,
  /// without backtracking.
  channel_path walk(const residual_capacity& capacity, node_id from, node_id to);
  /// Whether the path rule allows \p path.
  bool allows(node_id from, node_id to, const channel_path& path);
  /// Returns a path to \p to from the nearest node for which \p holds is set; empty if there is none.
  channel_path find_from_any(const residual_capacity& capacity, const std::vector<bool>& holds, node_id to);

 private:
  const std::vector<std::uint32_t>& to_node(node_id node);
  channel_path walk_back(vertex_id from, vertex_id to) const;

  const step_network& m_network;
  const path_rule m_rule;
  std::vector<std::vector<std::uint32_t>> m_distances;  // distance to each node from each vertex
  std::vector<std::uint32_t> m_seen;                    // for each vertex, the search that visited it last
  std::vector<channel_id> m_by;                         // for each vertex, the channel by which this search arrived
  std::vector<vertex_id> m_queue;
  std::uint32_t m_search = 0;
};

/// Returns an error message for a receiver that some sender cannot reach; empty if all receivers can be reached.
std::string unreachable(const problem& p);

}  // namespace weft::schedule
