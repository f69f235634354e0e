// SPDX-License-Identifier: Apache-2.0
/// The table of kinds, and what all kinds have in common.
#include "weft/router/allocator_kinds.h"

#include "support/random.h"
#include "unit/router/plain_allocation.h"
#include "unit/router/reference_arbiters.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

/// Every enumerator. Without a case for a new one, the compiler warns.
std::set<allocator_kind> all_allocator_kinds() {
  std::set<allocator_kind> kinds;
  for (unsigned number = 0; number < 256; ++number) {
    switch (static_cast<allocator_kind>(number)) {
      case allocator_kind::SeparableInputFirst:
      case allocator_kind::SeparableOutputFirst:
      case allocator_kind::Islip:
      case allocator_kind::Wavefront:
      case allocator_kind::WavefrontFair:
      case allocator_kind::LonelyOutput:
      case allocator_kind::Pim:
      case allocator_kind::MaximumMatching:
        kinds.insert(static_cast<allocator_kind>(number));
    }
  }
  return kinds;
}

std::set<arbiter_kind> all_arbiter_kinds() {
  std::set<arbiter_kind> kinds;
  for (unsigned number = 0; number < 256; ++number) {
    const auto kind = static_cast<arbiter_kind>(number);
    if (reference::make_arbiter(kind, 4, 2, 0) != nullptr) kinds.insert(kind);
  }
  return kinds;
}

template <typename Entry, typename Kind>
void expect_each_kind_once(const std::vector<Entry>& entries, const std::set<Kind>& kinds, Kind default_kind) {
  std::set<Kind> listed;
  std::set<std::string> names, descriptions;
  for (const Entry& entry : entries) {
    EXPECT_TRUE(listed.insert(entry.kind).second) << entry.name;
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(descriptions.insert(entry.description).second) << entry.description;
    EXPECT_EQ(&entry_of(entry.kind), &entry);
  }
  EXPECT_EQ(listed, kinds);
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.front().kind, default_kind);
}

TEST(unit_router_allocator_kinds, table_contains_every_allocator_once) {
  expect_each_kind_once(allocator_entries(), all_allocator_kinds(), allocator_parameters().kind);
}

TEST(unit_router_allocator_kinds, table_contains_every_arbiter_once) {
  expect_each_kind_once(arbiter_entries(), all_arbiter_kinds(), allocator_parameters().arbiter);
}

TEST(unit_router_allocator_kinds, default_is_in_rtl_and_its_arbiter_matters) {
  EXPECT_TRUE(is_in_rtl(allocator_parameters()));
  for (allocator_parameters parameters : all_parameters()) {
    SCOPED_TRACE(description(parameters));
    if (!entry_of(parameters.kind).in_rtl) {
      EXPECT_FALSE(is_in_rtl(parameters));
    } else if (selects_with_arbiters(parameters.kind)) {
      EXPECT_EQ(is_in_rtl(parameters), entry_of(parameters.arbiter).in_rtl);
    } else {
      EXPECT_TRUE(is_in_rtl(parameters));
    }
  }
}

