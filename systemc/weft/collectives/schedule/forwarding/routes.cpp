// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/routes.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"
#include "weft/collectives/schedule/forwarding/round_budget.h"
#include "weft/core/shuffle.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

class route_balancer {
 public:
  route_balancer(const forwarding_problem& p, const chunk_symmetry& symmetry, std::uint64_t seed)
      : m_problem(p),
        m_symmetry(symmetry),
        m_limits(limits_of(p.graph)),
        m_limits_of(p.graph.links.size()),
        m_load(m_limits.size(), 0),
        m_out(links_out(p.graph)),
        m_paths(p.list.size()),
        m_random(seed, 0, stream_purpose::Schedule) {
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
      for (const link_id l : m_limits[i].links) m_limits_of[l].push_back(i);
    }
    for (node_id node = 0; node < p.graph.nodes; ++node) m_hops_to.push_back(hops_to(p.graph, {node}));
    std::size_t work = 0, capacity = 0;
    for (const forwarding_chunk& chunk : p.list) work += m_hops_to[chunk.receivers.front()][chunk.holders.front()];
    for (const bandwidth_limit& limit : m_limits) capacity += limit.bandwidth;
    m_mean = static_cast<double>(work) / static_cast<double>(capacity) + 1;
  }

  std::vector<chunk_route> run(std::size_t passes, const search_control& control) {
    std::vector<chunk_id> order = m_symmetry.chunk_representatives;
    for (std::size_t pass = 0; pass < passes; ++pass) {
      shuffle(order.begin(), order.end(), m_random);
      for (const chunk_id c : order) {
        control.go_on();
        change_load(m_paths[c], -1);
        m_paths[c] = cheapest(m_problem.list[c].holders.front(), m_problem.list[c].receivers.front());
        change_load(m_paths[c], 1);
      }
    }
    return routes();
  }

 private:
  using path = std::vector<link_id>;

  void change_load(const path& links, int by) {
    for (std::size_t g = 0; g < m_symmetry.order(); ++g) {
      for (const link_id l : links) {
        for (const std::size_t limit : m_limits_of[m_symmetry.links[g][l]]) m_load[limit] += by;
      }
    }
  }

  /// Returns the cost of a link. The eighth power of the load emphasizes the maximum; a small random term decides
  /// between equal loads.
  double cost(link_id l) {
    constexpr double Little = 1e-6;
    double sum = 0;
    for (const std::size_t limit : m_limits_of[l]) {
      const double load = (m_load[limit] + 1) / (m_limits[limit].bandwidth * m_mean);
      const double square = load * load, fourth = square * square;
      sum += fourth * fourth;
    }
    return sum * (1 + Little * static_cast<double>(m_random.below(1000)));
  }

  /// Returns the cheapest of the shortest paths. Processes the nodes in the order of their distance to the receiver.
  path cheapest(node_id from, node_id to) {
    const std::vector<std::uint32_t>& left = m_hops_to[to];
    std::map<node_id, std::pair<double, link_id>> here{{from, {0, 0}}};
    std::vector<std::map<node_id, std::pair<double, link_id>>> layers;
    for (std::uint32_t distance = left[from]; distance > 0; --distance) {
      std::map<node_id, std::pair<double, link_id>> next;
      for (const auto& [node, best] : here) {
        for (const link_id l : m_out[node]) {
          const node_id neighbour = m_problem.graph.links[l].to;
          if (left[neighbour] + 1 != distance) continue;
          const double total = best.first + cost(l);
          const auto [at, fresh] = next.emplace(neighbour, std::make_pair(total, l));
          if (!fresh && total < at->second.first) at->second = {total, l};
        }
      }
      layers.push_back(next);
      here = std::move(next);
    }
    path links;
    for (node_id node = to; !layers.empty(); layers.pop_back()) {
      links.push_back(layers.back().at(node).second);
      node = m_problem.graph.links[links.back()].from;
    }
    std::reverse(links.begin(), links.end());
    return links;
  }

  std::vector<chunk_route> routes() const {
    std::vector<chunk_route> result(m_problem.list.size());
    for (const chunk_id c : m_symmetry.chunk_representatives) {
      for (std::size_t g = 0; g < m_symmetry.order(); ++g) {
        chunk_route& route = result[m_symmetry.chunks[g][c]];
        for (const link_id l : m_paths[c]) {
          route.push_back({m_symmetry.links[g][l], route.empty() ? route_link::Start : route.size() - 1});
        }
      }
    }
    return result;
  }

  const forwarding_problem& m_problem;
  const chunk_symmetry& m_symmetry;
  const std::vector<bandwidth_limit> m_limits;
  std::vector<std::vector<std::size_t>> m_limits_of;  // by link
  std::vector<long> m_load;                           // by limit
  const std::vector<std::vector<link_id>> m_out;
  std::vector<std::vector<std::uint32_t>> m_hops_to;  // by receiver, then node
  std::vector<path> m_paths;                          // paths of the orbit representatives
  random_stream m_random;
  double m_mean = 1;
};

