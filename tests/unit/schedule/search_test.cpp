// SPDX-License-Identifier: Apache-2.0
#include "unit/schedule/networks.h"
#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/search/annealing.h"
#include "weft/collectives/schedule/search/estimation.h"
#include "weft/collectives/schedule/search/hgsa.h"
#include "weft/collectives/schedule/search/tabu.h"
#include "weft/collectives/schedule/search/timetable.h"
#include "weft/topology/generators/random_graph.h"

namespace weft::schedule {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A control that stops after so many polls, so that results do not depend on the machine.
search_control after_polls(int polls, std::size_t enough = 0, std::size_t less_than = 0) {
  search_control control;
  control.stop = [left = std::make_shared<std::atomic<int>>(polls)] { return --*left < 0; };
  control.enough = enough;
  control.less_than = less_than;
  return control;
}

std::size_t steps_of(const method& m, const problem& p, std::size_t enough) {
  const search_result result = m.run(p, after_polls(4000, enough, enough + 1));
  if (!result.found) return 0;
  EXPECT_THAT(check(p, *result.found), IsEmpty()) << m.name;
  return result.found->start_ups();
}

std::vector<std::vector<channel_path>> paths_of(const step_schedule& s) {
  std::vector<std::vector<channel_path>> all;
  for (const step& one : s.steps) {
    all.emplace_back();
    for (const transfer& t : one) all.back().push_back(t.path);
  }
  return all;
}

topology drawn_graph() {
  random_graph_parameters parameters;
  parameters.routers = *rc::gen::inRange(4U, 7U);
  parameters.degree = *rc::gen::element(2U, parameters.routers % 2 == 0 ? 3U : 4U);
  parameters.seed = *rc::gen::inRange(1U, 1000U);
  return make_random_graph(parameters);
}

collective drawn_collective(std::size_t nodes) {
  const operation what = *rc::gen::element(operation::Broadcast, operation::Scatter);
  collective requested = all_to_all(what, nodes);
  requested.senders.resize(*rc::gen::inRange<std::size_t>(1, nodes + 1));
  if (*rc::gen::arbitrary<bool>()) requested.receivers.erase(requested.receivers.begin());
  return requested;
}

/// The number of conflicts, counted directly from the definition.
std::size_t recount(const choices& all, const std::vector<position>& where) {
  std::map<std::pair<channel_id, std::uint32_t>, std::size_t> load;
  std::size_t conflicts = 0;
  for (item_id i = 0; i < all.items(); ++i) {
    const way& w = all.ways(i)[where[i].way];
    for (const channel_id c : all.path(w)) {
      conflicts += ++load[{c, where[i].step}] > all.network().channels()[c].capacity;
    }
    if (w.before != NoItem) conflicts += where[w.before].step >= where[i].step;
  }
  return conflicts;
}

RC_GTEST_PROP(unit_schedule_search, timetable_counts_the_conflicts_of_transfers, ()) {
  const topology t = drawn_graph();
  const step_network network(t, *rc::gen::element(OnePort, AllPorts));
  const problem p{network, drawn_collective(network.nodes()), *rc::gen::element(path_rule::Minimal, path_rule::Any)};
  const choices all(p, {});
  const auto steps = *rc::gen::inRange(1U, 5U);
  random_stream random(*rc::gen::arbitrary<std::uint64_t>(), 0, stream_purpose::Schedule);
  const auto drawn = [&](item_id i) {
    return position{random.below(static_cast<std::uint32_t>(all.ways(i).size())), random.below(steps)};
  };
  timetable table(all, steps);
  for (item_id i = 0; i < all.items(); ++i) table.place(i, drawn(i));
  for (int n = 0; n < 30; ++n) {
    const std::size_t before = table.conflicts();
    RC_ASSERT(before == recount(all, table.positions()));
    const item_id i =
        before > 0 ? table.item_in_conflict(random) : random.below(static_cast<std::uint32_t>(all.items()));
    table.remove(i);
    RC_ASSERT(table.conflicts() <= before);
    const position to = drawn(i);
    const std::size_t without = table.conflicts(), price = table.price(i, to);
    RC_ASSERT(price == table.price(i, to.way)[to.step]);
    table.place(i, to);
    RC_ASSERT(table.conflicts() == without + price);
  }
}

RC_GTEST_PROP(unit_schedule_search, results_pass_the_check, ()) {
  const topology t = drawn_graph();
  const step_network network(t, *rc::gen::element(OnePort, AllPorts));
  const problem p{network, drawn_collective(network.nodes()), *rc::gen::element(path_rule::Minimal, path_rule::Any)};
  const std::size_t less_than = *rc::gen::inRange<std::size_t>(2, 40);
  for (const method* m : {&tabu(), &annealing(), &hgsa(), &estimation()}) {
    const search_result result = m->run(p, after_polls(24, 1, less_than));
    if (!result.found) continue;
    RC_ASSERT(check(p, *result.found).empty());
    RC_ASSERT(result.found->start_ups() < less_than);
  }
}

TEST(unit_schedule_search, tabu_search_meets_the_bounds_of_exchanges) {
  const auto steps = [](const topology& t, port_rule ports, operation what, std::size_t enough) {
    const step_network network(t, ports);
    return steps_of(tabu(), {network, all_to_all(what, network.nodes())}, enough);
  };
  EXPECT_EQ(steps(ring(4), OnePort, operation::Scatter, 3), 3U);
  EXPECT_EQ(steps(ring(4, true), OnePort, operation::Scatter, 6), 6U);
  EXPECT_EQ(steps(ring(8), OnePort, operation::Scatter, 8), 8U);
  EXPECT_EQ(steps(ft8(), OnePort, operation::Scatter, 7), 7U);
  EXPECT_EQ(steps(gft9(), {}, operation::Scatter, 3), 3U);
  EXPECT_EQ(steps(gft16(), {}, operation::Scatter, 12), 12U);
  EXPECT_EQ(steps(xgft12(), {}, operation::Scatter, 14), 14U);
  EXPECT_EQ(steps(h_rings({4, 4}), OnePort, operation::Scatter, 32), 32U);
  EXPECT_EQ(steps(mesh({2, 4}), AllPorts, operation::Scatter, 8), 8U);
  EXPECT_EQ(steps(mesh({3, 4}), AllPorts, operation::Scatter, 12), 12U);
  EXPECT_EQ(steps(mesh({4, 4}), AllPorts, operation::Scatter, 16), 16U);
  EXPECT_EQ(steps(gft16(), {}, operation::Broadcast, 8), 8U);
  EXPECT_EQ(steps(mesh({3, 3}), AllPorts, operation::Broadcast, 4), 4U);
  EXPECT_EQ(steps(h_rings({4, 4}), OnePort, operation::Broadcast, 15), 15U);
}

/// OCTAGON, table 2, with one or two senders on routers 0 to 4: steps of MNB and MNS.
TEST(unit_schedule_search, tabu_search_meets_the_bounds_of_the_fat_octagon) {
  const step_network network(octagon(8, 2), OnePort);
  const std::vector<node_id> some{0, 2, 3, 4, 5, 6, 7, 8}, others{1, 9, 10, 11, 12, 13, 14, 15};
  const auto steps = [&](operation what, const std::vector<node_id>& to, path_rule paths, std::size_t enough) {
    return steps_of(tabu(), {network, checked({what, some, to}, network), paths}, enough);
  };
  EXPECT_EQ(steps(operation::Broadcast, some, path_rule::Minimal, 7), 7U);
  EXPECT_EQ(steps(operation::Broadcast, others, path_rule::Minimal, 9), 9U);
  EXPECT_EQ(steps(operation::Scatter, some, path_rule::Minimal, 10), 10U);
  EXPECT_EQ(steps(operation::Scatter, some, path_rule::Any, 7), 7U);
  EXPECT_EQ(steps(operation::Scatter, others, path_rule::Minimal, 10), 10U);
}

TEST(unit_schedule_search, every_method_solves_a_ring) {
  const step_network network(ring(4), OnePort);
  for (const method* m : {&tabu(), &annealing(), &hgsa(), &estimation()}) {
    EXPECT_EQ(steps_of(*m, {network, all_to_all(operation::Scatter, 4)}, 3), 3U) << m->name;
    EXPECT_EQ(steps_of(*m, {network, all_to_all(operation::Broadcast, 4)}, 3), 3U) << m->name;
    EXPECT_EQ(steps_of(*m, {network, one_to_all(operation::Broadcast, 0, 4)}, 2), 2U) << m->name;
  }
}

TEST(unit_schedule_search, improves_list_scheduling_to_the_bound) {
  const step_network network(mesh({2, 4}), AllPorts);
  const problem p{network, all_to_all(operation::Scatter, 8)};
  for (const method* m : {&tabu(), &annealing()}) {
    const search_result result = m->run(p, after_polls(4000, 8));
    ASSERT_TRUE(result.found) << m->name;
    EXPECT_EQ(result.found->start_ups(), 8U) << m->name;
  }
}

TEST(unit_schedule_search, result_does_not_depend_on_thread_count) {
  const step_network network(mesh({3, 3}), OnePort);
  const problem p{network, all_to_all(operation::Scatter, 9)};
  for (const method* m : {&tabu(), &annealing(), &hgsa()}) {
    search_control control;
    control.enough = 11;
    control.less_than = 12;
    control.seed = 7;
    std::vector<step_schedule> found;
    for (const unsigned jobs : {1U, 4U}) {
      control.jobs = jobs;
      search_result result = m->run(p, control);
      ASSERT_TRUE(result.found) << m->name;
      found.push_back(*result.found);
    }
    EXPECT_EQ(paths_of(found[0]), paths_of(found[1])) << m->name;
    control.seed = 8;
    EXPECT_NE(paths_of(found[0]), paths_of(*m->run(p, control).found)) << m->name;
  }
}

TEST(unit_schedule_search, reports_progress) {
  const step_network network(ring(8), OnePort);
  const problem p{network, all_to_all(operation::Scatter, 8)};
  search_control control = after_polls(4000, 8, 9);
  std::vector<std::string> lines;
  control.on_progress = [&](const std::string& line) { lines.push_back(line); };
  ASSERT_TRUE(tabu().run(p, control).found);
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.back(), HasSubstr("tabu: 8 steps, 0 conflicts left after"));
}

TEST(unit_schedule_search, reports_unsupported_problems) {
  const step_network network(ring(4), OnePort);
  EXPECT_THAT(tabu().unfit({network, all_to_all(operation::Scatter, 4), path_rule::Minimal, true}),
              HasSubstr("does not combine"));
  const step_network large(mesh({12, 12}), OnePort);
  EXPECT_THAT(tabu().unfit({large, all_to_all(operation::Scatter, 144)}), HasSubstr("too many"));
}

TEST(unit_schedule_search, accepts_exchanges_among_128_nodes) {
  const step_network network(hypercube(7), OnePort);
  const collective requested = checked(all_to_all(operation::Scatter, 128), network);
  for (const method* m : {&tabu(), &annealing(), &hgsa(), &estimation()})
    EXPECT_EQ(m->unfit({network, requested, path_rule::Minimal}), "") << m->name;
}

}  // namespace
}  // namespace weft::schedule
