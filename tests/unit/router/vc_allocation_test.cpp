// SPDX-License-Identifier: Apache-2.0
#include "weft/router/vc_allocation.h"

#include "support/default_allocators.h"
#include "support/vc_grants.h"
#include "unit/core/draws.h"
#include "unit/router/reference.h"
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

/// A router with pointers in some state, and requests: the input of one allocation, in the notation of both allocators.
struct vc_scene {
  unsigned ports, vcs;
  default_vc_allocator allocator;
  reference::vc_allocator expected;
  std::vector<reference::vc_request> requests;

  vc_scene(unsigned p, unsigned v) : ports(p), vcs(v), allocator(p, v), expected(p, v), requests(p * v) {}

  unsigned vc_count() const { return ports * vcs; }

  void randomise_pointers() {
    for (unsigned vc_index = 0; vc_index < vc_count(); ++vc_index) {
      allocator.of_input(vc_index) = static_cast<std::uint16_t>(below(vc_count()));
      allocator.of_output(vc_index) = static_cast<std::uint16_t>(below(vc_count()));
      expected.set_pointers(vc_index, allocator.of_input(vc_index), allocator.of_output(vc_index));
    }
  }
  void randomise_requests() {
    for (auto& r : requests) r = {coin(), below(ports), *rc::gen::inRange<vc_set>(0, first_vcs(vcs) + 1)};
  }
  vc_grants allocate() const {
    vc_requests entered;
    for (unsigned vc_index = 0; vc_index < vc_count(); ++vc_index) {
      const reference::vc_request& r = requests[vc_index];
      if (r.waiting)
        add_request(entered, vc_index / vcs, vc_index % vcs, {static_cast<std::uint8_t>(r.out_port), r.vcs});
    }
    return allocator.allocate(entered);
  }
  std::vector<granted_vc> grants() const { return list_of(allocate()); }
  unsigned in_index(const granted_vc& g) const { return g.in_port * vcs + g.in_vc; }
  unsigned out_index(const granted_vc& g) const { return g.out_port * vcs + g.out_vc; }
  void advance_all() { allocator.advance(allocate()); }
};

vc_scene random_vc_scene() {
  vc_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  s.randomise_requests();
  return s;
}

RC_GTEST_PROP(unit_router_vc_allocation, matches_the_reference_allocator_in_one_cycle, ()) {
  vc_scene s = random_vc_scene();
  const std::vector<granted_vc> grants = s.grants();
  const auto expected = s.expected.grants(s.requests);
  std::vector<std::optional<unsigned>> winner(s.vc_count());
  for (const granted_vc& g : grants) winner[s.out_index(g)] = s.in_index(g);
  RC_ASSERT(winner == expected);
}

RC_GTEST_PROP(unit_router_vc_allocation, matches_the_reference_allocator_for_many_cycles, ()) {
  vc_scene s(1 + below(5), 1 + below(4));
  std::size_t granted = 0;
  for (unsigned cycle = 0; cycle < 40; ++cycle) {
    s.randomise_requests();
    s.requests[below(s.vc_count())] = {true, below(s.ports), first_vcs(s.vcs)};
    const std::vector<granted_vc> grants = s.grants();
    const auto expected = s.expected.grants(s.requests);
    std::vector<std::optional<unsigned>> winner(s.vc_count());
    for (const granted_vc& g : grants) winner[s.out_index(g)] = s.in_index(g);
    RC_ASSERT(winner == expected);
    s.advance_all();
    s.expected.move_pointers(expected);
    for (unsigned vc_index = 0; vc_index < s.vc_count(); ++vc_index) {
      RC_ASSERT(s.allocator.of_input(vc_index) == s.expected.input_pointer(vc_index));
      RC_ASSERT(s.allocator.of_output(vc_index) == s.expected.output_pointer(vc_index));
    }
    granted += grants.size();
  }
  RC_ASSERT(granted >= 40U);
}

RC_GTEST_PROP(unit_router_vc_allocation, grants_are_a_matching_among_requesters, ()) {
  const vc_scene s = random_vc_scene();
  const std::vector<granted_vc> grants = s.grants();
  std::set<unsigned> inputs, outputs;
  for (const granted_vc& g : grants) {
    const reference::vc_request& r = s.requests[s.in_index(g)];
    RC_ASSERT(r.waiting);
    RC_ASSERT(r.out_port == g.out_port);
    RC_ASSERT((r.vcs >> g.out_vc & 1) == 1);
    RC_ASSERT(inputs.insert(s.in_index(g)).second);
    RC_ASSERT(outputs.insert(s.out_index(g)).second);
  }
}

