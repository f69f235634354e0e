// SPDX-License-Identifier: Apache-2.0
/// Wait cycles of a flit by cause, step by step.
#include "weft/core/wait_accounts.h"

#include <optional>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(unit_core_wait_accounts, attribute_waits_to_the_switch_or_to_credits) {
  waits_in_router w;
  w.begin({3, 0, 2, 0});  // five cycles late already
  EXPECT_EQ(w.waits(), (router_waits{3, 0, 2, 0}));
  w.grant(8, 2);  // three cycles later: two lost, one without a credit
  EXPECT_EQ(w.waits(), (router_waits{3, 2, 3, 0}));
  w.grant(8, 0);  // the next flit follows at once
  EXPECT_EQ(w.waits(), (router_waits{3, 2, 3, 0}));
  w.grant(9, 0);
  EXPECT_EQ(w.waits(), (router_waits{3, 2, 4, 0}));
}

TEST(unit_core_wait_accounts, next_flit_inherits_earlier_waits_or_starts_its_own) {
  waits_in_router w;
  w.begin({4, 0, 0, 0});
  w.grant(4, 0);
  w.next_flit({0, 0, 6, 0}, 2);  // as late as the flit before it, whose waits count
  w.grant(4, 0);
  EXPECT_EQ(w.waits(), (router_waits{4, 0, 0, 0}));
  w.next_flit({1, 2, 3, 1}, 2);  // it catches up one cycle of NIC wait and one of credit wait
  w.grant(6, 1);
  EXPECT_EQ(w.waits(), (router_waits{1, 3, 2, 0}));
}

TEST(unit_core_wait_accounts, split_body_flit_waits_in_the_nic_by_cause) {
  waits_in_nic nic;
  nic.leave(true, 5, 40);  // the waits of the head are reported elsewhere
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
