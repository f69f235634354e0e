// SPDX-License-Identifier: Apache-2.0
// Bounds under shared limits of links, and of sums: counted by hand, and never above the result of exhaustive search.
#include "weft/collectives/schedule/forwarding/send_bound.h"

#include "forwarding_networks.h"
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/forwarding/link_file.h"
#include "weft/collectives/schedule/forwarding/portfolio.h"
#include "weft/collectives/schedule/forwarding/round_capacity.h"
#include "weft/collectives/schedule/forwarding/solve.h"

namespace weft::schedule {
namespace {

/// Node 0 and its \p points; one limit covers all its outgoing links, another one all incoming links.
link_graph blocking_star(node_id points) {
  link_graph graph{"star", points + 1U, {}, {{"to points", {0}, {}, 1}, {"from points", {}, {0}, 1}}};
  for (node_id n = 1; n <= points; ++n) {
    graph.links.push_back({0, n, 1});
    graph.links.push_back({n, 0, 1});
    graph.shared[0].to.push_back(n);
    graph.shared[1].from.push_back(n);
  }
  return checked(std::move(graph));
}

link_graph complete(node_id nodes) {
  link_graph graph{"complete", nodes, {}, {}};
  for (node_id a = 0; a < nodes; ++a) {
    for (node_id b = 0; b < nodes; ++b) {
      if (a != b) graph.links.push_back({a, b, 1});
    }
  }
  return graph;
}

TEST(unit_schedule_send_bound, counts_all_receptions_through_a_shared_limit) {
  const forwarding_problem p = make_forwarding(blocking_star(5), collective_kind::Allgather);
  EXPECT_EQ(send_bound(p).rounds, 25U);  // each of five points receives five chunks, one per round
  EXPECT_EQ(send_bound(p).reason, "25 sends at least, under limit to points of bandwidth 1");
  const forwarding_result result = solve_forwarding(p);
  EXPECT_EQ(result.found.rounds(), 25U);
  EXPECT_TRUE(result.optimal());
}

TEST(unit_schedule_send_bound, combines_all_shared_limits_of_a_node) {
  // Node 0 receives from 1 and 2 through one switch, from 3 and 4 through another: two chunks per round, not four.
  link_graph graph = complete(5);
  graph.shared = {{"a", {1, 2}, {0}, 1}, {"b", {3, 4}, {0}, 1}};
  EXPECT_EQ(round_bounds(make_forwarding(graph, collective_kind::Gather, 15)).front().rounds, 30U);  // 60 chunks
  // Each two of its three links share a limit of one chunk: 3/2 chunks per round.
  graph = complete(4);
  graph.shared = {{"a", {1, 2}, {0}, 1}, {"b", {2, 3}, {0}, 1}, {"c", {1, 3}, {0}, 1}};
  const round_capacity capacity = capacity_of(limits_of(graph), links_in(graph)[0]);
  EXPECT_EQ(capacity.rounds_for(3), 2U);
  EXPECT_EQ(capacity.rounds_for(30), 20U);
  EXPECT_EQ(round_bounds(make_forwarding(graph, collective_kind::Gather, 10)).front().rounds, 20U);
}

TEST(unit_schedule_send_bound, considers_cuts_between_node_sets_under_one_limit) {
  // Two switches of three nodes each, joined by a bus of one chunk per round and direction: 3 chunks cross it.
  link_graph graph = complete(6);
  graph.shared = {{"right", {0, 1, 2}, {3, 4, 5}, 1}, {"left", {3, 4, 5}, {0, 1, 2}, 1}};
  EXPECT_EQ(send_bound(make_forwarding(graph, collective_kind::Allgather, 7)).rounds, 21U);
}

TEST(unit_schedule_send_bound, allreduce_over_n_nodes_takes_2n_minus_2_sends_per_sum) {
  const auto bound = [](const link_graph& graph, unsigned chunks) {
    return least_rounds(make_forwarding(graph, collective_kind::Allreduce, chunks)).rounds;
  };
  for (const node_id n : {3U, 5U, 8U}) {
    EXPECT_EQ(bound(with_ports(links_of(ring(n)), 1), 1), 2 * n - 2);  // n sums, n sends per round
    EXPECT_EQ(bound(with_ports(complete(n), 1), 3), 3 * (2 * n - 2));
    EXPECT_EQ(bound(links_of(ring(n)), 1), n - 1);  // 2n sends per round
  }
  EXPECT_EQ(bound(dgx1(), 6), 14U);  // 48 sums of 14 sends each, over bandwidth 48
  const forwarding_result ring8 =
      solve_forwarding(make_forwarding(with_ports(links_of(ring(8)), 1), collective_kind::Allreduce));
  EXPECT_EQ(ring8.found.rounds(), 14U);
  EXPECT_TRUE(ring8.optimal());
  // 16 nodes of four links each: 16 · 30 sends over bandwidth 64.
  EXPECT_EQ(bound(links_of(torus({4, 4})), 1), 8U);
}

TEST(unit_schedule_send_bound, reports_the_class_in_which_an_allreduce_is_optimal) {
  // A corner of the mesh receives 15 chunks over two links, twice; all sums take 2n - 2 sends over 48 links.
  const forwarding_result mesh44 =
      solve_forwarding(make_forwarding(links_of(mesh({4, 4})), collective_kind::Allreduce));
  EXPECT_EQ(mesh44.found.rounds(), 16U);
  EXPECT_EQ(mesh44.bound.rounds, 10U);
  EXPECT_FALSE(mesh44.optimal());
  EXPECT_EQ(mesh44.optimal_among, "that add up each sum at one node, then spread it");
}

TEST(unit_schedule_send_bound, treats_parts_of_the_network_as_nodes) {
  // Three pairs with wide links inside, in a one-way ring of narrow links: 2 · 3 - 2 sends per sum over three links.
  link_graph graph{"pairs", 6, {}, {}};
  for (node_id pair = 0; pair < 3; ++pair) {
    graph.links.push_back({2 * pair, 2 * pair + 1, 100});
    graph.links.push_back({2 * pair + 1, 2 * pair, 100});
    graph.links.push_back({2 * pair + 1, (2 * pair + 2) % 6, 1});
  }
  EXPECT_EQ(send_bound(make_forwarding(graph, collective_kind::Allreduce, 3)).rounds, 24U);  // 18 sums
}

TEST(unit_schedule_send_bound, shared_limit_without_links_has_no_effect) {
  const std::string text =
      R"({"msccl_type": "topology", "name": "rand2",
          "links": [[0, 0, 0, 1], [2, 0, 1, 0], [0, 0, 0, 2], [0, 2, 0, 0]],
          "switches": [[[2, 0], [0, 3], 2, "sw0"]]})";
  const link_graph graph = links_from_json(text);
  EXPECT_EQ(idle_limits(graph), std::vector<std::string>{"sw0"});
  link_graph without = graph;
  without.shared.clear();
  for (const collective_kind what :
       {collective_kind::Allgather, collective_kind::Alltoall, collective_kind::Allreduce}) {
    const forwarding_problem p = make_forwarding(graph, what), q = make_forwarding(without, what);
    EXPECT_EQ(solve_forwarding(p).found.rounds(), solve_forwarding(q).found.rounds());
    EXPECT_EQ(least_rounds(p).rounds, least_rounds(q).rounds);
  }
}

