// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/round_capacity.h"
#include "weft/core/quantity.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/max_flow.h"

namespace weft::schedule {
namespace {

/// Distances from the holders of each chunk.
class chunk_distances {
 public:
  explicit chunk_distances(const forwarding_problem& p) : m_problem(p) {}
  const std::vector<std::uint32_t>& of(std::size_t chunk) {
    const auto [at, fresh] = m_known.emplace(m_problem.list[chunk].holders, std::vector<std::uint32_t>{});
    if (fresh) at->second = hops_from(m_problem.graph, m_problem.list[chunk].holders);
    return at->second;
  }

 private:
  const forwarding_problem& m_problem;
  std::map<std::vector<node_id>, std::vector<std::uint32_t>> m_known;
};

/// Returns the strongest bound of this kind: some number of chunks must travel distance d or more, so they cannot use
/// the capacity in d - 1 of the rounds.
forwarding_bound by_distance(const std::map<std::uint32_t, std::size_t>& chunks_at, const round_capacity& capacity,
                             const std::string& who) {
  forwarding_bound best;
  std::size_t beyond = 0;
  for (auto at = chunks_at.rbegin(); at != chunks_at.rend(); ++at) {
    if (at->first == 0) continue;
    beyond += at->second;
    const std::size_t rounds = at->first - 1 + capacity.rounds_for(beyond);
    if (rounds > best.rounds) {
      const std::string far = at->first > 1 ? fmt::format(" from {} links away", at->first) : "";
      best = {rounds,
              fmt::format("{} {}{} over bandwidth {}", who, number_of(beyond, "chunk"), far, to_string(capacity))};
    }
  }
  return best;
}

void add_ports(const forwarding_problem& p, chunk_distances& distances, const search_control& control,
               std::vector<forwarding_bound>& bounds) {
  const auto limits = limits_of(p.graph);
  const auto out = links_out(p.graph), in = links_in(p.graph);
  std::vector<std::map<std::uint32_t, std::size_t>> gets(p.graph.nodes), gives(p.graph.nodes);
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    const auto& distance = distances.of(c);
    std::uint32_t farthest = 0;
    for (const node_id to : p.list[c].receivers) {
      ++gets[to][distance[to]];
      farthest = std::max(farthest, distance[to]);
    }
    if (p.list[c].holders.size() == 1) ++gives[p.list[c].holders.front()][farthest];
  }
  for (node_id node = 0; node < p.graph.nodes; ++node) {
    if (!in[node].empty()) {
      const round_capacity capacity = capacity_of(limits, in[node], control);
      bounds.push_back(by_distance(gets[node], capacity, fmt::format("node {} gets", node)));
    }
    if (!out[node].empty()) {
      const round_capacity capacity = capacity_of(limits, out[node], control);
      bounds.push_back(by_distance(gives[node], capacity, fmt::format("node {} sends", node)));
    }
  }
}

/// Returns the minimum T such that in T rounds, the chunks that a node lacks can flow to the node through T times the
/// bandwidths. A cut determines T.
std::size_t rounds_of_flow(const forwarding_problem& p, node_id node) {
  std::map<std::vector<node_id>, std::int64_t> lacks;
  std::int64_t sum = 0;
  for (const forwarding_chunk& chunk : p.list) {
    if (!has_node(chunk.receivers, node) || has_node(chunk.holders, node)) continue;
    ++lacks[chunk.holders];
    ++sum;
  }
  if (sum == 0) return 0;
  max_flow flow(p.graph.nodes + 1);
  const std::size_t source = p.graph.nodes;
  for (const graph_link& link : p.graph.links) flow.add_arc(link.from, link.to, link.bandwidth);
  for (const auto& [holders, number] : lacks) {
    const std::size_t group = holders.size() == 1 ? holders.front() : flow.add_vertex();
    flow.add_arc(source, group, number);
    for (const node_id holder : holders) {
      if (holders.size() > 1) flow.add_arc(group, holder, max_flow::Endless);
    }
  }
  std::size_t least = 1, most = static_cast<std::size_t>(sum);
  while (least < most) {
    const std::size_t rounds = (least + most) / 2;
    for (std::size_t l = 0; l < p.graph.links.size(); ++l) {
      flow.set_capacity(l, std::int64_t{p.graph.links[l].bandwidth} * static_cast<std::int64_t>(rounds));
    }
    flow.reset();
    if (flow.run(source, node) == sum) {
      most = rounds;
    } else {
      least = rounds + 1;
    }
  }
  return least;
}

void add_cuts(const forwarding_problem& p, const search_control& control, std::vector<forwarding_bound>& bounds) {
  forwarding_bound best;
  for (node_id node = 0; node < p.graph.nodes && !control.over(); ++node) {
    const std::size_t rounds = rounds_of_flow(p, node);
    if (rounds > best.rounds) best = {rounds, fmt::format("a cut between what node {} gets and node {}", node, node)};
  }
  bounds.push_back(best);
}

void add_sends(const forwarding_problem& p, chunk_distances& distances, const search_control& control,
               std::vector<forwarding_bound>& bounds) {
  std::size_t sends = 0;
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    const forwarding_chunk& chunk = p.list[c];
    std::size_t lacking = 0, farthest = 0;
    for (const node_id to : chunk.receivers) {
      lacking += has_node(chunk.holders, to) ? 0 : 1;
      farthest = std::max<std::size_t>(farthest, distances.of(c)[to]);
    }
    sends += std::max(lacking, farthest);
  }
  std::vector<link_id> all(p.graph.links.size());
  std::iota(all.begin(), all.end(), link_id{0});
  const round_capacity capacity = capacity_of(limits_of(p.graph), std::move(all), control);
  bounds.push_back({capacity.rounds_for(sends),
                    fmt::format("{} sends at least, over bandwidth {} in all", sends, to_string(capacity))});
}

}  // namespace

forwarding_bound least_steps(const forwarding_problem& p) {
  chunk_distances distances(p);
  forwarding_bound best;
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    const forwarding_chunk& chunk = p.list[c];
    if (c > 0 && chunk.holders == p.list[c - 1].holders && chunk.receivers == p.list[c - 1].receivers) continue;
    const auto distance = chunk.summed ? hops_to(p.graph, chunk.receivers) : distances.of(c);
    for (const node_id node : chunk.summed ? chunk.holders : chunk.receivers) {
      std::size_t far = distance[node];
      if (chunk.summed && chunk.receivers.size() > 1) {
        const auto spread = hops_from(p.graph, {node});
        for (const node_id to : chunk.receivers) far = std::max<std::size_t>(far, spread[to]);
      }
      if (far > best.rounds) best = {far, fmt::format("chunk {} has {} to go", c, number_of(far, "link"))};
    }
  }
  return best;
}

std::vector<forwarding_bound> round_bounds(const forwarding_problem& p, const search_control& control) {
  chunk_distances distances(p);
  std::vector<forwarding_bound> bounds{least_steps(p)};
  add_ports(p, distances, control, bounds);
  add_cuts(p, control, bounds);
  add_sends(p, distances, control, bounds);
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const forwarding_bound& a, const forwarding_bound& b) { return a.rounds > b.rounds; });
  return bounds;
}

bool is_unicast(const forwarding_problem& p) {
  return std::all_of(p.list.begin(), p.list.end(), [](const forwarding_chunk& chunk) {
    return !chunk.summed && chunk.holders.size() == 1 && chunk.receivers.size() == 1;
  });
}

}  // namespace weft::schedule
