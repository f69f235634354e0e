// SPDX-License-Identifier: Apache-2.0
/// The confidence of a front, and the reasons why designs are not on it.
#include "weft/explore/front.h"

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

search_goals latency_and_area() {
  search_goals g;
  g.objectives = {{"latency_mean"}, {"area"}};
  return g;
}

explored_design design_with(double latency, std::optional<double> half_width, double area) {
  explored_design d;
  d.stage = design_stage::Measured;
  d.known = {{"latency_mean", {latency, half_width}}, {"area", {area, 0}}};
  d.cost = {latency, area};
  return d;
}

TEST(unit_front, is_firm_if_intervals_do_not_matter) {
  const std::vector<explored_design> designs = {design_with(10, 1, 2), design_with(20, 1, 1), design_with(14, 1, 2)};
  EXPECT_EQ(confidence_of(designs, 0, latency_and_area()), front_confidence::Firm);
  EXPECT_EQ(confidence_of(designs, 1, latency_and_area()), front_confidence::Firm);
}

TEST(unit_front, is_within_noise_if_intervals_overlap) {
  const std::vector<explored_design> designs = {design_with(10, 1, 2), design_with(11.5, 1, 2)};
  EXPECT_EQ(confidence_of(designs, 0, latency_and_area()), front_confidence::Noise);
}

TEST(unit_front, is_unknown_without_an_interval) {
  const std::vector<explored_design> designs = {design_with(10, {}, 2), design_with(20, 1, 1)};
  EXPECT_EQ(confidence_of(designs, 0, latency_and_area()), front_confidence::Unknown);
}

TEST(unit_front, names_the_members_that_dominate_a_design) {
  const std::vector<explored_design> designs = {design_with(10, 1, 4), design_with(12, 1, 2), design_with(30, 1, 1)};
  const std::vector<dominance> found = dominators_of(design_with(15, 1, 4), designs, {0, 1, 2}, latency_and_area());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].member, 1u);  // 20 % and 50 % better; the other is 33 % better
  EXPECT_EQ(found[1].member, 0u);
  ASSERT_EQ(found[0].in_objectives.size(), 2u);
  EXPECT_EQ(found[0].in_objectives[1].metric, "area");
  EXPECT_EQ(found[0].in_objectives[1].of_member, 2);
  EXPECT_EQ(found[0].in_objectives[1].of_design, 4);
  EXPECT_THAT(dominators_of(designs[1], designs, {0, 1, 2}, latency_and_area()), testing::IsEmpty());
}

}  // namespace
}  // namespace weft::experiment
