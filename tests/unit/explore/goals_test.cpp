// SPDX-License-Identifier: Apache-2.0
/// Objectives and constraints of a search over designs.
#include "weft/explore/goals.h"

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

search_goals goals() {
  search_goals g;
  g.objectives = {{"latency_mean", false}, {"saturation", true}};
  g.constraints = {{"area", false, 2}, {"saturation", true, 0.4}};
  return g;
}

TEST(unit_goals, turn_values_into_costs) {
  EXPECT_EQ(goals().costs_of({{"latency_mean", {30}}, {"saturation", {0.5}}}), (costs{30, -0.5}));
}

TEST(unit_goals, turn_bounds_into_the_lowest_costs) {
  const double unbounded = -std::numeric_limits<double>::infinity();
  metric_bounds known;
  known["saturation"].most = 0.7;
  EXPECT_EQ(goals().least_costs(known), (costs{unbounded, -0.7}));
  known["latency_mean"].least = 20;
  EXPECT_EQ(goals().least_costs(known), (costs{20, -0.7}));
}

TEST(unit_goals, add_relative_violations) {
  EXPECT_EQ(goals().violation({{"area", {2}}, {"saturation", {0.4}}}), 0);
  EXPECT_DOUBLE_EQ(goals().violation({{"area", {3}}, {"saturation", {0.2}}}), 0.5 + 0.5);
  EXPECT_EQ(goals().violated(figures{{"area", {3}}, {"saturation", {0.2}}}), "area 3 > 2");
  EXPECT_EQ(goals().violated(figures{{"area", {1}}, {"saturation", {0.2}}}), "saturation 0.2 < 0.4");
  EXPECT_EQ(goals().violated(figures{{"area", {1}}}), "");
  EXPECT_EQ(goals().violated(figures{{"area", {2.000012}}}), "area 2.00001 > 2");
}

TEST(unit_goals, find_violations_that_bounds_prove) {
  metric_bounds known;
  EXPECT_EQ(goals().least_violation(known), 0);
  known["saturation"] = {0, 0.3};
  EXPECT_DOUBLE_EQ(goals().least_violation(known), 0.25);
  EXPECT_EQ(goals().violated(known), "saturation at most 0.3 < 0.4");
  known["saturation"] = {0.3, 0.3};
  EXPECT_EQ(goals().violated(known), "saturation 0.3 < 0.4");
  known["saturation"] = {0, 0.5};
  EXPECT_EQ(goals().least_violation(known), 0);
}

TEST(unit_goals, dominance_needs_an_advantage_and_no_drawback) {
  EXPECT_TRUE(dominates({1, 2}, {1, 3}));
  EXPECT_FALSE(dominates({1, 2}, {1, 2}));
  EXPECT_FALSE(dominates({1, 4}, {2, 3}));
  EXPECT_EQ(dominators({2, 2}, {{1, 2}, {2, 1}, {2, 2}, {3, 0}}), 2u);
}

TEST(unit_goals, list_each_metric_once_and_their_sources) {
  EXPECT_EQ(goals().metrics(), (std::vector<std::string>{"latency_mean", "saturation", "area"}));
  EXPECT_TRUE(goals().needs(metric_source::Run));
  EXPECT_TRUE(goals().needs(metric_source::Saturation));
  EXPECT_TRUE(goals().needs(metric_source::Network));
  EXPECT_TRUE(goals().has_latency());
  search_goals of_network;
  of_network.objectives = {{"zero_load_latency"}, {"area"}};
  EXPECT_FALSE(of_network.has_latency());
  EXPECT_FALSE(of_network.needs(metric_source::Run));
}

TEST(unit_goals, have_units) {
  EXPECT_EQ(unit_of("latency_p99"), "cycles");
  EXPECT_EQ(unit_of("energy_per_bit"), "pJ");
  EXPECT_EQ(unit_of("area"), "mm²");
  EXPECT_EQ(unit_of("saturation"), "flits/node/cycle");
}

TEST(unit_goals, are_read_from_the_configuration) {
  const configuration c = parse_configuration(
      "output: {energy: asap7}\nexplore: {minimize: [latency_mean], maximize: [saturation], constraints: ['area<=2', "
      "\"saturation >= 0.4\"]}\n",
      "a.yaml");
  const search_goals g = goals_of(c);
  ASSERT_EQ(g.objectives.size(), 2u);
  EXPECT_FALSE(g.objectives[0].larger);
  EXPECT_TRUE(g.objectives[1].larger);
  ASSERT_EQ(g.constraints.size(), 2u);
  EXPECT_EQ(g.constraints[0].metric, "area");
  EXPECT_FALSE(g.constraints[0].at_least);
  EXPECT_EQ(g.constraints[0].limit, 2);
  EXPECT_TRUE(g.constraints[1].at_least);
}

}  // namespace
}  // namespace weft::experiment
