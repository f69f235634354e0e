// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/hierarchical_ring.h"

#include "unit/topology/generated.h"
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/names.h"

namespace weft {
namespace {

using sizes_t = std::vector<std::uint32_t>;
using lists = std::vector<std::vector<router_id>>;
using names_t = std::vector<std::string>;

topology rings_of(sizes_t sizes, ring_representative representative = ring_representative::Same, bool one_way = false) {
  hierarchical_ring_parameters p;
  p.sizes = std::move(sizes);
  p.representative = representative;
  p.one_way = one_way;
  return make_hierarchical_ring(p);
}

std::string ring_rejection(const std::function<void(hierarchical_ring_parameters&)>& spoil) {
  hierarchical_ring_parameters p;
  spoil(p);
  return error_of([&] { make_hierarchical_ring(p); });
}

/// Random rings of up to 120 routers.
hierarchical_ring_parameters random_rings() {
  hierarchical_ring_parameters p;
  p.sizes = *rc::gen::suchThat(
      rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 6),
                      [](std::size_t levels) {
                        return rc::gen::container<sizes_t>(levels, rc::gen::inRange(2U, levels < 3 ? 11U : 5U));
                      }),
      [](const sizes_t& s) { return std::accumulate(s.begin(), s.end(), 1U, std::multiplies<>()) <= 120; });
  p.one_way = *rc::gen::arbitrary<bool>();
  p.representative = *rc::gen::element(ring_representative::Same, ring_representative::Corner);
  p.options.vcs = *rc::gen::inRange(2U, 6U);
  return p;
}

/// Mean distance between two different routers, with representatives `Same`.
double mean_distance_of(const sizes_t& sizes, bool one_way) {
  double sum = 0, below = 0, span = 1;
  for (const std::uint32_t s : sizes) {
    const double q = one_way ? s * (s - 1) / 2 : s * s / 4;
    sum += span * (q + 2 * (s - 1) * below);
    below += q / s;
    span *= s;
  }
  return sum / (span - 1);
}

// ---- RINGS, Fig. 2 ----

TEST(unit_topology_hierarchical_ring, figure_2a_joins_four_rings_of_four_by_their_first_routers) {
  const topology t = rings_of({4, 4});
  EXPECT_EQ(t.kind, "hierarchical_ring");
  EXPECT_EQ(t.algorithm, "shortest");
  ASSERT_EQ(t.nodes.size(), 16U);
  lists expected;
  for (router_id r = 0; r < 16; ++r) {
    expected.push_back({r / 4 * 4 + (r + 1) % 4, r / 4 * 4 + (r + 3) % 4});
    if (r % 4 == 0) expected.back().insert(expected.back().end(), {(r + 4) % 16, (r + 12) % 16});
    EXPECT_EQ(routers_of_node(t, r), (std::vector<router_id>{r}));
  }
  EXPECT_EQ(neighbours(t), expected);
  EXPECT_EQ(t.routers[4].port_names, (names_t{"+0", "-0", "+1", "-1", "local"}));
  EXPECT_EQ(t.routers[5].port_names, (names_t{"+0", "-0", "local"}));
  EXPECT_EQ(full_name(t, t.channels[2]), "router 0 (1,1) +1 -> router 4 (2,1) -1");
}

/// Routers that are in several rings, each followed by its neighbors in the rings after the first.
lists joints(const topology& t) {
  lists found;
  const lists all = neighbours(t);
  for (router_id r = 0; r < all.size(); ++r) {
    if (all[r].size() == 2) continue;
    found.push_back({r});
    found.back().insert(found.back().end(), all[r].begin() + 2, all[r].end());
  }
  return found;
}

TEST(unit_topology_hierarchical_ring, figure_2b_joins_four_hierarchies_by_their_representatives) {
  const topology t = rings_of({4, 4, 4});
  EXPECT_EQ(t.nodes.size(), 64U);
  EXPECT_EQ(joints(t), (lists{{0, 4, 12, 16, 48},
                              {4, 8, 0},
                              {8, 12, 4},
                              {12, 0, 8},
                              {16, 20, 28, 32, 0},
                              {20, 24, 16},
                              {24, 28, 20},
                              {28, 16, 24},
                              {32, 36, 44, 48, 16},
                              {36, 40, 32},
                              {40, 44, 36},
                              {44, 32, 40},
                              {48, 52, 60, 0, 32},
                              {52, 56, 48},
                              {56, 60, 52},
                              {60, 48, 56}}));
}

TEST(unit_topology_hierarchical_ring, figure_2b_with_corners_embeds_in_a_grid) {
  const topology t = rings_of({4, 4, 4}, ring_representative::Corner);
  const topology_metrics f = compute_metrics(t);
  EXPECT_EQ(f.max_degree, 4U);
  EXPECT_EQ(f.diameter, 14U);
  const lists all = neighbours(t);
  EXPECT_EQ(all[2], (std::vector<router_id>{3, 1, 18, 50}));
  std::vector<std::vector<std::uint32_t>> places;
  for (const channel& c : t.channels) {
    const auto &a = t.routers[c.from.router].coordinates, &b = t.routers[c.to.router].coordinates;
    const auto apart = [&](int d) { return std::abs(int(a[std::size_t(d)]) - int(b[std::size_t(d)])); };
    EXPECT_EQ(apart(0) + apart(1), 1) << full_name(t, c);
  }
  for (const router_info& r : t.routers) places.push_back(r.coordinates);
  std::sort(places.begin(), places.end());
  EXPECT_EQ(std::unique(places.begin(), places.end()), places.end());
  EXPECT_EQ(places.back(), (std::vector<std::uint32_t>{7, 7}));
}

