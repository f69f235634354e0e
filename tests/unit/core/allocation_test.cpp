// SPDX-License-Identifier: Apache-2.0
#include "weft/core/allocation.h"

#include "support/vc_grants.h"
#include "unit/core/reference.h"
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

unsigned below(unsigned n) { return *rc::gen::inRange(0U, n); }
bool coin() { return *rc::gen::arbitrary<bool>(); }

// ---------------------------------------------------------------------------------------------------------------
// Round robin

TEST(unit_core_round_robin, takes_the_first_requester_at_or_after_the_pointer) {
  EXPECT_EQ(round_robin(0b10110, 0), 1U);
  EXPECT_EQ(round_robin(0b10110, 1), 1U);
  EXPECT_EQ(round_robin(0b10110, 2), 2U);
  EXPECT_EQ(round_robin(0b10110, 3), 4U);
  EXPECT_EQ(round_robin(0b10110, 5), 1U);
  EXPECT_EQ(round_robin(0x80000000U, 31), 31U);
  EXPECT_EQ(round_robin(1U, 31), 0U);
}

TEST(unit_core_round_robin, members_come_lowest_first) {
  std::vector<unsigned> members;
  for_each_member(0x80000409U, [&](unsigned i) { members.push_back(i); });
  EXPECT_EQ(members, (std::vector<unsigned>{0, 3, 10, 31}));
  for_each_member(0, [](unsigned) { FAIL() << "an empty set has no members"; });
}

TEST(unit_core_round_robin, after_wraps_around) {
  EXPECT_EQ(after(0, 1), 0U);
  EXPECT_EQ(after(0, 3), 1U);
  EXPECT_EQ(after(2, 3), 0U);
}

RC_GTEST_PROP(unit_core_round_robin, is_a_walk_around_the_circle, ()) {
  const auto requests = *rc::gen::suchThat<std::uint32_t>([](std::uint32_t r) { return r != 0; });
  const unsigned pointer = below(32);
  unsigned expected = pointer;
  while ((requests >> expected & 1) == 0) expected = (expected + 1) % 32;
  RC_ASSERT(round_robin(requests, pointer) == expected);
}

RC_GTEST_PROP(unit_core_round_robin, persistent_contenders_take_turns, ()) {
  const unsigned count = 1 + below(32);
  const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
  const std::uint32_t requests = (*rc::gen::arbitrary<std::uint32_t>() & all) | 1U << below(count);
  const unsigned contenders = static_cast<unsigned>(__builtin_popcount(requests));
  unsigned pointer = below(count);
  std::map<unsigned, unsigned> wins;
  for (unsigned round = 0; round < 3 * contenders; ++round) {
    const unsigned winner = round_robin(requests, pointer);
    RC_ASSERT((requests >> winner & 1) == 1);
    ++wins[winner];
    pointer = after(winner, count);
  }
  for_each_member(requests, [&](unsigned i) { RC_ASSERT(wins[i] == 3U); });
}

// ---------------------------------------------------------------------------------------------------------------
// VC allocation

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

// ---------------------------------------------------------------------------------------------------------------
// Switch allocation

struct switch_scene {
  unsigned ports, vcs;
  switch_pointers pointers;
  reference::switch_allocator expected;
  std::vector<std::vector<std::optional<unsigned>>> wanted;  // of each input port and VC, an output port

  switch_scene(unsigned p, unsigned v)
      : ports(p), vcs(v), expected(p, v), wanted(p, std::vector<std::optional<unsigned>>(v)) {}

  void randomise_pointers() {
    for (unsigned port = 0; port < ports; ++port) {
      pointers.output_of_input[port] = static_cast<std::uint8_t>(below(ports));
      pointers.vc_of_input[port] = static_cast<std::uint8_t>(below(vcs));
      pointers.input_of_output[port] = static_cast<std::uint8_t>(below(ports));
      expected.set_pointers(port, pointers.output_of_input[port], pointers.vc_of_input[port],
                            pointers.input_of_output[port]);
    }
  }
  void randomise_requests() {
    for (auto& port : wanted)
      for (auto& vc : port) vc = coin() ? std::optional<unsigned>(below(ports)) : std::nullopt;
  }
  switch_matching allocate() const {
    std::array<vc_set, MaxPorts> ready{};
    std::array<output_ports, MaxPorts> output{};
    for (unsigned port = 0; port < ports; ++port) {
      for (unsigned vc = 0; vc < vcs; ++vc) {
        if (!wanted[port][vc]) continue;
        ready[port] |= vc_set{1} << vc;
        output[port][vc] = static_cast<std::uint8_t>(*wanted[port][vc]);
      }
    }
    return allocate_switch(ports, ready, pointers, output);
  }
};

