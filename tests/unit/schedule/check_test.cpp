// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/check.h"

#include "unit/schedule/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::schedule {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// One-to-all on a ring of four nodes, in two steps: n0 to n1, then n0 to n3 and n1 to n2.
class unit_schedule_check : public testing::Test {
 protected:
  transfer from_to(node_id from, node_id to, message what = {0}) const {
    return {from, to, {what}, find_paths(m_network, from, to, 0, 1).front()};
  }
  std::vector<violation> violations() const { return check(m_problem, m_schedule); }
  void expect_first(violation::kind what, std::size_t step, const char* text) const {
    const std::vector<violation> all = violations();
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.front().what, what);
    EXPECT_EQ(all.front().step, step);
    EXPECT_THAT(all.front().text, HasSubstr(text));
  }

  step_network m_network{ring(4)};
  problem m_problem{m_network, one_to_all(operation::Broadcast, 0, 4)};
  step_schedule m_schedule{{{from_to(0, 1)}, {from_to(0, 3), from_to(1, 2)}}};
};

TEST_F(unit_schedule_check, accepts_a_valid_schedule) {
  EXPECT_THAT(violations(), IsEmpty());
  EXPECT_EQ(m_schedule.start_ups(), 2U);
  EXPECT_EQ(m_schedule.occupancy(), 2U);
}

TEST_F(unit_schedule_check, reports_missing_messages_with_their_receiver) {
  m_schedule.steps[1].pop_back();
  expect_first(violation::kind::Missing, 2, "after the last step, n2 lacks the message of n0");
}

TEST_F(unit_schedule_check, reports_messages_sent_before_they_are_held) {
  std::swap(m_schedule.steps[0], m_schedule.steps[1]);
  expect_first(violation::kind::NotHeld, 0, "step 1, transfer 2: n1 sends the message of n0, which it does not hold");
}

TEST_F(unit_schedule_check, rejects_forwarding_in_the_step_of_arrival) {
  m_schedule.steps = {{from_to(0, 1), from_to(1, 2)}, {from_to(0, 3)}};
  expect_first(violation::kind::NotHeld, 0, "transfer 2");
}

TEST_F(unit_schedule_check, reports_conflicting_transfers_with_their_channel) {
  m_schedule.steps = {{from_to(0, 1)}, {from_to(0, 3), from_to(0, 2)}};
  expect_first(violation::kind::Conflict, 1,
               "(n0 -> r0) serves 1 transfer per step, but 2 transfers use it: 1 (n0 to n3), 2 (n0 to n2)");
  EXPECT_EQ(violations().front().transfers, (std::vector<std::size_t>{0, 1}));
}

TEST_F(unit_schedule_check, reports_invalid_paths) {
  transfer& t = m_schedule.steps[0][0];
  const transfer good = t;
  t.path.pop_back();
  expect_first(violation::kind::Path, 0, "the path ends at r1 instead of n1");
  t.path.erase(t.path.begin());
  expect_first(violation::kind::Path, 0, "the path has reached n0, but its next channel is r0 -> r1");
  t.path = {99};
  expect_first(violation::kind::Path, 0, "the network has no channel 99");
  t = good;
  t.to = 9;
  expect_first(violation::kind::Path, 0, "the network has no node n9");
  t = good;
  t.path = find_paths(m_network, 0, 1, 2, 9).back();
  expect_first(violation::kind::Path, 0, "has 5 channels, but a shortest path has 3");
  m_problem.paths = path_rule::Any;
  EXPECT_THAT(violations(), IsEmpty());
}

TEST_F(unit_schedule_check, rejects_paths_through_nodes_or_in_circles) {
  m_problem.paths = path_rule::Any;
  transfer& t = m_schedule.steps[1][1];
  const transfer onwards = from_to(2, 1), back = from_to(1, 2);
  t.path.insert(t.path.end(), onwards.path.begin(), onwards.path.end());
  t.path.insert(t.path.end(), back.path.begin(), back.path.end());
  expect_first(violation::kind::Path, 1, "twice");
  t.path = from_to(1, 0).path;
  t.path.insert(t.path.end(), m_schedule.steps[1][0].path.begin(), m_schedule.steps[1][0].path.end());
  expect_first(violation::kind::Path, 1, "the path leads through the node n0");
}

TEST_F(unit_schedule_check, reports_invalid_payloads) {
  m_schedule.steps[1][0].payload.clear();
  expect_first(violation::kind::Payload, 1, "the transfer carries no message");
  m_schedule.steps[1][0].payload = {{0}, {0}};
  expect_first(violation::kind::Payload, 1, "2 messages, but messages are not combined");
  m_problem.combining = true;
  expect_first(violation::kind::Payload, 1, "twice");
  m_schedule.steps[1][0].payload = {{2}};
  expect_first(violation::kind::Payload, 1,
               "the transfer carries the message of n2, which the collective does not require");
}

TEST(unit_schedule_check_scatter, tracks_the_destination_of_each_message) {
  const step_network network(ring(3));
  const problem p{network, one_to_all(operation::Scatter, 0, 3)};
  const auto from_to = [&](node_id from, node_id to, message what) {
    return transfer{from, to, {what}, find_paths(network, from, to, 0, 1).front()};
  };
  step_schedule s{{{from_to(0, 1, {0, 2})}, {from_to(0, 1, {0, 1}), from_to(1, 2, {0, 2})}}};
  EXPECT_THAT(check(p, s), IsEmpty());
  s.steps[1].pop_back();
  ASSERT_EQ(check(p, s).size(), 1U);
  EXPECT_THAT(check(p, s).front().text, HasSubstr("n2 lacks the message of n0 for n2"));
}

TEST(unit_schedule_collective, is_validated_and_prints_a_short_name) {
  const step_network network(ring(3));
  const auto rejects = [&](collective requested) { EXPECT_THROW(checked(requested, network), std::invalid_argument); };
  rejects({operation::Broadcast, {}, {1}});
  rejects({operation::Broadcast, {0}, {}});
  rejects({operation::Broadcast, {0, 0}, {1}});
  rejects({operation::Broadcast, {3}, {1}});
  rejects({operation::Broadcast, {1}, {1}});
  EXPECT_EQ(checked({operation::Broadcast, {2, 0}, {1}}, network).senders, (std::vector<node_id>{0, 2}));
  EXPECT_EQ(name_of(all_to_all(operation::Scatter, 3), 3), "AAS");
  EXPECT_EQ(name_of(one_to_all(operation::Broadcast, 2, 3), 3), "OAB");
  EXPECT_EQ(name_of({operation::Broadcast, {0, 1}, {2}}, 3), "MNB");
}

}  // namespace
}  // namespace weft::schedule