TEST(unit_schedule_send_bound, is_zero_when_nothing_must_be_sent) {
  const forwarding_problem p = checked(forwarding_problem{one_way(3), collective_kind::Custom, 1, {{{0}, {0}, false}}});
  EXPECT_EQ(least_rounds(p).rounds, 0U);
  EXPECT_EQ(solve_forwarding(p).found.rounds(), 0U);
}

/// A one-way ring with some more links under some shared limits.
link_graph drawn_limits(node_id nodes) {
  link_graph graph = one_way(nodes);
  std::set<std::pair<node_id, node_id>> there;
  for (const graph_link& l : graph.links) there.emplace(l.from, l.to);
  const auto node = [&] { return *rc::gen::inRange<node_id>(0, nodes); };
  for (int i = 0; i < 4; ++i) {
    const node_id from = node(), to = node();
    if (from != to && there.emplace(from, to).second) graph.links.push_back({from, to, *rc::gen::inRange(1U, 3U)});
  }
  for (int i = 0; i < 3; ++i) {
    shared_limit limit{"limit " + std::to_string(i), {node(), node()}, {node(), node(), node()}, 0};
    limit.bandwidth = *rc::gen::inRange(1U, 3U);
    graph.shared.push_back(std::move(limit));
  }
  return checked(std::move(graph));
}

