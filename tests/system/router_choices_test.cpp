// SPDX-License-Identifier: Apache-2.0
/// Networks whose routers differ from the default: packets arrive in the cycles of BookSim2, the pin level and the
/// engine have the same events, and the generic path of the engine has those of the accelerated path. WEFT_SEED repeats
/// a run.
#include "support/allocator_description.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include "system/level_difference.h"
#include "system/oracle_support.h"
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/router_pipeline.h"
#include "weft/engine/model.h"
#include "weft/router/allocator_kinds.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/packet_list.h"

namespace weft {
namespace {

// ---- BookSim2's answers

/// A router of the data folder `oracle_kinds`.
struct oracle_router {
  const char* name;  ///< of its files
  router_parameters router;
  unsigned ejection_credits = 0;
};

constexpr allocator_parameters allocator_of(allocator_kind kind, unsigned iterations = 1) {
  return {kind, arbiter_kind::RoundRobin, iterations};
}
constexpr allocator_parameters allocator_of(allocator_kind kind, arbiter_kind arbiter) { return {kind, arbiter}; }
/// The default router after \p change.
template <typename Change>
oracle_router changed(const char* name, Change change, unsigned ejection_credits = 0) {
  oracle_router result = {name, {}, ejection_credits};
  change(result.router);
  return result;
}
oracle_router both(const char* name, const allocator_parameters& parameters) {
  return changed(name, [&](router_parameters& r) { r.vc_allocator = r.switch_allocator = parameters; });
}

oracle_router speculative(const char* name, speculation_kind kind) {
  return changed(name, [kind](router_parameters& r) {
    r.speculation = kind;
    r.pipeline = 3;
  });
}

oracle_router with_priority(const char* name, priority_kind kind) {
  return changed(name, [kind](router_parameters& r) { r.priority = kind; });
}

const oracle_router OracleRouters[] = {
    {"default", {}},
    both("output_first", allocator_of(allocator_kind::SeparableOutputFirst)),
    both("islip1", allocator_of(allocator_kind::Islip, 1)),
    both("islip2", allocator_of(allocator_kind::Islip, 2)),
    both("islip4", allocator_of(allocator_kind::Islip, 4)),
    both("wavefront", allocator_of(allocator_kind::Wavefront)),
    both("rr_wavefront", allocator_of(allocator_kind::WavefrontFair)),
    both("loa", allocator_of(allocator_kind::LonelyOutput)),
    both("max_size", allocator_of(allocator_kind::MaximumMatching)),
    both("matrix", allocator_of(allocator_kind::SeparableInputFirst, arbiter_kind::Matrix)),
    both("output_first_matrix", allocator_of(allocator_kind::SeparableOutputFirst, arbiter_kind::Matrix)),
    changed("tree",
            [](auto& r) {
              r.vc_allocator = {allocator_kind::SeparableInputFirst, arbiter_kind::Tree, 1, 4};
            }),
    changed(
        "tail_credit", [](auto& r) { r.reallocation = vc_reallocation::AfterTailCredit; }, 8),
    changed("busy_when_full", [](auto& r) { r.busy_when_full = true; }),
    changed(
        "prioritize_empty", [](auto& r) { r.prefer_empty = true; }, 8),
    changed("lookahead",
            [](auto& r) {
              r.lookahead_routing = true;
              r.pipeline = 3;
            }),
    changed("input_speedup2", [](auto& r) { r.input_speedup = 2; }),
    changed(
        "shared_buffer",
        [](auto& r) {
          r.buffer = {buffer_policy::Shared, 0};
        },
        8),
    changed(
        "limited_buffer",
        [](auto& r) {
          r.buffer = {buffer_policy::Shared, 1, 12};
        },
        8),
    changed("mixed",
            [](auto& r) {
              r.vc_allocator = allocator_of(allocator_kind::Wavefront);
              r.switch_allocator = allocator_of(allocator_kind::Islip, 2);
              r.speculation = speculation_kind::Prioritized;
              r.pipeline = 3;
              r.input_speedup = 2;
            }),
    with_priority("age", priority_kind::Age),
    with_priority("network_age", priority_kind::NetworkAge),
    with_priority("local_age", priority_kind::LocalAge),
    with_priority("hop_count", priority_kind::HopCount),
    with_priority("queue_length", priority_kind::QueueLength),
    speculative("speculative", speculation_kind::Prioritized),
    speculative("speculative_input_first", speculation_kind::MaskedByGrants),
    speculative("speculative_masked", speculation_kind::MaskedByRequests),
};

class system_router_oracle : public testing::TestWithParam<oracle_router> {};

TEST_P(system_router_oracle, every_packet_arrives_in_the_cycle_of_booksim2) {
  const topology graph = make_grid({{8, 8}, {1, 1, 1, 4}});
  nic_parameters nic;
  nic.ejection_credits = GetParam().ejection_credits;
  unsigned lists = 0;
  for (const char* seed : {"5", "6"}) {  // loads 0.25 and 0.45; some routers have only the second list
    const std::string stem = fmt::format("oracle_kinds/{}.{}", GetParam().name, seed);
    const std::string list = shared_data(stem + ".gen.gz"), answer = shared_data(stem + ".ret.gz");
    if (list.empty() || answer.empty()) continue;
    ++lists;
    const std::vector<packet_answer> expected = parse_answers(answer, stem);
    ASSERT_GE(expected.size(), 5000u);
    EXPECT_EQ(oracle::compare_levels(graph, GetParam().router, parse_packet_list(list, stem, {64}), expected, nic), "")
        << stem;
  }
  if (lists == 0) GTEST_SKIP() << WEFT_SHARED_DATA << "/oracle_kinds/" << GetParam().name << ".*.gz are absent";
}

INSTANTIATE_TEST_SUITE_P(booksim2, system_router_oracle, testing::ValuesIn(OracleRouters),
                         [](const auto& tested) { return std::string(tested.param.name); });

// ---- Levels

/// All allocators that differ in kind or arbiter, or in having several iterations.
std::vector<allocator_parameters> all_allocators() {
  std::vector<allocator_parameters> all;
  for (const allocator_entry& e : allocator_entries()) {
    if (selects_with_arbiters(e.kind))
      for (const arbiter_entry& a : arbiter_entries()) all.push_back({e.kind, a.kind});
    else
      all.push_back({e.kind});
    if (iterates(e.kind)) all.push_back({e.kind, arbiter_kind::RoundRobin, 3});
  }
  return all;
}

/// Sets the choices of \p router that are not allocators: 64 consecutive numbers give all combinations of those with a
/// bit.
void set_choices(router_parameters& router, unsigned number) {
  router.speculation = static_cast<speculation_kind>(number & 3);
  router.lookahead_routing = (number >> 2 & 1) != 0;
  router.reallocation = static_cast<vc_reallocation>(number >> 3 & 1);
  router.busy_when_full = (number >> 4 & 1) != 0;
  router.prefer_empty = (number >> 5 & 1) != 0;
  router.hold_switch = number % 5 == 0;
  router.input_speedup = 1 + number % 7 % MaxInputSpeedup;
  if (router.vcs % router.input_speedup != 0) router.input_speedup = 1;
  if (number % 11 < 4 && !reserves_whole_packets(router.flow)) {
    router.buffer = {buffer_policy::Shared, std::min(1 + number % 2, router.depth)};
    const unsigned limit = router.buffer.reserved + 1 + number % 8;
    if (number % 4 != 0 && limit < flits_within_reach(router)) router.buffer.limit = limit;
  }
  const unsigned priorities = router.classes > 1 ? 6 : 5;  // the last one orders classes
  router.priority = number / 64 % 2 == 0 && number % 3 != 0 ? priority_kind::None
                                                            : static_cast<priority_kind>(1 + number % priorities);
  const bool can_starve = router.priority == priority_kind::HopCount || router.priority == priority_kind::QueueLength ||
                          router.priority == priority_kind::MessageClass;
  router.starvation_guard = can_starve && number % 2 == 0 ? 1 + number % 50 : 0;
  if (router.flow == flow_control::VirtualCutThrough && number % 2 == 0) router.flow = flow_control::StoreAndForward;
  router.pipeline = std::clamp(router.pipeline - (number >> 2 & 1), router_pipeline::shortest(router),
                               router_pipeline::longest(router));
}

std::string describe_choices(const router_parameters& r) {
  return fmt::format(
      "S {}, speculation {}, lookahead {}, reallocation {}, busy when full {}, prefers empty {}, "
      "priority {}, guard {}, holds the switch {}, input speedup {}, shared buffers {} ({} reserved, limit {})",
      r.pipeline, static_cast<int>(r.speculation), r.lookahead_routing, static_cast<int>(r.reallocation),
      r.busy_when_full, r.prefer_empty, static_cast<int>(r.priority), r.starvation_guard, r.hold_switch,
      r.input_speedup, r.buffer.policy == buffer_policy::Shared, r.buffer.reserved, r.buffer.limit);
}

/// A random network with the given allocators and other choices, whose other parameters are drawn.
network_case case_with(std::uint64_t seed, allocator_parameters of_vcs, allocator_parameters of_switch,
                       unsigned choices) {
  network_case c = random_case(seed);
  set_choices(c.router, choices);
  for (const router_info& r : c.graph.routers)
    if (r.ports * c.router.input_speedup > MaxSwitchInputs) c.router.input_speedup = 1;
  rng d(seed);
  if (c.router.buffer.policy == buffer_policy::Shared && c.router.classes == 1 && d.chance(0.5)) {
    router_parameters without_reserved = c.router;
    without_reserved.buffer.reserved = 0;
    if (find_dependency_cycle(c.graph, without_reserved).empty()) c.router = without_reserved;
  }
  const unsigned least = reserves_whole_packets(c.router.flow) ? c.router.depth : 1;
  if (c.nic.ejection_depth == 0 && d.chance(0.5))
    c.nic.ejection_credits = shares_buffer(c.router) ? c.router.depth : d.between(least, least + 8);
  for (allocator_parameters* a : {&of_vcs, &of_switch}) {
    if (a->iterations != 1) a->iterations = d.between(2, 4);
    a->groups = d.between(2, 6);
  }
  c.router.vc_allocator = of_vcs;
  c.router.switch_allocator = of_switch;
  return c;
}

/// The first difference between the pin level and the generic path of the engine, or "ok" and the number of events.
std::string generic_difference(const network_case& c) { return level_difference(c, false, engine::make_generic_model); }

class system_router_choices : public testing::TestWithParam<unsigned> {};

/// Consecutive numbers of networks take all pairs of a VC allocator and a switch allocator in turn, and all
/// combinations of the other choices. The normal run has 128 networks; the label `soak` runs 2,016, in which every pair
/// of allocators occurs at least six times, and every combination of other choices 31 times.
TEST_P(system_router_choices, levels_agree_for_all_choices) {
  constexpr unsigned Cases = 32;
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  const std::vector<allocator_parameters> all = all_allocators();
  const auto count = static_cast<unsigned>(all.size());
  std::uint64_t events = 0;
  for (unsigned i = 0; i < Cases; ++i) {
    const unsigned number = GetParam() * Cases + i;
    const std::uint64_t seed = test_seed() + number;
    const network_case c = case_with(seed, all[number % count], all[(number + number / count) % count], number);
    const std::string result = run_in_subprocess([&c] { return generic_difference(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": VCs by "
        << description(c.router.vc_allocator) << ", switch by " << description(c.router.switch_allocator) << ", "
        << describe_choices(c.router) << ": " << describe(c);
    events += std::stoull(result.substr(3));
  }
  EXPECT_GE(events, 1000u * Cases);
}

INSTANTIATE_TEST_SUITE_P(random, system_router_choices, testing::Range(0u, 4u));
INSTANTIATE_TEST_SUITE_P(soak, system_router_choices, testing::Range(100u, 163u));

TEST(system_router_paths, the_generic_path_has_the_events_of_the_pin_level_for_the_default_router) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 40; ++seed) {
    const network_case c = random_case(seed);
    const std::string result = run_in_subprocess([&c] { return generic_difference(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << result << "\nWEFT_SEED=" << test_seed() << ", case " << seed << ": " << describe(c);
  }
}

}  // namespace
}  // namespace weft