/// Calls \p check for random cycles of an allocator of each kind and of several sizes.
/// \param check function of the allocator, the requests and the random generator; it performs the cycle
template <typename Check>
void for_cycles_of_all_kinds(Check check) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (const allocator_parameters& parameters : all_parameters()) {
    for (unsigned scene = 0; scene < 25; ++scene) {
      const allocation_size size = random_size(random);
      SCOPED_TRACE(description(parameters) + ", " + description(size));
      plain_allocator allocator(parameters, size, random.between(0, 9));
      for (unsigned cycle = 0; cycle < 15; ++cycle) {
        check(parameters, allocator, random_requests(size, random));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(unit_router_allocator_kinds, grants_are_a_matching_among_requests) {
  for_cycles_of_all_kinds([](const auto&, plain_allocator& allocator, const plain_requests& requests) {
    const plain_grants grants = allocator.step(requests);
    std::set<unsigned> outputs;
    for (unsigned input = 0; input < grants.output.size(); ++input) {
      if (!grants.output[input]) continue;
      EXPECT_TRUE(requests.waiting[input]) << "input " << input;
      EXPECT_TRUE(requests.matrix[input][*grants.output[input]]) << "input " << input;
      EXPECT_TRUE(outputs.insert(*grants.output[input]).second) << "output " << *grants.output[input];
    }
  });
}

TEST(unit_router_allocator_kinds, any_request_leads_to_a_grant) {
  unsigned with_requests = 0, without = 0;
  for_cycles_of_all_kinds([&](const auto&, plain_allocator& allocator, const plain_requests& requests) {
    EXPECT_EQ(allocator.step(requests).count() > 0, requests.count() > 0);
    ++(requests.count() > 0 ? with_requests : without);
  });
  EXPECT_GT(with_requests, 100U);
  EXPECT_GT(without, 100U);
}

TEST(unit_router_allocator_kinds, single_request_is_granted) {
  rng random(test_seed());
  for_cycles_of_all_kinds([&](const auto&, plain_allocator& allocator, const plain_requests& requests) {
    allocator.step(requests);
    const unsigned input = random.between(0, allocator.size().all_inputs() - 1),
                   output = random.between(0, allocator.size().all_outputs() - 1);
    plain_requests single(allocator.size());
    single.add(allocator.size(), input, output);
    plain_grants expected(allocator.size().all_inputs());
    expected.add(input, output, true);
    EXPECT_EQ(allocator.step(single), expected);
  });
}

TEST(unit_router_allocator_kinds, first_set_contains_the_grants_of_one_iteration) {
  unsigned later = 0;
  for_cycles_of_all_kinds([&](const auto& parameters, plain_allocator& allocator, const plain_requests& requests) {
    const plain_grants single = allocator.allocate_with(1, requests);
    const plain_grants grants = allocator.step(requests);
    for (unsigned input = 0; input < grants.output.size(); ++input) {
      const auto in_first = grants.first[input] ? grants.output[input] : std::nullopt;
      EXPECT_EQ(in_first, single.output[input]) << "input " << input;
      const bool is_later = grants.output[input] && !grants.first[input];
      EXPECT_TRUE(!is_later || (iterates(parameters.kind) && parameters.iterations > 1)) << "input " << input;
      later += is_later;
    }
  });
  EXPECT_GT(later, 100U);
}

TEST(unit_router_allocator_kinds, nothing_is_granted_and_the_state_is_unchanged_if_nothing_waits) {
  for_cycles_of_all_kinds([](const auto&, plain_allocator& allocator, const plain_requests& requests) {
    allocator.step(requests);
    const std::vector<unsigned> before = allocator.words();
    EXPECT_EQ(allocator.step(plain_requests(allocator.size())).count(), 0U);
    EXPECT_EQ(allocator.words(), before);
  });
}

TEST(unit_router_allocator_kinds, only_maximum_matching_changes_its_state_without_grants) {
  for_cycles_of_all_kinds([](const auto& parameters, plain_allocator& allocator, const plain_requests& requests) {
    allocator.step(requests);
    const std::vector<unsigned> before = allocator.words();
    plain_requests blocked(allocator.size());
    blocked.waiting[0] = true;
    EXPECT_EQ(allocator.step(blocked).count(), 0U);
    EXPECT_EQ(changes_without_grants(parameters.kind), parameters.kind == allocator_kind::MaximumMatching);
    const bool may_change = changes_without_grants(parameters.kind) && allocator.size().all_inputs() > 1;
    EXPECT_EQ(allocator.words() != before, may_change);
  });
}

TEST(unit_router_allocator_kinds, set_of_all_grants_determines_the_state_of_all_kinds_but_two) {
  std::set<allocator_kind> differing;
  for_cycles_of_all_kinds([&](const auto& parameters, plain_allocator& allocator, const plain_requests& requests) {
    plain_allocator other = allocator;
    const plain_grants grants = allocator.step(requests);
    EXPECT_EQ(other.step(requests, false), grants);
    const bool differs = allocator.words() != other.words();
    EXPECT_FALSE(differs && selects_with_arbiters(parameters.kind));
    if (differs) differing.insert(parameters.kind);
  });
  EXPECT_EQ(differing, (std::set<allocator_kind>{allocator_kind::Islip, allocator_kind::WavefrontFair}));
}

TEST(unit_router_allocator_kinds, reset_restores_the_first_state) {
  for_cycles_of_all_kinds([](const auto& parameters, plain_allocator& allocator, const plain_requests& requests) {
    const plain_allocator fresh(parameters, allocator.size(), 0);
    plain_allocator used = allocator;
    allocator.step(requests);
    used.step(requests);
    used.reset();
    EXPECT_EQ(used.words(), fresh.words());
  });
}

}  // namespace
}  // namespace weft
