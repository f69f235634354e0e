// SPDX-License-Identifier: Apache-2.0
#include "weft/router/switch_allocation.h"

#include "support/default_allocators.h"
#include "unit/core/draws.h"
#include "unit/router/reference.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

struct switch_scene {
  unsigned ports, vcs;
  default_switch_allocator allocator;
  reference::switch_allocator expected;
  std::vector<std::vector<std::optional<unsigned>>> requested;  // for each input port and VC, an output port

  switch_scene(unsigned p, unsigned v)
      : ports(p), vcs(v), allocator(p, v), expected(p, v), requested(p, std::vector<std::optional<unsigned>>(v)) {}

  void randomise_pointers() {
    for (unsigned port = 0; port < ports; ++port) {
      allocator.output_of_input(port) = static_cast<std::uint16_t>(below(ports));
      allocator.vc_of_input(port) = static_cast<std::uint16_t>(below(vcs));
      allocator.input_of_output(port) = static_cast<std::uint16_t>(below(ports));
      expected.set_pointers(port, allocator.output_of_input(port), allocator.vc_of_input(port),
                            allocator.input_of_output(port));
    }
  }
  void randomise_requests() {
    for (auto& port : requested)
      for (auto& vc : port) vc = coin() ? std::optional<unsigned>(below(ports)) : std::nullopt;
  }
  switch_matching allocate() const {
    switch_requests requests{};
    for (unsigned port = 0; port < ports; ++port) {
      for (unsigned vc = 0; vc < vcs; ++vc) {
        if (!requested[port][vc]) continue;
        requests.inputs |= port_set{1} << port;
        requests.ready[port] |= vc_set{1} << vc;
        requests.output[port][vc] = static_cast<std::uint8_t>(*requested[port][vc]);
      }
    }
    return allocator.allocate(requests);
  }
};

switch_scene random_switch_scene() {
  switch_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  s.randomise_requests();
  return s;
}

/// Whether \p m is the matching of the reference.
bool agrees(const switch_scene& s, const switch_matching& m,
            const std::vector<std::optional<reference::switch_pick>>& granted) {
  for (unsigned port = 0; port < s.ports; ++port) {
    if ((m.inputs >> port & 1) != granted[port].has_value()) return false;
    if (granted[port] && (m.vc[port] != granted[port]->vc || m.output[port] != granted[port]->output)) return false;
  }
  return m.inputs >> s.ports == 0;
}

RC_GTEST_PROP(unit_router_switch_allocation, matches_the_reference_allocator_in_one_cycle, ()) {
  const switch_scene s = random_switch_scene();
  RC_ASSERT(agrees(s, s.allocate(), s.expected.grants(s.requested)));
}

RC_GTEST_PROP(unit_router_switch_allocation, matches_the_reference_allocator_for_many_cycles, ()) {
  switch_scene s(1 + below(6), 1 + below(4));
  unsigned granted = 0;
  for (unsigned cycle = 0; cycle < 40; ++cycle) {
    s.randomise_requests();
    s.requested[below(s.ports)][below(s.vcs)] = below(s.ports);
    const switch_matching m = s.allocate();
    const auto expected = s.expected.grants(s.requested);
    RC_ASSERT(agrees(s, m, expected));
    s.allocator.advance(m);
    s.expected.move_pointers(expected);
    for (unsigned port = 0; port < s.ports; ++port) {
      RC_ASSERT(s.allocator.output_of_input(port) == s.expected.output_pointer(port));
      RC_ASSERT(s.allocator.vc_of_input(port) == s.expected.vc_pointer(port));
      RC_ASSERT(s.allocator.input_of_output(port) == s.expected.input_pointer(port));
    }
    granted += static_cast<unsigned>(__builtin_popcount(m.inputs));
  }
  RC_ASSERT(granted >= 40U);
}

RC_GTEST_PROP(unit_router_switch_allocation, grants_are_a_matching_among_requesters, ()) {
  const switch_scene s = random_switch_scene();
  const switch_matching m = s.allocate();
  std::set<unsigned> outputs;
  for_each_member(m.inputs, [&](unsigned port) {
    RC_ASSERT(port < s.ports);
    RC_ASSERT(s.requested[port][m.vc[port]].has_value());
    RC_ASSERT(*s.requested[port][m.vc[port]] == m.output[port]);
    RC_ASSERT(outputs.insert(m.output[port]).second);
  });
}

RC_GTEST_PROP(unit_router_switch_allocation, every_output_port_that_an_input_picks_is_granted, ()) {
  const switch_scene s = random_switch_scene();
  std::set<unsigned> picked, granted;
  for (const auto& pick : s.expected.picks(s.requested))
    if (pick) picked.insert(pick->output);
  const switch_matching m = s.allocate();
  for_each_member(m.inputs, [&](unsigned port) { granted.insert(m.output[port]); });
  RC_ASSERT(granted == picked);
}

