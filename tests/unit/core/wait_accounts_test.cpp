// SPDX-License-Identifier: Apache-2.0
/// What is counted when a flit waits, step by step.
#include "weft/core/wait_accounts.h"

#include <optional>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(unit_core_wait_accounts, a_flit_waits_for_the_switch_and_else_for_credits) {
  waits_in_router w;
  w.begin({3, 0, 2, 0});  // five late already
  EXPECT_EQ(w.waits(), (router_waits{3, 0, 2, 0}));
  w.grant(8, 2);  // asked three times, lost two: no credit once
  EXPECT_EQ(w.waits(), (router_waits{3, 2, 3, 0}));
  w.grant(8, 0);  // the next flit follows at once
  EXPECT_EQ(w.waits(), (router_waits{3, 2, 3, 0}));
  w.grant(9, 0);
  EXPECT_EQ(w.waits(), (router_waits{3, 2, 4, 0}));
}

TEST(unit_core_wait_accounts, a_flit_is_as_late_as_the_one_before_or_as_it_was) {
  waits_in_router w;
  w.begin({4, 0, 0, 0});
  w.grant(4, 0);
  w.follow({0, 0, 6, 0}, 2);  // as late as the one before it: that one counts
  w.grant(4, 0);
  EXPECT_EQ(w.waits(), (router_waits{4, 0, 0, 0}));
  w.follow({1, 2, 3, 1}, 2);  // it catches up what it waited for its NIC, and a credit
  w.grant(6, 1);
  EXPECT_EQ(w.waits(), (router_waits{1, 3, 2, 0}));
}

TEST(unit_core_wait_accounts, flits_behind_the_head_wait_in_the_nic_for_credits_and_for_its_stages) {
  waits_in_nic nic;
  nic.leave(true, 5, 40);  // what the head waited is told elsewhere
  EXPECT_EQ(nic.waits().sum(), 0u);
  nic.leave(false, 9, 2);
  EXPECT_EQ(nic.waits(), (router_waits{0, 0, 2, 1}));
  nic.leave(false, 12, std::nullopt);
  EXPECT_EQ(nic.waits(), (router_waits{0, 0, 4, 1}));
  nic.leave(true, 13, std::nullopt);
  EXPECT_EQ(nic.waits(), router_waits());
}

}  // namespace
}  // namespace weft
