// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/bounds/load.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

constexpr std::uint64_t Never = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t MostKinds = 64;
constexpr std::uint64_t MostWork = 100'000'000;  ///< channels looked at, for links of single kinds

/// Cheapest ways from a node, or to it, by way of other nodes if that is cheaper (Dijkstra).
class cheapest {
 public:
  cheapest(const step_network& network, const channel_weights& weights)
      : m_network(network), m_weights(weights), m_cost(network.vertices()) {}

  /// Costs of all vertices.
  const std::vector<std::uint64_t>& from(node_id start) {
    search(start, false, false);
    return m_cost;
  }

  /// Cost from the nearest other node to \p end, or to the nearest other node from \p end; Never where there is none.
  std::uint64_t nearest(node_id end, bool backwards) { return search(end, backwards, true); }

 private:
  std::uint64_t search(node_id start, bool backwards, bool first_node) {
    std::fill(m_cost.begin(), m_cost.end(), Never);
    using entry = std::pair<std::uint64_t, vertex_id>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
    m_cost[start] = 0;
    queue.emplace(0, start);
    while (!queue.empty()) {
      const auto [cost, at] = queue.top();
      queue.pop();
      if (cost != m_cost[at]) continue;
      if (first_node && at != start && m_network.is_node(at)) return cost;
      for (const channel_id c : backwards ? m_network.in(at) : m_network.out(at)) {
        const vertex_id next = backwards ? m_network.channels()[c].from : m_network.channels()[c].to;
        if (cost + m_weights[c] >= m_cost[next]) continue;
        m_cost[next] = cost + m_weights[c];
        queue.emplace(m_cost[next], next);
      }
    }
    return Never;
  }

  const step_network& m_network;
  const channel_weights& m_weights;
  std::vector<std::uint64_t> m_cost;
};

[[noreturn]] void no_path(const std::string& what) {
  throw std::invalid_argument(what + ": there is no schedule; expected a network that joins them");
}

std::uint64_t cost_of_personal(cheapest& ways, const traffic& t) {
  std::uint64_t sum = 0;
  for (node_id s = 0; s < t.nodes(); ++s) {
    if (t.sent_by(s) == 0) continue;
    const std::vector<std::uint64_t>& cost = ways.from(s);
    for (node_id r = 0; r < t.nodes(); ++r) {
      if (!t.receives(r) || r == s) continue;
      if (cost[r] == Never) no_path(fmt::format("no path leads from node {} to node {}", s, r));
      sum += t.units(s) * cost[r];
    }
  }
  return sum;
}

std::uint64_t cost_of_nearest(cheapest& ways, const traffic& t, bool receiving) {
  std::uint64_t sum = 0;
  for (node_id n = 0; n < t.nodes(); ++n) {
    const std::uint64_t units = receiving ? t.received_by(n) : t.sent_by(n);
    if (units == 0) continue;
    const std::uint64_t cost = ways.nearest(n, receiving);
    if (cost == Never) no_path(fmt::format("no path leads {} node {}", receiving ? "to" : "from", n));
    sum += units * cost;
  }
  return sum;
}

channel_weights on_links(const step_network& network) {
  channel_weights weights;
  for (const step_channel& c : network.channels()) weights.push_back(c.kind == channel_kind::Link ? 1 : 0);
  return weights;
}

/// How a vertex lies to a node: channels on a shortest path to it, and how many such paths there are, modulo 2^64.
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

/// Weights of the links of each kind alone; none where all are of one.
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

std::uint64_t least_cost(const step_network& network, const traffic& t, const channel_weights& weights) {
  cheapest ways(network, weights);
  if (t.what() == traffic::kind::Personal) return cost_of_personal(ways, t);
  return cost_of_nearest(ways, t, t.what() == traffic::kind::Shared);
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
  if (t.what() != traffic::kind::Personal || work * 16 > MostWork) return best;
  const std::vector<channel_weights> kinds = kinds_of_links(network);
  if (work * kinds.size() > MostWork) return best;
  for (const channel_weights& weights : kinds) consider(weights, "links of one kind");
  return best;
}

}  // namespace weft::schedule
