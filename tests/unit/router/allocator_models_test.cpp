// SPDX-License-Identifier: Apache-2.0
/// The allocators make the decisions of a second, slow implementation and have its state, cycle by cycle.
#include "support/random.h"
#include "unit/router/plain_allocation.h"
#include "unit/router/reference_allocators.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

/// Requests of a cycle with priorities and preferences, often with few different ones, so that many are equal.
plain_requests with_priorities(plain_requests requests, rng& random) {
  for (auto* values : {&requests.priority, &requests.preference}) {
    const std::uint32_t most = random.one_of({0U, 1U, 3U, 0xffff'ffffU});
    for (const auto& row : requests.matrix) {
      values->emplace_back();
      for (std::size_t output = 0; output < row.size(); ++output) values->back().push_back(random.between(0, most));
    }
  }
  return requests;
}

void expect_equal_cycles(const allocator_parameters& parameters, const allocation_size& size, unsigned cycles,
                         bool priorities, rng& random) {
  SCOPED_TRACE(description(parameters) + ", " + description(size));
  const std::unique_ptr<reference::allocator> expected = reference::make_allocator(parameters, size);
  plain_allocator under_test(parameters, size, random.between(0, 9));
  ASSERT_EQ(under_test.words(), expected->words()) << "after reset";
  for (unsigned cycle = 0; cycle < cycles && !testing::Test::HasFailure(); ++cycle) {
    plain_requests requests = random_requests(size, random);
    if (priorities) requests = with_priorities(std::move(requests), random);
    const plain_grants grants = under_test.step(requests);
    ASSERT_EQ(grants, expected->step(requests)) << "cycle " << cycle;
    ASSERT_EQ(under_test.words(), expected->words()) << "cycle " << cycle;
  }
}

class unit_router_allocator_models : public testing::TestWithParam<allocator_parameters> {};

TEST_P(unit_router_allocator_models, grants_and_state_match_a_slow_implementation) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (unsigned scene = 0; scene < 40 && !HasFailure(); ++scene)
    expect_equal_cycles(GetParam(), random_size(random), 25, false, random);
  expect_equal_cycles(GetParam(), size_of(1, 5, 5), 500, false, random);
  expect_equal_cycles(GetParam(), size_of(3, 2, 2), 500, false, random);
}

// The sizes are small, because wavefront allocators have a wavefront for each priority.
TEST_P(unit_router_allocator_models, grants_and_state_with_priorities_match_a_slow_implementation) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (unsigned scene = 0; scene < 30 && !HasFailure(); ++scene) {
    const unsigned blocks = random.between(1, 4), inputs = random.between(1, 5), outputs = random.between(1, 5);
    expect_equal_cycles(GetParam(), size_of(blocks, inputs, outputs), 20, true, random);
  }
}

std::vector<allocator_parameters> parameters_with_model() {
  std::vector<allocator_parameters> result;
  for (const allocator_parameters& parameters : all_parameters())
    if (reference::make_allocator(parameters, size_of(1, 1, 1))) result.push_back(parameters);
  return result;
}

std::string name_of_parameters(const testing::TestParamInfo<allocator_parameters>& info) {
  std::string name = description(info.param);
  for (char& c : name)
    if (c == ' ') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(kinds, unit_router_allocator_models, testing::ValuesIn(parameters_with_model()),
                         name_of_parameters);

}  // namespace
}  // namespace weft
