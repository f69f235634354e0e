// SPDX-License-Identifier: Apache-2.0
// Fewest rounds by store and forward: small problems compared with exhaustive search, known optima, proofs of
// infeasibility, sums; on any graph, results pass the checker and respect the bound.
#include "forwarding_networks.h"
#include "unit/schedule/proof_folder.h"
#include <chrono>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/forwarding/matching.h"
#include "weft/collectives/schedule/forwarding/portfolio.h"
#include "weft/collectives/schedule/forwarding/solve.h"
#include "weft/collectives/schedule/forwarding/trees.h"

namespace weft::schedule {
namespace {

using status = forwarding_result::status;

forwarding_result solved(const link_graph& graph, collective_kind what, unsigned chunks = 1,
                         std::optional<std::size_t> steps = {}, std::optional<std::size_t> rounds = {}) {
  forwarding_question q;
  q.steps = steps;
  q.rounds = rounds;
  return solve_forwarding(make_forwarding(graph, what, chunks), q);
}

/// Adds to \p after all states of the nodes after one more round with links of bandwidth 1. A link that can bring
/// something does so: to have more is never worse.
void one_round(const forwarding_problem& p, const std::vector<bool>& before, std::vector<bool> now, link_id l,
               std::set<std::vector<bool>>& after) {
  if (l == p.graph.links.size()) {
    after.insert(std::move(now));
    return;
  }
  const graph_link& link = p.graph.links[l];
  bool any = false;
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    const std::size_t from = c * p.graph.nodes + link.from, to = c * p.graph.nodes + link.to;
    if (!before[from] || now[to]) continue;
    any = true;
    std::vector<bool> next = now;
    next[to] = true;
    one_round(p, before, std::move(next), l + 1, after);
  }
  if (!any) one_round(p, before, std::move(now), l + 1, after);
}

/// The fewest rounds, by exhaustive search.
std::size_t brute_force(const forwarding_problem& p) {
  std::vector<bool> start(p.list.size() * p.graph.nodes, false);
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    for (const node_id n : p.list[c].holders) start[c * p.graph.nodes + n] = true;
  }
  const auto done = [&](const std::vector<bool>& state) {
    for (std::size_t c = 0; c < p.list.size(); ++c) {
      for (const node_id n : p.list[c].receivers) {
        if (!state[c * p.graph.nodes + n]) return false;
      }
    }
    return true;
  };
  std::set<std::vector<bool>> states{start};
  for (std::size_t rounds = 0;; ++rounds) {
    if (std::any_of(states.begin(), states.end(), done)) return rounds;
    std::set<std::vector<bool>> next;
    for (const std::vector<bool>& state : states) one_round(p, state, state, 0, next);
    states = std::move(next);
  }
}

/// A one-way ring, so that all nodes are reachable, with up to \p more additional links.
link_graph drawn_graph(std::uint32_t nodes, std::size_t more, unsigned bandwidth) {
  link_graph graph = one_way(nodes);
  std::set<std::pair<node_id, node_id>> there;
  for (const graph_link& l : graph.links) there.emplace(l.from, l.to);
  for (std::size_t i = 0; i < more; ++i) {
    const auto from = *rc::gen::inRange<node_id>(0, nodes), to = *rc::gen::inRange<node_id>(0, nodes);
    if (from != to && there.emplace(from, to).second) {
      graph.links.push_back({from, to, *rc::gen::inRange(1U, bandwidth + 1)});
    }
  }
  return graph;
}

RC_GTEST_PROP(unit_schedule_forwarding_solve, matches_brute_force_on_small_allgathers, ()) {
  const forwarding_problem p =
      make_forwarding(drawn_graph(*rc::gen::inRange(3U, 5U), 2, 1), collective_kind::Allgather);
  const forwarding_result result = solve_forwarding(p);
  RC_ASSERT(result.answer == status::Found);
  RC_ASSERT(result.optimal());
  RC_ASSERT(result.found.rounds() == brute_force(p));
}

RC_GTEST_PROP(unit_schedule_forwarding_solve, matches_brute_force_on_a_few_chunks, ()) {
  const link_graph graph = drawn_graph(4, 2, 1);
  std::vector<std::vector<unsigned>> count(4, std::vector<unsigned>(4, 0));
  count[0][2] = 1;
  for (int i = 0; i < 3; ++i) ++count[*rc::gen::inRange(0, 4)][*rc::gen::inRange(0, 4)];
  const forwarding_problem p = make_alltoallv(graph, count);
  const forwarding_result result = solve_forwarding(p);
  RC_ASSERT(result.optimal());
  RC_ASSERT(result.found.rounds() == brute_force(p));
}

