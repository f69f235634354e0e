// SPDX-License-Identifier: Apache-2.0
#include "weft/study/search.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

using load_predicate = std::function<bool(double)>;

/// Answers every round of \p search for a network that carries the loads that satisfy \p settles, in a longer window
/// those that satisfy \p again. Its latency is that of an M/M/1 queue with 20 cycles at load 0. \return all loads in
/// the order of the rounds, each once
template <class Search>
std::vector<load_answer> answer_all(Search& search, const load_predicate& settles, double saturation,
                                    load_predicate again = {}) {
  if (!again) again = settles;
  std::vector<load_answer> all;
  for (int round = 0; round < 1000; ++round) {
    std::vector<load_answer> answers;
    for (const load_question& q : search.next()) {
      const bool settled = q.again ? again(q.load) : settles(q.load);
      answers.push_back({q.load, settled, 20 / (1 - std::min(q.load / saturation, 0.999)), !settled, q.again});
      if (!q.again) all.push_back(answers.back());
    }
    if (answers.empty()) return all;
    search.take(answers);
  }
  ADD_FAILURE() << "the search does not end";
  return all;
}

TEST(unit_study_search, interval_contains_the_saturation_load_at_requested_width) {
  for (const double saturation : {0.001, 0.1, 1. / 3, 0.4321, 0.5, 0.75, 0.99}) {
    saturation_search search(1, 0.01);
    const auto all = answer_all(
        search, [&](double load) { return load < saturation; }, saturation);
    ASSERT_TRUE(search.high().has_value());
    EXPECT_LT(search.low(), saturation);
    EXPECT_GE(*search.high(), saturation);
    EXPECT_LE(*search.high() - search.low(), 0.01 + 1e-9);
    EXPECT_LE(all.size(), 14u);
  }
}

TEST(unit_study_search, requests_no_more_loads_than_expected) {
  EXPECT_EQ(saturation_search::most_loads(1, 1), 3u);
  EXPECT_EQ(saturation_search::most_loads(1, 0.2), 4u);
  EXPECT_EQ(saturation_search::most_loads(1, 0.01), 12u);
  for (const double width : {0.3, 0.05, 0.01, 0.003}) {
    saturation_search search(1, width);
    const auto all = answer_all(
        search, [](double load) { return load < 0.4321; }, 0.4321);
    EXPECT_LE(all.size(), saturation_search::most_loads(1, width)) << width;
  }
}

TEST(unit_study_search, a_network_that_carries_all_has_no_saturation_load) {
  saturation_search search(0.3, 0.01);
  EXPECT_THAT(answer_all(
                  search, [](double) { return true; }, 1),
              SizeIs(3));
  EXPECT_FALSE(search.high().has_value());
  EXPECT_DOUBLE_EQ(search.low(), 0.3);
}

TEST(unit_study_search, a_network_that_carries_no_load_saturates_within_the_width) {
  saturation_search search(1, 0.01);
  answer_all(
      search, [](double) { return false; }, 1);
  EXPECT_EQ(search.low(), 0);
  EXPECT_LE(*search.high(), 0.01 + 1e-9);
}

TEST(unit_study_search, ends_despite_noise_near_saturation) {
  saturation_search search(1, 0.001);
  // Between 0.4 and 0.45 every second load reaches the steady state.
  int calls = 0;
  answer_all(
      search, [&](double load) { return load < 0.4 || (load < 0.45 && ++calls % 2 == 0); }, 0.4);
  EXPECT_GE(*search.high(), 0.4);
  EXPECT_LE(*search.high(), 0.46);
  EXPECT_LE(*search.high() - search.low(), 0.001 + 1e-9);
}

TEST(unit_study_search, a_load_saturated_by_chance_does_not_bound_the_search) {
  // The network carries 0.3125 and 0.333333, which come first, only in a longer window.
  const load_predicate by_chance = [](double load) { return load < 0.4 && load != 0.3125 && load != 0.333333; };
  const load_predicate carried = [](double load) { return load < 0.4; };
  saturation_search search(1, 0.01);
  answer_all(search, by_chance, 0.4, carried);
  EXPECT_GE(*search.high(), 0.4);
  EXPECT_LT(search.low(), 0.4);
  EXPECT_LE(*search.high() - search.low(), 0.01 + 1e-9);

  curve_search curve(1, 0.01, 16);
  const auto all = answer_all(curve, by_chance, 0.4, carried);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const load_answer& a) { return a.settled && a.load < 0.4; }), 16);

  saturation_search none(0.333333, 0.01);
  answer_all(none, by_chance, 0.4, carried);
  EXPECT_FALSE(none.high().has_value());
}

