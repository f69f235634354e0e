// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/fat_tree_rounds.h"

#include <algorithm>

#include "weft/collectives/schedule/constructions/edge_colouring.h"
#include "weft/collectives/schedule/constructions/tree_shape.h"

namespace weft::schedule {
namespace {

using tree_round = std::vector<tree_shape::pair>;
using edge_list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Returns rounds if the tree can route every permutation: an edge coloring of the demands, where each color is a
/// round.
std::vector<tree_round> rounds_of_demands(const collective& requested) {
  std::vector<tree_round> rounds;
  if (requested.senders == requested.receivers) {
    const std::size_t count = requested.senders.size();
    for (std::size_t shift = 1; shift < count; ++shift) {
      rounds.emplace_back();
      for (std::size_t i = 0; i < count; ++i) {
        rounds.back().push_back({requested.senders[i], requested.senders[(i + shift) % count]});
      }
    }
    return rounds;
  }
  const auto demands = demands_of(requested);
  edge_list edges;
  std::uint32_t most = 0;
  std::vector<std::uint32_t> sent, received;
  for (const demand& d : demands) {
    sent.resize(std::max<std::size_t>(sent.size(), d.what.origin + 1));
    received.resize(std::max<std::size_t>(received.size(), d.receiver + 1));
    most = std::max({most, ++sent[d.what.origin], ++received[d.receiver]});
    edges.emplace_back(d.what.origin, d.receiver);
  }
  const auto colours = edge_colouring(edges, most);
  rounds.resize(most);
  for (std::size_t e = 0; e < edges.size(); ++e) rounds[colours[e]].push_back({edges[e].first, edges[e].second});
  return rounds;
}

/// All to all if the m nodes of a router share c < m upward paths. In each round, all routers do the same with a cyclic
/// shift. A slot is a shift; it represents one message from each router to the router at that distance. Messages of
/// shift 0 stay at the router. A round has at most c slots with nonzero shifts, and m slots in total. Edge coloring
/// then assigns senders and receivers to the slots so that each of the m² pairs occurs once (m² - m pairs for shift 0).
class tapered_rounds {
 public:
  tapered_rounds(std::uint32_t nodes, std::uint32_t at_router, std::uint32_t ways_up)
      : m_nodes(nodes), m_size(at_router), m_routers(nodes / at_router) {
    const std::uint32_t crossing = m_size * (m_nodes - m_size);  // slots with nonzero shifts
    m_rounds = std::max(m_nodes - 1, (crossing + ways_up - 1) / ways_up);
    std::uint32_t shifted = 0, staying = 0;
    for (std::uint32_t r = 0; r < m_rounds; ++r) {
      const auto until = static_cast<std::uint32_t>(std::uint64_t{crossing} * (r + 1) / m_rounds);
      const std::uint32_t here = until - shifted;
      for (; shifted < until; ++shifted) m_slots.push_back({r, 1 + shifted % (m_routers - 1)});
      for (std::uint32_t i = here; i < m_size && staying < m_size * (m_size - 1); ++i, ++staying) {
        m_slots.push_back({r, 0});
      }
    }
  }

  std::vector<tree_round> run() {
    assign_senders();
    assign_receivers();
    std::vector<tree_round> rounds(m_rounds);
    for (const slot& s : m_slots) {
      for (std::uint32_t at = 0; at < m_routers; ++at) {
        rounds[s.round].push_back({at * m_size + s.from, (at + s.shift) % m_routers * m_size + s.to});
      }
    }
    return rounds;
  }

 private:
  struct slot {
    std::uint32_t round, shift;
    std::uint32_t from = 0, to = 0;
  };

  /// Divides the slots of a shift into groups of m. Each sender occurs once in a group.
  void assign_senders() {
    edge_list edges;
    std::vector<std::uint32_t> seen(m_routers, 0);
    for (const slot& s : m_slots) edges.emplace_back(s.round, s.shift * m_size + seen[s.shift]++ / m_size);
    const auto colours = edge_colouring(edges, m_size);
    for (std::size_t i = 0; i < m_slots.size(); ++i) m_slots[i].from = colours[i];
  }

  /// Assigns each receiver once to the slots of a shift and sender. Shift 0 has one slot fewer for each sender, so one
  /// color remains free. The free color of each sender is its own number.
  void assign_receivers() {
    edge_list edges;
    for (std::uint32_t i = 0; i < m_size; ++i) edges.emplace_back(m_rounds, i);
    for (const slot& s : m_slots) edges.emplace_back(s.round, s.shift * m_size + s.from);
    const auto colours = edge_colouring(edges, m_size);
    std::vector<std::uint32_t> number(m_size);
    for (std::uint32_t i = 0; i < m_size; ++i) number[colours[i]] = i;
    for (std::size_t i = 0; i < m_slots.size(); ++i) m_slots[i].to = number[colours[m_size + i]];
  }

  std::uint32_t m_nodes, m_size, m_routers;
  std::uint32_t m_rounds = 0;
  std::vector<slot> m_slots;
};

bool between_all(const problem& p) {
  return p.requested.senders.size() == p.network.nodes() && p.requested.receivers.size() == p.network.nodes();
}

std::string why_not_fat_tree_rounds(const problem& p) {
  if (p.requested.what == operation::Broadcast && p.requested.senders.size() == 1) return "it is for several senders";
  const auto tree = tree_shape::of(p.network);
  if (!tree) return "the network is not a fat tree with nodes and routers numbered level by level";
  if (tree->full_from(1)) return {};
  if (!tree->full_from(2)) return "above level 1 a router has fewer parents than children";
  if (!between_all(p))
    return "routers have fewer parents than nodes, so that it supports only communication from all nodes to all nodes";
  return {};
}

search_result run_fat_tree_rounds(const problem& p, const search_control&) {
  const tree_shape tree = *tree_shape::of(p.network);
  const std::vector<tree_round> rounds =
      tree.full_from(1)
          ? rounds_of_demands(p.requested)
          : tapered_rounds(static_cast<std::uint32_t>(p.network.nodes()), tree.children(1), tree.parents(2)).run();
  unsigned ports = tree.planes();
  for (node_id n = 0; n < p.network.nodes(); ++n) {
    ports = std::min({ports, p.network.ports_out(n), p.network.ports_in(n)});
  }
  step_schedule found;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const auto plane = static_cast<std::uint32_t>(r % ports);
    if (plane == 0) found.steps.emplace_back();
    auto paths = tree.route(rounds[r], plane);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const auto [from, to] = rounds[r][i];
      const node_id name = p.requested.what == operation::Scatter ? to : message::Everyone;
      found.steps.back().push_back({from, to, {{from, name}}, std::move(paths[i])});
    }
  }
  return {std::move(found), 0, {}};
}

}  // namespace

const method& fat_tree_rounds() {
  static const method m{"fat_tree_rounds",
                        "exchange on a fat tree: divides messages into permutations, and permutations into upward "
                        "paths, by coloring the edges of bipartite graphs (König 1916)",
                        method::kind::Construction, why_not_fat_tree_rounds, run_fat_tree_rounds};
  return m;
}

}  // namespace weft::schedule
