// SPDX-License-Identifier: Apache-2.0
/// Input VCs that hold the switch: which requests remain, and which flits are sent.
#include "weft/router/switch_holds.h"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr unsigned Ports = 4, FirstWord = 3;
using state_words = std::array<std::uint16_t, FirstWord + Ports>;

/// VC \p vc of input port \p port has a flit for output port \p output.
void add_flit(switch_requests& to, unsigned port, unsigned vc, unsigned output, bool has_credit = true) {
  if ((to.inputs >> port & 1) == 0) to.ready[port] = 0;
  to.inputs |= 1U << port;
  if (has_credit) to.ready[port] |= 1U << vc;
  to.output[port][vc] = static_cast<std::uint8_t>(output);
}

TEST(unit_router_switch_holds, none_after_reset) {
  switch_requests all;
  add_flit(all, 1, 0, 2);
  const switch_holds holds = holds_in(Ports, state_words{}, FirstWord, all);
  EXPECT_EQ(holds.inputs, 0U);
  const switch_requests open = without_held(Ports, all, holds, all.inputs);
  EXPECT_EQ(open.inputs, 0b0010U);
  EXPECT_EQ(open.ready[1], 0b1U);
  EXPECT_EQ(open.output[1][0], 2);
}

TEST(unit_router_switch_holds, holder_sends_and_keeps_its_ports_from_others) {
  switch_requests all;
  add_flit(all, 1, 0, 2);
  add_flit(all, 1, 3, 0);  // the same input port
  add_flit(all, 2, 1, 2);  // the same output port
  add_flit(all, 2, 2, 3);
  state_words state{};
  state[FirstWord + 1] = 0 + 1;
  const switch_holds holds = holds_in(Ports, state, FirstWord, all);
  EXPECT_EQ(holds.inputs, 0b0010U);
  EXPECT_EQ(holds.outputs, 0b0100U);
  EXPECT_EQ(holds.sending, 0b0010U);
  const switch_requests open = without_held(Ports, all, holds, all.inputs);
  EXPECT_EQ(open.ready[1], 0U);
  EXPECT_EQ(open.ready[2], 0b100U);
  switch_matching matching;
  add_held(Ports, holds, matching);
  EXPECT_EQ(matching.inputs, 0b0010U);
  EXPECT_EQ(matching.vc[1], 0);
  EXPECT_EQ(matching.output[1], 2);
}

TEST(unit_router_switch_holds, holder_without_a_credit_does_not_send_but_keeps_its_ports_for_the_cycle) {
  switch_requests all;
  add_flit(all, 0, 1, 3, false);
  add_flit(all, 2, 0, 3);
  state_words state{};
  state[FirstWord] = 1 + 1;
  const switch_holds holds = holds_in(Ports, state, FirstWord, all);
  EXPECT_EQ(holds.sending, 0U);
  EXPECT_EQ(without_held(Ports, all, holds, 0b0100).ready[2], 0U);
}

TEST(unit_router_switch_holds, holder_that_waits_alone_leaves_no_request) {
  switch_requests all;
  add_flit(all, 0, 1, 3);
  state_words state{};
  state[FirstWord] = 1 + 1;
  const switch_holds holds = holds_in(Ports, state, FirstWord, all);
  EXPECT_EQ(without_held(Ports, all, holds, 0).inputs, 0U) << "an allocator without requests does not change its state";
}

}  // namespace
}  // namespace weft