TEST(unit_study_search, repeats_runs_at_the_bounds_if_a_longer_window_may_matter) {
  saturation_search search(1, 1);
  search.take({{0.333333, true, 20}, {0.666667, false, 0, true}, {1, false, 0, true}});
  EXPECT_EQ(search.next(), (std::vector<load_question>{{0.333333, true}, {0.666667, true}}));
  search.take({{0.333333, true, 20, false, true}, {0.666667, false, 0, true, true}});
  EXPECT_THAT(search.next(), IsEmpty());
  saturation_search deadlocks(1, 1);
  deadlocks.take({{0.333333, true, 20}, {0.666667, false}, {1, false, 0, true}});
  EXPECT_EQ(deadlocks.next(), (std::vector<load_question>{{0.333333, true}}));
  saturation_search nothing(1, 1);
  nothing.take({{0.333333, false, 0, true}, {0.666667, false, 0, true}, {1, false, 0, true}});
  EXPECT_EQ(nothing.next(), (std::vector<load_question>{{0.333333, true}}));
  saturation_search all(1, 1);
  all.take({{0.333333, true, 20}, {0.666667, true, 20}, {1, true, 20}});
  EXPECT_EQ(all.next(), (std::vector<load_question>{{1, true}}));
}

TEST(unit_study_search, a_load_carried_by_chance_does_not_bound_the_search) {
  // In its short window the network seems to carry up to 0.45, in a longer one only 0.4.
  saturation_search search(1, 0.01);
  const load_predicate by_chance = [](double load) { return load < 0.45; };
  const load_predicate carried = [](double load) { return load < 0.4; };
  answer_all(search, by_chance, 0.45, carried);
  EXPECT_LT(search.low(), 0.4);
  EXPECT_GE(*search.high(), 0.4);
  EXPECT_LE(*search.high() - search.low(), 0.01 + 1e-9);
}

TEST(unit_study_search, requests_the_same_three_loads_until_they_are_answered) {
  saturation_search search(1, 0.01);
  EXPECT_THAT(search.next(), SizeIs(3));
  EXPECT_EQ(search.next(), search.next());
  EXPECT_FALSE(search.high().has_value());  // no load has been measured
}

TEST(unit_study_search, a_curve_is_dense_where_it_bends) {
  curve_search search(1, 0.01, 16);
  const auto all = answer_all(
      search, [](double load) { return load < 0.4; }, 0.4);
  std::vector<double> settled;
  for (const load_answer& a : all)
    if (a.settled) settled.push_back(a.load);
  std::sort(settled.begin(), settled.end());
  ASSERT_EQ(settled.size(), 16u);
  EXPECT_LT(settled.front(), 0.05);
  EXPECT_GT(settled.back(), 0.38);
  // Half of the points lie in the last third of the loads.
  EXPECT_GT(settled[8], 0.4 * 2 / 3);
  EXPECT_EQ(std::adjacent_find(settled.begin(), settled.end()), settled.end());
  // Every load is close to its neighbors: the flat part of the curve has points, too.
  for (std::size_t i = 1; i < settled.size(); ++i) EXPECT_LT(settled[i] - settled[i - 1], 0.15);
}

TEST(unit_study_search, curve_measures_few_saturated_loads) {
  curve_search search(1, 0.01, 20);
  const auto all = answer_all(
      search, [](double load) { return load < 0.4; }, 0.4);
  EXPECT_LE(std::count_if(all.begin(), all.end(), [](const load_answer& a) { return !a.settled; }), 8);
}

TEST(unit_study_search, curve_ends_if_no_load_reaches_steady_state) {
  curve_search search(1, 0.01, 16);
  answer_all(
      search, [](double) { return false; }, 1);
  EXPECT_THAT(search.next(), IsEmpty());
}

TEST(unit_study_search, curve_ends_despite_an_unsettled_load_below_settled_ones) {
  curve_search search(1, 0.01, 30);
  answer_all(
      search, [](double load) { return load < 0.4 && !(load > 0.2 && load < 0.21); }, 0.4);
  EXPECT_THAT(search.next(), IsEmpty());
}

}  // namespace
}  // namespace weft::experiment
