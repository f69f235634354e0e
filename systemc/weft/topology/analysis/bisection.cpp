// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/bisection.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <fmt/format.h>
#include <metis.h>

namespace weft {
namespace {

constexpr std::size_t MaxSearched = 24;  ///< routers

std::vector<std::size_t> nodes_at(const topology& t) {
  std::vector<std::size_t> nodes(t.routers.size());
  for (const node_attachment& node : t.nodes) ++nodes[node.ports.front().router];
  return nodes;
}

std::size_t channels_across(const topology& t, const std::vector<bool>& low) {
  std::size_t up = 0, down = 0;
  for (const channel& c : t.channels) {
    up += low[c.from.router] && !low[c.to.router];
    down += !low[c.from.router] && low[c.to.router];
  }
  return std::max(up, down);
}

std::string halves(const topology& t, const std::vector<bool>& low) {
  const auto below = static_cast<std::size_t>(std::count_if(
      t.nodes.begin(), t.nodes.end(), [&](const node_attachment& n) { return low[n.ports.front().router]; }));
  return fmt::format("{} | {} nodes", below, t.nodes.size() - below);
}

std::size_t difference(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

// ---- Grids ----

bisection halve_grid(const topology& t, const full_grid& grid) {
  std::vector<std::size_t> longest_first(grid.size.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::size_t a, std::size_t b) { return grid.size[a] > grid.size[b]; });
  const std::size_t half = t.routers.size() / 2;
  bisection found;
  for (const std::vector<std::uint32_t>& at : grid.coordinates) {
    std::size_t rank = 0;
    for (const std::size_t d : longest_first) rank = rank * grid.size[d] + at[d];
    found.low.push_back(rank < half);
  }
  found.channels = channels_across(t, found.low);
  const std::size_t d = longest_first.front();
  const std::string axis = d < 4 ? std::string(1, "xyzw"[d]) : fmt::format("dimension {}", d);
  const std::uint32_t middle = grid.size[d] / 2;
  if (grid.size[d] % 2 == 0)
    found.method = fmt::format("axis cut {} < {}: {}", axis, middle, halves(t, found.low));
  else
    found.method = fmt::format("cut along {} = {}: {}", axis, middle, halves(t, found.low));
  return found;
}

// ---- Maximum flow ----

/// Places the routers without nodes so that the fewest channels lead from low to high.
void place_others(const topology& t, const std::vector<std::size_t>& nodes, std::vector<bool>& low) {
  using namespace boost;
  using edge = adjacency_list_traits<vecS, vecS, directedS>::edge_descriptor;
  using flow_graph = adjacency_list<
      vecS, vecS, directedS, no_property,
      property<edge_capacity_t, long, property<edge_residual_capacity_t, long, property<edge_reverse_t, edge>>>>;

  if (std::count(nodes.begin(), nodes.end(), std::size_t{0}) == 0) return;
  const std::size_t source = t.routers.size(), sink = source + 1;
  flow_graph g(sink + 1);
  const auto connect = [&g](std::size_t a, std::size_t b, long capacity) {
    const edge forth = add_edge(a, b, g).first;
    const edge back = add_edge(b, a, g).first;
    put(edge_capacity, g, forth, capacity);
    put(edge_capacity, g, back, 0);
    put(edge_reverse, g, forth, back);
    put(edge_reverse, g, back, forth);
  };
  const long unlimited = static_cast<long>(t.channels.size()) + 1;
  for (const channel& c : t.channels) connect(c.from.router, c.to.router, 1);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    if (nodes[r] == 0) continue;
    if (low[r])
      connect(source, r, unlimited);
    else
      connect(r, sink, unlimited);
  }
  push_relabel_max_flow(g, source, sink);

  std::vector<bool> reached(sink + 1);  // by channels that could carry more
  std::vector<std::size_t> queue{source};
  reached[source] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto [first, last] = out_edges(queue[i], g);
    for (auto e = first; e != last; ++e) {
      if (get(edge_residual_capacity, g, *e) == 0 || reached[target(*e, g)]) continue;
      reached[target(*e, g)] = true;
      queue.push_back(target(*e, g));
    }
  }
  for (router_id r = 0; r < t.routers.size(); ++r) low[r] = reached[r];
}

