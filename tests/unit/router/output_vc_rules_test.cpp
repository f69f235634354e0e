// SPDX-License-Identifier: Apache-2.0
/// The rules for the output VCs that a head may request.
#include "weft/router/output_vc_rules.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr unsigned Depth = 8;

template <typename Change>
output_vc_rules rules_with(Change change) {
  router_parameters p;
  change(p);
  return output_vc_rules_of(p);
}

TEST(unit_router_output_vc_rules, wormhole_needs_no_credits) {
  const output_vc_rules rules = rules_with([](auto&) {});
  EXPECT_FALSE(rules.count_credits());
  EXPECT_EQ(needed_credits(rules, false, 5, Depth), 0U);
}

TEST(unit_router_output_vc_rules, whole_packets_need_their_length_or_an_empty_buffer) {
  const output_vc_rules rules = rules_with([](auto&) {});
  EXPECT_EQ(needed_credits(rules, true, 5, Depth), 5U);
  EXPECT_EQ(needed_credits(rules, true, 20, Depth), Depth);
}

TEST(unit_router_output_vc_rules, cut_through_needs_the_length_of_the_packet) {
  const output_vc_rules rules = rules_with([](auto& p) { p.flow = flow_control::VirtualCutThrough; });
  EXPECT_TRUE(rules.count_credits());
  EXPECT_EQ(needed_credits(rules, false, 5, Depth), 5U);
}

TEST(unit_router_output_vc_rules, busy_when_full_needs_room_whatever_the_number_of_credits) {
  const output_vc_rules rules = rules_with([](auto& p) { p.busy_when_full = true; });
  EXPECT_FALSE(rules.count_credits());
  EXPECT_EQ(needed_credits(rules, false, 5, Depth), 0U);
}

TEST(unit_router_output_vc_rules, whole_packets_need_an_empty_vc_in_a_shared_buffer) {
  const output_vc_rules rules = rules_with([](auto& p) { p.buffer.policy = buffer_policy::Shared; });
  EXPECT_EQ(needed_credits(rules, true, 5, Depth), Depth);
  EXPECT_EQ(needed_credits(rules, false, 5, Depth), 0U);
}

TEST(unit_router_output_vc_rules, tail_credit_needs_an_empty_buffer) {
  const output_vc_rules rules = rules_with([](auto& p) { p.reallocation = vc_reallocation::AfterTailCredit; });
  EXPECT_TRUE(rules.count_credits());
  EXPECT_EQ(needed_credits(rules, false, 5, Depth), Depth);
  EXPECT_EQ(needed_credits(rules, false, 5, 0), 0U) << "a node without credits";
}

TEST(unit_router_output_vc_rules, strictest_rule_counts) {
  const output_vc_rules rules = rules_with([](auto& p) {
    p.flow = flow_control::VirtualCutThrough;
    p.reallocation = vc_reallocation::AfterTailCredit;
  });
  EXPECT_EQ(needed_credits(rules, false, 5, Depth), Depth);
}

TEST(unit_router_output_vc_rules, preference_for_empty_buffers_needs_no_credit_but_counts_them) {
  const output_vc_rules rules = rules_with([](auto& p) { p.prefer_empty = true; });
  EXPECT_TRUE(rules.count_credits());
  EXPECT_EQ(needed_credits(rules, false, 5, Depth), 0U);
}

}  // namespace
}  // namespace weft
