// SPDX-License-Identifier: Apache-2.0
/// Each VC of each port has one input of the switch, and the VCs of a port are divided equally among its inputs.
#include "weft/router/switch_inputs.h"

#include <gtest/gtest.h>

#include "weft/core/members.h"
#include "weft/router/switch_allocation.h"

namespace weft {
namespace {

TEST(unit_router_switch_inputs, divide_the_vcs_of_a_port_equally) {
  for (unsigned speedup = 1; speedup <= MaxInputSpeedup; ++speedup) {
    for (unsigned vcs = speedup; vcs <= MaxVcs; vcs += speedup) {
      const switch_inputs inputs(5, speedup);
      vc_set of_port[5] = {};
      for (unsigned input = 0; input < inputs.count; ++input) {
        const unsigned port = inputs.port_of[input];
        const vc_set own = inputs.vcs_of[input] & first_vcs(vcs);
        EXPECT_EQ(count_members(own), vcs / speedup);
        EXPECT_EQ(of_port[port] & own, 0U);
        of_port[port] |= own;
        for_each_member(own, [&](unsigned vc) { EXPECT_EQ(inputs.input_of(port, vc), input); });
      }
      for (const vc_set all : of_port) EXPECT_EQ(all, first_vcs(vcs)) << "speedup " << speedup;
    }
  }
}

TEST(unit_router_switch_inputs, vc_of_booksim2_uses_input_vc_mod_speedup) {
  const switch_inputs inputs(5, 2);
  EXPECT_EQ(inputs.input_of(3, 0), 6U);
  EXPECT_EQ(inputs.input_of(3, 1), 7U);
  EXPECT_EQ(inputs.input_of(3, 2), 6U);
  EXPECT_EQ(inputs.port_of[7], 3U);
}

TEST(unit_router_switch_inputs, port_sends_as_many_flits_as_it_has_inputs) {
  const switch_inputs inputs(4, 2);
  const allocator_design design = make_switch_allocator({}, 4, 4, inputs.speedup);
  std::uint16_t state[128] = {};
  ASSERT_LE(switch_words(design), 128U);
  reset_switch(design, state);
  switch_requests requests;
  for (unsigned vc = 0; vc < 4; ++vc)
    requests.output[inputs.input_of(1, vc)][vc] = static_cast<std::uint8_t>(vc);  // each VC to its own output port
  add_port(inputs, requests, 1, 0b1111, 0b1111);
  vc_set sent = 0;
  for (unsigned cycle = 0; cycle < 2; ++cycle) {
    const switch_matching matching = allocate_switch(design, state, requests);
    EXPECT_EQ(matching.inputs, 0b1100U);
    for_each_member(matching.inputs, [&](unsigned input) { sent |= vc_set{1} << matching.vc[input]; });
    advance_switch(design, state, matching);
  }
  EXPECT_EQ(sent, 0b1111U) << "each VC sent once in two cycles";
}

}  // namespace
}  // namespace weft
