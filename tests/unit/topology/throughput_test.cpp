// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/throughput.h"

#include "unit/topology/random_networks.h"
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/bisection.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/analysis/metrics.h"

namespace weft {
namespace {

TEST(unit_topology_throughput, of_a_torus_matches_known_values) {
  topology_metrics f = compute_metrics(grid_of({8, 8}, true, grid_algorithm::DimensionOrder), true);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 1);
  f = compute_metrics(grid_of({16, 16}, true, grid_algorithm::DimensionOrder), true);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.5);
  f = compute_metrics(grid_of({16, 16}, true, grid_algorithm::Valiant), true);
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 0.25);
  EXPECT_EQ(f.throughput_method, "load of the busiest link");
  EXPECT_DOUBLE_EQ(f.mean_route_length, 16);
}

TEST(unit_topology_throughput, adaptive_routing_is_limited_by_the_bisection) {
  for (const bool rings : {false, true}) {
    const topology_metrics fixed = compute_metrics(grid_of({16, 16}, rings, grid_algorithm::DimensionOrder));
    const topology_metrics free = compute_metrics(grid_of({16, 16}, rings, grid_algorithm::MinimalAdaptive));
    EXPECT_DOUBLE_EQ(free.ideal_throughput, fixed.ideal_throughput);
    EXPECT_EQ(free.throughput_method, "links of the bisection");
    EXPECT_NEAR(free.mean_route_length, free.mean_distance, 1e-9);
  }
}

RC_GTEST_PROP(unit_topology_throughput, bounds_are_never_below_achieved_throughput, ()) {
  const auto self = *rc::gen::arbitrary<bool>();
  topology t = *rc::gen::arbitrary<bool>() ? random_grid(random_oblivious(), 5) : random_graph(12, 3);
  const topology_metrics f = compute_metrics(t, self);
  RC_ASSERT(f.accepted_bound >= f.ideal_throughput);
  const auto nodes = static_cast<double>(f.nodes);
  const throughput_bound any = bound_throughput(t, search_bisection(t).low, {}, self ? nodes : nodes - 1);
  RC_ASSERT(any.equal >= f.ideal_throughput * (1 - 1e-9));
  RC_ASSERT(any.mean >= f.accepted_bound * (1 - 1e-6));
}

RC_GTEST_PROP(unit_topology_throughput, linear_program_matches_bound_of_grids, ()) {
  const topology t = random_grid(random_oblivious(), 4);
  const topology_metrics f = compute_metrics(t);
  RC_ASSERT(std::abs(most_throughput(t, loads_by_source(t)) - std::max(f.accepted_bound, 0.0)) < 1e-6);
}

TEST(unit_topology_throughput, nodes_that_avoid_the_busiest_link_may_send_more) {
  // Three routers in a row with 2, 6 and 1 nodes.
  const topology t = graph_of({{0, 1}, {1, 2}}, {2, 6, 1});
  const topology_metrics f = compute_metrics(t);
  // The two nodes of router 0 share a link, which carries 7 of 8 packets of each.
  EXPECT_DOUBLE_EQ(f.ideal_throughput, 8.0 / 14);
  // Only the link to router 0 limits the others: it carries 2 of 8 packets of each of 7 nodes.
  EXPECT_NEAR(f.accepted_bound, (8.0 / 14 * 2 + 8.0 / 2) / 9, 1e-6);
}

TEST(unit_topology_throughput, grid_routed_by_tables_is_not_treated_as_grid) {
  // Routed by tables, each router by its lowest port.
  std::vector<std::pair<router_id, router_id>> links;
  for (router_id r = 0; r < 25; ++r) {
    if (r % 5 != 4) links.emplace_back(r, r + 1);
    if (r < 20) links.emplace_back(r, r + 5);
  }
  topology t = graph_of(links, std::vector<unsigned>(25, 1));
  t.shape = {5, 5};
  for (router_id r = 0; r < 25; ++r) t.routers[r].coordinates = {r % 5, r / 5};
  ASSERT_TRUE(recognise_grid(t));
  const topology_metrics f = compute_metrics(t);
  EXPECT_NEAR(f.accepted_bound, std::max(f.ideal_throughput, most_throughput(t, loads_by_source(t))), 1e-6);
}

TEST(unit_topology_throughput, large_network_is_bounded_by_its_cuts) {
  const topology_metrics f = compute_metrics(grid_of({64, 64}, true, grid_algorithm::MinimalAdaptive));
  EXPECT_NEAR(f.ideal_throughput, 8.0 / 64, 1e-4);
  EXPECT_NE(f.route_destinations, 0U);
  EXPECT_EQ(f.max_channel_load, 0);
  EXPECT_NEAR(f.mean_route_length, 32, 0.1);
}

}  // namespace
}  // namespace weft