// ---- Partitions ----

/// Channels between routers, both directions together.
struct link_graph {
  std::vector<idx_t> first, neighbour, links;

  explicit link_graph(const topology& t) {
    std::vector<std::pair<router_id, router_id>> pairs;
    for (const channel& c : t.channels) {
      if (c.from.router == c.to.router) continue;
      pairs.emplace_back(c.from.router, c.to.router);
      pairs.emplace_back(c.to.router, c.from.router);
    }
    std::sort(pairs.begin(), pairs.end());
    first.push_back(0);
    for (std::size_t i = 0; i < pairs.size();) {
      while (first.size() <= pairs[i].first) first.push_back(static_cast<idx_t>(neighbour.size()));
      const auto end = std::upper_bound(pairs.begin() + static_cast<std::ptrdiff_t>(i), pairs.end(), pairs[i]);
      neighbour.push_back(static_cast<idx_t>(pairs[i].second));
      links.push_back(static_cast<idx_t>(end - pairs.begin()) - static_cast<idx_t>(i));
      i = static_cast<std::size_t>(end - pairs.begin());
    }
    while (first.size() <= t.routers.size()) first.push_back(static_cast<idx_t>(neighbour.size()));
  }

  /// By how many fewer links are cut when \p router changes sides.
  std::ptrdiff_t gain(std::size_t router, const std::vector<bool>& low) const {
    std::ptrdiff_t sum = 0;
    for (auto i = static_cast<std::size_t>(first[router]); i < static_cast<std::size_t>(first[router + 1]); ++i)
      sum += low[static_cast<std::size_t>(neighbour[i])] == low[router] ? -links[i] : links[i];
    return sum;
  }
};

std::size_t difference_of(const std::vector<std::size_t>& nodes, const std::vector<bool>& low) {
  std::size_t below = 0, above = 0;
  for (std::size_t r = 0; r < nodes.size(); ++r) (low[r] ? below : above) += nodes[r];
  return difference(below, above);
}

/// Moves routers with nodes to the lighter half, the cheapest first, while that makes the halves more even.
void even_out(const link_graph& graph, const std::vector<std::size_t>& nodes, std::vector<bool>& low) {
  for (;;) {
    std::size_t below = 0, above = 0;
    for (std::size_t r = 0; r < nodes.size(); ++r) (low[r] ? below : above) += nodes[r];
    const bool heavy = below > above;
    const std::size_t apart = difference(below, above);
    std::ptrdiff_t best_gain = std::numeric_limits<std::ptrdiff_t>::min();
    std::size_t best = nodes.size();
    for (std::size_t r = 0; r < nodes.size(); ++r) {
      if (low[r] != heavy || nodes[r] == 0 || nodes[r] >= apart) continue;
      const std::ptrdiff_t gain = graph.gain(r, low);
      if (gain > best_gain) {
        best_gain = gain;
        best = r;
      }
    }
    if (best == nodes.size()) return;
    low[best] = !low[best];
  }
}

/// Whether partition \p a is better than \p b: more even, or as even and with fewer channels.
struct quality {
  std::size_t uneven;
  std::size_t channels;
  bool operator<(const quality& b) const {
    return std::make_pair(uneven, channels) < std::make_pair(b.uneven, b.channels);
  }
};

bool has_halves(const topology& t) {
  const std::vector<std::size_t> nodes = nodes_at(t);
  return nodes.size() - static_cast<std::size_t>(std::count(nodes.begin(), nodes.end(), std::size_t{0})) > 1;
}

bisection no_halves() { return {0, true, "all nodes are at one router, which has no bisection", {}}; }

}  // namespace

