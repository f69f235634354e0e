// SPDX-License-Identifier: Apache-2.0
/// The output port that a head selects among several, by each rule.
#include "weft/router/output_selection.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

/// A head that may use the ports 0, 2 and 3 of a router with 2 VCs of 4 flits.
class unit_router_output_selection : public testing::Test {
 protected:
  static constexpr unsigned Depth = 4, Capacity = 8;

  unit_router_output_selection() {
    for (const unsigned port : {0U, 2U, 3U}) {
      m_offers.choice_vcs[port] = 0b11;
      m_offers.credits[port] = Capacity;
    }
    m_offers.sure = 0;
  }

  /// The port that the head selects, or -1 if it requests nothing.
  int selected(selection_rule rule, std::uint32_t congestion = 50, unsigned contender = 0) const {
    output_choice choice;
    choice.exists = true;
    choice.selection = rule;
    choice.congestion = congestion;
    const route requested(0, 0, 0b1101, 0b11);
    const route best = select_output(choice, requested, 5, contender, Depth, Capacity, m_offers);
    return best.vcs == 0 ? -1 : best.port;
  }

  route_offers m_offers;
};

TEST_F(unit_router_output_selection, most_credits_wins_and_equal_ports_take_turns) {
  m_offers.credits[0] = 3;
  m_offers.credits[2] = 2;
  EXPECT_EQ(selected(selection_rule::MostCredits), 3);
  m_offers.credits[3] = 2;
  int wins[4] = {};
  for (unsigned contender = 0; contender < 3; ++contender) ++wins[selected(selection_rule::MostCredits, 50, contender)];
  EXPECT_EQ(wins[0], 1);
  EXPECT_EQ(wins[2], 1);
  EXPECT_EQ(wins[3], 1);
}

TEST_F(unit_router_output_selection, first_takes_the_lowest_port_with_a_free_vc) {
  m_offers.credits[0] = 1;
  for (unsigned contender = 0; contender < 3; ++contender) EXPECT_EQ(selected(selection_rule::First, 50, contender), 0);
  m_offers.choice_vcs[0] = 0;
  EXPECT_EQ(selected(selection_rule::First), 2);
  m_offers.choice_vcs[2] = m_offers.choice_vcs[3] = 0;
  EXPECT_EQ(selected(selection_rule::First), -1);
}

TEST_F(unit_router_output_selection, when_congested_waits_for_the_first_port_until_buffers_fill) {
  m_offers.credits[0] = 4;  // half of the flits are occupied, not more
  EXPECT_EQ(selected(selection_rule::WhenCongested), 0);
  m_offers.choice_vcs[0] = 0;
  EXPECT_EQ(selected(selection_rule::WhenCongested), -1);
  m_offers.credits[0] = 3;
  EXPECT_NE(selected(selection_rule::WhenCongested), -1);
  m_offers.choice_vcs[0] = 0b11;
  EXPECT_NE(selected(selection_rule::WhenCongested), 0);
  EXPECT_EQ(selected(selection_rule::WhenCongested, 100), 0);
  m_offers.credits[0] = Capacity;
  m_offers.credits[3] = 0;  // another port of the route is congested
  EXPECT_EQ(selected(selection_rule::WhenCongested, 50, 2), 0);
  m_offers.choice_vcs[0] = 0;
  EXPECT_EQ(selected(selection_rule::WhenCongested), 2);
}

TEST_F(unit_router_output_selection, congestion_of_0_percent_adapts_as_soon_as_a_flit_waits) {
  m_offers.choice_vcs[0] = 0;
  EXPECT_EQ(selected(selection_rule::WhenCongested, 0), -1);
  m_offers.credits[2] = Capacity - 1;
  EXPECT_EQ(selected(selection_rule::WhenCongested, 0), 3);
}

}  // namespace
}  // namespace weft
