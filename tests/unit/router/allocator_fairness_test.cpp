// SPDX-License-Identifier: Apache-2.0
/// With constant requests, every requester is granted within a number of cycles that depends on the kind and the size,
/// or, if selections are random, as often as others.
#include "support/random.h"
#include "unit/router/plain_allocation.h"
#include "unit/router/reference_arbiters.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

/// Maximum numbers of cycles until a grant; none if there is no limit.
struct waiting_limits {
  std::optional<unsigned> of_input;    ///< any output for an input
  std::optional<unsigned> of_request;  ///< this output for this input
};

waiting_limits limits_of(const allocator_parameters& p, const allocation_size& size) {
  const unsigned inputs = size.all_inputs(), outputs = size.all_outputs();
  waiting_limits limits;
  switch (p.kind) {
    case allocator_kind::SeparableInputFirst:
      // An input selects the same output until it is granted, which selects all its requesters before this one again.
      if (const auto of_output = reference::grants_until_win(p.arbiter, inputs, p.groups))
        limits = {of_output, *of_output * *reference::grants_until_win(p.arbiter, outputs, p.groups)};
      break;
    case allocator_kind::SeparableOutputFirst:
      // An output selects the same input until it accepts.
      if (const auto of_output = reference::grants_until_win(p.arbiter, inputs, p.groups))
        limits.of_request = *of_output * *reference::grants_until_win(p.arbiter, outputs, p.groups);
      break;
    case allocator_kind::Islip:
      limits.of_request = inputs * outputs;
      break;
    case allocator_kind::Wavefront:
    case allocator_kind::WavefrontFair:
      limits.of_request = std::max(inputs, outputs);
      break;
    case allocator_kind::LonelyOutput:
      limits.of_input = inputs;
      break;
    case allocator_kind::Pim:
    case allocator_kind::MaximumMatching:
      break;
  }
  return limits;
}

/// Cycles since the last grant, by input and by request.
class waiting_times {
 public:
  explicit waiting_times(const plain_requests& requests)
      : m_requests(requests),
        m_of_input(requests.waiting.size(), 0),
        m_of_request(requests.waiting.size(), std::vector<unsigned>(requests.matrix.front().size(), 0)) {}

  void add(const plain_grants& grants) {
    for (unsigned i = 0; i < m_of_input.size(); ++i) {
      ++m_of_input[i];
      for (auto& waited : m_of_request[i]) ++waited;
      if (!grants.output[i]) continue;
      m_of_input[i] = 0;
      m_of_request[i][*grants.output[i]] = 0;
    }
  }
  void expect_below(const waiting_limits& limits) const {
    for (unsigned i = 0; i < m_of_input.size(); ++i) {
      const auto& row = m_requests.matrix[i];
      if (std::find(row.begin(), row.end(), true) == row.end()) continue;
      if (limits.of_input) {
        EXPECT_LT(m_of_input[i], *limits.of_input) << "input " << i;
      }
      for (unsigned o = 0; limits.of_request && o < row.size(); ++o) {
        if (row[o]) {
          EXPECT_LT(m_of_request[i][o], *limits.of_request) << "input " << i << ", output " << o;
        }
      }
    }
  }

 private:
  const plain_requests& m_requests;
  std::vector<unsigned> m_of_input;
  std::vector<std::vector<unsigned>> m_of_request;
};

void expect_no_starvation(plain_allocator& allocator, const waiting_limits& limits, rng& random) {
  for (unsigned cycle = 0; cycle < 20; ++cycle) allocator.step(random_requests(allocator.size(), random));
  const plain_requests requests = random_requests(allocator.size(), random);
  waiting_times waited(requests);
  const unsigned cycles = 3 * limits.of_request.value_or(limits.of_input.value_or(0));
  for (unsigned cycle = 0; cycle < cycles && !testing::Test::HasFailure(); ++cycle) {
    waited.add(allocator.step(requests));
    waited.expect_below(limits);
  }
}

TEST(unit_router_allocator_fairness, persistent_requesters_are_granted_within_a_limit) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  unsigned limited = 0;
  for (const allocator_parameters& parameters : all_parameters()) {
    for (unsigned scene = 0; scene < 25 && !HasFailure(); ++scene) {
      const unsigned ports = random.between(1, 6);
      const allocation_size size = scene % 2 == 0
                                       ? size_of(1, ports, ports)
                                       : size_of(random.between(1, 3), random.between(1, 3), random.between(1, 3));
      SCOPED_TRACE(description(parameters) + ", " + description(size));
      const waiting_limits limits = limits_of(parameters, size);
      if (!limits.of_input && !limits.of_request) break;
      plain_allocator allocator(parameters, size, 0);
      expect_no_starvation(allocator, limits, random);
      limited += scene == 0;
    }
  }
  EXPECT_EQ(limited, 20U) << "two separable kinds with 6 arbiters, iSLIP 5 times, and 3 others";
}