// RINGS, Table 2: the total exchange takes P² / (2 B) steps, where B counts the channels of both directions.
TEST(unit_topology_hierarchical_ring, bisections_match_table_2) {
  EXPECT_EQ(16U * 16 / (4 * compute_metrics(rings_of({4, 4})).bisection_channels), 32U);
  EXPECT_EQ(64U * 64 / (4 * compute_metrics(rings_of({4, 4, 4})).bisection_channels), 512U);
  EXPECT_EQ(64U * 64 / (4 * compute_metrics(rings_of({4, 4, 4}, ring_representative::Corner)).bisection_channels),
            512U);
  EXPECT_EQ(8U * 8 / (4 * compute_metrics(rings_of({8}, ring_representative::Same, true)).bisection_channels), 16U);
  EXPECT_EQ(8U * 8 / (4 * compute_metrics(rings_of({8})).bisection_channels), 8U);
}

// ---- Structure ----

TEST(unit_topology_hierarchical_ring, one_way_channels_go_in_the_positive_direction) {
  const topology t = rings_of({3, 2}, ring_representative::Same, true);
  EXPECT_EQ(neighbours(t), (lists{{1, 3}, {2}, {0}, {4, 0}, {5}, {3}}));
}

TEST(unit_topology_hierarchical_ring, ring_of_two_routers_has_two_channels_in_each_direction) {
  EXPECT_EQ(neighbours(rings_of({2})), (lists{{1, 1}, {0, 0}}));
}

TEST(unit_topology_hierarchical_ring, applies_latencies_vcs_nodes_and_nic_ports) {
  hierarchical_ring_parameters p;
  p.sizes = {3, 3};
  p.nodes = 2;
  p.options = {3, 2, 2, 5};
  const topology t = make_hierarchical_ring(p);
  ASSERT_EQ(t.nodes.size(), 18U);
  for (const channel& c : t.channels) EXPECT_EQ(c.cycles, 3U);
  EXPECT_EQ(t.nodes[7].cycles, 2U);
  EXPECT_EQ(t.nodes[7].ports, (std::vector<port_ref>{{3, 6}, {3, 7}}));
  EXPECT_EQ(t.routing[3].answer({1, 0, 7}), (route{7, 0b11111U}));
  EXPECT_EQ(t.routing[3].answer({4, 4, 7}), (route{6, 0b11111U}));
  EXPECT_EQ(find_defect(t, 5), "");
}

RC_GTEST_PROP(unit_topology_hierarchical_ring, every_hierarchy_is_valid_and_acyclic, ()) {
  hierarchical_ring_parameters p = random_rings();
  p.nodes = *rc::gen::inRange(1U, 3U);
  p.options.nic_ports = *rc::gen::inRange(1U, 3U);
  RC_ASSERT(find_defect(make_hierarchical_ring(p), p.options.vcs) == "");
}

RC_GTEST_PROP(unit_topology_hierarchical_ring, metrics_match_the_formulas, ()) {
  const hierarchical_ring_parameters p = random_rings();
  const bool same = p.representative == ring_representative::Same;
  std::uint32_t routers = 1, channels = 0, diameter = 0, longest = 0;
  for (const std::uint32_t s : p.sizes) {
    channels = channels * s + s * (p.one_way ? 1 : 2);
    diameter += 2 * longest;
    longest = p.one_way ? s - 1 : s / 2;
    routers *= s;
  }
  diameter += longest;
  const topology t = make_hierarchical_ring(p);
  const topology_metrics f = compute_metrics(t);
  RC_ASSERT(f.routers == routers);
  RC_ASSERT(f.channels == channels);
  if (p.sizes.back() % 2 == 0) RC_ASSERT(f.bisection_channels == (p.one_way ? 1U : 2U));
  if (!same) RC_ASSERT(f.max_degree <= (p.one_way ? 2U : 4U));
  if (!same && p.sizes.size() == 3 && !p.one_way) RC_ASSERT(f.diameter == diameter + p.sizes[0] / 2 * 2);
  if (same || p.sizes.size() < 3) {
    RC_ASSERT(f.diameter == diameter);
    RC_ASSERT(std::abs(f.mean_distance - mean_distance_of(p.sizes, p.one_way)) < 1e-9);
    RC_ASSERT(f.max_degree == (p.one_way ? 1U : 2U) * p.sizes.size());
  }
}

RC_GTEST_PROP(unit_topology_hierarchical_ring, router_coordinates_are_unique, ()) {
  const topology t = make_hierarchical_ring(random_rings());
  std::vector<std::vector<std::uint32_t>> places;
  for (const router_info& r : t.routers) places.push_back(r.coordinates);
  std::sort(places.begin(), places.end());
  RC_ASSERT(std::unique(places.begin(), places.end()) == places.end());
}

