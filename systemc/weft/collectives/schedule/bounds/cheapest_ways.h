// SPDX-License-Identifier: Apache-2.0
/// Computes the cheapest paths from a node to all others, where each channel has a cost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// How a message travels from its origin to a receiver.
enum class journey : std::uint8_t {
  Relayed,   ///< via other nodes, which forward it; a bound for such journeys holds for every schedule
  Direct,    ///< in one transfer, on any path
  Shortest,  ///< in one transfer, on a shortest path
};

/// Dijkstra's algorithm. \tparam Cost an unsigned or floating-point type
template <class Cost>
class cheapest_ways {
 public:
  static constexpr Cost Never = std::numeric_limits<Cost>::max();

  cheapest_ways(const step_network& network, journey how)
      : m_network(network), m_how(how), m_cost(network.vertices()), m_hops(network.vertices()) {}

  void search(node_id start, const std::vector<Cost>& weights) {
    m_start = start;
    if (m_how == journey::Shortest) count_hops();
    run(weights, false, false);
  }

  /// If \p backwards, returns the cost from the nearest other node to \p end, otherwise the cost from \p end to the
  /// nearest other node. Never if there is no such node.
  Cost nearest(node_id end, bool backwards, const std::vector<Cost>& weights) {
    m_start = end;
    return run(weights, backwards, true);
  }

  /// Results of search(): the cost of a vertex (Never if it is not reached), and the vertices reached, the cheapest
  /// first.
  Cost cost(vertex_id v) const { return m_cost[v]; }
  const std::vector<vertex_id>& order() const { return m_order; }

  /// Whether a message that begins at the start node of search() may use the channel.
  bool allowed(channel_id id) const {
    const step_channel& c = m_network.channels()[id];
    if (c.to == m_start) return false;
    if (m_how != journey::Relayed && m_network.is_node(c.from) && c.from != m_start) return false;
    return m_how != journey::Shortest || m_hops[c.to] == m_hops[c.from] + 1;
  }

 private:
  void count_hops() {
    std::fill(m_hops.begin(), m_hops.end(), Far);
    m_order.assign(1, m_start);
    m_hops[m_start] = 0;
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      const vertex_id at = m_order[i];
      if (m_network.is_node(at) && at != m_start) continue;
      for (const channel_id c : m_network.out(at)) {
        const vertex_id next = m_network.channels()[c].to;
        if (m_hops[next] != Far) continue;
        m_hops[next] = m_hops[at] + 1;
        m_order.push_back(next);
      }
    }
  }

  Cost run(const std::vector<Cost>& weights, bool backwards, bool to_first_node) {
    std::fill(m_cost.begin(), m_cost.end(), Never);
    m_order.clear();
    using entry = std::pair<Cost, vertex_id>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
    m_cost[m_start] = 0;
    queue.emplace(Cost{0}, m_start);
    while (!queue.empty()) {
      const auto [cost, at] = queue.top();
      queue.pop();
      if (cost != m_cost[at]) continue;
      if (to_first_node && at != m_start && m_network.is_node(at)) return cost;
      m_order.push_back(at);
      for (const channel_id c : backwards ? m_network.in(at) : m_network.out(at)) {
        const vertex_id next = backwards ? m_network.channels()[c].from : m_network.channels()[c].to;
        if (cost + weights[c] >= m_cost[next] || (!to_first_node && !allowed(c))) continue;
        m_cost[next] = cost + weights[c];
        queue.emplace(m_cost[next], next);
      }
    }
    return Never;
  }

  static constexpr std::uint32_t Far = std::numeric_limits<std::uint32_t>::max() - 1;

  const step_network& m_network;
  const journey m_how;
  node_id m_start = 0;
  std::vector<Cost> m_cost;
  std::vector<std::uint32_t> m_hops;  ///< distances from the start node, for journey::Shortest
  std::vector<vertex_id> m_order;
};

}  // namespace weft::schedule