/// A link of a route that waits until it can be used.
struct waiting {
  std::size_t to_go;  // links of the longest remaining part of the route
  std::uint64_t draw;
  chunk_id chunk;
  std::size_t place;
  friend bool operator<(const waiting& a, const waiting& b) {
    return std::tie(a.to_go, a.draw, a.chunk) < std::tie(b.to_go, b.draw, b.chunk);
  }
};

/// Returns, for each link of a route, the length of the longest remaining part of the route, including the link.
std::vector<std::size_t> ways_to_go(const chunk_route& route) {
  std::vector<std::size_t> longest(route.size(), 1);
  for (std::size_t i = route.size(); i-- > 0;) {
    if (route[i].before == route_link::Start) continue;
    std::size_t& before = longest[route[i].before];
    before = std::max(before, longest[i] + 1);
  }
  return longest;
}

class time_table {
 public:
  time_table(const forwarding_problem& p, const std::vector<chunk_route>& routes, std::uint64_t seed,
             const search_control& control)
      : m_problem(p),
        m_routes(routes),
        m_control(control),
        m_queues(p.graph.links.size()),
        m_random(seed, 0, stream_purpose::Schedule) {
    for (chunk_id c = 0; c < routes.size(); ++c) {
      if (c % ChunksBetweenPolls == 0) control.go_on();
      m_to_go.push_back(ways_to_go(routes[c]));
      m_after.emplace_back(routes[c].size());
      for (std::size_t i = 0; i < routes[c].size(); ++i) {
        if (routes[c][i].before == route_link::Start) {
          enqueue(c, i);
        } else {
          m_after[c][routes[c][i].before].push_back(i);
        }
      }
      m_left += routes[c].size();
    }
  }

  forwarding_algorithm run() {
    forwarding_algorithm a;
    round_budget budget(m_problem.graph);
    std::vector<link_id> order(m_queues.size());
    for (link_id l = 0; l < order.size(); ++l) order[l] = l;
    while (m_left > 0) {
      m_control.go_on();
      budget.next_round();
      if (!m_problem.graph.shared.empty()) first_the_farthest(order);
      std::vector<waiting> sent;
      for (const link_id l : order) {
        while (!m_queues[l].empty() && budget.take(l)) {
          std::pop_heap(m_queues[l].begin(), m_queues[l].end());
          sent.push_back(m_queues[l].back());
          m_queues[l].pop_back();
        }
      }
      a.steps.emplace_back();
      for (const waiting& w : sent) {
        const graph_link& link = m_problem.graph.links[m_routes[w.chunk][w.place].link];
        a.steps.back().sends.push_back({w.chunk, link.from, link.to, false});
        for (const std::size_t next : m_after[w.chunk][w.place]) enqueue(w.chunk, next);
      }
      m_left -= sent.size();
    }
    return a;
  }

 private:
  static constexpr std::size_t ChunksBetweenPolls = 4096;  // chunks between checks of the control

  void enqueue(chunk_id c, std::size_t place) {
    std::vector<waiting>& queue = m_queues[m_routes[c][place].link];
    queue.push_back({m_to_go[c][place], m_random.next(), c, place});
    std::push_heap(queue.begin(), queue.end());
  }

  void first_the_farthest(std::vector<link_id>& order) {
    shuffle(order.begin(), order.end(), m_random);
    const auto farthest = [&](link_id l) { return m_queues[l].empty() ? 0 : m_queues[l].front().to_go; };
    std::stable_sort(order.begin(), order.end(), [&](link_id a, link_id b) { return farthest(a) > farthest(b); });
  }

  const forwarding_problem& m_problem;
  const std::vector<chunk_route>& m_routes;
  const search_control& m_control;
  std::vector<std::vector<waiting>> m_queues;                  // heaps, by link
  std::vector<std::vector<std::size_t>> m_to_go;               // by chunk and position
  std::vector<std::vector<std::vector<std::size_t>>> m_after;  // by chunk and position: the next positions
  std::size_t m_left = 0;
  random_stream m_random;
};

}  // namespace

std::size_t load_of(const forwarding_problem& p, const std::vector<chunk_route>& routes) {
  std::vector<std::size_t> load(p.graph.links.size(), 0);
  for (const chunk_route& route : routes) {
    for (const route_link& r : route) ++load[r.link];
  }
  std::size_t most = 0;
  for (const bandwidth_limit& limit : limits_of(p.graph)) {
    std::size_t sum = 0;
    for (const link_id l : limit.links) sum += load[l];
    most = std::max(most, (sum + limit.bandwidth - 1) / limit.bandwidth);
  }
  return most;
}

std::vector<chunk_route> balanced_routes(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                         std::uint64_t seed, std::size_t passes, const search_control& control) {
  if (!is_unicast(p))
    throw std::invalid_argument("balanced routes: expected chunks of one holder and one receiver each");
  return route_balancer(p, symmetry, seed).run(passes, control);
}

forwarding_algorithm in_time(const forwarding_problem& p, const std::vector<chunk_route>& routes, std::uint64_t seed,
                             const search_control& control) {
  return time_table(p, routes, seed, control).run();
}

}  // namespace weft::schedule