switch_scene random_switch_scene() {
  switch_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  s.randomise_requests();
  return s;
}

/// Whether \p m is what the reference says.
bool agrees(const switch_scene& s, const switch_matching& m,
            const std::vector<std::optional<reference::switch_pick>>& granted) {
  for (unsigned port = 0; port < s.ports; ++port) {
    if ((m.inputs >> port & 1) != granted[port].has_value()) return false;
    if (granted[port] && (m.vc[port] != granted[port]->vc || m.output[port] != granted[port]->output)) return false;
  }
  return m.inputs >> s.ports == 0;
}

RC_GTEST_PROP(unit_core_switch_allocation, equals_the_reference, ()) {
  const switch_scene s = random_switch_scene();
  RC_ASSERT(agrees(s, s.allocate(), s.expected.grants(s.wanted)));
}

RC_GTEST_PROP(unit_core_switch_allocation, stays_equal_to_the_reference_for_many_cycles, ()) {
  switch_scene s(1 + below(6), 1 + below(4));
  unsigned granted = 0;
  for (unsigned cycle = 0; cycle < 40; ++cycle) {
    s.randomise_requests();
    s.wanted[below(s.ports)][below(s.vcs)] = below(s.ports);
    const switch_matching m = s.allocate();
    const auto expected = s.expected.grants(s.wanted);
    RC_ASSERT(agrees(s, m, expected));
    advance(s.pointers, m, s.ports, s.vcs);
    s.expected.move_pointers(expected);
    for (unsigned port = 0; port < s.ports; ++port) {
      RC_ASSERT(s.pointers.output_of_input[port] == s.expected.output_pointer(port));
      RC_ASSERT(s.pointers.vc_of_input[port] == s.expected.vc_pointer(port));
      RC_ASSERT(s.pointers.input_of_output[port] == s.expected.input_pointer(port));
    }
    granted += static_cast<unsigned>(__builtin_popcount(m.inputs));
  }
  RC_ASSERT(granted >= 40U);
}

RC_GTEST_PROP(unit_core_switch_allocation, grants_are_a_matching_among_requesters, ()) {
  const switch_scene s = random_switch_scene();
  const switch_matching m = s.allocate();
  std::set<unsigned> outputs;
  for_each_member(m.inputs, [&](unsigned port) {
    RC_ASSERT(port < s.ports);
    RC_ASSERT(s.wanted[port][m.vc[port]].has_value());
    RC_ASSERT(*s.wanted[port][m.vc[port]] == m.output[port]);
    RC_ASSERT(outputs.insert(m.output[port]).second);
  });
}

RC_GTEST_PROP(unit_core_switch_allocation, every_output_port_that_is_picked_is_granted, ()) {
  const switch_scene s = random_switch_scene();
  std::set<unsigned> picked, granted;
  for (const auto& pick : s.expected.picks(s.wanted))
    if (pick) picked.insert(pick->output);
  const switch_matching m = s.allocate();
  for_each_member(m.inputs, [&](unsigned port) { granted.insert(m.output[port]); });
  RC_ASSERT(granted == picked);
}

RC_GTEST_PROP(unit_core_switch_allocation, a_lone_requester_wins, ()) {
  switch_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned port = below(s.ports), vc = below(s.vcs), output = below(s.ports);
  s.wanted[port][vc] = output;
  const switch_matching m = s.allocate();
  RC_ASSERT(m.inputs == port_set{1} << port);
  RC_ASSERT(m.vc[port] == vc);
  RC_ASSERT(m.output[port] == output);
}

RC_GTEST_PROP(unit_core_switch_allocation, pointers_move_on_grant_only_and_past_the_winner, ()) {
  switch_scene s = random_switch_scene();
  switch_pointers expected = s.pointers;
  const switch_matching m = s.allocate();
  for_each_member(m.inputs, [&](unsigned port) {
    expected.output_of_input[port] = static_cast<std::uint8_t>((m.output[port] + 1U) % s.ports);
    expected.vc_of_input[port] = static_cast<std::uint8_t>((m.vc[port] + 1U) % s.vcs);
    expected.input_of_output[m.output[port]] = static_cast<std::uint8_t>((port + 1U) % s.ports);
  });
  advance(s.pointers, m, s.ports, s.vcs);
  RC_ASSERT(s.pointers == expected);
}

