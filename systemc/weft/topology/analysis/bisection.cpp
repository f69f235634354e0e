// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/bisection.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <metis.h>

#include "weft/topology/analysis/cut_graph.h"
#include "weft/topology/analysis/max_flow.h"

namespace weft {
namespace {

constexpr std::size_t MaxSearched = 24;        ///< routers
constexpr std::size_t MaxSearchedShared = 18;  ///< routers, if nodes are attached to several

// ---- Grids ----

bisection halve_grid(const topology& t, const full_grid& grid) {
  std::vector<std::size_t> longest_first(grid.size.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::size_t a, std::size_t b) { return grid.size[a] > grid.size[b]; });
  const std::size_t half = t.routers.size() / 2;
  bisection found;
  std::vector<bool> low;
  for (const std::vector<std::uint32_t>& at : grid.coordinates) {
    std::size_t rank = 0;
    for (const std::size_t d : longest_first) rank = rank * grid.size[d] + at[d];
    low.push_back(rank < half);
  }
  const cut_graph graph(t);
  found.channels = graph.channels_across(low);
  const std::size_t d = longest_first.front();
  const std::string axis = d < 4 ? std::string(1, "xyzw"[d]) : fmt::format("dimension {}", d);
  const std::uint32_t middle = grid.size[d] / 2;
  found.method = fmt::format(grid.size[d] % 2 == 0 ? "axis cut {} < {}" : "cut along {} = {}", axis, middle);
  graph.describe(low, found);
  return found;
}

/// Places the routers without nodes so that the fewest channels lead from low to high.
void place_others(const cut_graph& cuts, std::vector<bool>& low) {
  const std::vector<std::size_t>& nodes = cuts.nodes();
  if (std::count(nodes.begin(), nodes.end(), std::size_t{0}) == 0) return;
  const std::size_t source = cuts.vertices(), sink = source + 1;
  max_flow flow(sink + 1);
  for (const cut_graph::edge& c : cuts.channels()) flow.add_arc(c.from, c.to, 1);
  for (std::size_t v = 0; v < cuts.vertices(); ++v) {
    if (nodes[v] == 0) continue;
    if (low[v])
      flow.add_arc(source, v, max_flow::Endless);
    else
      flow.add_arc(v, sink, max_flow::Endless);
  }
  flow.run(source, sink);
  for (std::size_t v = 0; v < cuts.vertices(); ++v) low[v] = flow.before_cut(v);
}

// ---- Partitions ----

/// Channels between vertices, both directions added up.
struct link_graph {
  std::vector<idx_t> first, neighbour, links;

  explicit link_graph(const cut_graph& cuts) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const cut_graph::edge& c : cuts.channels()) {
      pairs.emplace_back(c.from, c.to);
      pairs.emplace_back(c.to, c.from);
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
    while (first.size() <= cuts.vertices()) first.push_back(static_cast<idx_t>(neighbour.size()));
  }

  /// The number of cut links saved if \p vertex changes sides.
  std::ptrdiff_t gain(std::size_t vertex, const std::vector<bool>& low) const {
    std::ptrdiff_t sum = 0;
    for (auto i = static_cast<std::size_t>(first[vertex]); i < static_cast<std::size_t>(first[vertex + 1]); ++i)
      sum += low[static_cast<std::size_t>(neighbour[i])] == low[vertex] ? -links[i] : links[i];
    return sum;
  }
};

std::size_t difference_of(const std::vector<std::size_t>& nodes, const std::vector<bool>& low) {
  std::size_t below = 0, above = 0;
  for (std::size_t r = 0; r < nodes.size(); ++r) (low[r] ? below : above) += nodes[r];
  return difference(below, above);
}

/// Moves vertices with nodes to the lighter half, cheapest first, as long as that makes the halves more even.
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

}  // namespace

bisection partition_bisection(const topology& t) {
  const cut_graph cuts(t);
  if (!has_halves(cuts)) return no_halves();
  const std::vector<std::size_t>& nodes = cuts.nodes();
  const std::size_t routers_and_nodes = cuts.vertices();
  link_graph graph(cuts);
  quality best{std::numeric_limits<std::size_t>::max(), 0};
  bisection found;
  std::vector<bool> best_low;
  const auto consider = [&](std::vector<bool> low, const std::string& how) {
    even_out(graph, nodes, low);
    place_others(cuts, low);
    const quality now{difference_of(nodes, low), cuts.channels_across(low)};
    if (!(now < best)) return;
    best = now;
    found.method = how;
    best_low = std::move(low);
  };

  std::vector<bool> lower(routers_and_nodes);
  std::size_t below = 0;
  for (std::size_t r = 0; r < routers_and_nodes && 2 * (below + nodes[r]) <= t.nodes.size() + nodes[r] / 2; ++r) {
    lower[r] = true;
    below += nodes[r];
  }
  consider(lower, "lower and higher numbers");

  const idx_t seeds = routers_and_nodes <= 4096 ? 20 : 1;
  std::vector<idx_t> weights(nodes.begin(), nodes.end()), part(routers_and_nodes);
  for (idx_t seed = 0; seed < seeds; ++seed) {
    idx_t vertices = static_cast<idx_t>(routers_and_nodes), constraints = 1, parts = 2, cut = 0;
    real_t tolerance = 1.001F;
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = seed;
    if (METIS_PartGraphRecursive(&vertices, &constraints, graph.first.data(), graph.neighbour.data(), weights.data(),
                                 nullptr, graph.links.data(), &parts, nullptr, &tolerance, options.data(), &cut,
                                 part.data()) != METIS_OK)
      continue;
    std::vector<bool> low(routers_and_nodes);
    for (std::size_t v = 0; v < low.size(); ++v) low[v] = part[v] == 0;
    consider(std::move(low), seeds == 1 ? "METIS" : fmt::format("METIS, {} seeds", seeds));
  }
  found.channels = best.channels;
  found.exact = false;
  found.method = fmt::format("at most; best partition found ({})", found.method);
  cuts.describe(best_low, found);
  return found;
}

bisection find_bisection(const topology& t, const std::optional<full_grid>& grid) {
  const cut_graph cuts(t);
  if (!has_halves(cuts)) return no_halves();
  const auto all = [&](full_grid::side side) {
    return std::all_of(grid->sides.begin(), grid->sides.end(), [side](auto s) { return s == side; });
  };
  if (grid && (all(full_grid::side::Line) || all(full_grid::side::Ring) || all(full_grid::side::OneWayRing)))
    return halve_grid(t, *grid);
  const std::size_t most = cuts.vertices() == cuts.routers() ? MaxSearched : MaxSearchedShared;
  return t.routers.size() <= most ? search_bisection(t) : partition_bisection(t);
}

}  // namespace weft