/// Without the help of the bounds, the solver refutes one round less than the optimum.
RC_GTEST_PROP(unit_schedule_forwarding_solve, proves_one_round_less_than_the_optimum_impossible, ()) {
  const forwarding_problem p = make_forwarding(drawn_graph(4, 2, 1), collective_kind::Allgather);
  const std::size_t rounds = brute_force(p);
  RC_ASSERT(solve_portfolio(p, {}, rounds, rounds, 100'000, {}).status == solver::answer::Satisfiable);
  RC_ASSERT(solve_portfolio(p, {}, rounds - 1, rounds - 1, 100'000, {}).status == solver::answer::Unsatisfiable);
}

RC_GTEST_PROP(unit_schedule_forwarding_solve, results_are_valid_and_respect_bounds_on_any_graph, ()) {
  const link_graph graph = drawn_graph(*rc::gen::inRange(2U, 8U), 8, 3);
  const auto what = *rc::gen::element(collective_kind::Allgather, collective_kind::Alltoall, collective_kind::Broadcast,
                                      collective_kind::Scatter, collective_kind::Gather, collective_kind::Reduce,
                                      collective_kind::ReduceScatter, collective_kind::Allreduce);
  const forwarding_problem p = make_forwarding(graph, what, *rc::gen::inRange(1U, 3U));
  forwarding_question q;
  q.conflicts = 1000;
  const forwarding_result result = solve_forwarding(p, q);
  RC_ASSERT(result.answer == status::Found);
  RC_ASSERT(violations_of(p, result.found).empty());
  RC_ASSERT(result.bound.rounds <= result.found.rounds());
}

TEST(unit_schedule_forwarding_solve, proves_the_optimal_rounds_of_dgx1) {
  for (const auto& [chunks, steps, rounds] :
       {std::make_tuple(1U, 2U, 2U), std::make_tuple(2U, 2U, 3U), std::make_tuple(6U, 3U, 7U)}) {
    const forwarding_result result = solved(dgx1(), collective_kind::Allgather, chunks, steps);
    EXPECT_TRUE(result.optimal()) << chunks;
    EXPECT_EQ(result.found.rounds(), rounds);
    EXPECT_LE(result.found.steps.size(), steps);
  }
  EXPECT_EQ(solved(dgx1(), collective_kind::Alltoall).found.rounds(), 3U);
  const forwarding_result eight = solved(dgx1(), collective_kind::Alltoall, 3, 2);
  EXPECT_EQ(eight.found.rounds(), 8U);
  EXPECT_TRUE(eight.optimal());
}

TEST(unit_schedule_forwarding_solve, proves_infeasibility) {
  for (const unsigned chunks : {3U, 4U, 5U}) {
    const forwarding_result result = solved(dgx1(), collective_kind::Allgather, chunks, 2, chunks + 1);
    EXPECT_EQ(result.answer, status::Infeasible) << chunks;
    EXPECT_NE(result.bound.reason.find("CaDiCaL"), std::string::npos) << result.bound.reason;
  }
  EXPECT_EQ(solved(dgx1(), collective_kind::Allgather, 1, 1).answer, status::Infeasible);  // two links to cross
  EXPECT_EQ(solved(links_of(ring(8)), collective_kind::Alltoall, 1, {}, 7).answer,
            status::Infeasible);  // bandwidth of the links
}

TEST(unit_schedule_forwarding_solve, writes_a_proof_of_each_refutation) {
  const forwarding_problem p = make_forwarding(dgx1(), collective_kind::Allgather, 3);
  forwarding_question q;
  q.steps = 2;
  q.rounds = 4;
  search_control control;
  proof_folder proofs;
  control.proof = &proofs;
  EXPECT_EQ(solve_forwarding(p, q, control).answer, status::Infeasible);
  ASSERT_NE(proofs.kept(), "");
  for (const char* ending : {".cnf", ".drat"}) EXPECT_GT(std::ifstream(proofs.kept() + ending).rdbuf()->in_avail(), 0);
}

TEST(unit_schedule_forwarding_solve, reports_unanswered_when_stopped) {
  // The bounds and the quick methods leave this question open, and the solver gets no time.
  const forwarding_problem p = make_forwarding(dgx1(), collective_kind::Allgather, 6);
  forwarding_question q;
  q.steps = 2;
  q.rounds = 7;
  search_control control;
  control.stop = [] { return true; };
  EXPECT_EQ(solve_forwarding(p, q, control).answer, status::Unanswered);
}

TEST(unit_schedule_forwarding_solve, meets_the_bound_on_networks_of_16_nodes) {
  const auto rounds = [](const topology& t, collective_kind what, unsigned chunks = 1) {
    const forwarding_result result = solved(links_of(t), what, chunks);
    EXPECT_TRUE(result.optimal()) << t.kind << ' ' << result.bound.reason;
    return result.found.rounds();
  };
  octagon_parameters extended;
  extended.routers = 16;
  EXPECT_EQ(rounds(mesh({4, 4}), collective_kind::Alltoall), 16U);
  EXPECT_EQ(rounds(torus({4, 4}), collective_kind::Alltoall), 8U);
  EXPECT_EQ(rounds(h_rings({4, 4}), collective_kind::Alltoall), 32U);
  EXPECT_EQ(rounds(make_octagon(extended), collective_kind::Alltoall), 16U);
  EXPECT_EQ(rounds(make_octagon(extended), collective_kind::Allgather), 5U);
  EXPECT_EQ(rounds(h_rings({4, 4}), collective_kind::Allgather), 8U);
  EXPECT_EQ(rounds(hypercube(4), collective_kind::Allgather, 4), 15U);
  EXPECT_EQ(rounds(torus({8, 8}), collective_kind::Allgather), 16U);
}

TEST(unit_schedule_forwarding_solve, respects_shared_limits) {
  const link_graph one_port = with_ports(links_of(ring(8)), 1);
  EXPECT_EQ(solved(one_port, collective_kind::Broadcast).found.rounds(), 4U);
  const forwarding_result all = solved(one_port, collective_kind::Allgather);
  EXPECT_EQ(all.found.rounds(), 7U);
  EXPECT_TRUE(all.optimal());
}

TEST(unit_schedule_forwarding_solve, solves_reduce_scatter_and_allreduce) {
  const forwarding_result scattered = solved(dgx1(), collective_kind::ReduceScatter, 6, 3);
  EXPECT_EQ(scattered.found.rounds(), 7U);
  EXPECT_TRUE(scattered.optimal());
  const forwarding_result all = solved(dgx1(), collective_kind::Allreduce, 1, 4, 4);
  EXPECT_EQ(all.answer, status::Found);
  EXPECT_EQ(all.found.rounds(), 4U);
  EXPECT_EQ(solved(dgx1(), collective_kind::Allreduce, 1, 5).found.rounds(),
            4U);  // 2 steps to add up, 2 or 3 to distribute
}

/// Adding up takes six rounds and distributing takes four, so an even division of ten rounds has no solution.
TEST(unit_schedule_forwarding_solve, divides_rounds_and_steps_between_phases_of_an_allreduce) {
  link_graph graph;
  graph.nodes = 3;
  for (const auto& [from, to, bandwidth] : {std::tuple(0U, 2U, 2U), std::tuple(2U, 1U, 1U), std::tuple(1U, 0U, 1U),
                                            std::tuple(0U, 1U, 2U), std::tuple(2U, 0U, 3U)})
    graph.links.push_back({from, to, bandwidth});
  const forwarding_result any = solved(graph, collective_kind::Allreduce, 3);
  ASSERT_EQ(any.answer, status::Found);
  EXPECT_EQ(any.found.rounds(), 10U);
  EXPECT_FALSE(any.optimal_among.empty());
  for (const std::optional<std::size_t> steps : {std::optional<std::size_t>(), std::optional(any.found.steps.size())}) {
    const forwarding_result limited = solved(graph, collective_kind::Allreduce, 3, steps, 10);
    EXPECT_EQ(limited.answer, status::Found);
    EXPECT_LE(limited.found.rounds(), 10U);
  }
  const forwarding_result fewer = solved(graph, collective_kind::Allreduce, 3, {}, 9);
  EXPECT_NE(fewer.answer, status::Found);
  EXPECT_EQ(fewer.tried.back().outcome, "10 rounds in 10 steps");
}

/// A proof that sums cannot be added up in two of four steps is no bound for algorithms that do both at once.
TEST(unit_schedule_forwarding_solve, refuted_half_of_an_allreduce_is_no_bound_for_the_whole) {
  const forwarding_result halves = solved(dgx1(), collective_kind::Allreduce, 3, 4);
  EXPECT_EQ(halves.found.rounds(), 10U);                      // (3, 2, 4) is refuted, so 5 for each half
  EXPECT_EQ(halves.bound.rounds, 7U) << halves.bound.reason;  // 24 sums of 14 sends each, over bandwidth 48
  EXPECT_FALSE(halves.refuted);
  EXPECT_EQ(solved(dgx1(), collective_kind::Allreduce, 6, {}, 6).answer,
            status::Infeasible);  // 42 chunks over bandwidth 6
}

TEST(unit_schedule_forwarding_solve, bounds_allgather_reduce_scatter_and_alltoall) {
  EXPECT_EQ(least_rounds(make_forwarding(dgx1(), collective_kind::Allgather, 6)).rounds, 7U);
  EXPECT_EQ(least_rounds(make_forwarding(dgx1(), collective_kind::ReduceScatter, 6)).rounds, 7U);
  EXPECT_EQ(least_rounds(make_forwarding(dgx1(), collective_kind::Alltoall, 1)).rounds, 3U);  // bound of the joint flow
}

TEST(unit_schedule_forwarding_solve, reports_its_attempts) {
  forwarding_question q;
  q.steps = 2;
  q.rounds = 4;
  const forwarding_problem p = make_forwarding(dgx1(), collective_kind::Allgather, 3);
  const forwarding_result refuted = solve_forwarding(p, q);
  EXPECT_TRUE(refuted.refuted);
  ASSERT_FALSE(refuted.tried.empty());
  EXPECT_EQ(refuted.tried.back().by, "CaDiCaL, 2 steps, 4 rounds");
  EXPECT_EQ(refuted.tried.back().outcome, "refuted");
  q.conflicts = 0;
  const forwarding_result open = solve_forwarding(p, q);
  EXPECT_EQ(open.answer, status::Unanswered);
  ASSERT_FALSE(open.tried.empty());
  EXPECT_EQ(open.tried.front().by, "greedy matching over time");
}

TEST(unit_schedule_forwarding_solve, is_deterministic) {
  const forwarding_problem p = make_forwarding(links_of(mesh({3, 4})), collective_kind::Alltoall);
  const forwarding_algorithm a = solve_forwarding(p).found, b = solve_forwarding(p).found;
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t s = 0; s < a.steps.size(); ++s) {
    ASSERT_EQ(a.steps[s].sends.size(), b.steps[s].sends.size());
    for (std::size_t i = 0; i < a.steps[s].sends.size(); ++i) {
      EXPECT_EQ(a.steps[s].sends[i].chunk, b.steps[s].sends[i].chunk);
      EXPECT_EQ(a.steps[s].sends[i].from, b.steps[s].sends[i].from);
    }
  }
}

TEST(unit_schedule_forwarding_frontier, finds_the_known_points_of_dgx1) {
  const auto points = forwarding_frontier(dgx1(), collective_kind::Allgather, 0, 6, 3).points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].chunks, 2U);
  EXPECT_EQ(points[0].steps, 2U);
  EXPECT_EQ(points[0].result.found.rounds(), 3U);
  EXPECT_EQ(points[1].chunks, 6U);
  EXPECT_EQ(points[1].steps, 3U);
  EXPECT_EQ(points[1].result.found.rounds(), 7U);
}

TEST(unit_schedule_forwarding_frontier, allreduce_points_have_even_step_counts) {
  const auto points = forwarding_frontier(dgx1(), collective_kind::Allreduce, 0, 2, 5).points;
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].chunks, 2U);
  EXPECT_EQ(points[0].steps, 4U);
  EXPECT_EQ(points[0].result.found.rounds(), 6U);
}

