// SPDX-License-Identifier: Apache-2.0
/// The search over designs, in a space whose front is known.
#include "unit/explore/synthetic_space.h"

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

#ifdef WEFT_PAGMO
constexpr explore_method Methods[] = {explore_method::Nsga2, explore_method::Random};
#else
constexpr explore_method Methods[] = {explore_method::Random};
#endif

/// What the result of a search shows, as text.
std::string text_of(const exploration& search) {
  std::string text;
  for (const explored_design& d : search.designs()) {
    text += settings_text(d.point) + " " + name_of(d.stage);
    for (const double cost : d.cost) text += " " + std::to_string(cost);
    text += "\n";
  }
  for (const std::size_t i : search.front()) text += std::to_string(i) + " ";
  return text + std::to_string(search.spent());
}

std::size_t found_of_front(const exploration& search) {
  std::size_t found = 0;
  for (const std::size_t i : search.front()) found += synthetic_space::is_on_front(search.designs()[i].point) ? 1 : 0;
  return found;
}

class unit_exploration : public testing::TestWithParam<explore_method> {
 protected:
  unit_exploration() { s.limits.method = GetParam(); }
  synthetic_space s;
};

TEST_P(unit_exploration, never_spends_more_than_the_budget) {
  for (const double budget : {1., 7., 50., 120.})
    for (const unsigned shorter : {1u, 4u}) {
      s.limits.budget = budget;
      s.limits.shorter = shorter;
      exploration search(s.space, s.goals, s.limits, s.tools);
      search.run();
      EXPECT_LE(search.spent(), budget * (1 + 1e-6));
      EXPECT_GT(search.spent(), budget - 1 - 1e-6) << budget << " " << shorter;
    }
}

TEST_P(unit_exploration, gives_the_same_result_in_any_order_of_the_runs) {
  synthetic_space other;
  other.limits.method = GetParam();
  other.backwards = true;
  exploration search(s.space, s.goals, s.limits, s.tools), same(other.space, other.goals, other.limits, other.tools);
  search.run();
  same.run();
  EXPECT_EQ(text_of(search), text_of(same));
  EXPECT_THAT(search.designs(), testing::Not(testing::IsEmpty()));
}

TEST_P(unit_exploration, gives_another_result_for_another_seed) {
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  synthetic_space other;
  other.limits.method = GetParam();
  other.limits.seed = 2;
  exploration another(other.space, other.goals, other.limits, other.tools);
  another.run();
  EXPECT_NE(text_of(search), text_of(another));
}

TEST_P(unit_exploration, ends_when_every_design_of_a_small_space_is_known) {
  sweep_design small;
  small.over = {{"network.router.vcs", {"0:4:1"}, "test"},
                {"network.router.depth", {"0:1:1"}, "test"},
                {"network.router.pipeline", {"0"}, "test"}};
  const design_space space(small);
  s.limits.shorter = 1;
  exploration search(space, s.goals, s.limits, s.tools);
  search.run();
  EXPECT_EQ(search.designs().size(), 10u);
  EXPECT_EQ(found_of_front(search), 5u);
  EXPECT_EQ(search.front().size(), 5u);
}

TEST_P(unit_exploration, searches_among_designs_that_share_a_value) {
  sweep_design line;
  line.over = {{"network.router.vcs", {"0:19:1"}, "test"},
               {"network.router.depth", {"0"}, "test"},
               {"network.router.pipeline", {"0"}, "test"}};
  sweep_design one = line;
  one.over.front().values = {"7"};
  s.limits.shorter = 1;
  s.limits.population = 8;
  for (const sweep_design& d : {line, one}) {
    const design_space space(d);
    exploration search(space, s.goals, s.limits, s.tools);
    search.run();
    EXPECT_EQ(static_cast<double>(search.front().size()), space.size());
  }
}

TEST_P(unit_exploration, spends_what_is_left_on_designs_with_short_runs_only) {
  sweep_design small;
  small.over = {{"network.router.vcs", {"0:4:1"}, "test"},
                {"network.router.depth", {"0:1:1"}, "test"},
                {"network.router.pipeline", {"0:1:1"}, "test"}};
  const design_space space(small);
  s.short_error = 5;
  s.limits.budget = 1000;
  exploration search(space, s.goals, s.limits, s.tools);
  search.run();
  for (const explored_design& d : search.designs())
    EXPECT_TRUE(d.stage == design_stage::Measured || d.stage == design_stage::Excluded) << name_of(d.stage);
  EXPECT_EQ(found_of_front(search), 5u);
}

TEST_P(unit_exploration, measures_a_design_with_the_smallest_budgets) {
  for (const double budget : {1., 2., 4.}) {
    s.limits.budget = budget;
    exploration search(s.space, s.goals, s.limits, s.tools);
    search.run();
    EXPECT_THAT(search.front(), testing::Not(testing::IsEmpty())) << budget;
  }
}

