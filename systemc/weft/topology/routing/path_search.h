// SPDX-License-Identifier: Apache-2.0
/// Finds shortest paths in a network whose channels are classified as up or down. The functions of routing_tables.h
/// share it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "weft/topology/routing/path_weight.h"
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
  static constexpr std::uint32_t None = std::numeric_limits<std::uint32_t>::max();  ///< no channel
  enum phase : unsigned { Climbing, Descending };  ///< a descending packet takes down channels only

  /// \param up for each channel, whether it is an up channel
  path_search(const topology& t, std::vector<bool> up, path_weight weight = path_weight::Hops)
      : m_topology(t),
        m_up(std::move(up)),
        m_lists(t),
        m_sources(t.routers.size()),
        m_load(t.channels.size()),
        m_length(2 * t.routers.size()),
        m_flow(2 * t.routers.size()),
        m_next(2 * t.routers.size()) {
    for (const channel& c : t.channels) {
      m_from.push_back(c.from.router);
      m_to.push_back(c.to.router);
      m_length_of.push_back(length_of(c, weight));
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

  /// Whether a path from \p router to the destination is allowed.
  bool reaches(router_id router, phase p) const { return m_length[state(router, p)] != Unreached; }
  /// Whether a shortest path of a packet at the beginning of \p channel, which may take it, begins with it.
  bool is_shortest(std::uint32_t channel, phase p) const {
    const std::uint64_t rest = m_length[state(m_to[channel], behind(channel))];
    return rest != Unreached && rest + m_length_of[channel] == m_length[state(m_from[channel], p)];
  }
  /// The channel by which the path leaves \p router; None at a router of the destination, and if no path is allowed.
  std::uint32_t next(router_id router, phase p) const { return m_next[state(router, p)]; }

 private:
  static constexpr std::uint64_t Unreached = std::numeric_limits<std::uint64_t>::max();

  static std::uint32_t state(router_id router, phase p) { return 2 * router + p; }
  phase behind(std::uint32_t channel) const { return m_up[channel] ? Climbing : Descending; }

  /// Finds all distances by Dijkstra's algorithm over (router, phase), backward from the destination. States of equal
  /// distance keep the order in which they were reached, as in a breadth-first search.
  void search(node_id destination) {
    std::fill(m_length.begin(), m_length.end(), Unreached);
    std::fill(m_next.begin(), m_next.end(), None);
    m_order.clear();
    const auto reach = [&](std::uint32_t s, std::uint64_t length) {
      if (m_length[s] <= length) return;
      m_length[s] = length;
      m_open[length].push_back(s);
    };
    for (const port_ref port : m_topology.nodes[destination].ports) {
      reach(state(port.router, Climbing), 0);
      reach(state(port.router, Descending), 0);
    }
    while (!m_open.empty()) {
      const auto nearest = m_open.extract(m_open.begin());
      for (const std::uint32_t s : nearest.mapped()) {
        if (m_length[s] != nearest.key()) continue;  // a shorter path was found later
        m_order.push_back(s);
        expand(s, reach);
      }
    }
  }

  /// Reaches the states from which an allowed channel leads to the state \p s.
  template <class Reach>
  void expand(std::uint32_t s, Reach reach) {
    for (const std::uint32_t c : m_lists.entering[s / 2]) {
      if (behind(c) != static_cast<phase>(s % 2)) continue;
      const std::uint64_t length = m_length[s] + m_length_of[c];
      reach(state(m_from[c], Climbing), length);
      if (!m_up[c]) reach(state(m_from[c], Descending), length);
    }
  }

  void choose(std::uint32_t s) {
    if (m_length[s] == 0) return;
    std::uint32_t best = None;
    for (const std::uint32_t c : m_lists.leaving[s / 2]) {
      if (s % 2 == Descending && m_up[c]) continue;
      if (!is_shortest(c, static_cast<phase>(s % 2))) continue;
      if (best == None || m_load[c] < m_load[best]) best = c;
    }
    m_next[s] = best;
    m_load[best] += m_flow[s];
    m_flow[state(m_to[best], behind(best))] += m_flow[s];
  }

  const topology& m_topology;
  const std::vector<bool> m_up;
  const channel_lists m_lists;
  std::vector<router_id> m_from, m_to;                         ///< of each channel
  std::vector<std::uint64_t> m_length_of;                      ///< of each channel
  std::vector<std::uint32_t> m_sources;                        ///< nodes at each router
  std::vector<std::uint64_t> m_load;                           ///< routes over each channel
  std::vector<std::uint64_t> m_length;                         ///< of the path from each (router, phase)
  std::map<std::uint64_t, std::vector<std::uint32_t>> m_open;  ///< states by length, while a search runs
  std::vector<std::uint32_t> m_order;                          ///< states by length
  std::vector<std::uint64_t> m_flow;  ///< routes to this destination through each (router, phase)
  std::vector<std::uint32_t> m_next;
};

/// Prepares the search for the paths of up*/down* routing, as route_up_down() defines them. \p levels receives the
/// level of each router, which is 0 for the root.
path_search search_up_down(const topology& t, std::optional<router_id> root,
                           std::vector<std::uint32_t>* levels = nullptr, path_weight weight = path_weight::Hops);

}  // namespace weft