// ---- Routing ----

TEST(unit_topology_hierarchical_ring, packets_go_up_across_and_down) {
  EXPECT_EQ(route_path(rings_of({4, 4}), 1, 14), (std::vector<router_id>{1, 0, 12, 13, 14}));
  EXPECT_EQ(route_path(rings_of({4, 4, 4}, ring_representative::Corner), 5, 17),
            (std::vector<router_id>{5, 4, 0, 1, 2, 18, 17}));
}

TEST(unit_topology_hierarchical_ring, packets_keep_the_second_vc_class_after_the_joint) {
  const topology t = rings_of({8});
  EXPECT_EQ(t.routing[6].answer({2, 0, 2}), (route{0, 0b0011U}));  // the joint, router 0, is ahead of the packet
  EXPECT_EQ(t.routing[7].answer({1, 1, 2}), (route{0, 0b0011U}));
  EXPECT_EQ(t.routing[0].answer({1, 1, 2}), (route{0, 0b1100U}));
  EXPECT_EQ(t.routing[1].answer({1, 2, 2}), (route{0, 0b1100U}));
  EXPECT_EQ(t.routing[1].answer({1, 3, 2}), (route{0, 0b1100U}));
  EXPECT_EQ(t.routing[1].answer({2, 3, 2}), (route{0, 0b0011U}));  // from a node: the packet does not reach the joint
  EXPECT_EQ(t.routing[1].answer({2, 0, 3}), (route{0, 0b1100U}));
}

TEST(unit_topology_hierarchical_ring, one_vc_class_can_deadlock) {
  EXPECT_FALSE(find_dependency_cycle(on_one_vc(rings_of({5})), 1).empty());
  EXPECT_FALSE(find_dependency_cycle(on_one_vc(rings_of({2, 6, 2})), 1).empty());
  EXPECT_FALSE(find_dependency_cycle(on_one_vc(rings_of({3, 2}, ring_representative::Same, true)), 1).empty());
  EXPECT_TRUE(find_dependency_cycle(on_one_vc(rings_of({3})), 1).empty());
}

// ---- Size ----

TEST(unit_topology_hierarchical_ring, supports_65536_nodes_with_short_tables) {
  for (const sizes_t& sizes : {sizes_t{16, 16, 16, 16}, sizes_t{4, 4, 4, 4, 4, 4, 4, 4}}) {
    const topology t = rings_of(sizes, ring_representative::Corner);
    EXPECT_EQ(t.nodes.size(), 65536U);
    std::size_t bytes = 0;
    for (const route_rule& rule : t.routing) bytes = std::max(bytes, rule.as<table_rule>()->bytes());
    EXPECT_LT(bytes, 1000U);
    EXPECT_NO_THROW(check_structure(t, 4));
  }
}

// ---- Wrong parameters ----

TEST(unit_topology_hierarchical_ring, rejects_impossible_parameters_with_a_remedy) {
  EXPECT_EQ(ring_rejection([](auto& p) { p.sizes = {}; }),
            "topology: sizes has 0 levels of rings; give at least 1, such as [4, 4]");
  EXPECT_EQ(ring_rejection([](auto& p) {
              p.sizes = {4, 1};
            }),
            "topology: sizes [4, 1] has a ring of size 1; give 2 to 1024");
  EXPECT_EQ(ring_rejection([](auto& p) { p.sizes = {1025}; }),
            "topology: sizes [1025] has a ring of size 1025; give 2 to 1024");
  EXPECT_EQ(
      ring_rejection([](auto& p) {
        p.sizes = {1024, 1024, 2};
      }),
      "topology: sizes [1024, 1024, 2] with 1 nodes at a router have more than 1048576 nodes; choose smaller rings "
      "or fewer levels");
  EXPECT_EQ(ring_rejection([](auto& p) { p.nodes = 0; }), "topology: routers have 0 nodes; give at least 1");
  EXPECT_EQ(ring_rejection([](auto& p) { p.sizes = sizes_t(8, 2); }),
            "topology: routers have up to 17 ports, 16 to rings and 1 to nodes, and may have at most 16; lower "
            "nodes_per_router, nic.ports or the number of sizes, or choose corners as representatives");
  EXPECT_EQ(ring_rejection([](auto& p) { p.nodes = 7, p.options.nic_ports = 2; }),
            "topology: routers have up to 18 ports, 4 to rings and 14 to nodes, and may have at most 16; lower "
            "nodes_per_router, nic.ports");
  EXPECT_EQ(ring_rejection([](auto& p) { p.options.vcs = 1; }),
            "topology: vcs is 1; routing in hierarchical rings needs at least 2");
  EXPECT_EQ(ring_rejection([](auto& p) { p.options.vcs = 17; }), "topology: vcs is 17; give 1 to 16");
  EXPECT_EQ(ring_rejection([](auto& p) { p.options.nic_ports = 0; }), "topology: nic.ports is 0; give at least 1");
}

}  // namespace
}  // namespace weft
