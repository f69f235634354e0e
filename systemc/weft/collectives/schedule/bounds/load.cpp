// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/load.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

using cheapest = cheapest_ways<std::uint64_t>;
constexpr std::size_t MostKinds = 64;
constexpr std::uint64_t MostLoadWork = 100'000'000;  ///< channels visited for links of single kinds

[[noreturn]] void no_path(const std::string& what) {
  throw std::invalid_argument(what + "; expected a network that connects them");
}

std::uint64_t cost_of_personal(const step_network& network, const traffic& t, const channel_weights& weights,
                               journey how) {
  cheapest ways(network, how);
  std::uint64_t sum = 0;
  for (node_id s = 0; s < t.nodes(); ++s) {
    if (t.sent_by(s) == 0) continue;
    ways.search(s, weights);
    for (node_id r = 0; r < t.nodes(); ++r) {
      if (!t.receives(r) || r == s) continue;
      if (ways.cost(r) == cheapest::Never) no_path(fmt::format("no path leads from node {} to node {}", s, r));
      sum += t.units(s) * ways.cost(r);
    }
  }
  return sum;
}

std::uint64_t cost_of_nearest(const step_network& network, const traffic& t, const channel_weights& weights) {
  const bool receiving = t.what() == traffic::kind::Shared;
  cheapest ways(network, journey::Relayed);
  std::uint64_t sum = 0;
  for (node_id n = 0; n < t.nodes(); ++n) {
    const std::uint64_t units = receiving ? t.received_by(n) : t.sent_by(n);
    if (units == 0) continue;
    const std::uint64_t cost = ways.nearest(n, receiving, weights);
    if (cost == cheapest::Never) no_path(fmt::format("no path leads {} node {}", receiving ? "to" : "from", n));
    sum += units * cost;
  }
  return sum;
}

/// The position of a vertex relative to a node: the number of channels on a shortest path to the node, and the number
/// of such paths modulo 2^64.
using aspect = std::pair<std::uint32_t, std::uint64_t>;

std::vector<aspect> aspects_of(const step_network& network, node_id node) {
  const std::vector<std::uint32_t> distance = distances_to(network, node);
  std::vector<vertex_id> nearest_first;
  std::vector<aspect> aspects;
  for (vertex_id v = 0; v < network.vertices(); ++v) {
    aspects.emplace_back(distance[v], v == node ? 1 : 0);
    if (distance[v] != Unreached && v != node) nearest_first.push_back(v);
  }
  std::sort(nearest_first.begin(), nearest_first.end(),
            [&](vertex_id a, vertex_id b) { return distance[a] < distance[b]; });
  for (const vertex_id v : nearest_first) {
    for (const channel_id c : network.out(v)) {
      const step_channel& channel = network.channels()[c];
      if (distance[channel.to] + 1 == distance[v]) aspects[v].second += channel.capacity * aspects[channel.to].second;
    }
  }
  return aspects;
}

/// Returns weights for the links of each kind separately; empty if all links are of one kind.
std::vector<channel_weights> kinds_of_links(const step_network& network) {
  std::vector<std::vector<std::pair<aspect, aspect>>> profiles(network.channels().size());
  for (node_id n = 0; n < network.nodes(); ++n) {
    const std::vector<aspect> aspects = aspects_of(network, n);
    for (channel_id c = 0; c < profiles.size(); ++c) {
      const step_channel& channel = network.channels()[c];
      if (channel.kind == channel_kind::Link) profiles[c].emplace_back(aspects[channel.from], aspects[channel.to]);
    }
  }
  std::map<std::vector<std::pair<aspect, aspect>>, channel_weights> kinds;
  for (channel_id c = 0; c < profiles.size(); ++c) {
    if (network.channels()[c].kind != channel_kind::Link) continue;
    std::sort(profiles[c].begin(), profiles[c].end());
    channel_weights& weights = kinds[profiles[c]];
    weights.resize(profiles.size(), 0);
    weights[c] = 1;
    if (kinds.size() > MostKinds) return {};
  }
  std::vector<channel_weights> list;
  if (kinds.size() < 2) return list;
  for (auto& [profile, weights] : kinds) list.push_back(std::move(weights));
  return list;
}

}  // namespace

channel_weights on_links(const step_network& network) {
  channel_weights weights;
  for (const step_channel& c : network.channels()) weights.push_back(c.kind == channel_kind::Link ? 1 : 0);
  return weights;
}

std::uint64_t least_cost(const step_network& network, const traffic& t, const channel_weights& weights, journey how) {
  if (t.what() == traffic::kind::Personal) return cost_of_personal(network, t, weights, how);
  return cost_of_nearest(network, t, weights);
}

std::uint64_t cost_of_step(const step_network& network, const channel_weights& weights) {
  std::uint64_t sum = 0;
  for (channel_id c = 0; c < weights.size(); ++c) sum += weights[c] * network.channels()[c].capacity;
  return sum;
}

load heaviest_load(const step_network& network, const traffic& t) {
  load best;
  const auto consider = [&](const channel_weights& weights, const char* channels) {
    const std::uint64_t of_step = cost_of_step(network, weights);
    if (of_step == 0) return;
    const load found{least_cost(network, t, weights), of_step, channels};
    if (found.steps() > best.steps() || best.cost == 0) best = found;
  };
  const channel_weights links = on_links(network);
  consider(links, "links");
  consider(channel_weights(network.channels().size(), 1), "channels");
  const std::uint64_t work = static_cast<std::uint64_t>(network.channels().size()) * network.nodes();
  if (t.what() != traffic::kind::Personal || work * 16 > MostLoadWork) return best;
  const std::vector<channel_weights> kinds = kinds_of_links(network);
  if (work * kinds.size() > MostLoadWork) return best;
  for (const channel_weights& weights : kinds) consider(weights, "links of one kind");
  return best;
}

}  // namespace weft::schedule
