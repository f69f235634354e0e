// SPDX-License-Identifier: Apache-2.0
/// How many grants the allocators find, and how the kinds compare.
#include "support/random.h"
#include "unit/router/plain_allocation.h"
#include "unit/router/reference_allocators.h"
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

allocator_parameters parameters_of(allocator_kind kind, unsigned iterations = 1) {
  allocator_parameters parameters;
  parameters.kind = kind;
  parameters.iterations = iterations;
  return parameters;
}

/// Whether no request could be granted in addition: its input or its output is matched.
bool is_maximal(const plain_requests& requests, const plain_grants& grants) {
  std::vector<bool> is_matched(requests.matrix.front().size(), false);
  for (const auto& output : grants.output)
    if (output) is_matched[*output] = true;
  for (unsigned input = 0; input < grants.output.size(); ++input)
    for (unsigned output = 0; output < is_matched.size(); ++output)
      if (requests.matrix[input][output] && !grants.output[input] && !is_matched[output]) return false;
  return true;
}

TEST(unit_router_allocator_matchings, maximum_matching_grants_as_many_requests_as_possible) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (unsigned scene = 0; scene < 400 && !HasFailure(); ++scene) {
    const allocation_size size = random_size(random);
    SCOPED_TRACE(description(size));
    plain_allocator allocator(parameters_of(allocator_kind::MaximumMatching), size, random.between(0, 9));
    unsigned start = 0;
    for (unsigned cycle = 0; cycle < 15; ++cycle) {
      const plain_requests requests = random_requests(size, random);
      ASSERT_EQ(allocator.words(), std::vector<unsigned>{start}) << "the state selects another input in every cycle";
      ASSERT_EQ(allocator.step(requests).count(), reference::maximum_matching(requests.matrix).grants());
      if (requests.any_waiting()) start = (start + 1) % size.all_inputs();
    }
  }
}

// Among single requesters of one output, the one at which the cyclic order starts wins.
TEST(unit_router_allocator_matchings, maximum_matching_starts_with_another_input_in_every_cycle) {
  const allocation_size size = size_of(1, 5, 5);
  plain_allocator allocator(parameters_of(allocator_kind::MaximumMatching), size, 0);
  plain_requests requests(size);
  for (unsigned input = 0; input < 5; ++input) requests.add(size, input, 3);
  for (unsigned cycle = 0; cycle < 12; ++cycle) EXPECT_EQ(allocator.step(requests).output[cycle % 5], 3U) << cycle;
}

TEST(unit_router_allocator_matchings, every_kind_grants_at_least_one_request_and_at_most_the_maximum) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (const allocator_parameters& parameters : all_parameters()) {
    SCOPED_TRACE(description(parameters));
    for (unsigned scene = 0; scene < 25 && !HasFailure(); ++scene) {
      plain_allocator allocator(parameters, random_size(random), 0);
      for (unsigned cycle = 0; cycle < 10; ++cycle) {
        const plain_requests requests = random_requests(allocator.size(), random);
        const unsigned most = reference::maximum_matching(requests.matrix).grants();
        const unsigned count = allocator.step(requests).count();
        ASSERT_LE(count, most);
        ASSERT_GE(count, std::min(most, 1U));
      }
    }
  }
}

TEST(unit_router_allocator_matchings, islip_with_one_iteration_is_output_first_with_round_robin) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (unsigned scene = 0; scene < 100 && !HasFailure(); ++scene) {
    const allocation_size size = random_size(random);
    SCOPED_TRACE(description(size));
    allocator_parameters ignored = parameters_of(allocator_kind::Islip);
    ignored.arbiter = arbiter_kind::Matrix;  // iSLIP has round-robin arbiters
    plain_allocator islip(ignored, size, 3), output_first(parameters_of(allocator_kind::SeparableOutputFirst), size, 0);
    for (unsigned cycle = 0; cycle < 20; ++cycle) {
      const plain_requests requests = random_requests(size, random);
      ASSERT_EQ(islip.step(requests), output_first.step(requests)) << "cycle " << cycle;
      ASSERT_EQ(islip.words(), output_first.words()) << "cycle " << cycle;
    }
  }
}

TEST(unit_router_allocator_matchings, more_iterations_keep_all_grants_of_fewer) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (const allocator_kind kind : {allocator_kind::Islip, allocator_kind::Pim}) {
    SCOPED_TRACE(entry_of(kind).name);
    unsigned more = 0;
    for (unsigned scene = 0; scene < 100 && !HasFailure(); ++scene) {
      const allocation_size size = random_size(random);
      SCOPED_TRACE(description(size));
      plain_allocator allocator(parameters_of(kind, random.between(1, MaxIterations)), size, 0);
      for (unsigned cycle = 0; cycle < 10; ++cycle) {
        const plain_requests requests = random_requests(size, random);
        for (unsigned iterations = 1; iterations < MaxIterations; ++iterations) {
          const plain_grants fewer = allocator.allocate_with(iterations, requests);
          const plain_grants with_more = allocator.allocate_with(iterations + 1, requests);
          for (unsigned input = 0; input < fewer.output.size(); ++input)
            ASSERT_TRUE(!fewer.output[input] || fewer.output[input] == with_more.output[input]) << "input " << input;
          more += with_more.count() > fewer.count();
        }
        allocator.step(requests);
      }
    }
    EXPECT_GT(more, 100U);
  }
}

// Each iteration grants at least one of the requests that could be granted in addition.
TEST(unit_router_allocator_matchings, as_many_iterations_as_inputs_find_a_maximal_matching) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (const allocator_kind kind : {allocator_kind::Islip, allocator_kind::Pim}) {
    SCOPED_TRACE(entry_of(kind).name);
    unsigned after_one = 0;
    for (unsigned scene = 0; scene < 300 && !HasFailure(); ++scene) {
      const unsigned blocks = random.between(1, 3), inputs = random.between(1, MaxIterations / blocks);
      const allocation_size size = size_of(blocks, inputs, random.between(1, 6));
      SCOPED_TRACE(description(size));
      plain_allocator allocator(parameters_of(kind, size.all_inputs()), size, 0);
      for (unsigned cycle = 0; cycle < 10; ++cycle) {
        const plain_requests requests = random_requests(size, random);
        after_one += is_maximal(requests, allocator.allocate_with(1, requests));
        ASSERT_TRUE(is_maximal(requests, allocator.step(requests))) << "cycle " << cycle;
      }
    }
    EXPECT_LT(after_one, 2950U) << "this test compares nothing if one iteration always suffices";
  }
}

TEST(unit_router_allocator_matchings, wavefronts_and_maximum_matchings_are_maximal) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (const allocator_kind kind :
       {allocator_kind::Wavefront, allocator_kind::WavefrontFair, allocator_kind::MaximumMatching}) {
    SCOPED_TRACE(entry_of(kind).name);
    for (unsigned scene = 0; scene < 100 && !HasFailure(); ++scene) {
      const allocation_size size = random_size(random);
      SCOPED_TRACE(description(size));
      plain_allocator allocator(parameters_of(kind), size, 0);
      for (unsigned cycle = 0; cycle < 15; ++cycle) {
        const plain_requests requests = random_requests(size, random);
        ASSERT_TRUE(is_maximal(requests, allocator.step(requests))) << "cycle " << cycle;
      }
    }
  }
}

}  // namespace
}  // namespace weft
