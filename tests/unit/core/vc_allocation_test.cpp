// SPDX-License-Identifier: Apache-2.0
#include "support/vc_grants.h"
#include "unit/core/draws.h"
#include "unit/core/reference.h"
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/core/allocation.h"

namespace weft {
namespace {

/// A router, pointers in some state, and requests: the input of one allocation, in both notations.
struct vc_scene {
  unsigned ports, vcs;
  vc_pointers pointers;
  reference::vc_allocator expected;
  std::vector<reference::vc_request> requests;

  vc_scene(unsigned p, unsigned v) : ports(p), vcs(v), expected(p, v), requests(p * v) {}

  unsigned lanes() const { return ports * vcs; }

  void randomise_pointers() {
    for (unsigned lane = 0; lane < lanes(); ++lane) {
      pointers.input[lane] = static_cast<std::uint8_t>(below(lanes()));
      pointers.output[lane] = static_cast<std::uint8_t>(below(lanes()));
      expected.set_pointers(lane, pointers.input[lane], pointers.output[lane]);
    }
  }
  void randomise_requests() {
    for (auto& r : requests) r = {coin(), below(ports), *rc::gen::inRange<vc_set>(0, first_vcs(vcs) + 1)};
  }
  vc_matching allocate() const {
    vc_requests asked;
    for (unsigned lane = 0; lane < lanes(); ++lane) {
      const reference::vc_request& r = requests[lane];
      if (r.waiting) ask(asked, lane / vcs, lane % vcs, {static_cast<std::uint8_t>(r.out_port), r.vcs});
    }
    return allocate_vcs(ports, vcs, asked, pointers.input, pointers.output);
  }
  std::vector<vc_grant> grants() const { return grants_of(allocate()); }
  unsigned in_lane(const vc_grant& g) const { return g.in_port * vcs + g.in_vc; }
  unsigned out_lane(const vc_grant& g) const { return g.out_port * vcs + g.out_vc; }
  void advance_all() { advance(pointers.input, pointers.output, allocate(), ports, vcs); }
};

vc_scene random_vc_scene() {
  vc_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  s.randomise_requests();
  return s;
}

RC_GTEST_PROP(unit_core_vc_allocation, equals_the_reference, ()) {
  vc_scene s = random_vc_scene();
  const std::vector<vc_grant> grants = s.grants();
  const auto expected = s.expected.grants(s.requests);
  std::vector<std::optional<unsigned>> winner(s.lanes());
  for (const vc_grant& g : grants) winner[s.out_lane(g)] = s.in_lane(g);
  RC_ASSERT(winner == expected);
}

RC_GTEST_PROP(unit_core_vc_allocation, stays_equal_to_the_reference_for_many_cycles, ()) {
  vc_scene s(1 + below(5), 1 + below(4));
  std::size_t granted = 0;
  for (unsigned cycle = 0; cycle < 40; ++cycle) {
    s.randomise_requests();
    s.requests[below(s.lanes())] = {true, below(s.ports), first_vcs(s.vcs)};
    const std::vector<vc_grant> grants = s.grants();
    const auto expected = s.expected.grants(s.requests);
    std::vector<std::optional<unsigned>> winner(s.lanes());
    for (const vc_grant& g : grants) winner[s.out_lane(g)] = s.in_lane(g);
    RC_ASSERT(winner == expected);
    s.advance_all();
    s.expected.move_pointers(expected);
    for (unsigned lane = 0; lane < s.lanes(); ++lane) {
      RC_ASSERT(s.pointers.input[lane] == s.expected.input_pointer(lane));
      RC_ASSERT(s.pointers.output[lane] == s.expected.output_pointer(lane));
    }
    granted += grants.size();
  }
  RC_ASSERT(granted >= 40U);
}

RC_GTEST_PROP(unit_core_vc_allocation, grants_are_a_matching_among_requesters, ()) {
  const vc_scene s = random_vc_scene();
  const std::vector<vc_grant> grants = s.grants();
  std::set<unsigned> inputs, outputs;
  for (const vc_grant& g : grants) {
    const reference::vc_request& r = s.requests[s.in_lane(g)];
    RC_ASSERT(r.waiting);
    RC_ASSERT(r.out_port == g.out_port);
    RC_ASSERT((r.vcs >> g.out_vc & 1) == 1);
    RC_ASSERT(inputs.insert(s.in_lane(g)).second);
    RC_ASSERT(outputs.insert(s.out_lane(g)).second);
  }
}

RC_GTEST_PROP(unit_core_vc_allocation, every_output_vc_that_is_picked_is_granted, ()) {
  const vc_scene s = random_vc_scene();
  std::set<unsigned> picked;
  for (const auto& pick : s.expected.picks(s.requests))
    if (pick) picked.insert(*pick);
  const std::vector<vc_grant> grants = s.grants();
  RC_ASSERT(grants.size() == picked.size());
  for (const vc_grant& g : grants) RC_ASSERT(picked.count(s.out_lane(g)) == 1U);
}

RC_GTEST_PROP(unit_core_vc_allocation, every_requested_port_grants_somebody, ()) {
  const vc_scene s = random_vc_scene();
  std::set<unsigned> requested, granted;
  for (const auto& r : s.requests)
    if (r.waiting && r.vcs != 0) requested.insert(r.out_port);
  const std::vector<vc_grant> grants = s.grants();
  for (const vc_grant& g : grants) granted.insert(g.out_port);
  RC_ASSERT(granted == requested);
}

RC_GTEST_PROP(unit_core_vc_allocation, a_lone_requester_wins, ()) {
  vc_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned lane = below(s.lanes());
  s.requests[lane] = {true, below(s.ports), *rc::gen::inRange<vc_set>(1, first_vcs(s.vcs) + 1)};
  const std::vector<vc_grant> grants = s.grants();
  RC_ASSERT(grants.size() == 1U);
  RC_ASSERT(s.in_lane(grants[0]) == lane);
}

RC_GTEST_PROP(unit_core_vc_allocation, pointers_move_on_grant_only_and_past_the_winner, ()) {
  vc_scene s = random_vc_scene();
  const vc_pointers before = s.pointers;
  const std::vector<vc_grant> grants = s.grants();
  s.advance_all();
  std::set<unsigned> inputs, outputs;
  for (const vc_grant& g : grants) {
    const unsigned in = s.in_lane(g);
    const unsigned out = s.out_lane(g);
    inputs.insert(in);
    outputs.insert(out);
    RC_ASSERT(s.pointers.input[in] == (out + 1) % s.lanes());
    RC_ASSERT(s.pointers.output[out] == (in + 1) % s.lanes());
  }
  for (unsigned lane = 0; lane < s.lanes(); ++lane) {
    if (inputs.count(lane) == 0) RC_ASSERT(s.pointers.input[lane] == before.input[lane]);
    if (outputs.count(lane) == 0) RC_ASSERT(s.pointers.output[lane] == before.output[lane]);
  }
}

RC_GTEST_PROP(unit_core_vc_allocation, persistent_contenders_for_one_vc_get_equal_shares, ()) {
  vc_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned out_port = below(s.ports);
  const vc_set out_vc = vc_set{1} << below(s.vcs);
  s.requests[below(s.lanes())] = {true, out_port, out_vc};
  for (auto& r : s.requests)
    if (coin()) r = {true, out_port, out_vc};
  const auto contenders = static_cast<unsigned>(
      std::count_if(s.requests.begin(), s.requests.end(), [](const auto& r) { return r.waiting; }));
  const unsigned window = 200 + below(500);
  std::vector<unsigned> wins(s.lanes(), 0);
  for (unsigned cycle = 0; cycle < window; ++cycle) {
    const std::vector<vc_grant> grants = s.grants();
    RC_ASSERT(grants.size() == 1U);
    ++wins[s.in_lane(grants[0])];
    s.advance_all();
  }
  for (unsigned lane = 0; lane < s.lanes(); ++lane) {
    if (!s.requests[lane].waiting) continue;
    RC_ASSERT(wins[lane] >= window / contenders);
    RC_ASSERT(wins[lane] <= window / contenders + 1);
  }
}

// An input VC that waits does not change its mind while what it picked stays free, and the arbiter of that VC
// passes it over once for each other lane at most.
RC_GTEST_PROP(unit_core_vc_allocation, a_persistent_requester_wins_within_as_many_cycles_as_there_are_lanes, ()) {
  vc_scene s(1 + below(6), 1 + below(4));
  s.randomise_pointers();
  s.randomise_requests();
  std::vector<unsigned> waited(s.lanes(), 0);
  for (unsigned cycle = 0; cycle < 4 * s.lanes(); ++cycle) {
    const std::vector<vc_grant> grants = s.grants();
    for (auto& w : waited) ++w;
    for (const vc_grant& g : grants) waited[s.in_lane(g)] = 0;
    s.advance_all();
    for (unsigned lane = 0; lane < s.lanes(); ++lane)
      if (s.requests[lane].waiting && s.requests[lane].vcs != 0) RC_ASSERT(waited[lane] < s.lanes());
  }
}

}  // namespace
}  // namespace weft