RC_GTEST_PROP(unit_router_switch_allocation, uncontended_requester_wins, ()) {
  switch_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned port = below(s.ports), vc = below(s.vcs), output = below(s.ports);
  s.requested[port][vc] = output;
  const switch_matching m = s.allocate();
  RC_ASSERT(m.inputs == port_set{1} << port);
  RC_ASSERT(m.vc[port] == vc);
  RC_ASSERT(m.output[port] == output);
}

RC_GTEST_PROP(unit_router_switch_allocation, pointers_move_past_the_winner_and_only_on_grant, ()) {
  switch_scene s = random_switch_scene();
  default_switch_allocator expected = s.allocator;
  const switch_matching m = s.allocate();
  for_each_member(m.inputs, [&](unsigned port) {
    expected.output_of_input(port) = static_cast<std::uint16_t>((m.output[port] + 1U) % s.ports);
    expected.vc_of_input(port) = static_cast<std::uint16_t>((m.vc[port] + 1U) % s.vcs);
    expected.input_of_output(m.output[port]) = static_cast<std::uint16_t>((port + 1U) % s.ports);
  });
  s.allocator.advance(m);
  RC_ASSERT(s.allocator.state() == expected.state());
}

RC_GTEST_PROP(unit_router_switch_allocation, persistent_inputs_share_an_output_equally, ()) {
  switch_scene s(1 + below(MaxPorts), 1 + below(MaxVcs));
  s.randomise_pointers();
  const unsigned output = below(s.ports);
  s.requested[below(s.ports)][below(s.vcs)] = output;
  for (auto& port : s.requested)
    for (auto& vc : port)
      if (coin()) vc = output;
  std::vector<unsigned> contenders;
  for (unsigned port = 0; port < s.ports; ++port)
    if (std::any_of(s.requested[port].begin(), s.requested[port].end(), [](const auto& w) { return w.has_value(); }))
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
    s.allocator.advance(m);
  }
  for (const unsigned port : contenders) {
    RC_ASSERT(of_port[port] >= window / contenders.size());
    RC_ASSERT(of_port[port] <= window / contenders.size() + 1);
    // The VCs of a port share its grants equally, too.
    const auto rivals = static_cast<unsigned>(
        std::count_if(s.requested[port].begin(), s.requested[port].end(), [](const auto& w) { return w.has_value(); }));
    for (unsigned vc = 0; vc < s.vcs; ++vc) {
      if (!s.requested[port][vc]) continue;
      RC_ASSERT(of_vc[port][vc] >= of_port[port] / rivals);
      RC_ASSERT(of_vc[port][vc] <= of_port[port] / rivals + 1);
    }
  }
}

// An input port keeps its selected output until it gets a grant, after at most `ports` cycles. Then it selects another
// output.
RC_GTEST_PROP(unit_router_switch_allocation, input_gets_each_requested_output_within_ports_squared_cycles, ()) {
  switch_scene s(1 + below(6), 1 + below(6));
  s.randomise_pointers();
  s.randomise_requests();
  std::map<std::pair<unsigned, unsigned>, unsigned> waited;
  for (unsigned cycle = 0; cycle < 4 * s.ports * s.ports; ++cycle) {
    const switch_matching m = s.allocate();
    for (unsigned port = 0; port < s.ports; ++port)
      for (const auto& output : s.requested[port])
        if (output && waited.count({port, *output}) == 0) waited[{port, *output}] = 0;
    for (auto& w : waited) ++w.second;
    for_each_member(m.inputs, [&](unsigned port) { waited[{port, m.output[port]}] = 0; });
    for (const auto& w : waited) RC_ASSERT(w.second < s.ports * s.ports);
    s.allocator.advance(m);
  }
}

// As in BookSim2's router, an input port has one VC pointer, not one for each output. So if VCs permanently request
// different outputs, the same two win every time: VCs 0 and 1 request output 0, VCs 2 and 3 output 1. In a router this
// ends with the packet: after a tail, the winner does not request the switch until its next head has a route and an
// output VC.
TEST(unit_router_switch_allocation, vcs_of_an_input_share_one_pointer_over_all_outputs) {
  switch_scene s(2, 4);
  s.requested[0] = {0U, 0U, 1U, 1U};
  std::vector<unsigned> winners;
  for (unsigned cycle = 0; cycle < 6; ++cycle) {
    const switch_matching m = s.allocate();
    ASSERT_EQ(m.inputs, 1U);
    winners.push_back(m.vc[0]);
    s.allocator.advance(m);
  }
  EXPECT_EQ(winners, (std::vector<unsigned>{0, 2, 0, 2, 0, 2}));
}

}  // namespace
}  // namespace weft