/// The solver searches from one round on, without the help of the bounds.
RC_GTEST_PROP(unit_schedule_send_bound, never_exceeds_the_solver_result, ()) {
  const link_graph graph = drawn_limits(*rc::gen::inRange(3U, 5U));
  const auto what = *rc::gen::element(collective_kind::Allgather, collective_kind::Broadcast, collective_kind::Scatter,
                                      collective_kind::Alltoall);
  const forwarding_problem p = make_forwarding(graph, what);
  constexpr std::size_t Conflicts = 5'000;  // some instances take too long
  std::size_t rounds = 1;
  solver::answer answer = solver::answer::Unsatisfiable;
  for (;; ++rounds) {
    answer = solve_portfolio(p, {}, rounds, rounds, Conflicts, {}).status;
    if (answer != solver::answer::Unsatisfiable) break;
  }
  RC_PRE(answer == solver::answer::Satisfiable);
  RC_ASSERT(round_bounds(p).front().rounds <= rounds);
  RC_ASSERT(send_bound(p).rounds <= rounds);
  RC_ASSERT(least_rounds(p).rounds <= rounds);
}

/// The sets of links, as bits, that can all carry a chunk in a round and to which no link can be added.
std::vector<std::size_t> fullest_rounds(const link_graph& graph) {
  const auto limits = limits_of(graph);
  std::set<std::size_t> fit;
  for (std::size_t sends = 0; sends < std::size_t{1} << graph.links.size(); ++sends) {
    const auto keeps = [&](const bandwidth_limit& limit) {
      return std::count_if(limit.links.begin(), limit.links.end(), [&](link_id l) { return (sends >> l & 1U) != 0; }) <=
             static_cast<std::ptrdiff_t>(limit.bandwidth);
    };
    if (std::all_of(limits.begin(), limits.end(), keeps)) fit.insert(sends);
  }
  std::vector<std::size_t> fullest;
  for (const std::size_t sends : fit) {
    bool is_fullest = true;
    for (std::size_t l = 0; l < graph.links.size(); ++l) {
      const std::size_t more = sends | std::size_t{1} << l;
      is_fullest = is_fullest && (more == sends || fit.count(more) == 0);
    }
    if (is_fullest) fullest.push_back(sends);
  }
  return fullest;
}

/// The parts of one sum that nodes may hold after one more round, as bits. It ignores that no part may be added twice,
/// which makes the problem easier, and keeps only the fullest rounds: to have more is never worse.
std::set<std::vector<unsigned>> after_a_round(const link_graph& graph, const std::vector<std::size_t>& rounds,
                                              const std::vector<unsigned>& before) {
  std::set<std::vector<unsigned>> all;
  for (const std::size_t sends : rounds) {
    std::vector<unsigned> now = before;
    for (std::size_t l = 0; l < graph.links.size(); ++l) {
      if ((sends >> l & 1U) != 0) now[graph.links[l].to] |= before[graph.links[l].from];
    }
    all.insert(std::move(now));
  }
  return all;
}

RC_GTEST_PROP(unit_schedule_send_bound, never_exceeds_the_exhaustive_minimum_for_a_single_sum, ()) {
  const node_id nodes = *rc::gen::inRange(2U, 5U);
  forwarding_problem p{drawn_limits(nodes), collective_kind::Custom, 1, {{{}, {}, true}}};
  for (node_id n = 0; n < nodes; ++n) {
    if (n == 0 || *rc::gen::arbitrary<bool>()) p.list[0].holders.push_back(n);
    if (n == nodes - 1 || *rc::gen::arbitrary<bool>()) p.list[0].receivers.push_back(n);
  }
  p = checked(std::move(p));
  unsigned all = 0;
  std::vector<unsigned> start(nodes, 0);
  for (const node_id n : p.list[0].holders) all |= start[n] = 1U << n;
  const auto done = [&](const std::vector<unsigned>& state) {
    return std::all_of(p.list[0].receivers.begin(), p.list[0].receivers.end(),
                       [&](node_id n) { return state[n] == all; });
  };
  const std::vector<std::size_t> fullest = fullest_rounds(p.graph);
  const auto has_less = [](const std::vector<unsigned>& a, const std::vector<unsigned>& b) {
    bool is_part = a != b;
    for (std::size_t n = 0; n < a.size(); ++n) is_part = is_part && (a[n] & ~b[n]) == 0;
    return is_part;
  };
  std::set<std::vector<unsigned>> states{start};
  std::size_t rounds = 0;
  for (; std::none_of(states.begin(), states.end(), done); ++rounds) {
    std::set<std::vector<unsigned>> next;
    for (const std::vector<unsigned>& state : states) next.merge(after_a_round(p.graph, fullest, state));
    states.clear();
    for (const std::vector<unsigned>& state : next) {
      if (std::none_of(next.begin(), next.end(), [&](const auto& other) { return has_less(state, other); }))
        states.insert(state);
    }
  }
  RC_ASSERT(least_rounds(p).rounds <= rounds);
  RC_ASSERT(send_bound(p).rounds <= rounds);
}

}  // namespace
}  // namespace weft::schedule
