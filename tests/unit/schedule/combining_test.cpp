// SPDX-License-Identifier: Apache-2.0
/// Combining constructions: R and TCO compared with the papers' formulas, and whether they implement the collective.
#include "unit/schedule/costs.h"
#include "unit/schedule/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/combined_bounds.h"
#include "weft/collectives/schedule/constructions/combining_grid.h"
#include "weft/collectives/schedule/constructions/combining_groups.h"
#include "weft/collectives/schedule/constructions/combining_halving.h"
#include "weft/collectives/schedule/formulas.h"
#include "weft/collectives/schedule/papers_numbers.h"
#include "weft/topology/generators/random_graph.h"

namespace weft::schedule {
namespace {

using testing::Contains;
using testing::IsEmpty;
using kind = network_family::kind;

/// The cost of the schedule; reports a failure if the schedule is not valid.
schedule_cost checked_cost(const problem& p, const step_schedule& s) {
  for (const violation& f : check(p, s)) ADD_FAILURE() << f.text;
  return cost_of(s);
}

std::vector<schedule_cost> checked_costs(const problem& p, const std::vector<step_schedule>& all) {
  std::vector<schedule_cost> costs;
  for (const step_schedule& s : all) costs.push_back(checked_cost(p, s));
  return costs;
}

std::vector<schedule_cost> exchanges(const topology& t, operation what, port_rule ports = OnePort) {
  const step_network network(t, ports);
  const problem p{network, all_to_all(what, network.nodes()), path_rule::Minimal, true};
  return checked_costs(p, grid_exchanges(p));
}

TEST(unit_schedule_combining, mesh_exchanges_match_the_formulas) {
  for (const auto& [b, a] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 2}, {3, 2}, {4, 3}, {5, 5}, {4, 6}}) {
    const step_network network(mesh({b, a}), OnePort);
    for (const operation what : {B, S}) {
      const problem p{network, all_to_all(what, network.nodes()), path_rule::Minimal, true};
      round_router router(p);
      const guest rows_then_columns{{1, b, exchange_way::Rotation}, {b, a, exchange_way::Rotation}};
      EXPECT_EQ(checked_cost(p, exchange_along(p, router, rows_then_columns)),
                embedded_mesh_formula(what, true, a, b, 1, 1).printed);
    }
  }
}

TEST(unit_schedule_combining, ring_rotations_match_the_formulas) {
  for (const bool one_way : {false, true}) {
    for (std::uint32_t nodes = 2; nodes < 10; ++nodes) {
      const step_network network(ring(nodes, one_way), OnePort);
      for (const operation what : {B, S}) {
        const problem p{network, all_to_all(what, nodes), path_rule::Minimal, true};
        round_router router(p);
        const schedule_cost found = checked_cost(p, exchange_along(p, router, {{1, nodes, exchange_way::Rotation}}));
        const network_family family{kind::Ring, {nodes}, {}, one_way};
        EXPECT_EQ(found, papers_formulas(family, p).at(0).printed);
      }
    }
  }
}

TEST(unit_schedule_combining, hypercube_exchanges_match_the_formulas) {
  for (unsigned n = 1; n <= 5; ++n) {
    const step_network network(hypercube(n), OnePort);
    guest twos;
    for (unsigned d = 0; d < n; ++d) twos.push_back({std::size_t{1} << d, 2, exchange_way::Rotation});
    for (const operation what : {B, S}) {
      const problem p{network, all_to_all(what, network.nodes()), path_rule::Minimal, true};
      round_router router(p);
      EXPECT_EQ(checked_cost(p, exchange_along(p, router, twos)),
                papers_formulas({kind::Hypercube, std::vector<std::uint32_t>(n, 2)}, p).at(0).printed);
    }
  }
}

TEST(unit_schedule_combining, fat_trees_embed_hypercubes_and_meshes) {
  // FATTREE, IV.B and IV.C: hypercubes without congestion, also 3x3 in GFT-9.
  EXPECT_THAT(exchanges(ft8(), B, AllPorts), Contains(cost(3, 7)));
  EXPECT_THAT(exchanges(ft32(), B, AllPorts), Contains(cost(5, 31)));
  EXPECT_THAT(exchanges(ft32(), S, AllPorts), Contains(cost(5, 80)));
  const step_network gft(gft9(), AllPorts), xgft(xgft12(), AllPorts);
  const problem nine{gft, all_to_all(B, 9), path_rule::Minimal, true};
  round_router router(nine);
  EXPECT_EQ(congestion_of(nine, router, {1, 3}), 1U);
  EXPECT_EQ(congestion_of(nine, router, {3, 3}), 1U);
  // Three leaves share two upward channels.
  const problem twelve{xgft, all_to_all(B, 12), path_rule::Minimal, true};
  round_router router_of_twelve(twelve);
  EXPECT_EQ(congestion_of(twelve, router_of_twelve, {1, 3}), 1U);
  EXPECT_EQ(congestion_of(twelve, router_of_twelve, {3, 4}), 2U);
}

