// SPDX-License-Identifier: Apache-2.0
/// The up channels of up*/down* routing, and the pairs of nodes that it cannot connect.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/analysis/distances.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

constexpr std::size_t MaxRootsTried = 64, MaxRoutersTried = 4096;

using router_levels = std::vector<std::uint32_t>;

std::uint32_t farthest(const router_levels& levels) { return *std::max_element(levels.begin(), levels.end()); }

/// The router with the smallest eccentricity. \param levels_from levels_from(router): levels of all routers
template <class LevelsFrom>
router_id central_router(std::size_t routers, LevelsFrom levels_from) {
  const std::size_t step = routers <= MaxRoutersTried ? 1 : routers / MaxRootsTried;
  router_id best = 0;
  std::uint32_t least = Unreached;
  for (std::size_t r = 0; r < routers; r += step) {
    const std::uint32_t far = farthest(levels_from(static_cast<router_id>(r)));
    if (far < least) {
      least = far;
      best = static_cast<router_id>(r);
    }
  }
  return best;
}

/// Levels from \p root for a network with one-way links. A router is one level below the first level to which and from
/// which it has a channel. Therefore a path climbs to the root from every router on a level, and another path descends
/// to it. If all links are two-way, the levels are the distances from the root.
router_levels levels_both_ways(const neighbour_lists& next, const neighbour_lists& previous, router_id root) {
  router_levels levels(next.size(), Unreached);
  std::vector<bool> leads_up(next.size()), comes_down(next.size());
  std::vector<router_id> queue{root};
  levels[root] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const router_id here = queue[i];
    const auto reach = [&](router_id r) {
      if (levels[r] != Unreached || !leads_up[r] || !comes_down[r]) return;
      levels[r] = levels[here] + 1;
      queue.push_back(r);
    };
    for (const router_id r : next[here]) comes_down[r] = true;
    for (const router_id r : previous[here]) leads_up[r] = true;
    for (const router_id r : next[here]) reach(r);
    for (const router_id r : previous[here]) reach(r);
  }
  return levels;
}

neighbour_lists previous_of(const topology& t) {
  neighbour_lists previous(t.routers.size());
  for (const channel& c : t.channels) previous[c.to.router].push_back(c.from.router);
  return previous;
}

/// For each channel, whether it leads up: to a router nearer to the root, or as near and with a lower number.
std::vector<bool> up_channels(const topology& t, const router_levels& levels) {
  std::vector<bool> up;
  for (const channel& c : t.channels) {
    const router_id from = c.from.router, to = c.to.router;
    up.push_back(std::make_pair(levels[to], to) < std::make_pair(levels[from], from));
  }
  return up;
}

/// Whether each router except one has a channel to a router of a lower level and a channel from a router of a lower
/// level. If so, an allowed path via the root connects any two routers.
bool joined_by_root(const topology& t, const router_levels& levels) {
  std::vector<bool> leads_up(levels.size()), comes_down(levels.size());
  for (const channel& c : t.channels) {
    const std::uint32_t from = levels[c.from.router], to = levels[c.to.router];
    if (from == Unreached || to == Unreached) return false;
    if (to < from) leads_up[c.from.router] = true;
    if (from < to) comes_down[c.to.router] = true;
  }
  std::size_t roots = 0;
  for (router_id r = 0; r < levels.size(); ++r) {
    if (levels[r] == 0 && ++roots == 1) continue;
    if (!leads_up[r] || !comes_down[r]) return false;
  }
  return true;
}

/// Whether a path is allowed between any two nodes.
bool joins_all(const topology& t, const router_levels& levels) {
  if (joined_by_root(t, levels)) return true;
  if (t.routers.size() * t.nodes.size() > MaxTableEntries) return false;  // tables along a tree route via the root
  const node_lists nodes(t);
  path_search search(t, up_channels(t, levels));
  for (node_id d = 0; d < t.nodes.size(); ++d) {
    search.aim(d);
    for (router_id r = 0; r < t.routers.size(); ++r)
      if (!search.reaches(r, path_search::Climbing) && !nodes.at[r].empty()) return false;
  }
  return true;
}

/// Levels that allow paths between all nodes, if there are any; otherwise the distances from the root.
router_levels levels_of(const topology& t, std::optional<router_id> root) {
  const neighbour_lists next = neighbours_of(t);
  const auto by_distance = [&](router_id r) { return hops_from(next, {r}); };
  router_levels levels = by_distance(root ? *root : central_router(next.size(), by_distance));
  if (joins_all(t, levels)) return levels;
  const neighbour_lists previous = previous_of(t);
  const auto both_ways = [&](router_id r) { return levels_both_ways(next, previous, r); };
  router_levels others = both_ways(root ? *root : central_router(next.size(), both_ways));
  return farthest(others) == Unreached ? levels : others;
}

}  // namespace

path_search search_up_down(const topology& t, std::optional<router_id> root, router_levels* levels_found,
                           path_weight weight) {
  if (root && *root >= t.routers.size())
    reject_routing("the root is router {}; there are only routers 0 to {}", *root, t.routers.size() - 1);
  router_levels levels = levels_of(t, root);
  path_search search(t, up_channels(t, levels), weight);
  if (levels_found != nullptr) *levels_found = std::move(levels);
  return search;
}

bool allows_up_down(const topology& t) { return joins_all(t, levels_of(t, std::nullopt)); }

void reject_unjoined(const topology& t, router_id router, node_id node, std::optional<router_id> root) {
  if (hops_to(t.nodes[node], hops_from(neighbours_of(t), {router})) == Unreached)
    reject_routing("node {} cannot be reached from {}; add a link", node, router_name(t, router));
  const std::string what = fmt::format("up*/down* finds no path from {} to node {}, since some links go one way",
                                       router_name(t, router), node);
  if (root && allows_up_down(t)) reject_routing("{}; choose another root than {}", what, router_name(t, *root));
  const std::optional<unsigned> layers = count_layers(t);
  if (layers)
    reject_routing("{}; use shortest, which needs {} VC{} in this network", what, *layers, *layers == 1 ? "" : "s");
  reject_routing("{}, and shortest needs more than {} VCs; make links two-way, or give the routes as a table", what,
                 MaxVcs);
}

void route_by_default(topology& t, unsigned vcs) {
  check_routable(t, vcs);
  check_table_size(t);
  if (allows_up_down(t))
    route_up_down(t, vcs);
  else
    route_shortest_layered(t, vcs);
}

const routing_kind& default_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "default";
    kind.description = "`up_down`, or `shortest` if there are no up*/down* paths because of one-way links";
    kind.shortest = false;
    kind.route = [](topology& t, const routing_plan& plan) { route_by_default(t, plan.vcs); };
    return kind;
  }();
  return Kind;
}

}  // namespace weft
