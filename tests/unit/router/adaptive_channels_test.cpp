// SPDX-License-Identifier: Apache-2.0
/// The use of adaptive channels: comparison of ports by credits, the VCs of a port, and heads from nodes.
#include <array>

#include <gtest/gtest.h>

#include "weft/core/members.h"
#include "weft/router/output_selection.h"

namespace weft {
namespace {

/// A route with an escape channel, VC 0 of port 1, and VCs 1 to 3 of ports 0 and 2.
route adaptive_route() {
  route r;
  r.port = 1;
  r.vcs = 0b0001;
  r.choices = 0b0101;
  r.choice_vcs = 0b1110;
  return r;
}

/// All VCs of all choices are available, and ports 0 and 2 have these credits.
route_offers offers_of(std::uint32_t of_port_0, std::uint32_t of_port_2) {
  route_offers offers;
  offers.sure = 0b0001;
  offers.choice_vcs[0] = offers.choice_vcs[2] = 0b1110;
  offers.credits[0] = of_port_0;
  offers.credits[2] = of_port_2;
  return offers;
}

/// The output that adaptive_route() selects in a router of 5 ports.
route selected(unsigned contender, unsigned depth, const route_offers& offers) {
  output_choice choice;
  choice.exists = true;
  return select_output(choice, adaptive_route(), 5, contender, depth, 4 * depth, offers);
}

TEST(unit_router_adaptive_channels, the_port_with_more_credits_wins_at_any_depth) {
  for (const unsigned depth : {4U, 8U, 32U}) {
    EXPECT_EQ(selected(0, depth, offers_of(8, 4)).port, 0) << depth;
    EXPECT_EQ(selected(0, depth, offers_of(4, 8)).port, 2) << depth;
  }
}

TEST(unit_router_adaptive_channels, credits_count_in_units_of_a_buffer_or_of_4_flits) {
  EXPECT_EQ(credit_unit(1), 1U);
  EXPECT_EQ(credit_unit(3), 3U);
  EXPECT_EQ(credit_unit(4), 4U);
  EXPECT_EQ(credit_unit(32), 4U);
  // Within a unit, heads at different inputs select different ports.
  port_set ports = 0;
  for (unsigned contender = 0; contender < 2; ++contender)
    ports |= port_set{1} << selected(contender, 8, offers_of(11, 8)).port;
  EXPECT_EQ(ports, 0b101U);
}

TEST(unit_router_adaptive_channels, without_an_available_choice_the_sure_offer_is_selected) {
  route_offers offers = offers_of(8, 8);
  offers.choice_vcs[0] = offers.choice_vcs[2] = 0;
  const route best = selected(0, 8, offers);
  EXPECT_EQ(best.port, 1);
  EXPECT_EQ(best.vcs, 0b0001U);
}

TEST(unit_router_adaptive_channels, nodes_leave_an_adaptive_channel_of_each_port_to_the_network) {
  route_offers offers = offers_of(8, 8);
  offers.choice_vcs[0] = 0b0100;
  offers.choice_vcs[2] = 0b0110;
  leave_channel_to_network(adaptive_route(), 5, offers);
  EXPECT_EQ(offers.choice_vcs[0], 0U) << "the last one";
  EXPECT_EQ(offers.choice_vcs[2], 0b0110U) << "one of the two";
  EXPECT_EQ(offers.sure, 0b0001U);
}

TEST(unit_router_adaptive_channels, routes_without_escape_channel_or_with_one_adaptive_channel_have_no_such_rule) {
  route turn_model = adaptive_route();
  turn_model.vcs = 0;
  route single = adaptive_route();
  single.choice_vcs = 0b0010;
  for (const route& r : {turn_model, single}) {
    route_offers offers = offers_of(8, 8);
    offers.choice_vcs[0] = offers.choice_vcs[2] = 0b0010;
    leave_channel_to_network(r, 5, offers);
    EXPECT_EQ(offers.choice_vcs[0], 0b0010U);
    EXPECT_EQ(offers.choice_vcs[2], 0b0010U);
  }
}

TEST(unit_router_adaptive_channels, packets_spread_over_the_emptiest_vcs) {
  const std::array<std::uint16_t, 4> credits{9, 3, 7, 7};
  EXPECT_EQ(emptiest_vcs(0b1110, credits, 4), 0b1100U);
  EXPECT_EQ(emptiest_vcs(0b0110, credits, 4), 0b0100U);
  EXPECT_EQ(emptiest_vcs(0b1111, credits, 4), 0b0001U);
  EXPECT_EQ(emptiest_vcs(0b0010, credits, 4), 0b0010U);
  EXPECT_EQ(emptiest_vcs(0, credits, 4), 0U);
}

}  // namespace
}  // namespace weft
