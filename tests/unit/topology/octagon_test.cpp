// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/octagon.h"

#include "unit/topology/generated.h"
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/names.h"

namespace weft {
namespace {

using lists = std::vector<std::vector<router_id>>;
using names_t = std::vector<std::string>;

topology octagon_of(std::uint32_t routers, std::uint32_t octagons = 1, unsigned nodes = 1) {
  octagon_parameters p;
  p.routers = routers;
  p.octagons = octagons;
  p.nodes = nodes;
  return make_octagon(p);
}

std::string octagon_rejection(const std::function<void(octagon_parameters&)>& spoil) {
  octagon_parameters p;
  spoil(p);
  return error_of([&] { make_octagon(p); });
}

octagon_parameters random_octagons() {
  octagon_parameters p;
  p.routers = 4 * *rc::gen::inRange(2U, 11U);
  p.octagons = *rc::gen::inRange(1U, 7U);
  p.options.vcs = *rc::gen::inRange(2U, 6U);
  return p;
}

/// The fewest channels of one direction between any half of the routers and the others.
std::size_t bisection_by_search(const topology& t) {
  const auto n = static_cast<unsigned>(t.routers.size());
  std::size_t least = t.channels.size();
  for (unsigned half = 0; half < 1U << n; ++half) {
    if (2 * static_cast<unsigned>(__builtin_popcount(half)) != n) continue;
    std::size_t cut = 0;
    for (const channel& c : t.channels) cut += (half >> c.from.router & 1) > (half >> c.to.router & 1);
    least = std::min(least, cut);
  }
  return least;
}

// ---- Structure ----

TEST(unit_topology_octagon, is_a_ring_of_eight_with_links_across) {
  const topology t = octagon_of(8);
  EXPECT_EQ(t.kind, "octagon");
  EXPECT_EQ(t.algorithm, "shortest");
  lists expected;
  for (router_id r = 0; r < 8; ++r) expected.push_back({(r + 1) % 8, (r + 7) % 8, (r + 4) % 8});
  EXPECT_EQ(neighbours(t), expected);
  EXPECT_EQ(t.nodes.size(), 8U);
  EXPECT_EQ(t.routers[3].port_names, (names_t{"+", "-", "across", "local"}));
  EXPECT_EQ(full_name(t, t.channels[0]), "router 0 (0,2) + -> router 1 (1,1) -");
  EXPECT_EQ(full_name(t, t.channels[2]), "router 0 (0,2) across -> router 4 (4,2) across");
}

// This is Fig. 4 of OCTAGON.
TEST(unit_topology_octagon, a_fat_octagon_has_two_cores_at_each_router) {
  const topology t = octagon_of(8, 1, 2);
  EXPECT_EQ(t.nodes.size(), 16U);
  EXPECT_EQ(t.nodes[7].ports, (std::vector<port_ref>{{3, 4}}));
  EXPECT_EQ(t.routers[3].port_names, (names_t{"+", "-", "across", "local0", "local1"}));
  EXPECT_EQ(find_defect(t, 4), "");
}

TEST(unit_topology_octagon, octagons_of_a_chain_share_a_router) {
  const topology t = octagon_of(8, 3);
  EXPECT_EQ(t.routers.size(), 22U);
  const lists all = neighbours(t);
  EXPECT_EQ(all[4], (std::vector<router_id>{5, 3, 0, 8, 14, 11}));
  EXPECT_EQ(all[8], (std::vector<router_id>{9, 4, 12}));
  EXPECT_EQ(all[11], (std::vector<router_id>{12, 10, 4, 15, 21, 18}));
  EXPECT_EQ(all[18], (std::vector<router_id>{19, 17, 11}));
  EXPECT_EQ(t.routers[11].port_names, (names_t{"+", "-", "across", "+next", "-next", "across_next", "local"}));
  EXPECT_EQ(t.routers[11].coordinates, (std::vector<std::uint32_t>{8, 2}));
}

TEST(unit_topology_octagon, applies_latencies_vcs_and_nic_ports) {
  octagon_parameters p;
  p.octagons = 2;
  p.nodes = 2;
  p.options = {3, 2, 2, 5};
  const topology t = make_octagon(p);
  for (const channel& c : t.channels) EXPECT_EQ(c.cycles, 3U);
  EXPECT_EQ(t.nodes[9].cycles, 2U);
  EXPECT_EQ(t.nodes[9].ports, (std::vector<port_ref>{{4, 8}, {4, 9}}));
  EXPECT_EQ(t.routing[4].answer({3, 0, 9}), (route{9, 0b11111U}));
  EXPECT_EQ(find_defect(t, 5), "");
}

RC_GTEST_PROP(unit_topology_octagon, every_chain_is_valid_and_acyclic, ()) {
  octagon_parameters p = random_octagons();
  p.nodes = *rc::gen::inRange(1U, 4U);
  p.options.nic_ports = *rc::gen::inRange(1U, 3U);
  RC_ASSERT(find_defect(make_octagon(p), p.options.vcs) == "");
}

RC_GTEST_PROP(unit_topology_octagon, metrics_match_the_formulas, ()) {
  const octagon_parameters p = random_octagons();
  const std::uint32_t n = p.routers, m = p.octagons;
  const topology_metrics f = compute_metrics(make_octagon(p));
  RC_ASSERT(f.routers == m * (n - 1) + 1);
  RC_ASSERT(f.channels == 3 * n * m);
  RC_ASSERT(f.min_degree == 3U);
  RC_ASSERT(f.max_degree == (m == 1 ? 3U : 6U));
  RC_ASSERT(f.diameter == (m == 1 ? n / 4 : n / 2 + m - 2));
  if (m == 1) {
    const std::uint32_t k = n / 4;
    RC_ASSERT(std::abs(f.mean_distance - (2.0 * k * k + 2 * k - 1) / (n - 1)) < 1e-9);
    RC_ASSERT(f.bisection_channels == 4 || (!f.bisection_exact && f.bisection_channels > 4));
  }
}

TEST(unit_topology_octagon, minimum_bisection_is_four_channels_in_each_direction) {
  for (const std::uint32_t n : {8U, 12U, 16U}) EXPECT_EQ(bisection_by_search(octagon_of(n)), 4U) << n;
}

RC_GTEST_PROP(unit_topology_octagon, router_coordinates_are_unique, ()) {
  const topology t = make_octagon(random_octagons());
  std::vector<std::vector<std::uint32_t>> places;
  for (const router_info& r : t.routers) places.push_back(r.coordinates);
  std::sort(places.begin(), places.end());
  RC_ASSERT(std::unique(places.begin(), places.end()) == places.end());
}

// ---- Routing ----

// Karim, Nguyen, Dey 2002: relative addresses 1 and 2 go clockwise, 6 and 7 counterclockwise, the others across.
TEST(unit_topology_octagon, routes_by_relative_address) {
  const topology t = octagon_of(8);
  const unsigned expected[] = {3, 0, 0, 2, 2, 2, 1, 1};
  for (router_id here = 0; here < 8; ++here)
    for (node_id there = 0; there < 8; ++there)
      EXPECT_EQ(t.routing[here].answer({3, 0, there}).port, expected[(there + 8 - here) % 8]);
}

TEST(unit_topology_octagon, packets_cross_intermediate_octagons_in_one_hop) {
  EXPECT_EQ(route_path(octagon_of(8, 3), 2, 16), (std::vector<router_id>{2, 3, 4, 11, 15, 16}));
  EXPECT_EQ(route_path(octagon_of(8, 3), 16, 2), (std::vector<router_id>{16, 15, 11, 4, 3, 2}));
}

TEST(unit_topology_octagon, one_vc_class_can_deadlock) {
  EXPECT_FALSE(find_dependency_cycle(on_one_vc(octagon_of(8)), 1).empty());
  EXPECT_FALSE(find_dependency_cycle(on_one_vc(octagon_of(8, 2)), 1).empty());
}

TEST(unit_topology_octagon, supports_65536_nodes) {
  const topology t = octagon_of(8, 2731, 4);
  EXPECT_GT(t.nodes.size(), 65536U);
  EXPECT_NO_THROW(check_structure(t, 4));
}

// ---- Wrong parameters ----

TEST(unit_topology_octagon, rejects_impossible_parameters_with_a_remedy) {
  for (const std::uint32_t n : {0U, 4U, 10U, 1028U}) {
    EXPECT_EQ(octagon_rejection([n](auto& p) { p.routers = n; }),
              "topology: an Octagon has " + std::to_string(n) + " routers; give a multiple of 4 from 8 to 1024");
  }
  EXPECT_EQ(octagon_rejection([](auto& p) { p.octagons = 0; }), "topology: octagons is 0; give at least 1");
  EXPECT_EQ(octagon_rejection([](auto& p) { p.nodes = 0; }), "topology: routers have 0 nodes; give at least 1");
  EXPECT_EQ(octagon_rejection([](auto& p) { p.nodes = 14; }),
            "topology: routers have 17 ports, 3 to other routers and 14 to nodes, and may have at most 16; lower "
            "nodes_per_router or nic.ports");
  EXPECT_EQ(octagon_rejection([](auto& p) { p.nodes = 11, p.octagons = 2; }),
            "topology: bridge routers have 17 ports, 6 to other routers and 11 to nodes, and may have at most 16; "
            "lower nodes_per_router or nic.ports");
  EXPECT_EQ(
      octagon_rejection([](auto& p) { p.octagons = 4294967295U; }),
      "topology: 4294967295 Octagons of 8 routers with 1 nodes each have more than 1048576 nodes; lower octagons, "
      "routers or nodes");
  EXPECT_EQ(octagon_rejection([](auto& p) { p.options.vcs = 1; }),
            "topology: vcs is 1; routing in Octagons needs at least 2");
  EXPECT_EQ(octagon_rejection([](auto& p) { p.options.link_cycles = 0; }),
            "topology: link_cycles is 0; a channel takes at least 1 cycle");
}

}  // namespace
}  // namespace weft