TEST(unit_schedule_forwarding_frontier, reports_unanswered_questions) {
  const forwarding_front quick = forwarding_frontier(dgx1(), collective_kind::Allgather, 0, 3, 3, 0);
  EXPECT_FALSE(quick.out_of_time);
  ASSERT_FALSE(quick.unanswered.empty());  // no steps of several rounds without CaDiCaL
  EXPECT_EQ(quick.unanswered.front().first_chunks, 2U);
  EXPECT_EQ(quick.unanswered.front().last_chunks, 3U);
  EXPECT_EQ(quick.unanswered.front().first_steps, 2U);

  search_control control;
  control.stop = [] { return true; };
  const forwarding_front none = forwarding_frontier(dgx1(), collective_kind::Allgather, 0, 6, 4, 1000, control);
  EXPECT_TRUE(none.out_of_time);
  EXPECT_TRUE(none.points.empty());
  ASSERT_EQ(none.unanswered.size(), 2U);
  EXPECT_EQ(none.unanswered[0].first_chunks, 1U);
  EXPECT_EQ(none.unanswered[0].last_chunks, 6U);
  EXPECT_EQ(none.unanswered[0].last_steps, 2U);
  EXPECT_EQ(none.unanswered[1].first_steps, 3U);
  EXPECT_EQ(none.unanswered[1].last_steps, 4U);
}