bisection search_bisection(const topology& t) {
  if (!has_halves(t)) return no_halves();
  const std::size_t routers = t.routers.size();
  const std::vector<std::size_t> nodes = nodes_at(t);
  std::vector<std::vector<router_id>> to(routers), from(routers);
  for (const channel& c : t.channels) {
    if (c.from.router == c.to.router) continue;
    to[c.from.router].push_back(c.to.router);
    from[c.to.router].push_back(c.from.router);
  }
  // All sets of routers without the last, each from the one before by one router (Gray's code).
  std::uint32_t low = 0, best_low = 0;
  std::size_t up = 0, down = 0, below = 0;
  quality best{std::numeric_limits<std::size_t>::max(), 0};
  for (std::uint32_t i = 1; i < 1U << (routers - 1); ++i) {
    const auto r = static_cast<std::size_t>(__builtin_ctz(i));
    const auto count = [low](const std::vector<router_id>& others) {
      std::size_t inside = 0;
      for (const router_id other : others) inside += low >> other & 1;
      return inside;
    };
    const std::size_t to_low = count(to[r]), from_low = count(from[r]);
    const std::size_t to_high = to[r].size() - to_low, from_high = from[r].size() - from_low;
    if (low >> r & 1) {
      up = up + from_low - to_high;
      down = down + to_low - from_high;
      below -= nodes[r];
    } else {
      up = up + to_high - from_low;
      down = down + from_high - to_low;
      below += nodes[r];
    }
    low ^= 1U << r;
    const quality now{difference(below, t.nodes.size() - below), std::max(up, down)};
    if (now < best) {
      best = now;
      best_low = low;
    }
  }
  bisection found{best.channels, true, {}, {}};
  for (std::size_t r = 0; r < routers; ++r) found.low.push_back(best_low >> r & 1);
  found.method = "least of all partitions: " + halves(t, found.low);
  return found;
}

bisection partition_bisection(const topology& t) {
  if (!has_halves(t)) return no_halves();
  const std::vector<std::size_t> nodes = nodes_at(t);
  const std::size_t routers = t.routers.size();
  link_graph graph(t);
  quality best{std::numeric_limits<std::size_t>::max(), 0};
  bisection found;
  const auto consider = [&](std::vector<bool> low, const std::string& how) {
    even_out(graph, nodes, low);
    place_others(t, nodes, low);
    const quality now{difference_of(nodes, low), channels_across(t, low)};
    if (!(now < best)) return;
    best = now;
    found = {now.channels, false, how, std::move(low)};
  };

  std::vector<bool> lower(routers);
  std::size_t below = 0;
  for (std::size_t r = 0; r < routers && 2 * (below + nodes[r]) <= t.nodes.size() + nodes[r] / 2; ++r) {
    lower[r] = true;
    below += nodes[r];
  }
  consider(lower, "lower and higher numbers");

  const idx_t seeds = routers <= 4096 ? 20 : 1;
  std::vector<idx_t> weights(nodes.begin(), nodes.end()), part(routers);
  for (idx_t seed = 0; seed < seeds; ++seed) {
    idx_t vertices = static_cast<idx_t>(routers), constraints = 1, parts = 2, cut = 0;
    real_t tolerance = 1.001F;
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = seed;
    if (METIS_PartGraphRecursive(&vertices, &constraints, graph.first.data(), graph.neighbour.data(), weights.data(),
                                 nullptr, graph.links.data(), &parts, nullptr, &tolerance, options.data(), &cut,
                                 part.data()) != METIS_OK)
      continue;
    std::vector<bool> low(routers);
    for (std::size_t r = 0; r < routers; ++r) low[r] = part[r] == 0;
    consider(std::move(low), seeds == 1 ? "METIS" : fmt::format("METIS, {} seeds", seeds));
  }
  found.method = fmt::format("at most; best partition found ({}): {}", found.method, halves(t, found.low));
  return found;
}

bisection find_bisection(const topology& t, const std::optional<full_grid>& grid) {
  if (!has_halves(t)) return no_halves();
  const auto all = [&](full_grid::side side) {
    return std::all_of(grid->sides.begin(), grid->sides.end(), [side](auto s) { return s == side; });
  };
  if (grid && (all(full_grid::side::Line) || all(full_grid::side::Ring) || all(full_grid::side::OneWayRing)))
    return halve_grid(t, *grid);
  return t.routers.size() <= MaxSearched ? search_bisection(t) : partition_bisection(t);
}

}  // namespace weft
