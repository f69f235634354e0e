// SPDX-License-Identifier: Apache-2.0
/// The checker finds a violation in every valid schedule in which one thing was changed.
#include "unit/schedule/networks.h"
#include "unit/schedule/sent_straight.h"
#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/check.h"

namespace weft::schedule {
namespace {

/// A network with one port at every node, a collective, and a schedule that sends every message once, in the first step
/// with free channels. So each change makes it invalid.
struct good_schedule {
  step_network network;
  collective requested;
  step_schedule schedule;
  problem question() const { return {network, requested}; }
};

topology any_network() {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return ring(*rc::gen::inRange(3u, 9u));
    case 1:
      return ring(*rc::gen::inRange(3u, 7u), true);
    case 2:
      return mesh({*rc::gen::inRange(2u, 4u), *rc::gen::inRange(2u, 4u)});
    case 3:
      return ft8();
    case 4:
      return hypercube(3);
    default:
      return octagon(8, *rc::gen::inRange(1u, 3u));
  }
}

std::vector<node_id> some_nodes(std::size_t nodes) {
  std::vector<node_id> chosen;
  while (chosen.empty())
    for (node_id n = 0; n < nodes; ++n)
      if (*rc::gen::arbitrary<bool>()) chosen.push_back(n);
  return chosen;
}

good_schedule good_schedule_of(step_network network, collective requested) {
  step_schedule schedule = sent_straight({network, requested});
  return {std::move(network), std::move(requested), std::move(schedule)};
}

/// A valid schedule of at least two steps.
good_schedule any_long_schedule() {
  step_network network(any_network(), OnePort);
  const auto what = *rc::gen::element(operation::Broadcast, operation::Scatter);
  const collective requested = all_to_all(what, network.nodes());
  return good_schedule_of(std::move(network), requested);
}

good_schedule any_good_schedule() {
  step_network network(any_network(), OnePort);
  const auto what = *rc::gen::element(operation::Broadcast, operation::Scatter);
  collective requested{what, some_nodes(network.nodes()), some_nodes(network.nodes())};
  RC_PRE(!demands_of(requested).empty());
  return good_schedule_of(std::move(network), std::move(requested));
}

/// A schedule with one of its steps and one of the transfers of that step, to be changed.
struct mutant {
  explicit mutant(const good_schedule& g, std::size_t first_step = 0) : good(g), schedule(g.schedule) {
    at = *rc::gen::inRange<std::size_t>(first_step, schedule.steps.size());
    which = *rc::gen::inRange<std::size_t>(0, schedule.steps[at].size());
  }
  transfer& victim() { return schedule.steps[at][which]; }
  bool is_caught() const { return !check(good.question(), schedule).empty(); }

  const good_schedule& good;
  step_schedule schedule;
  std::size_t at = 0, which = 0;
};

RC_GTEST_PROP(unit_schedule_mutation, unmutated_schedule_passes_the_check, ()) {
  const good_schedule g = any_good_schedule();
  RC_ASSERT(check(g.question(), g.schedule).empty());
}

RC_GTEST_PROP(unit_schedule_mutation, dropped_transfer_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  m.schedule.steps[m.at].erase(m.schedule.steps[m.at].begin() + static_cast<std::ptrdiff_t>(m.which));
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, dropped_message_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  m.victim().payload.clear();
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, duplicated_transfer_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  const transfer again = m.victim();
  m.schedule.steps[m.at].push_back(again);
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, merged_steps_are_caught, ()) {
  const good_schedule g = any_long_schedule();
  mutant m(g, 1);
  step& before = m.schedule.steps[m.at - 1];
  before.insert(before.end(), m.schedule.steps[m.at].begin(), m.schedule.steps[m.at].end());
  m.schedule.steps.erase(m.schedule.steps.begin() + static_cast<std::ptrdiff_t>(m.at));
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, transfer_moved_to_an_earlier_step_is_caught, ()) {
  const good_schedule g = any_long_schedule();
  mutant m(g, 1);
  m.schedule.steps[m.at - 1].push_back(m.victim());
  m.schedule.steps[m.at].erase(m.schedule.steps[m.at].begin() + static_cast<std::ptrdiff_t>(m.which));
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, path_of_another_node_pair_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  const auto nodes = static_cast<node_id>(g.network.nodes());
  node_id from = *rc::gen::inRange<node_id>(0, nodes), to = (from + *rc::gen::inRange<node_id>(1, nodes)) % nodes;
  if (from == m.victim().from && to == m.victim().to) std::swap(from, to);
  m.victim().path = find_paths(g.network, from, to, 0, 1).front();
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, path_with_a_gap_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  channel_path& path = m.victim().path;
  path.erase(path.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(path.size())));
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, changed_channel_in_a_path_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  channel_id& one = *(m.victim().path.begin() +
                      *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(m.victim().path.size())));
  const auto other = *rc::gen::inRange<channel_id>(0, static_cast<channel_id>(g.network.channels().size() + 3));
  RC_PRE(other != one);
  one = other;
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, changed_origin_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  const auto origin = *rc::gen::inRange<node_id>(0, static_cast<node_id>(g.network.nodes()));
  message& what = m.victim().payload.front();
  RC_PRE(origin != what.origin);
  what.origin = origin;
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, changed_destination_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  const auto destination = *rc::gen::inRange<node_id>(0, static_cast<node_id>(g.network.nodes()));
  message& what = m.victim().payload.front();
  RC_PRE(destination != what.destination);
  what.destination = destination;
  RC_ASSERT(m.is_caught());
}

RC_GTEST_PROP(unit_schedule_mutation, changed_receiver_is_caught, ()) {
  const good_schedule g = any_good_schedule();
  mutant m(g);
  const auto to = *rc::gen::inRange<node_id>(0, static_cast<node_id>(g.network.nodes()));
  RC_PRE(to != m.victim().to);
  m.victim().to = to;
  RC_ASSERT(m.is_caught());
}

/// Each node passes the message on to the next.
TEST(unit_schedule_mutation, reordered_steps_are_caught) {
  const step_network network(ring(6));
  const problem p{network, one_to_all(operation::Broadcast, 0, 6)};
  step_schedule chain;
  for (node_id n = 0; n < 5; ++n)
    chain.steps.push_back({{n, n + 1, {{0, message::Everyone}}, find_paths(network, n, n + 1, 0, 1).front()}});
  EXPECT_TRUE(check(p, chain).empty());
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = a + 1; b < 5; ++b) {
      step_schedule swapped = chain;
      std::swap(swapped.steps[a], swapped.steps[b]);
      EXPECT_FALSE(check(p, swapped).empty()) << a << " " << b;
    }
}

}  // namespace
}  // namespace weft::schedule