TEST_P(unit_exploration, begins_no_design_that_may_exceed_the_budget) {
  s.limits.most_cost = 13;
  s.run_cost = 12;
  for (const double budget : {1., 13., 20., 40., 200.})
    for (const unsigned shorter : {1u, 4u}) {
      s.limits.budget = budget;
      s.limits.shorter = shorter;
      exploration search(s.space, s.goals, s.limits, s.tools);
      search.run();
      EXPECT_LE(search.spent(), budget * (1 + 1e-6));
      EXPECT_EQ(search.front().empty(), budget < 13) << budget;
    }
}

TEST_P(unit_exploration, excludes_only_designs_that_are_not_on_the_front) {
  s.limits.budget = 500;
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  std::size_t excluded = 0;
  for (const explored_design& d : search.designs()) {
    if (d.stage != design_stage::Excluded) continue;
    ++excluded;
    EXPECT_FALSE(synthetic_space::is_on_front(d.point)) << settings_text(d.point);
  }
  EXPECT_GT(excluded, 100u);
}

TEST_P(unit_exploration, stops_when_the_user_stops_it) {
  s.stop_after = 40;
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  EXPECT_GE(s.measured, 40u);
  EXPECT_LT(s.measured, 40u + s.limits.population);
}

TEST_P(unit_exploration, keeps_the_constraints_on_the_front) {
  s.goals.constraints = {{"area", false, 8}, {"latency_mean", false, 18}};
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  ASSERT_THAT(search.front(), testing::Not(testing::IsEmpty()));
  for (const std::size_t i : search.front()) {
    EXPECT_LE(search.designs()[i].known.at("area").value, 8);
    EXPECT_LE(search.designs()[i].known.at("latency_mean").value, 18);
  }
}

TEST_P(unit_exploration, simulates_no_design_whose_area_violates_a_constraint) {
  s.goals.constraints = {{"area", false, 8}};
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  for (const explored_design& d : search.designs())
    if (synthetic_space::area_of(d.point) > 8) {
      EXPECT_EQ(d.stage, design_stage::Excluded) << settings_text(d.point);
    }
}

TEST_P(unit_exploration, puts_only_designs_on_the_front_that_ran_at_full_length) {
  s.short_error = 5;
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  for (const std::size_t i : search.front()) {
    const explored_design& d = search.designs()[i];
    EXPECT_EQ(d.stage, design_stage::Measured);
    EXPECT_EQ(d.known.at("latency_mean").value, synthetic_space::latency_of(d.point));
  }
}

TEST_P(unit_exploration, repeats_the_front_with_other_seeds) {
  s.limits.replicates = 3;
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  EXPECT_LE(search.spent(), s.limits.budget * (1 + 1e-6));
  std::size_t repeated = 0;
  for (const std::size_t i : search.front()) {
    const explored_design& d = search.designs()[i];
    if (d.runs == 1) continue;  // the budget was used up
    ++repeated;
    EXPECT_EQ(d.runs, 3u);
    // The values x, x + 0.01 and x + 0.02 have the standard deviation 0.01.
    EXPECT_NEAR(d.known.at("latency_mean").value, synthetic_space::latency_of(d.point) + 0.01, 1e-9);
    EXPECT_NEAR(*d.known.at("latency_mean").half_width, 4.303 * 0.01 / std::sqrt(3.), 1e-9);
  }
  EXPECT_GT(repeated, 5u);
}

TEST_P(unit_exploration, needs_no_run_for_metrics_of_the_network) {
  s.goals.objectives = {{"area"}};
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  EXPECT_EQ(s.measured, 0u);
  for (const explored_design& d : search.designs()) EXPECT_NE(d.stage, design_stage::Short);
  ASSERT_THAT(search.front(), testing::Not(testing::IsEmpty()));
}

TEST_P(unit_exploration, examines_a_design_outside_the_space) {
  exploration search(s.space, s.goals, s.limits, s.tools);
  search.run();
  const double spent = search.spent();
  const explored_design d = search.examine({{"network.router.vcs", "30", "test"},
                                            {"network.router.depth", "0", "test"},
                                            {"network.router.pipeline", "0", "test"}});
  EXPECT_EQ(d.known.at("latency_mean").value, -10);
  EXPECT_EQ(d.cost, (costs{-10, 30}));
  EXPECT_EQ(search.spent(), spent);
}

std::string name_of_method(const testing::TestParamInfo<explore_method>& method) {
  return method.param == explore_method::Nsga2 ? "nsga2" : "random";
}

INSTANTIATE_TEST_SUITE_P(methods, unit_exploration, testing::ValuesIn(Methods), name_of_method);

#ifdef WEFT_PAGMO
TEST(unit_exploration_of_nsga2, finds_most_of_the_front_with_few_runs) {
  synthetic_space s, other;
  s.limits.budget = other.limits.budget = 240;  // 3 % of the space
  other.limits.method = explore_method::Random;
  exploration search(s.space, s.goals, s.limits, s.tools), random(other.space, other.goals, other.limits, other.tools);
  search.run();
  random.run();
  EXPECT_GE(found_of_front(search), 15u);
  EXPECT_LE(found_of_front(random), 10u);
}
#endif

}  // namespace
}  // namespace weft::experiment