RC_GTEST_PROP(unit_router_vc_allocation, every_output_vc_that_an_input_picks_is_granted, ()) {
  const vc_scene s = random_vc_scene();
  std::set<unsigned> picked;
  for (const auto& pick : s.expected.picks(s.requests))
    if (pick) picked.insert(*pick);
  const std::vector<granted_vc> grants = s.grants();
  RC_ASSERT(grants.size() == picked.size());
  for (const granted_vc& g : grants) RC_ASSERT(picked.count(s.out_index(g)) == 1U);
}

RC_GTEST_PROP(unit_router_vc_allocation, every_requested_port_grants_a_request, ()) {
  const vc_scene s = random_vc_scene();
  std::set<unsigned> requested, granted;
  for (const auto& r : s.requests)
    if (r.waiting && r.vcs != 0) requested.insert(r.out_port);
  const std::vector<granted_vc> grants = s.grants();
  for (const granted_vc& g : grants) granted.insert(g.out_port);
  RC_ASSERT(granted == requested);
}

RC_GTEST_PROP(unit_router_vc_allocation, uncontended_requester_wins, ()) {
  vc_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned vc_index = below(s.vc_count());
  s.requests[vc_index] = {true, below(s.ports), *rc::gen::inRange<vc_set>(1, first_vcs(s.vcs) + 1)};
  const std::vector<granted_vc> grants = s.grants();
  RC_ASSERT(grants.size() == 1U);
  RC_ASSERT(s.in_index(grants[0]) == vc_index);
}

RC_GTEST_PROP(unit_router_vc_allocation, pointers_move_past_the_winner_and_only_on_grant, ()) {
  vc_scene s = random_vc_scene();
  default_vc_allocator before = s.allocator;
  const std::vector<granted_vc> grants = s.grants();
  s.advance_all();
  std::set<unsigned> inputs, outputs;
  for (const granted_vc& g : grants) {
    const unsigned in = s.in_index(g);
    const unsigned out = s.out_index(g);
    inputs.insert(in);
    outputs.insert(out);
    RC_ASSERT(s.allocator.of_input(in) == (out + 1) % s.vc_count());
    RC_ASSERT(s.allocator.of_output(out) == (in + 1) % s.vc_count());
  }
  for (unsigned vc_index = 0; vc_index < s.vc_count(); ++vc_index) {
    if (inputs.count(vc_index) == 0) RC_ASSERT(s.allocator.of_input(vc_index) == before.of_input(vc_index));
    if (outputs.count(vc_index) == 0) RC_ASSERT(s.allocator.of_output(vc_index) == before.of_output(vc_index));
  }
}

RC_GTEST_PROP(unit_router_vc_allocation, persistent_requesters_of_one_vc_get_equal_shares, ()) {
  vc_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned out_port = below(s.ports);
  const vc_set out_vc = vc_set{1} << below(s.vcs);
  s.requests[below(s.vc_count())] = {true, out_port, out_vc};
  for (auto& r : s.requests)
    if (coin()) r = {true, out_port, out_vc};
  const auto contenders = static_cast<unsigned>(
      std::count_if(s.requests.begin(), s.requests.end(), [](const auto& r) { return r.waiting; }));
  const unsigned window = 200 + below(500);
  std::vector<unsigned> wins(s.vc_count(), 0);
  for (unsigned cycle = 0; cycle < window; ++cycle) {
    const std::vector<granted_vc> grants = s.grants();
    RC_ASSERT(grants.size() == 1U);
    ++wins[s.in_index(grants[0])];
    s.advance_all();
  }
  for (unsigned vc_index = 0; vc_index < s.vc_count(); ++vc_index) {
    if (!s.requests[vc_index].waiting) continue;
    RC_ASSERT(wins[vc_index] >= window / contenders);
    RC_ASSERT(wins[vc_index] <= window / contenders + 1);
  }
}

// A waiting input VC keeps its selected output VC while that stays free, and the arbiter of this output VC passes over
// it at most once for each other input VC.
RC_GTEST_PROP(unit_router_vc_allocation, persistent_requester_wins_within_one_cycle_per_input_vc, ()) {
  vc_scene s(1 + below(6), 1 + below(4));
  s.randomise_pointers();
  s.randomise_requests();
  std::vector<unsigned> waited(s.vc_count(), 0);
  for (unsigned cycle = 0; cycle < 4 * s.vc_count(); ++cycle) {
    const std::vector<granted_vc> grants = s.grants();
    for (auto& w : waited) ++w;
    for (const granted_vc& g : grants) waited[s.in_index(g)] = 0;
    s.advance_all();
    for (unsigned vc_index = 0; vc_index < s.vc_count(); ++vc_index)
      if (s.requests[vc_index].waiting && s.requests[vc_index].vcs != 0) RC_ASSERT(waited[vc_index] < s.vc_count());
  }
}

}  // namespace
}  // namespace weft