TEST(unit_router_allocator_fairness, persistent_requesters_of_one_output_take_turns) {
  rng random(test_seed());
  for (const allocator_parameters& parameters : all_parameters()) {
    for (const unsigned inputs : {2U, 4U, 8U, 16U}) {  // all groups of a tree have the same size
      const allocation_size size = size_of(1, inputs, inputs);
      SCOPED_TRACE(description(parameters) + ", " + description(size));
      const waiting_limits limits = limits_of(parameters, size);
      if ((!limits.of_input && !limits.of_request) ||
          (parameters.arbiter == arbiter_kind::Tree && parameters.groups == 3))
        break;
      plain_allocator allocator(parameters, size, 0);
      plain_requests requests(size);
      for (unsigned input = 0; input < inputs; ++input) requests.add(size, input, inputs / 2);
      std::vector<unsigned> wins(inputs, 0);
      for (unsigned cycle = 0; cycle < 3 * inputs; ++cycle) {
        const plain_grants grants = allocator.step(requests);
        ASSERT_EQ(grants.count(), 1U);
        for (unsigned input = 0; input < inputs; ++input) wins[input] += grants.output[input].has_value();
      }
      EXPECT_EQ(wins, std::vector<unsigned>(inputs, 3));
    }
  }
}

constexpr unsigned Trials = 20000;
/// By Hoeffding's inequality, the share of successes in independent trials differs from their probability by more than
/// this with a probability of 2 exp(-2 * 20000 * 0.028²) < 10^-13. The tests compare a few hundred shares.
constexpr double Tolerance = 0.028;

/// The shares of the cycles with a grant, by input and output, when all inputs request the first \p requested outputs.
std::vector<std::vector<double>> shares(const allocator_parameters& parameters, unsigned ports, unsigned requested) {
  const allocation_size size = size_of(1, ports, ports);
  plain_allocator allocator(parameters, size, 0);
  plain_requests requests(size);
  for (unsigned input = 0; input < ports; ++input)
    for (unsigned output = 0; output < requested; ++output) requests.add(size, input, output);
  std::vector<std::vector<double>> result(ports, std::vector<double>(requested, 0));
  for (unsigned trial = 0; trial < Trials; ++trial) {
    const plain_grants grants = allocator.step(requests);
    for (unsigned input = 0; input < ports; ++input)
      if (grants.output[input]) result[input][*grants.output[input]] += 1.0 / Trials;
  }
  return result;
}

TEST(unit_router_allocator_fairness, random_selections_grant_one_output_equally_often) {
  for (const allocator_parameters& parameters : all_parameters()) {
    const bool is_random = selects_with_arbiters(parameters.kind) ? parameters.arbiter == arbiter_kind::Random
                                                                  : parameters.kind == allocator_kind::Pim;
    for (unsigned ports = 2; is_random && ports <= 7; ++ports) {
      SCOPED_TRACE(description(parameters) + ", " + std::to_string(ports) + " ports");
      for (const auto& row : shares(parameters, ports, 1)) EXPECT_NEAR(row[0], 1.0 / ports, Tolerance);
    }
  }
}

TEST(unit_router_allocator_fairness, pim_grants_all_requests_equally_often) {
  allocator_parameters parameters;
  parameters.kind = allocator_kind::Pim;
  for (unsigned ports = 2; ports <= 7; ++ports) {
    SCOPED_TRACE(std::to_string(ports) + " ports");
    // An input is granted unless all outputs select others (Anderson et al. 1993).
    const double granted = 1 - std::pow(1 - 1.0 / ports, ports);
    parameters.iterations = 1;
    for (const auto& row : shares(parameters, ports, ports))
      for (const double share : row) EXPECT_NEAR(share, granted / ports, Tolerance);
    parameters.iterations = MaxIterations;
    for (const auto& row : shares(parameters, ports, ports))
      for (const double share : row) EXPECT_NEAR(share, 1.0 / ports, Tolerance);
  }
}

// A selection of an arbiter remains until it is granted, so the shares are not those of independent trials.
TEST(unit_router_allocator_fairness, separable_allocators_with_random_arbiters_grant_every_request) {
  allocator_parameters parameters;
  parameters.arbiter = arbiter_kind::Random;
  for (const allocator_kind kind : {allocator_kind::SeparableInputFirst, allocator_kind::SeparableOutputFirst}) {
    parameters.kind = kind;
    for (unsigned ports = 2; ports <= 7; ++ports) {
      SCOPED_TRACE(description(parameters) + ", " + std::to_string(ports) + " ports");
      for (const auto& row : shares(parameters, ports, ports))
        for (const double share : row) EXPECT_GT(share, 0.25 / ports);
    }
  }
}

}  // namespace
}  // namespace weft
