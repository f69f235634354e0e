// SPDX-License-Identifier: Apache-2.0
/// Networks of dies.
#include "weft/topology/generators/chiplets.h"

#include "unit/topology/generated.h"
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/generators/grid.h"

namespace weft {
namespace {

using die_list = std::vector<std::uint32_t>;

topology dies_of(die_list dies, die_list shape, std::uint32_t links, unsigned vcs = 2) {
  chiplets_parameters p;
  p.dies = std::move(dies);
  p.shape = std::move(shape);
  p.links_per_side = links;
  p.options.vcs = vcs;
  return make_chiplets(p);
}

topology interposer_of(die_list dies, die_list shape, die_list interposer, die_list border = {}) {
  chiplets_parameters p;
  p.dies = std::move(dies);
  p.shape = std::move(shape);
  p.interposer = std::move(interposer);
  p.border_routers = std::move(border);
  p.options.vcs = 2;
  return make_chiplets(p);
}

/// The rows in which a link leads from one die of 1 x \p side routers to the next.
std::vector<std::uint32_t> rows_with_links(std::uint32_t side, std::uint32_t links) {
  std::set<std::uint32_t> rows;
  for (const channel& c : dies_of({2, 1}, {1, side}, links).channels)
    if (c.from.router % 2 != c.to.router % 2) rows.insert(c.from.router / 2);
  return {rows.begin(), rows.end()};
}

/// The load of the busiest channel under uniform traffic.
double ideal_load(const topology& t) {
  const std::vector<double> loads = uniform_channel_loads(t);
  return *std::max_element(loads.begin(), loads.end());
}

/// Why \p t is invalid or can deadlock; empty if neither.
std::string why_unsafe(const topology& t, unsigned vcs) {
  const std::string broken = error_of([&] { check_structure(t, vcs); });
  return broken.empty() ? describe_cycle(t, find_dependency_cycle(t, vcs)) : broken;
}

TEST(unit_topology_chiplets, links_of_a_side_are_spread_evenly_and_symmetrically) {
  EXPECT_EQ(rows_with_links(4, 1), (die_list{1}));
  EXPECT_EQ(rows_with_links(4, 2), (die_list{0, 3}));
  EXPECT_EQ(rows_with_links(4, 3), (die_list{0, 1, 3}));
  EXPECT_EQ(rows_with_links(8, 2), (die_list{1, 6}));
  EXPECT_EQ(rows_with_links(8, 4), (die_list{0, 2, 5, 7}));
  EXPECT_EQ(rows_with_links(5, 0), (die_list{0, 1, 2, 3, 4}));
}

TEST(unit_topology_chiplets, dies_with_all_links_are_one_mesh) {
  const topology t = dies_of({2, 3}, {4, 2}, 0);
  grid_parameters p;
  p.shape = {8, 6};
  const topology_metrics dies = compute_metrics(t), mesh = compute_metrics(make_grid(p));
  EXPECT_EQ(dies.channels, mesh.channels);
  EXPECT_EQ(dies.diameter, mesh.diameter);
  EXPECT_DOUBLE_EQ(dies.mean_distance, mesh.mean_distance);
  EXPECT_NEAR(dies.mean_route_length, mesh.mean_distance, 1e-9);
  EXPECT_NEAR(ideal_load(t), ideal_load(make_grid(p)), 1e-9);
  EXPECT_EQ(t.shape, (die_list{8, 6}));
}

/// D columns and E rows of dies of a x b routers with m links at each side.
RC_GTEST_PROP(unit_topology_chiplets, number_of_channels_matches_the_formula, ()) {
  const auto d = *rc::gen::inRange(2U, 4U), e = *rc::gen::inRange(1U, 4U), a = *rc::gen::inRange(1U, 5U),
             b = *rc::gen::inRange(1U, 5U);
  const auto m = *rc::gen::inRange(1U, std::min(d > 1 ? b : a, e > 1 ? a : b) + 1);
  const topology t = dies_of({d, e}, {a, b}, m);
  const std::uint32_t within = d * e * ((a - 1) * b + a * (b - 1)), between = m * ((d - 1) * e + d * (e - 1));
  RC_ASSERT(t.channels.size() == 2 * (within + between));
  RC_ASSERT(why_unsafe(t, 2).empty());
}

RC_GTEST_PROP(unit_topology_chiplets, interposer_has_a_link_for_each_border_router, ()) {
  const auto d = *rc::gen::inRange(2U, 4U), e = *rc::gen::inRange(1U, 3U), a = *rc::gen::inRange(1U, 4U),
             b = *rc::gen::inRange(1U, 4U), i = *rc::gen::inRange(1U, 4U), j = *rc::gen::inRange(1U, 4U);
  die_list border;
  for (std::uint32_t r = 0; r < a * b; ++r)
    if (*rc::gen::inRange(0, 3) == 0) border.push_back(r);
  if (border.empty()) border.push_back(0);
  while (d * e * border.size() > 12) border.pop_back();  // ports of an interposer router, in the worst case
  const topology t = interposer_of({d, e}, {a, b}, {i, j}, border);
  const std::size_t within = d * e * ((a - 1) * b + a * (b - 1)), mesh = (i - 1) * j + i * (j - 1);
  RC_ASSERT(t.routers.size() == d * e * a * b + i * j);
  RC_ASSERT(t.nodes.size() == d * e * a * b);
  RC_ASSERT(t.channels.size() == 2 * (within + mesh + d * e * border.size()));
  RC_ASSERT(why_unsafe(t, 2).empty());
}

TEST(unit_topology_chiplets, packets_cross_dies_in_the_rows_and_columns_with_links) {
  const topology t = dies_of({2, 2}, {4, 4}, 1);  // links in row and column 1 of each die
  EXPECT_EQ(route_path(t, 0, 7), (std::vector<router_id>{0, 8, 9, 10, 11, 12, 13, 14, 15, 7}));
  EXPECT_EQ(route_path(t, 16, 63), (std::vector<router_id>{16, 8, 9, 10, 11, 12, 13, 21, 29, 37, 45, 53, 61, 62, 63}));
}

TEST(unit_topology_chiplets, packets_through_the_interposer_use_the_border_routers_on_the_way) {
  const topology t = interposer_of({2, 1}, {4, 2}, {2, 1}, {1, 6});
  // Die 0 has routers 0 to 3 and 8 to 11; its border routers are 1 and 10. Interposer routers are 16 and 17.
  EXPECT_EQ(route_path(t, 0, 4), (std::vector<router_id>{0, 1, 16, 17, 5, 4}));
  EXPECT_EQ(route_path(t, 11, 15), (std::vector<router_id>{11, 10, 16, 17, 14, 15}));
  EXPECT_EQ(t.routers[17].port_names, (std::vector<std::string>{"+x", "-x", "+y", "-y", "r5", "r14"}));
}

TEST(unit_topology_chiplets, only_links_that_leave_a_die_have_die_link_cycles) {
  chiplets_parameters p;
  p.options.link_cycles = 2;
  p.die_link_cycles = 9;
  for (const channel& c : make_chiplets(p).channels) {
    const auto die = [](router_id r) { return r % 8 / 4 + 2 * (r / 32); };
    EXPECT_EQ(c.cycles, die(c.from.router) == die(c.to.router) ? 2U : 9U);
  }
  p.interposer = {2, 2};
  for (const channel& c : make_chiplets(p).channels)
    EXPECT_EQ(c.cycles, (c.from.router < 64) == (c.to.router < 64) ? 2U : 9U);
}

TEST(unit_topology_chiplets, one_vc_class_would_not_be_enough) {
  for (const topology& t : {dies_of({2, 2}, {4, 4}, 1), interposer_of({2, 2}, {4, 4}, {2, 2})}) {
    EXPECT_EQ(why_unsafe(t, 2), "");
    topology narrow = t;
    for (route_rule& rule : narrow.routing) {
      std::vector<route> row;
      for (node_id n = 0; n < t.nodes.size(); ++n) row.push_back({rule.answer({0, 0, n}).port, 1});
      rule = table_rule(row);
    }
    EXPECT_NE(describe_cycle(narrow, find_dependency_cycle(narrow, 1)), "");
  }
}

TEST(unit_topology_chiplets, routers_are_drawn_at_different_places) {
  for (const topology& t : {dies_of({3, 2}, {2, 3}, 1), interposer_of({3, 2}, {4, 3}, {3, 4}, {1, 5, 10}),
                            interposer_of({2, 2}, {1, 1}, {4, 4})}) {
    std::set<die_list> places;
    for (const router_info& r : t.routers) EXPECT_TRUE(places.insert(r.coordinates).second);
  }
}

TEST(unit_topology_chiplets, rejects_invalid_parameters) {
  const auto rejection = [](const std::function<void(chiplets_parameters&)>& spoil) {
    chiplets_parameters p;
    spoil(p);
    return error_of([&] { make_chiplets(p); });
  };
  EXPECT_EQ(rejection([](auto& p) { p.options.vcs = 1; }), "topology: vcs is 1; die_by_die routing needs at least 2");
  EXPECT_EQ(rejection([](auto& p) { p.dies = {1}; }),
            "topology: dies [1] is a single die; give at least 2, or use a mesh");
  EXPECT_EQ(rejection([](auto& p) {
              p.dies = {2, 2, 2};
            }),
            "topology: dies [2, 2, 2] has 3 numbers; give 1 or 2, columns and rows");
  EXPECT_EQ(rejection([](auto& p) {
              p.shape = {4, 0};
            }),
            "topology: shape [4, 0] has a 0; every number must be at least 1");
  EXPECT_EQ(rejection([](auto& p) { p.links_per_side = 5; }),
            "topology: links_per_side is 5; a side has 4 routers; give 1 to 4, or 0 for a link at each");
  EXPECT_EQ(rejection([](auto& p) {
              p.links_per_side = 2, p.interposer = {2, 2};
            }),
            "topology: links_per_side is 2, but an interposer connects the dies; leave out links_per_side or "
            "interposer");
  EXPECT_EQ(rejection([](auto& p) { p.border_routers = {0}; }),
            "topology: border_routers is given without an interposer network; give interposer, such as [2, 2]");
  EXPECT_EQ(rejection([](auto& p) {
              p.border_routers = {3, 16}, p.interposer = {2, 2};
            }),
            "topology: border_routers has 16; a die has routers 0 to 15");
  EXPECT_EQ(rejection([](auto& p) {
              p.border_routers = {3, 3}, p.interposer = {2, 2};
            }),
            "topology: border_routers has 3 twice; give each router once");
  EXPECT_EQ(rejection([](auto& p) { p.interposer = {1}; }),
            "topology: interposer routers have more than 16 ports, 4 to each other and the rest to border routers; "
            "give fewer border_routers or more interposer routers");
}

}  // namespace
}  // namespace weft
