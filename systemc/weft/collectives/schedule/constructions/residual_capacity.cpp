// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/residual_capacity.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/topology/analysis/distances.h"

namespace weft::schedule {

residual_capacity::residual_capacity(const step_network& network) : m_network(&network) {
  m_left.reserve(network.channels().size());
  for (const step_channel& c : network.channels()) m_left.push_back(c.capacity);
}

bool residual_capacity::fits(const channel_path& path) const {
  return std::all_of(path.begin(), path.end(), [&](channel_id c) { return has(c); });
}

void residual_capacity::reserve(const channel_path& path) {
  for (const channel_id c : path) --m_left[c];
}

void residual_capacity::release(const channel_path& path) {
  for (const channel_id c : path) ++m_left[c];
}

bool residual_capacity::sends(node_id node) const {
  const auto& out = m_network->out(node);
  return std::any_of(out.begin(), out.end(), [&](channel_id c) { return has(c); });
}

bool residual_capacity::receives(node_id node) const {
  const auto& in = m_network->in(node);
  return std::any_of(in.begin(), in.end(), [&](channel_id c) { return has(c); });
}

path_search::path_search(const step_network& network, path_rule rule)
    : m_network(network),
      m_rule(rule),
      m_distances(network.nodes()),
      m_seen(network.vertices(), 0),
      m_by(network.vertices(), 0) {}

const std::vector<std::uint32_t>& path_search::to_node(node_id node) {
  if (m_distances[node].empty()) m_distances[node] = distances_to(m_network, node);
  return m_distances[node];
}

bool path_search::allows(node_id from, node_id to, const channel_path& path) {
  return m_rule == path_rule::Any || path.size() == distance(from, to);
}

channel_path path_search::find(const residual_capacity& capacity, node_id from, node_id to) {
  const auto& distances = to_node(to);
  if (from == to || distances[from] == Unreached) return {};
  ++m_search;
  m_seen[from] = m_search;
  m_queue.assign(1, from);
  for (std::size_t i = 0; i < m_queue.size(); ++i) {
    const vertex_id at = m_queue[i];
    for (const channel_id c : m_network.out(at)) {
      const vertex_id next = m_network.channels()[c].to;
      if (!capacity.has(c) || m_seen[next] == m_search || distances[next] == Unreached) continue;
      if (m_network.is_node(next) && next != to) continue;
      if (m_rule == path_rule::Minimal && distances[next] + 1 != distances[at]) continue;
      m_seen[next] = m_search;
      m_by[next] = c;
      if (next == to) return walk_back(from, to);
      m_queue.push_back(next);
    }
  }
  return {};
}

channel_path path_search::walk(const residual_capacity& capacity, node_id from, node_id to) {
  const auto& distances = to_node(to);
  channel_path path;
  for (vertex_id at = from; at != to;) {
    const auto& out = m_network.out(at);
    const auto nearer = std::find_if(out.begin(), out.end(), [&](channel_id c) {
      return capacity.has(c) && distances[m_network.channels()[c].to] + 1 == distances[at];
    });
    if (nearer == out.end()) return {};
    path.push_back(*nearer);
    at = m_network.channels()[*nearer].to;
  }
  return path;
}

channel_path path_search::walk_back(vertex_id from, vertex_id to) const {
  channel_path path;
  for (vertex_id at = to; at != from; at = m_network.channels()[m_by[at]].from) path.push_back(m_by[at]);
  std::reverse(path.begin(), path.end());
  return path;
}

channel_path path_search::find_from_any(const residual_capacity& capacity, const std::vector<bool>& holds, node_id to) {
  ++m_search;
  m_seen[to] = m_search;
  m_queue.assign(1, to);
  for (std::size_t i = 0; i < m_queue.size(); ++i) {
    for (const channel_id c : m_network.in(m_queue[i])) {
      const vertex_id before = m_network.channels()[c].from;
      if (!capacity.has(c) || m_seen[before] == m_search) continue;
      m_seen[before] = m_search;
      m_by[before] = c;
      if (!m_network.is_node(before)) {
        m_queue.push_back(before);
        continue;
      }
      if (!holds[before]) continue;
      channel_path path;
      for (vertex_id at = before; at != to; at = m_network.channels()[m_by[at]].to) path.push_back(m_by[at]);
      if (allows(before, to, path)) return path;
    }
  }
  return {};
}

std::string unreachable(const problem& p) {
  for (const node_id to : p.requested.receivers) {
    const auto distances = distances_to(p.network, to);
    for (const node_id from : p.requested.senders) {
      if (distances[from] == Unreached) return fmt::format("no path leads from n{} to n{}", from, to);
    }
  }
  return {};
}

}  // namespace weft::schedule