/// The control stops the method at its fifth poll.
class unit_schedule_forwarding_control : public testing::Test {
 protected:
  template <class Work>
  void expect_end(const Work& work) {
    m_polls = 0;
    EXPECT_THROW(work(), time_is_over);
    EXPECT_EQ(m_polls, 5U);
  }

  std::size_t m_polls = 0;
  search_control m_control{1, 1, std::chrono::steady_clock::time_point::max(), [this] { return ++m_polls >= 5; }};
};

TEST_F(unit_schedule_forwarding_control, stops_each_method) {
  const forwarding_problem gathered = make_forwarding(dgx1(), collective_kind::Allgather, 1000);
  const forwarding_problem exchanged = make_forwarding(links_of(ring(12)), collective_kind::Alltoall, 20);
  const auto trees = packed_trees(gathered, 1250);
  expect_end([&] { match_over_time(gathered, 1, 10'000, m_control); });
  expect_end([&] { tree_throughput(gathered, m_control); });
  expect_end([&] { packed_trees(gathered, 1250, m_control); });
  expect_end([&] { in_time(gathered, trees, 1, m_control); });
  expect_end([&] { balanced_routes(exchanged, no_symmetry(exchanged), 1, 1, m_control); });
  expect_end([&] { symmetries_of(exchanged, m_control); });
  expect_end([&] { divided_flow_bound(exchanged, no_symmetry(exchanged), m_control); });
  expect_end([&] { sat_search(exchanged, {6, 8, {}, true, nullptr}, {1, {}, &m_control}); });
}

TEST_F(unit_schedule_forwarding_control, keeps_known_bounds) {
  EXPECT_EQ(round_bounds(make_forwarding(links_of(ring(12)), collective_kind::Allgather), m_control).front().rounds,
            6U);
}

/// For many chunks, packed trees take less time than greedy matching, which the test stops.
TEST(unit_schedule_forwarding_solve, keeps_the_best_result_when_stopped) {
  bool stopped = false;
  search_control control;
  control.stop = [&] { return stopped; };
  control.on_progress = [&](const std::string& line) {
    stopped = stopped || line.find("packed spanning trees") != std::string::npos;
  };
  const forwarding_result result =
      solve_forwarding(make_forwarding(dgx1(), collective_kind::Allgather, 1000), {}, control);
  EXPECT_EQ(result.answer, status::Found);
  EXPECT_EQ(result.method, "packed spanning trees");
  ASSERT_EQ(result.tried.size(), 2U);
  EXPECT_EQ(result.tried[1].outcome, "no answer in the time");
}

TEST(unit_schedule_forwarding_solve, rejects_problems_that_are_too_large) {
  EXPECT_THROW(make_forwarding(dgx1(), collective_kind::Allgather, 20'000), std::invalid_argument);
  const forwarding_problem p = make_forwarding(links_of(mesh({5, 5})), collective_kind::Alltoall, 7);
  EXPECT_THROW(sat_search(p, {9, 210, {}, false, nullptr}, {}), too_many_clauses);
  forwarding_question q;
  q.steps = 20;
  q.rounds = 210;
  const forwarding_result result = solve_forwarding(p, q);
  EXPECT_EQ(result.answer, status::Unanswered);
  EXPECT_EQ(result.tried.back().by, "CaDiCaL, 20 steps, 210 rounds");
  EXPECT_EQ(result.tried.back().outcome, "too large for CaDiCaL: more than 4000000 clauses");
}

}  // namespace
}  // namespace weft::schedule
