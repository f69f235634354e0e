// SPDX-License-Identifier: Apache-2.0
/// Flattened butterflies, dragonflies and Slim Flies.
#include "unit/topology/generated.h"
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/generators/dragonfly.h"
#include "weft/topology/generators/flattened_butterfly.h"
#include "weft/topology/generators/slim_fly.h"

namespace weft {
namespace {

using lists = std::vector<std::vector<router_id>>;
using names_t = std::vector<std::string>;

/// The first channel without a channel back between the same two ports; empty if there is none.
std::string find_one_way(const topology& t) {
  const auto key = [](port_ref a, port_ref b) { return std::array{a.router, a.port, b.router, b.port}; };
  std::set<std::array<std::uint32_t, 4>> all;
  for (const channel& c : t.channels) all.insert(key(c.from, c.to));
  for (const channel& c : t.channels)
    if (all.count(key(c.to, c.from)) == 0)
      return std::to_string(c.from.router) + " to " + std::to_string(c.to.router) + " has no way back";
  return {};
}

// ---- Flattened butterfly ----

topology flattened(std::vector<std::uint32_t> shape, unsigned nodes = 1, unsigned vcs = 4) {
  flattened_butterfly_parameters p;
  p.shape = std::move(shape);
  p.nodes = nodes;
  p.options.vcs = vcs;
  return make_flattened_butterfly(p);
}

TEST(unit_topology_flattened_butterfly, routers_of_a_row_are_connected) {
  const topology t = flattened({3, 2}, 2);
  EXPECT_EQ(neighbours(t), (lists{{1, 2, 3}, {0, 2, 4}, {0, 1, 5}, {4, 5, 0}, {3, 5, 1}, {3, 4, 2}}));
  EXPECT_EQ(t.routers[4].port_names, (names_t{"x0", "x2", "y0", "local0", "local1"}));
  EXPECT_EQ(routers_of_node(t, 9), (std::vector<router_id>{4}));
  EXPECT_EQ(find_one_way(t), "");
}

TEST(unit_topology_flattened_butterfly, adaptive_routes_of_a_router_are_limited) {
  flattened_butterfly_parameters p;
  p.shape = {4, 4, 4, 4};
  p.adaptive = true;
  const topology t = make_flattened_butterfly(p);
  EXPECT_EQ(t.routing[0].as<table_rule>()->routes().size(), table_rule::MaxRoutes) << "255 other routers, one node";
  p.nodes = 2;
  EXPECT_EQ(error_of([&] { make_flattened_butterfly(p); }),
            "topology: shape [4, 4, 4, 4] has 257 different routes at a router with minimal_adaptive routing, and a "
            "router stores at most 256; use dimension_order routing, or give smaller sides");
  p.adaptive = false;
  EXPECT_EQ(make_flattened_butterfly(p).routers.size(), 256U);
}

TEST(unit_topology_flattened_butterfly, dimension_order_corrects_x_first) {
  const topology t = flattened({3, 3});
  EXPECT_EQ(route_path(t, 1, 6), (std::vector<router_id>{1, 0, 6}));
  EXPECT_EQ(route_path(t, 6, 1), (std::vector<router_id>{6, 7, 1}));
}

TEST(unit_topology_flattened_butterfly, adaptive_routing_offers_every_dimension_that_differs) {
  flattened_butterfly_parameters p;
  p.shape = {3, 3};
  p.adaptive = true;
  p.options.vcs = 3;
  const topology t = make_flattened_butterfly(p);
  // From router 1 at (1, 0) to node 6 at (0, 2): port x0 is 0, and port y2 is 3.
  EXPECT_EQ(t.routing[1].answer({4, 0, 6}), route(0, 1, 0b1001, 0b110));
  EXPECT_EQ(t.routing[0].answer({0, 2, 6}), route(3, 1, 0b1000, 0b110));
}

RC_GTEST_PROP(unit_topology_flattened_butterfly, metrics_match_the_formulas, ()) {
  const auto shape =
      *rc::gen::container<std::vector<std::uint32_t>>(*rc::gen::inRange<std::size_t>(1, 4), rc::gen::inRange(1U, 6U));
  double routers = 1, hops = 0;
  unsigned degree = 0, diameter = 0;
  for (const std::uint32_t side : shape) {
    routers *= side;
    hops += 1 - 1.0 / side;
    degree += side - 1;
    diameter += side > 1;
  }
  RC_PRE(routers > 1);
  const topology t = flattened(shape);
  const topology_metrics m = compute_metrics(t);
  RC_ASSERT(static_cast<double>(m.routers) == routers);
  RC_ASSERT(static_cast<double>(m.channels) == routers * degree);
  RC_ASSERT(m.min_degree == degree && m.max_degree == degree);
  RC_ASSERT(m.diameter == diameter);
  RC_ASSERT(std::abs(m.mean_distance - hops * routers / (routers - 1)) < 1e-9);
  RC_ASSERT(find_defect(t, 1).empty() || find_defect(t, 4).empty());
}

TEST(unit_topology_flattened_butterfly, uniform_traffic_loads_all_links_equally) {
  // Of 15 other nodes, 4 are behind each link of dimension x, in rows of 4; a link of y carries the packets from the 4
  // routers of its row to one router.
  for (const double load : uniform_channel_loads(flattened({4, 4}))) EXPECT_NEAR(load, 4.0 / 15, 1e-12);
}

TEST(unit_topology_flattened_butterfly, rejects_invalid_parameters) {
  const auto rejection = [](const std::function<void(flattened_butterfly_parameters&)>& spoil) {
    flattened_butterfly_parameters p;
    spoil(p);
    return error_of([&] { make_flattened_butterfly(p); });
  };
  EXPECT_EQ(rejection([](auto& p) { p.shape = {}; }), "topology: a flattened butterfly has 0 dimensions; give 1 to 4");
  EXPECT_EQ(rejection([](auto& p) { p.shape = {4, 0}; }), "topology: shape [4, 0] has a side of 0; give at least 1");
  EXPECT_EQ(rejection([](auto& p) {
              p.shape = {1, 1};
            }),
            "topology: shape [1, 1] has one node; give at least 2 routers or nodes");
  EXPECT_EQ(
      rejection([](auto& p) {
        p.shape = {9, 8}, p.nodes = 2;
      }),
      "topology: routers have 17 ports, 15 to other routers and 2 to nodes, and may have at most 16; lower a side "
      "of shape, nodes_per_router or nic.ports");
  EXPECT_EQ(rejection([](auto& p) { p.adaptive = true, p.options.vcs = 1; }),
            "topology: vcs is 1; minimal_adaptive routing in a flattened butterfly needs at least 2");
}

// ---- Dragonfly ----

topology dragonfly(std::uint32_t a, std::uint32_t h, std::uint32_t g, unsigned nodes,
                   dragonfly_arrangement arrangement = dragonfly_arrangement::PalmTree) {
  dragonfly_parameters p;
  p.group_routers = a;
  p.global_links = h;
  p.groups = g;
  p.nodes = nodes;
  p.arrangement = arrangement;
  return make_dragonfly(p);
}

/// For each global port of group \p group, the group that it leads to.
std::vector<std::uint32_t> groups_behind(const topology& t, std::uint32_t a, std::uint32_t h, std::uint32_t group) {
  std::map<std::uint32_t, std::uint32_t> found;
  for (const channel& c : t.channels)
    if (c.from.router / a == group && c.to.router / a != group)
      found[c.from.router % a * h + c.from.port - (a - 1)] = c.to.router / a;
  std::vector<std::uint32_t> in_order;
  for (const auto& [port, other] : found) in_order.push_back(other);
  return in_order;
}

TEST(unit_topology_dragonfly, has_the_ports_and_numbers_of_its_description) {
  const topology t = dragonfly(4, 2, 0, 2);
  EXPECT_EQ(t.routers.size(), 36U);  // 4 · 2 + 1 groups of 4 routers
  EXPECT_EQ(t.nodes.size(), 72U);
  EXPECT_EQ(t.routers[6].port_names, (names_t{"r0", "r1", "r3", "g0", "g1", "local0", "local1"}));
  EXPECT_EQ(routers_of_node(t, 13), (std::vector<router_id>{6}));
  EXPECT_EQ(find_one_way(t), "");
}

TEST(unit_topology_dragonfly, arrangements_connect_the_groups_of_their_formulas) {
  using list = std::vector<std::uint32_t>;
  EXPECT_EQ(groups_behind(dragonfly(2, 2, 0, 1), 2, 2, 1), (list{0, 4, 3, 2}));
  EXPECT_EQ(groups_behind(dragonfly(2, 2, 0, 1, dragonfly_arrangement::Consecutive), 2, 2, 1), (list{0, 2, 3, 4}));
  EXPECT_EQ(groups_behind(dragonfly(2, 2, 0, 1, dragonfly_arrangement::Circulant), 2, 2, 1), (list{2, 0, 3, 4}));
  // With 4 groups and 7 ports, every two groups have 2 links, and one port is left over.
  EXPECT_EQ(groups_behind(dragonfly(7, 1, 4, 1), 7, 1, 1), (list{0, 3, 2, 0, 3, 2}));
}

RC_GTEST_PROP(unit_topology_dragonfly, groups_have_equally_many_links, ()) {
  const auto a = *rc::gen::inRange(1U, 7U), h = *rc::gen::inRange(1U, 5U);
  const auto g = *rc::gen::inRange(2U, a * h + 2);
  const auto arrangement = static_cast<dragonfly_arrangement>(*rc::gen::inRange(0, 3));
  const topology t = dragonfly(a, h, g, 1, arrangement);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> links;
  for (const channel& c : t.channels)
    if (c.from.router / a != c.to.router / a) ++links[{c.from.router / a, c.to.router / a}];
  RC_ASSERT(links.size() == g * (g - 1));
  for (const auto& [groups, count] : links) RC_ASSERT(count == a * h / (g - 1));
  RC_ASSERT(find_one_way(t).empty());
  std::set<std::vector<std::uint32_t>> places;
  for (const router_info& r : t.routers) RC_ASSERT(places.insert(r.coordinates).second);
}

RC_GTEST_PROP(unit_topology_dragonfly, minimal_routes_cross_once_between_groups, ()) {
  const auto a = *rc::gen::inRange(1U, 6U), h = *rc::gen::inRange(1U, 4U), g = *rc::gen::inRange(2U, a * h + 2);
  const topology t = dragonfly(a, h, g, 2, static_cast<dragonfly_arrangement>(*rc::gen::inRange(0, 3)));
  for (node_id s = 0; s < t.nodes.size(); ++s) {
    for (node_id d = 0; d < t.nodes.size(); ++d) {
      const std::vector<router_id> path = route_path(t, s, d);
      unsigned between = 0, within = 0;
      for (std::size_t i = 1; i < path.size(); ++i) ++(path[i] / a == path[i - 1] / a ? within : between);
      RC_ASSERT(path.back() == d / 2);
      RC_ASSERT(between == (s / 2 / a != d / 2 / a));
      RC_ASSERT(within <= between + 1);
    }
  }
}

TEST(unit_topology_dragonfly, one_vc_class_would_not_be_enough) {
  const topology t = dragonfly(4, 2, 0, 1);
  EXPECT_EQ(describe_cycle(t, find_dependency_cycle(t, 4)), "");
  const topology narrow = on_one_vc(t);
  EXPECT_NE(describe_cycle(narrow, find_dependency_cycle(narrow, 1)), "");
}

TEST(unit_topology_dragonfly, only_links_between_groups_have_global_cycles) {
  dragonfly_parameters p;
  p.options.link_cycles = 2;
  p.global_cycles = 30;
  for (const channel& c : make_dragonfly(p).channels)
    EXPECT_EQ(c.cycles, c.from.router / 4 == c.to.router / 4 ? 2U : 30U);
}

TEST(unit_topology_dragonfly, rejects_invalid_parameters) {
  const auto rejection = [](const std::function<void(dragonfly_parameters&)>& spoil) {
    dragonfly_parameters p;
    spoil(p);
    return error_of([&] { make_dragonfly(p); });
  };
  EXPECT_EQ(rejection([](auto& p) { p.options.vcs = 1; }),
            "topology: vcs is 1; minimal routing in a dragonfly needs at least 2");
  EXPECT_EQ(rejection([](auto& p) { p.groups = 10; }),
            "topology: groups is 10; give 2 to 9, because 4 routers with 2 global links each lead to 8 other groups");
  EXPECT_EQ(rejection([](auto& p) { p.groups = 1; }),
            "topology: groups is 1; give 2 to 9, because 4 routers with 2 global links each lead to 8 other groups");
  EXPECT_EQ(
      rejection([](auto& p) { p.group_routers = 14; }),
      "topology: routers have 17 ports, 13 to their group, 2 to other groups and 2 to nodes, and may have at most "
      "16; lower group_routers, global_links, nodes_per_router or nic.ports");
  EXPECT_EQ(rejection([](auto& p) { p.global_links = 0; }), "topology: global_links is 0; give at least 1");
}

// ---- Slim Fly ----

topology slim_fly(std::uint32_t order, unsigned vcs = 4) {
  slim_fly_parameters p;
  p.order = order;
  p.options.vcs = vcs;
  return make_slim_fly(p);
}

TEST(unit_topology_slim_fly, has_diameter_two_and_the_degree_of_its_formula) {
  for (const auto& [order, degree] : {std::pair(3U, 5U), {4U, 6U}, {5U, 7U}, {7U, 11U}, {8U, 12U}, {9U, 13U}}) {
    const topology t = slim_fly(order);
    EXPECT_EQ(t.routers.size(), 2 * order * order);
    EXPECT_EQ(find_one_way(t), "");
    for (router_id r = 0; r < t.routers.size(); ++r) {
      const std::vector<router_id> next = neighbours(t)[r];
      const std::set<router_id> distinct(next.begin(), next.end());
      EXPECT_EQ(distinct.size(), degree) << order;
      EXPECT_EQ(next.size(), degree) << order;
      EXPECT_EQ(distinct.count(r), 0U) << order;
    }
    EXPECT_EQ(compute_metrics(t).diameter, 2U) << order;
    EXPECT_EQ(find_defect(slim_fly(order, 2), 2) + find_defect(t, 4), "") << order;
  }
}

/// Any two neighbors have no common neighbor, and any other two routers have exactly one.
TEST(unit_topology_slim_fly, of_order_5_is_the_hoffman_singleton_graph) {
  const lists next = neighbours(slim_fly(5));
  for (router_id a = 0; a < 50; ++a) {
    for (router_id b = 0; b < a; ++b) {
      const bool joined = std::count(next[a].begin(), next[a].end(), b) > 0;
      const auto common = std::count_if(next[a].begin(), next[a].end(),
                                        [&](router_id r) { return std::count(next[b].begin(), next[b].end(), r) > 0; });
      EXPECT_EQ(common, joined ? 0 : 1) << a << " and " << b;
    }
  }
}

TEST(unit_topology_slim_fly, rejects_invalid_parameters) {
  slim_fly_parameters p;
  p.order = 6;
  EXPECT_EQ(error_of([&] { make_slim_fly(p); }),
            "topology: order is 6; give a prime power of at most 9 that is not 2 modulo 4: 3, 4, 5, 7, 8 or 9");
  p.order = 9;
  p.nodes = 4;
  EXPECT_EQ(
      error_of([&] { make_slim_fly(p); }),
      "topology: routers have 17 ports, 13 to other routers and 4 to nodes, and may have at most 16; lower order, "
      "nodes_per_router or nic.ports");
  p.options.vcs = 1;
  EXPECT_EQ(error_of([&] { make_slim_fly(p); }), "topology: vcs is 1; routing in a Slim Fly needs at least 2");
}

}  // namespace
}  // namespace weft
