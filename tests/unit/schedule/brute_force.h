// SPDX-License-Identifier: Apache-2.0
/// Exhaustive search for the fewest steps of very small problems, and small random networks. For tests of bounds and
/// methods, which share nothing with it but the description of the problem.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// Breadth-first search over the sets of nodes that hold each message. Ignores path rules.
class brute_force {
 public:
  explicit brute_force(const problem& p) : m_network(p.network), m_combining(p.combining) {
    for (const demand& d : demands_of(p.requested)) {
      auto at = std::find(m_messages.begin(), m_messages.end(), d.what);
      if (at == m_messages.end()) at = m_messages.insert(at, d.what);
      const auto m = static_cast<std::size_t>(at - m_messages.begin());
      m_receivers.resize(m_messages.size(), 0);
      m_receivers[m] |= 1U << d.receiver;
    }
    for (const step_channel& c : m_network.channels()) m_free.push_back(c.capacity);
    const auto nodes = static_cast<node_id>(m_network.nodes());
    m_paths.resize(nodes * nodes);
    for (node_id a = 0; a < nodes; ++a) {
      for (node_id b = 0; b < nodes; ++b) m_paths[a * nodes + b] = find_paths(m_network, a, b, 99, 1000);
    }
  }

  /// The fewest steps, up to \p most; nothing if no such schedule exists or \p effort calls are not enough.
  std::optional<std::size_t> fewest_steps(std::size_t most, std::uint64_t effort) {
    m_effort = effort;
    holders start;
    for (const message& m : m_messages) start.push_back(1U << m.origin);
    std::set<holders> states{start}, seen{start};
    for (std::size_t steps = 0; steps <= most && !states.empty(); ++steps) {
      m_next.clear();
      for (const holders& s : states) {
        if (done(s)) return steps;
        m_before = m_after = s;
        list_transfers();
        extend(0);
        if (m_effort == 0) return std::nullopt;
      }
      states.clear();
      for (const holders& s : m_next) {
        if (seen.insert(s).second) states.insert(s);
      }
    }
    return std::nullopt;
  }

 private:
  using holders = std::vector<std::uint32_t>;  ///< for each message, a bit for each node

  struct candidate {
    node_id from, to;
    std::vector<std::size_t> messages;
  };

  bool done(const holders& s) const {
    for (std::size_t m = 0; m < s.size(); ++m) {
      if ((s[m] & m_receivers[m]) != m_receivers[m]) return false;
    }
    return true;
  }

  /// All transfers that give a node something that it lacks; with combining, everything that the sender has.
  void list_transfers() {
    m_candidates.clear();
    for (node_id from = 0; from < m_network.nodes(); ++from) {
      for (node_id to = 0; to < m_network.nodes(); ++to) {
        std::vector<std::size_t> useful;
        for (std::size_t m = 0; m < m_before.size(); ++m) {
          if ((m_before[m] >> from & 1) != 0 && (m_before[m] >> to & 1) == 0) useful.push_back(m);
        }
        if (from == to || useful.empty()) continue;
        if (m_combining) m_candidates.push_back({from, to, useful});
        for (const std::size_t m : useful) {
          if (!m_combining) m_candidates.push_back({from, to, {m}});
        }
      }
    }
  }

  const std::vector<channel_path>& paths(const candidate& c) const {
    return m_paths[c.from * m_network.nodes() + c.to];
  }
  bool fits(const channel_path& path) const {
    return std::all_of(path.begin(), path.end(), [&](channel_id c) { return m_free[c] > 0; });
  }
  bool of_use(const candidate& c) const {
    return std::any_of(c.messages.begin(), c.messages.end(), [&](std::size_t m) { return !(m_after[m] >> c.to & 1); });
  }

  /// Selects the transfers from \p i on. Keeps only steps to which no transfer can be added: more is never worse.
  void extend(std::size_t i) {
    if (m_effort == 0 || --m_effort == 0) return;
    if (i == m_candidates.size()) {
      for (const candidate& c : m_candidates) {
        if (!of_use(c)) continue;
        if (std::any_of(paths(c).begin(), paths(c).end(), [&](const channel_path& path) { return fits(path); })) return;
      }
      m_next.insert(m_after);
      return;
    }
    const candidate& c = m_candidates[i];
    extend(i + 1);
    if (!of_use(c)) return;
    const holders without = m_after;
    for (const channel_path& path : paths(c)) {
      if (!fits(path)) continue;
      for (const channel_id id : path) --m_free[id];
      for (const std::size_t m : c.messages) m_after[m] |= 1U << c.to;
      extend(i + 1);
      m_after = without;
      for (const channel_id id : path) ++m_free[id];
    }
  }

  const step_network& m_network;
  bool m_combining;
  std::vector<message> m_messages;
  std::vector<std::uint32_t> m_receivers;  ///< for each message, a bit for each receiver
  std::vector<std::vector<channel_path>> m_paths;
  std::vector<unsigned> m_free;
  holders m_before, m_after;
  std::vector<candidate> m_candidates;
  std::set<holders> m_next;
  std::uint64_t m_effort = 0;
};

/// A strongly connected network of 2 to 4 routers and 2 to \p nodes nodes, some of them at two routers. Links are
/// one-way or two-way, some of them double.
inline topology small_network(std::mt19937& random, unsigned nodes) {
  const auto draw = [&](unsigned low, unsigned high) {
    return low + static_cast<unsigned>(random() % (high - low + 1));
  };
  topology t;
  t.routers.resize(draw(2, 4));
  const auto routers = static_cast<router_id>(t.routers.size());
  const auto link = [&](router_id a, router_id b) {
    t.channels.push_back({{a, t.routers[a].ports++}, {b, t.routers[b].ports++}});
  };
  const bool two_ways = draw(0, 2) > 0;
  for (router_id r = 0; r < routers; ++r) {
    link(r, (r + 1) % routers);
    if (two_ways) link((r + 1) % routers, r);
  }
  for (unsigned more = draw(0, 3); more > 0; --more) {
    const router_id a = draw(0, routers - 1), b = draw(0, routers - 1);
    if (a != b) link(a, b);
  }
  t.nodes.resize(draw(2, nodes));
  for (node_attachment& node : t.nodes) {
    for (unsigned ports = draw(0, 3) == 0 ? 2 : 1; ports > 0; --ports) {
      const router_id r = draw(0, routers - 1);
      node.ports.push_back({r, t.routers[r].ports++});
    }
  }
  return t;
}

/// Random senders and receivers; at most \p demands messages to receive.
inline collective small_collective(std::mt19937& random, const step_network& network, std::size_t demands) {
  for (;;) {
    collective requested{random() % 2 == 0 ? operation::Broadcast : operation::Scatter, {}, {}};
    for (node_id n = 0; n < network.nodes(); ++n) {
      if (random() % 2 == 0) requested.senders.push_back(n);
      if (random() % 3 != 0) requested.receivers.push_back(n);
    }
    const std::size_t demand_count = demands_of(requested).size();
    if (demand_count > 0 && demand_count <= demands) return checked(requested, network);
  }
}

}  // namespace weft::schedule