TEST(unit_schedule_combining, one_to_all_is_optimal_with_one_port) {
  for (const topology& t : {ring(7), mesh({4, 4}), mesh({5, 3}), h_rings({4, 4}), h_rings({4, 4, 4}), xgft12(), gft16(),
                            octagon(8, 2), hypercube(4)}) {
    const step_network network(t, OnePort);
    const std::size_t nodes = network.nodes(), log = ceil_log2(nodes);
    for (const node_id root : {std::size_t{0}, nodes / 3, nodes - 1}) {
      const problem scatter{network, one_to_all(S, static_cast<node_id>(root), nodes), path_rule::Minimal, true};
      EXPECT_THAT(checked_costs(scatter, halvings(scatter, {})), Contains(cost(log, nodes - 1))) << t.kind;
      const problem broadcast{network, one_to_all(B, static_cast<node_id>(root), nodes), path_rule::Minimal, false};
      EXPECT_THAT(checked_costs(broadcast, halvings(broadcast, {})), Contains(cost(log, log))) << t.kind;
    }
  }
}

TEST(unit_schedule_combining, grouping_costs_less_than_the_papers_on_hierarchical_rings) {
  const step_network network(h_rings({4, 4}), OnePort);
  for (const operation what : {B, S}) {
    const problem p{network, all_to_all(what, 16), path_rule::Minimal, true};
    const std::optional<collective> first = between_groups(p.requested, 4);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->senders, (std::vector<node_id>{0, 4, 8, 12}));
    const problem core{network, *first, path_rule::Minimal, true};
    round_router router(p), router_of_core(core);
    const step_schedule rotation = exchange_along(core, router_of_core, {{1, 4, exchange_way::Direct}});
    const schedule_cost found = checked_cost(p, in_groups(p, router, 4, rotation));
    EXPECT_TRUE(dominates(found, papers_formulas({kind::HierarchicalRing, {4, 4}}, p).at(0).printed));
  }
  EXPECT_FALSE(between_groups(all_to_all(B, 16), 3));
  EXPECT_FALSE(between_groups(one_to_all(B, 0, 16), 4));
}

TEST(unit_schedule_combining, bounds_equal_known_optima_of_hypercubes) {
  for (unsigned n = 1; n <= 6; ++n) {
    const step_network network(hypercube(n), OnePort);
    const std::size_t nodes = network.nodes();
    EXPECT_EQ(least_start_ups({network, all_to_all(S, nodes)}), n);
    EXPECT_EQ(least_occupancy({network, all_to_all(S, nodes)}, n), nodes / 2 * n);
    EXPECT_EQ(least_occupancy({network, all_to_all(S, nodes)}, 0), nodes - 1);
    EXPECT_EQ(least_occupancy({network, all_to_all(B, nodes)}, n), nodes - 1);
  }
  EXPECT_EQ(least_occupancy({step_network(mesh({4, 4}), AllPorts), one_to_all(S, 0, 16)}, 0), 8U);
}

TEST(unit_schedule_combining, finds_many_to_many_exchanges) {
  const step_network network(mesh({4, 4}), OnePort);
  for (const operation what : {B, S}) {
    const problem p{network, {what, {0, 3, 5, 6}, {1, 3, 5, 8, 9, 15}}, path_rule::Minimal, true};
    EXPECT_THAT(checked_costs(p, grid_exchanges(p)), testing::Not(IsEmpty()));
  }
}

TEST(unit_schedule_combining, methods_report_why_they_do_not_apply) {
  const step_network network(ring(4), OnePort);
  const problem direct{network, all_to_all(S, 4)}, one{network, one_to_all(S, 1, 4), path_rule::Minimal, true};
  EXPECT_THAT(combining_exchange().unfit(direct), testing::HasSubstr("combining is off"));
  EXPECT_THAT(combining_exchange().unfit(one), testing::HasSubstr("several senders"));
  EXPECT_EQ(combining_halving().unfit(one), "");
  EXPECT_EQ(cost_of(*combining_halving().run(one, {}).found), cost(2, 3));
}

RC_GTEST_PROP(unit_schedule_combining_properties, schedules_are_valid_and_respect_bounds_on_random_graphs, ()) {
  random_graph_parameters g;
  g.routers = *rc::gen::inRange(4U, 10U);
  g.degree = g.routers % 2 == 0 ? 3 : 4;
  g.seed = *rc::gen::inRange(1U, 1000U);
  const step_network network(make_random_graph(g), OnePort);
  const operation what = *rc::gen::element(B, S);
  const bool all = *rc::gen::arbitrary<bool>();
  const collective requested =
      all ? all_to_all(what, network.nodes()) : one_to_all(what, *rc::gen::inRange(0U, g.routers), network.nodes());
  const problem p{network, requested, *rc::gen::element(path_rule::Minimal, path_rule::Any), true};
  const std::vector<step_schedule> found = all ? grid_exchanges(p) : halvings(p, {});
  RC_ASSERT(!found.empty());
  for (const step_schedule& s : found) {
    RC_ASSERT(check(p, s).empty());
    RC_ASSERT(s.start_ups() >= least_start_ups(p));
    RC_ASSERT(s.occupancy() >= least_occupancy(p, s.start_ups()));
    for (const step_schedule& other : found) RC_ASSERT(!dominates(cost_of(other), cost_of(s)));
  }
}

}  // namespace
}  // namespace weft::schedule
