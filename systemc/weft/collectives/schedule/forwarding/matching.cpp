// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/matching.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "weft/collectives/schedule/forwarding/round_budget.h"
#include "weft/core/shuffle.h"

namespace weft::schedule {
namespace {

constexpr std::size_t UsualBandwidth = 64;  // chunks per round; a link gets this many slots even for fewer chunks

class matching {
 public:
  matching(const forwarding_problem& p, std::uint64_t seed, const search_control& control)
      : m_problem(p),
        m_control(control),
        m_in(links_in(p.graph)),
        m_has(p.list.size(), std::vector<bool>(p.graph.nodes, false)),
        m_lacks(p.list.size()),
        m_copies(p.list.size(), 0),
        m_by(p.list.size(), NoSlot),
        m_tried(p.list.size(), 0),
        m_budget(p.graph),
        m_random(seed, 0, stream_purpose::Schedule) {
    for (chunk_id c = 0; c < p.list.size(); ++c) {
      for (const node_id node : p.list[c].holders) m_has[c][node] = true;
      m_copies[c] = p.list[c].holders.size();
      for (const node_id node : p.list[c].receivers) m_lacks[c] += m_has[c][node] ? 0 : 1;
      m_left += m_lacks[c];
    }
  }

  std::optional<forwarding_algorithm> run(std::size_t most) {
    forwarding_algorithm a;
    std::vector<node_id> order(m_problem.graph.nodes);
    std::iota(order.begin(), order.end(), node_id{0});
    while (m_left > 0) {
      if (a.steps.size() == most) return std::nullopt;
      a.steps.emplace_back();
      m_budget.next_round();
      shuffle(order.begin(), order.end(), m_random);
      for (const node_id node : order) match(node, a.steps.back().sends);
      if (a.steps.back().sends.empty()) return std::nullopt;
      for (const chunk_send& send : a.steps.back().sends) take(send);
    }
    return without_idle(m_problem, a);
  }

 private:
  static constexpr std::size_t NoSlot = static_cast<std::size_t>(-1);
  static constexpr std::size_t ChunksBetweenPolls = 4096;  // chunks between checks of the control

  /// One unit of a link's bandwidth, and the chunks that it could carry.
  struct slot {
    link_id link;
    std::vector<chunk_id> offers;
  };

  void take(const chunk_send& send) {
    m_has[send.chunk][send.to] = true;
    ++m_copies[send.chunk];
    if (!has_node(m_problem.list[send.chunk].receivers, send.to)) return;
    --m_lacks[send.chunk];
    --m_left;
  }

  /// Returns the chunks that \p node lacks and that some node still needs. Chunks for the node itself come first,
  /// sorted from the rarest to the most frequent.
  std::vector<chunk_id> candidates_of(node_id node) {
    std::vector<std::tuple<bool, std::size_t, std::uint64_t, chunk_id>> ranked;
    for (chunk_id c = 0; c < m_problem.list.size(); ++c) {
      if (c % ChunksBetweenPolls == 0) m_control.go_on();
      if (m_has[c][node] || m_lacks[c] == 0) continue;
      ranked.emplace_back(!has_node(m_problem.list[c].receivers, node), m_copies[c], m_random.next(), c);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<chunk_id> candidates;
    for (const auto& entry : ranked) candidates.push_back(std::get<3>(entry));
    return candidates;
  }

  void match(node_id node, std::vector<chunk_send>& sends) {
    const std::vector<chunk_id> candidates = candidates_of(node);
    m_slots.clear();
    for (const link_id l : m_in[node]) {
      m_control.go_on();
      const graph_link& link = m_problem.graph.links[l];
      slot one{l, {}};
      for (const chunk_id c : candidates) {
        if (m_has[c][link.from]) one.offers.push_back(c);
      }
      // A link with a huge bandwidth needs no more slots than chunks.
      const std::size_t slots = std::max(one.offers.size(), UsualBandwidth);
      m_slots.insert(m_slots.end(), std::min<std::size_t>(link.bandwidth, slots), one);
    }
    std::vector<std::size_t> order(m_slots.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order.begin(), order.end(), m_random);
    for (const std::size_t s : order) {
      m_control.go_on();
      ++m_now;
      if (m_budget.has(m_slots[s].link) && augment(s)) m_budget.take(m_slots[s].link);
    }
    for (const chunk_id c : candidates) {
      if (m_by[c] == NoSlot) continue;
      sends.push_back({c, m_problem.graph.links[m_slots[m_by[c]].link].from, node, false});
      m_by[c] = NoSlot;
    }
  }

  /// Kuhn's augmenting path: finds a chunk for slot \p s; other slots may change theirs.
  bool augment(std::size_t s) {
    struct visit {
      std::size_t slot, next;  // `next`: index of the next offer to try
    };
    std::vector<visit> path{{s, 0}};
    while (!path.empty()) {
      visit& here = path.back();
      if (here.next == m_slots[here.slot].offers.size()) {
        path.pop_back();
        continue;
      }
      const chunk_id c = m_slots[here.slot].offers[here.next++];
      if (m_tried[c] == m_now) continue;
      m_tried[c] = m_now;
      if (m_by[c] != NoSlot) {
        path.push_back({m_by[c], 0});
        continue;
      }
      for (const visit& v : path) m_by[m_slots[v.slot].offers[v.next - 1]] = v.slot;
      return true;
    }
    return false;
  }

  const forwarding_problem& m_problem;
  const search_control& m_control;
  const std::vector<std::vector<link_id>> m_in;
  std::vector<std::vector<bool>> m_has;  // by chunk, then node
  std::vector<std::size_t> m_lacks;      // by chunk: number of receivers without it
  std::vector<std::size_t> m_copies;     // by chunk
  std::vector<std::size_t> m_by;         // by chunk: the slot that carries it
  std::vector<std::uint64_t> m_tried;    // by chunk: the last search that visited it
  std::uint64_t m_now = 0;
  std::vector<slot> m_slots;
  std::size_t m_left = 0;
  round_budget m_budget;
  random_stream m_random;
};

}  // namespace

std::optional<forwarding_algorithm> match_over_time(const forwarding_problem& p, std::uint64_t seed, std::size_t most,
                                                    const search_control& control) {
  return matching(p, seed, control).run(most);
}

}  // namespace weft::schedule
