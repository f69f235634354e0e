// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/length.h"

#include "support.h"
#include <stdexcept>

#include <gtest/gtest.h>

namespace weft {
namespace {

length_parameters fixed(std::uint32_t flits) {
  length_parameters p;
  p.kind = length_kind::Fixed;
  p.flits = flits;
  return p;
}

length_parameters uniform(std::uint32_t min, std::uint32_t max) {
  length_parameters p;
  p.kind = length_kind::Uniform;
  p.min = min;
  p.max = max;
  return p;
}

length_parameters weighted(std::vector<length_choice> choices) {
  length_parameters p;
  p.kind = length_kind::Weighted;
  p.choices = std::move(choices);
  return p;
}

/// The number of packets of each length, up to the longest, among \p draws packets.
std::vector<std::uint64_t> counts(const length_distribution& length, int draws) {
  random_stream random(1, 0, stream_purpose::Length);
  std::vector<std::uint64_t> counted(length.longest() + 1);
  for (int i = 0; i < draws; ++i) ++counted.at(length.draw(random));
  return counted;
}

TEST(unit_workload_length, fixed_length_never_varies) {
  const length_distribution length(fixed(5));
  EXPECT_EQ(length.mean(), 5);
  EXPECT_EQ(length.longest(), 5u);
  EXPECT_EQ(counts(length, 100), (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 100}));
}

TEST(unit_workload_length, uniform_length_includes_both_ends) {
  const length_distribution length(uniform(2, 6));
  EXPECT_EQ(length.mean(), 4);
  EXPECT_EQ(length.longest(), 6u);
  auto counted = counts(length, 50000);
  EXPECT_EQ(counted[0] + counted[1], 0u);
  counted.erase(counted.begin(), counted.begin() + 2);
  EXPECT_LT(chi_square(counted, std::vector<double>(5, 10000)), chi_square_limit(5));
}

TEST(unit_workload_length, uniform_length_has_an_exact_mean_even_at_the_limit) {
  EXPECT_EQ(length_distribution(uniform(1, 2)).mean(), 1.5);
  const length_distribution length(uniform(1, 4294967295));
  EXPECT_EQ(length.mean(), 2147483648);
  random_stream random(1, 0, stream_purpose::Length);
  for (int i = 0; i < 100; ++i) EXPECT_GE(length.draw(random), 1u);
}

TEST(unit_workload_length, weighted_length_follows_its_weights) {
  const length_distribution length(weighted({{1, 3}, {9, 0}, {5, 1}, {2, 4}}));
  EXPECT_EQ(length.mean(), 2);
  EXPECT_EQ(length.longest(), 5u);  // a length of weight 0 never occurs
  const auto counted = counts(length, 80000);
  EXPECT_EQ(counted[1] + counted[2] + counted[5], 80000u);
  EXPECT_LT(chi_square({counted[1], counted[2], counted[5]}, {30000, 40000, 10000}), chi_square_limit(3));
}

TEST(unit_workload_length, impossible_lengths_are_errors) {
  const auto expect = [](const length_parameters& parameters, const std::string& message) {
    expect_error<std::invalid_argument>([&] { length_distribution{parameters}; }, "packet length: " + message);
  };
  expect(fixed(0), "flits is 0; expected at least 1");
  expect(uniform(0, 3), "min is 0; expected at least 1");
  expect(uniform(4, 3), "min 4 is above max 3; swap them");
  expect(weighted({}), "weighted needs at least one choice with a weight above 0");
  expect(weighted({{1, 0}}), "weighted needs at least one choice with a weight above 0");
  expect(weighted({{0, 1}}), "a choice has 0 flits; expected at least 1");
  expect(weighted({{2, -1}}), "the weight of 2 flits must be a number ≥ 0, not -1");
  expect(weighted({{2, 1e308}, {3, 1e308}}), "the weights are too large; scale them down");
}

}  // namespace
}  // namespace weft
