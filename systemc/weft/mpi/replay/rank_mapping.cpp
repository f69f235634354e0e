// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/rank_mapping.h"

#include <cstddef>
#include <numeric>
#include <utility>

#include "weft/core/random.h"

namespace weft {

namespace {

/// Returns the cost of the messages of rank \p r if the rank is on node \p at.
double cost_of(const std::vector<std::uint64_t>& traffic, const std::vector<node_id>& nodes,
               const collective_network& network, std::size_t r, node_id at) {
  double sum = 0;
  const std::size_t ranks = nodes.size();
  for (std::size_t other = 0; other < ranks; ++other) {
    if (other == r) continue;
    // The way there may be longer than the way back.
    const std::uint64_t sent = traffic[r * ranks + other], received = traffic[other * ranks + r];
    if (sent > 0) sum += static_cast<double>(sent) * network.distance(at, nodes[other]);
    if (received > 0) sum += static_cast<double>(received) * network.distance(nodes[other], at);
  }
  return sum;
}

}  // namespace

std::uint64_t mapping_cost(const std::vector<std::uint64_t>& traffic, const std::vector<node_id>& nodes,
                           const collective_network& network) {
  std::uint64_t sum = 0;
  for (std::size_t from = 0; from < nodes.size(); ++from)
    for (std::size_t to = 0; to < nodes.size(); ++to)
      if (const std::uint64_t bytes = traffic[from * nodes.size() + to]; bytes > 0 && from != to)
        sum += bytes * network.distance(nodes[from], nodes[to]);
  return sum;
}

std::vector<node_id> place_ranks(const std::vector<std::uint64_t>& traffic, std::uint32_t ranks,
                                 const collective_network& network, std::uint64_t seed) {
  std::vector<node_id> nodes(ranks);
  std::iota(nodes.begin(), nodes.end(), 0);
  return place_ranks(traffic, std::move(nodes), {}, network, seed);
}

std::vector<node_id> place_ranks(const std::vector<std::uint64_t>& traffic, std::vector<node_id> start,
                                 const std::vector<bool>& stays, const collective_network& network,
                                 std::uint64_t seed) {
  std::vector<node_id> nodes = std::move(start);
  const auto ranks = static_cast<std::uint32_t>(nodes.size());
  if (ranks == 0 || network.nodes < 2) return nodes;
  constexpr std::uint32_t NoRank = ~std::uint32_t{0};
  std::vector<std::uint32_t> on(network.nodes, NoRank);  // the rank on each node
  for (std::uint32_t r = 0; r < ranks; ++r) on[nodes[r]] = r;

  random_stream random(seed, 0, stream_purpose::Destination);
  const double first = static_cast<double>(mapping_cost(traffic, nodes, network));
  double cost = first, best_cost = first;
  std::vector<node_id> best = nodes;
  constexpr std::uint32_t TriesEach = 2000;
  const std::uint32_t tries = TriesEach * ranks;
  for (std::uint32_t i = 0; i < tries; ++i) {
    const double bearable = 0.1 * first / ranks * (1 - static_cast<double>(i) / tries);
    const std::uint32_t a = random.below(ranks);
    const node_id from = nodes[a], to = random.below(network.nodes);
    if (from == to) continue;
    const std::uint32_t b = on[to];
    if (!stays.empty() && (stays[a] || (b != NoRank && stays[b]))) continue;
    double before = cost_of(traffic, nodes, network, a, from);
    if (b != NoRank) before += cost_of(traffic, nodes, network, b, to);
    nodes[a] = to;
    if (b != NoRank) nodes[b] = from;
    double after = cost_of(traffic, nodes, network, a, to);
    if (b != NoRank)
      after += cost_of(traffic, nodes, network, b, from);  // traffic between a and b counts twice, as before
    const double worse = after - before;
    if (worse <= bearable) {
      on[to] = a;
      on[from] = b;
      cost += worse;
      if (cost < best_cost) {
        best_cost = cost;
        best = nodes;
      }
    } else {
      nodes[a] = from;
      if (b != NoRank) nodes[b] = to;
    }
  }
  return best;
}

}  // namespace weft
