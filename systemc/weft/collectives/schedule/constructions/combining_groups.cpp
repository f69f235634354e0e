// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/combining_groups.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/combining_halving.h"

namespace weft::schedule {
namespace {

/// Groups of participants with consecutive numbers. The first participant of each group represents it.
class group_exchange {
 public:
  group_exchange(const problem& p, round_router& router, std::size_t size)
      : m_p(p),
        m_size(size),
        m_nodes(participants_of(p.requested)),
        m_position(p.network.nodes()),
        m_by_origin(p.network.nodes()),
        m_relay(p, router) {
    std::vector<halving_part> groups;
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
      m_position[m_nodes[i]] = i;
      if (i % size == 0) groups.push_back({i, i + size, i});
      const std::set<message>& held = m_relay.held(m_nodes[i]);
      m_by_origin[m_nodes[i]].assign(held.begin(), held.end());
    }
    m_rounds = halve(p, router, m_nodes, groups, 2, 0);
  }

  step_schedule run(const step_schedule& core) {
    collect();
    for (const step& s : core.steps) {
      m_relay.repeat(s, [&](const transfer& t) { return payload_of(t.payload); });
    }
    for (const halving_round& round : m_rounds) spread(round);
    return m_relay.schedule();
  }

 private:
  /// Collects the messages of each part at its source. A message for a node of the same part stays in the part.
  void collect() {
    if (m_p.requested.what == operation::Broadcast) {
      for (std::size_t further = 1; further < m_size; further *= 2) {
        node_pairs pairs;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
          pairs.emplace_back(m_nodes[i], m_nodes[i - i % m_size + (i + further) % m_size]);
        }
        m_relay.round(pairs);
      }
      return;
    }
    for (auto round = m_rounds.rbegin(); round != m_rounds.rend(); ++round) {
      node_pairs pairs = round->pairs;
      for (auto& [from, to] : pairs) std::swap(from, to);
      const auto parts = parts_of(*round);
      m_relay.round(pairs,
                    [&](const message& m, node_id from, node_id) { return !is_in(parts.at(from), m.destination); });
    }
  }

  /// Returns the messages of whole groups which the messages of the first nodes represent.
  std::vector<message> payload_of(const std::vector<message>& of_first) const {
    std::vector<message> payload;
    for (const message& m : of_first) {
      const std::size_t group = m_position[m.origin];
      for (std::size_t i = group; i < group + m_size; ++i) {
        for (const message& each : m_by_origin[m_nodes[i]]) {
          if (m.destination == message::Everyone || group_of(each.destination) == group_of(m.destination)) {
            payload.push_back(each);
          }
        }
      }
    }
    return payload;
  }

  void spread(const halving_round& round) {
    const auto parts = parts_of(round);
    m_relay.round(round.pairs, [&](const message& m, node_id, node_id to) {
      return m.destination == message::Everyone || is_in(parts.at(to), m.destination);
    });
  }

  /// The parts of a round by source.
  static std::map<node_id, halving_part> parts_of(const halving_round& round) {
    std::map<node_id, halving_part> parts;
    for (std::size_t i = 0; i < round.pairs.size(); ++i) parts[round.pairs[i].second] = round.parts[i];
    return parts;
  }

  bool is_in(const halving_part& part, node_id node) const {
    return m_position[node] >= part.first && m_position[node] < part.last;
  }

  std::size_t group_of(node_id node) const { return m_position[node] / m_size; }

  const problem& m_p;
  const std::size_t m_size;
  const std::vector<node_id> m_nodes;
  std::vector<std::size_t> m_position;            // of each participant in the list
  std::vector<std::vector<message>> m_by_origin;  // messages that each participant has to send
  relay m_relay;
  std::vector<halving_round> m_rounds;
};

}  // namespace

std::optional<collective> between_groups(const collective& requested, std::size_t size) {
  const std::vector<node_id> nodes = participants_of(requested);
  if (requested.senders != requested.receivers || nodes.size() % size != 0 || nodes.size() < 2 * size)
    return std::nullopt;
  collective first{requested.what, {}, {}};
  for (std::size_t i = 0; i < nodes.size(); i += size) first.senders.push_back(nodes[i]);
  first.receivers = first.senders;
  return first;
}

step_schedule in_groups(const problem& p, round_router& router, std::size_t size, const step_schedule& core) {
  return group_exchange(p, router, size).run(core);
}

}  // namespace weft::schedule