RC_GTEST_PROP(unit_core_switch_allocation, persistent_inputs_share_an_output_equally, ()) {
  switch_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned output = below(s.ports);
  s.wanted[below(s.ports)][below(s.vcs)] = output;
  for (auto& port : s.wanted)
    for (auto& vc : port)
      if (coin()) vc = output;
  std::vector<unsigned> contenders;
  for (unsigned port = 0; port < s.ports; ++port)
    if (std::any_of(s.wanted[port].begin(), s.wanted[port].end(), [](const auto& w) { return w.has_value(); }))
      contenders.push_back(port);
  const unsigned window = 200 + below(300);
  std::vector<unsigned> of_port(s.ports, 0);
  std::vector<std::vector<unsigned>> of_vc(s.ports, std::vector<unsigned>(s.vcs, 0));
  for (unsigned cycle = 0; cycle < window; ++cycle) {
    const switch_matching m = s.allocate();
    RC_ASSERT(__builtin_popcount(m.inputs) == 1);
    const unsigned port = lowest(m.inputs);
    ++of_port[port];
    ++of_vc[port][m.vc[port]];
    advance(s.pointers, m, s.ports, s.vcs);
  }
  for (const unsigned port : contenders) {
    RC_ASSERT(of_port[port] >= window / contenders.size());
    RC_ASSERT(of_port[port] <= window / contenders.size() + 1);
    // What a port gets, its VCs share as equally.
    const auto rivals = static_cast<unsigned>(
        std::count_if(s.wanted[port].begin(), s.wanted[port].end(), [](const auto& w) { return w.has_value(); }));
    for (unsigned vc = 0; vc < s.vcs; ++vc) {
      if (!s.wanted[port][vc]) continue;
      RC_ASSERT(of_vc[port][vc] >= of_port[port] / rivals);
      RC_ASSERT(of_vc[port][vc] <= of_port[port] / rivals + 1);
    }
  }
}

// An input port keeps its pick until it is granted, which takes `ports` cycles at most; then it picks another
// output.
RC_GTEST_PROP(unit_core_switch_allocation, an_input_reaches_every_output_it_wants_within_ports_squared_cycles, ()) {
  switch_scene s(1 + below(6), 1 + below(6));
  s.randomise_pointers();
  s.randomise_requests();
  std::map<std::pair<unsigned, unsigned>, unsigned> waited;
  for (unsigned cycle = 0; cycle < 4 * s.ports * s.ports; ++cycle) {
    const switch_matching m = s.allocate();
    for (unsigned port = 0; port < s.ports; ++port)
      for (const auto& output : s.wanted[port])
        if (output && waited.count({port, *output}) == 0) waited[{port, *output}] = 0;
    for (auto& w : waited) ++w.second;
    for_each_member(m.inputs, [&](unsigned port) { waited[{port, m.output[port]}] = 0; });
    for (const auto& w : waited) RC_ASSERT(w.second < s.ports * s.ports);
    advance(s.pointers, m, s.ports, s.vcs);
  }
}

// As in BookSim2's router, an input port has one VC pointer, not one for each output. So of VCs that ask
// for ever for different outputs, the same two win every time: 0 and 1 want output 0, 2 and 3 output 1. In a
// router this ends with the packet: after a tail the winner stays away until its next head has a route and an
// output VC.
TEST(unit_core_switch_allocation, vcs_of_an_input_share_one_pointer_over_all_outputs) {
  switch_scene s(2, 4);
  s.wanted[0] = {0U, 0U, 1U, 1U};
  std::vector<unsigned> winners;
  for (unsigned cycle = 0; cycle < 6; ++cycle) {
    const switch_matching m = s.allocate();
    ASSERT_EQ(m.inputs, 1U);
    winners.push_back(m.vc[0]);
    advance(s.pointers, m, s.ports, s.vcs);
  }
  EXPECT_EQ(winners, (std::vector<unsigned>{0, 2, 0, 2, 0, 2}));
}

}  // namespace
}  // namespace weft
