// SPDX-License-Identifier: Apache-2.0
/// Speculative switch allocation: which grants are masked, and what changes the state.
#include "weft/router/speculation.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

/// VC \p vc of input port \p port requests output port \p output.
void add(switch_requests& to, unsigned port, unsigned vc, unsigned output) {
  if ((to.inputs >> port & 1) == 0) to.ready[port] = 0;
  to.inputs |= 1U << port;
  to.ready[port] |= 1U << vc;
  to.output[port][vc] = static_cast<std::uint8_t>(output);
}

/// A switch allocator of four ports with two VCs, with speculation.
class unit_router_speculation : public testing::Test {
 protected:
  unit_router_speculation() {
    reset_switch(m_first, m_state);
    reset_allocator(m_second, m_state);
  }

  /// The grants of a cycle, as "port.vc>output".
  std::string step(speculation_kind kind) {
    const switch_matching first = allocate_first(kind, m_first, m_state, normal, heads);
    const switch_matching second = allocate_second(kind, m_second, m_state, heads);
    const port_set unmasked = unmasked_inputs(kind, m_first, normal, first, second);
    advance_speculatively(kind, m_first, m_second, m_state, first, second, unmasked);
    const switch_matching all = combined(m_first, first, second, unmasked);
    std::string result;
    for (unsigned port = 0; port < Ports; ++port)
      if ((all.inputs >> port & 1) != 0)
        result += (result.empty() ? "" : " ") + std::to_string(port) + "." + std::to_string(all.vc[port]) + ">" +
                  std::to_string(all.output[port]);
    return result;
  }
  unsigned pointer(unsigned port) const { return m_state[port]; }

  static constexpr unsigned Ports = 4, Vcs = 2;
  switch_requests normal, heads;

 private:
  const allocator_design m_first = make_switch_allocator({}, Ports, Vcs);
  const allocator_design m_second = make_second_allocator({}, m_first);
  std::vector<std::uint16_t> m_state = std::vector<std::uint16_t>(switch_words(m_first) + m_second.words);
};

constexpr std::array<speculation_kind, 3> Kinds = {speculation_kind::Prioritized, speculation_kind::MaskedByGrants,
                                                   speculation_kind::MaskedByRequests};

TEST_F(unit_router_speculation, head_alone_is_granted) {
  add(heads, 2, 1, 3);
  for (const speculation_kind kind : Kinds) EXPECT_EQ(step(kind), "2.1>3");
}

TEST_F(unit_router_speculation, head_yields_at_its_output_port) {
  add(normal, 3, 0, 1);
  add(heads, 0, 0, 1);
  for (const speculation_kind kind : Kinds)
    for (unsigned cycle = 0; cycle < 3; ++cycle) EXPECT_EQ(step(kind), "3.0>1");
}

TEST_F(unit_router_speculation, head_yields_at_its_input_port) {
  add(normal, 0, 1, 2);
  add(heads, 0, 0, 1);
  for (const speculation_kind kind : Kinds)
    for (unsigned cycle = 0; cycle < 3; ++cycle) EXPECT_EQ(step(kind), "0.1>2");
}

TEST_F(unit_router_speculation, requests_without_a_grant_mask_heads_only_with_masks_of_requests) {
  // Input port 0 sends to output port 0, so its request for output port 1 is not granted.
  add(normal, 0, 0, 0);
  add(normal, 0, 1, 1);
  add(heads, 2, 0, 1);
  EXPECT_EQ(step(speculation_kind::Prioritized), "0.0>0 2.0>1");
  for (const unsigned cycle : {0U, 1U, 2U}) {
    const std::string grants = step(speculation_kind::MaskedByRequests);
    EXPECT_TRUE(grants == "0.0>0" || grants == "0.1>1") << cycle << ": " << grants;
  }
}

TEST_F(unit_router_speculation, grants_mask_only_what_they_use) {
  add(normal, 0, 0, 0);
  add(heads, 0, 1, 2);  // the input port sends another flit
  add(heads, 1, 0, 0);  // the output port sends another flit
  add(heads, 3, 0, 3);
  EXPECT_EQ(step(speculation_kind::MaskedByGrants), "0.0>0 3.0>3");
}

TEST_F(unit_router_speculation, masked_grant_moves_the_second_allocator_but_no_vc_pointer) {
  add(normal, 3, 0, 1);
  add(heads, 0, 0, 1);
  add(heads, 1, 0, 1);
  EXPECT_EQ(step(speculation_kind::MaskedByGrants), "3.0>1");
  EXPECT_EQ(pointer(0), 0U);
  EXPECT_EQ(pointer(3), 1U);
  normal = {};
  EXPECT_EQ(step(speculation_kind::MaskedByGrants), "1.0>1") << "the masked grant went to input port 0";
  EXPECT_EQ(pointer(1), 1U);
}

TEST_F(unit_router_speculation, vc_that_holds_an_output_vc_precedes_a_head_of_the_same_port) {
  add(normal, 0, 1, 2);
  add(heads, 0, 0, 2);
  for (const speculation_kind kind : Kinds)
    for (unsigned cycle = 0; cycle < 4; ++cycle) EXPECT_EQ(step(kind), "0.1>2");
}

/// BookSim2's example: output port 1 requested by a VC that holds an output VC is on diagonal 0, and the head on
/// diagonal 2. With the start diagonal 1 the diagonal of the head comes first, but the other request precedes it.
TEST(unit_router_speculation_state, fair_wavefront_continues_past_the_first_grant_that_is_not_speculative) {
  const allocator_parameters fair = {allocator_kind::WavefrontFair};
  const allocator_design first = make_switch_allocator(fair, 3, 2), second = make_second_allocator(fair, first);
  std::vector<std::uint16_t> state(switch_words(first) + second.words);
  reset_switch(first, state);
  state[first.first_word] = 1;
  switch_requests normal, heads;
  add(normal, 2, 0, 1);
  add(heads, 0, 0, 2);
  const switch_matching found = allocate_first(speculation_kind::Prioritized, first, state, normal, heads);
  EXPECT_EQ(found.inputs, 0b101U);
  advance_speculatively(speculation_kind::Prioritized, first, second, state, found, {}, 0);
  EXPECT_EQ(state[first.first_word], 1U) << "past diagonal 0";
}

}  // namespace
}  // namespace weft
