// SPDX-License-Identifier: Apache-2.0
/// Finds shortest paths in a network whose channels are classified as up or down. The functions of routing_tables.h
/// share it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// The channels that leave each router and the channels that enter it.
class channel_lists {
 public:
  explicit channel_lists(const topology& t) : leaving(t.routers.size()), entering(t.routers.size()) {
    for (std::uint32_t c = 0; c < t.channels.size(); ++c) {
      leaving[t.channels[c].from.router].push_back(c);
      entering[t.channels[c].to.router].push_back(c);
    }
  }
  std::vector<std::vector<std::uint32_t>> leaving, entering;
};

/// Finds the shortest paths to one destination at a time, among the paths on which no up channel follows a down
/// channel. If all channels are up, these are the shortest of all paths.
class path_search {
 public:
  static constexpr std::uint32_t None = std::numeric_limits<std::uint32_t>::max();
  enum phase : unsigned { Climbing, Descending };  ///< a descending packet takes down channels only

  /// \param up for each channel, whether it is an up channel
  path_search(const topology& t, std::vector<bool> up)
      : m_topology(t),
        m_up(std::move(up)),
        m_lists(t),
        m_sources(t.routers.size()),
        m_load(t.channels.size()),
        m_hops(2 * t.routers.size()),
        m_flow(2 * t.routers.size()),
        m_next(2 * t.routers.size()) {
    for (const channel& c : t.channels) {
      m_from.push_back(c.from.router);
      m_to.push_back(c.to.router);
    }
    for (const node_attachment& n : t.nodes) ++m_sources[n.ports.front().router];
  }

  const channel_lists& lists() const { return m_lists; }
  bool up(std::uint32_t channel) const { return m_up[channel]; }

  /// Finds the paths to \p destination. Of several shortest paths, it selects the one whose channels have the fewest
  /// routes so far.
  void aim(node_id destination) {
    search(destination);
    std::fill(m_flow.begin(), m_flow.end(), 0);
    for (router_id r = 0; r < m_sources.size(); ++r) m_flow[state(r, Climbing)] = m_sources[r];
    for (std::size_t i = m_order.size(); i-- > 0;) choose(m_order[i]);
  }

  /// Number of channels on the path from \p router to the destination; None if no path is allowed.
  std::uint32_t hops(router_id router, phase p) const { return m_hops[state(router, p)]; }
  /// The channel by which the path leaves \p router; None at a router of the destination, and if no path is allowed.
  std::uint32_t next(router_id router, phase p) const { return m_next[state(router, p)]; }

 private:
  static std::uint32_t state(router_id router, phase p) { return 2 * router + p; }
  phase behind(std::uint32_t channel) const { return m_up[channel] ? Climbing : Descending; }

  /// Finds all distances by a breadth-first search over (router, phase), backward from the destination.
  void search(node_id destination) {
    std::fill(m_hops.begin(), m_hops.end(), None);
    std::fill(m_next.begin(), m_next.end(), None);
    m_order.clear();
    const auto reach = [&](std::uint32_t s, std::uint32_t hops) {
      if (m_hops[s] != None) return;
      m_hops[s] = hops;
      m_order.push_back(s);
    };
    for (const port_ref port : m_topology.nodes[destination].ports) {
      reach(state(port.router, Climbing), 0);
      reach(state(port.router, Descending), 0);
    }
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      const std::uint32_t s = m_order[i];
      const auto now = static_cast<phase>(s % 2);
      for (const std::uint32_t c : m_lists.entering[s / 2]) {
        if (behind(c) != now) continue;
        const router_id from = m_from[c];
        reach(state(from, Climbing), m_hops[s] + 1);
        if (!m_up[c]) reach(state(from, Descending), m_hops[s] + 1);
      }
    }
  }

  void choose(std::uint32_t s) {
    if (m_hops[s] == 0) return;
    std::uint32_t best = None;
    for (const std::uint32_t c : m_lists.leaving[s / 2]) {
      if (s % 2 == Descending && m_up[c]) continue;
      if (m_hops[state(m_to[c], behind(c))] != m_hops[s] - 1) continue;
      if (best == None || m_load[c] < m_load[best]) best = c;
    }
    m_next[s] = best;
    m_load[best] += m_flow[s];
    m_flow[state(m_to[best], behind(best))] += m_flow[s];
  }

  const topology& m_topology;
  const std::vector<bool> m_up;
  const channel_lists m_lists;
  std::vector<router_id> m_from, m_to;   ///< of each channel
  std::vector<std::uint32_t> m_sources;  ///< nodes at each router
  std::vector<std::uint64_t> m_load;     ///< routes over each channel
  std::vector<std::uint32_t> m_hops, m_order;
  std::vector<std::uint64_t> m_flow;  ///< routes to this destination through each (router, phase)
  std::vector<std::uint32_t> m_next;
};

/// Prepares the search for the paths of up*/down* routing, as route_up_down() defines them. \p levels receives the
/// level of each router, which is 0 for the root.
path_search search_up_down(const topology& t, std::optional<router_id> root,
                           std::vector<std::uint32_t>* levels = nullptr);

}  // namespace weft
