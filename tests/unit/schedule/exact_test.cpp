// SPDX-License-Identifier: Apache-2.0
// Exact methods: the solver compared with counting, properties of symmetries, known optima of small networks,
// refutations compared with exhaustive search on random networks, and proofs checked by drat-trim if it is installed.
#include "unit/schedule/brute_force.h"
#include "unit/schedule/networks.h"
#include "unit/schedule/proof_folder.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/exact/placement_repair.h"
#include "weft/collectives/schedule/exact/quotient.h"
#include "weft/collectives/schedule/exact/sat.h"
#include "weft/collectives/schedule/exact/solver.h"
#include "weft/collectives/schedule/exact/symmetry.h"

namespace weft::schedule {
namespace {

TEST(unit_schedule_solver, at_most_constraint_limits_the_number_of_true_literals) {
  for (std::size_t count = 1; count <= 9; ++count) {
    for (std::size_t most = 0; most <= count; ++most) {
      for (std::size_t set = 0; set <= count; ++set) {
        solver s;
        std::vector<literal> of;
        for (std::size_t i = 0; i < count; ++i) of.push_back(s.fresh());
        s.at_most(of, most);
        const std::vector<literal> assumed(of.end() - static_cast<std::ptrdiff_t>(set), of.end());
        const solver::answer expected = set <= most ? solver::answer::Satisfiable : solver::answer::Unsatisfiable;
        EXPECT_EQ(s.solve({}, solver::NoLimit, assumed), expected) << set << " of " << count << ", at most " << most;
      }
    }
  }
}

TEST(unit_schedule_solver, stops_on_request) {
  solver s;
  s.clause({s.fresh()});
  search_control control;
  control.stop = [] { return true; };
  EXPECT_EQ(s.solve(control), solver::answer::Unknown);
  EXPECT_EQ(s.solve({}), solver::answer::Satisfiable);
}

TEST(unit_schedule_solver, rejects_unwritable_proof_path) {
  proof_folder missing;
  missing.remove();
  EXPECT_THROW(solver({1, &missing}), std::invalid_argument);
}

void expect_free_symmetries(const step_network& network, const collective& requested,
                            const std::vector<symmetry_group>& groups) {
  for (const symmetry_group& group : groups) {
    for (const automorphism& a : group) {
      for (channel_id c = 0; c < network.channels().size(); ++c) {
        const step_channel &from = network.channels()[c], &to = network.channels()[a.channel[c]];
        EXPECT_EQ(a.vertex[from.from], to.from);
        EXPECT_EQ(a.vertex[from.to], to.to);
        EXPECT_EQ(from.kind, to.kind);
        EXPECT_EQ(from.capacity, to.capacity);
      }
      for (const demand& d : demands_of(requested)) {
        if (&a == &group.front()) continue;
        EXPECT_FALSE(a.vertex[d.what.origin] == d.what.origin && a.vertex[d.receiver] == d.receiver);
      }
    }
  }
  EXPECT_EQ(groups.back().size(), 1U);
}

std::size_t largest_group(const topology& t) {
  const step_network network(t);
  const collective requested = all_to_all(operation::Scatter, network.nodes());
  const auto groups = free_groups(network, requested, 16, 2, 1);
  expect_free_symmetries(network, requested, groups);
  return groups.front().size();
}

TEST(unit_schedule_symmetry, finds_groups_that_move_every_message) {
  EXPECT_EQ(largest_group(ring(8)), 8U);
  EXPECT_EQ(largest_group(ring(8, true)), 8U);
  EXPECT_EQ(largest_group(mesh({4, 4})), 4U);
  EXPECT_EQ(largest_group(mesh({3, 4})), 2U);
  EXPECT_EQ(largest_group(mesh({3, 3})), 4U);
  EXPECT_EQ(largest_group(octagon(8, 2)), 16U);
  EXPECT_EQ(largest_group(ft8()), 8U);
  EXPECT_GE(largest_group(h_rings({4, 4})), 4U);
}

TEST(unit_schedule_symmetry, preserves_senders_and_receivers) {
  const step_network network(ring(8));
  const collective requested{operation::Scatter, {0, 4}, {0, 1, 2, 3, 4, 5, 6, 7}};
  const auto groups = free_groups(network, requested, 16, 2, 1);
  expect_free_symmetries(network, requested, groups);
  EXPECT_EQ(groups.front().size(), 2U);
  EXPECT_EQ(free_groups(network, {operation::Scatter, {0, 1}, {4}}, 16, 2, 1).size(), 1U);
}

struct known_optimum {
  topology network;
  port_rule ports;
  operation what;
  std::size_t steps;
};

TEST(unit_schedule_quotient, reaches_the_known_optima_of_the_networks_of_the_papers) {
  const std::vector<known_optimum> known{
      {gft9(), {}, operation::Scatter, 3},           {xgft12(), {}, operation::Scatter, 14},
      {gft16(), {}, operation::Scatter, 12},         {ft32(), {}, operation::Scatter, 31},
      {h_rings({4, 4}), {}, operation::Scatter, 32}, {octagon(8, 2), {}, operation::Scatter, 16},
      {mesh({4, 4}), {}, operation::Scatter, 16},    {mesh({4, 4}), AllPorts, operation::Scatter, 16},
      {gft9(), {}, operation::Broadcast, 3},         {mesh({3, 3}), AllPorts, operation::Broadcast, 4},
      {gft16(), {}, operation::Broadcast, 8},        {mesh({4, 4}), AllPorts, operation::Broadcast, 8},
  };
  for (const known_optimum& k : known) {
    const step_network network(k.network, k.ports);
    const problem p{network, checked(all_to_all(k.what, network.nodes()), network)};
    search_control control;
    control.enough = k.steps;
    const search_result result = quotient().run(p, control);
    ASSERT_TRUE(result.found) << network.nodes() << " nodes, " << k.steps << " steps";
    EXPECT_EQ(result.found->start_ups(), k.steps) << network.nodes() << " nodes";
    for (const violation& f : check(p, *result.found)) ADD_FAILURE() << f.text;
  }
}

TEST(unit_schedule_quotient, does_not_depend_on_thread_count) {
  const step_network network(xgft12());
  const problem p{network, checked(all_to_all(operation::Scatter, 12), network)};
  search_control control;
  control.enough = 14;
  const auto path_ids = [](const step_schedule& s) {
    std::vector<channel_path> all;
    for (const step& one : s.steps) {
      for (const transfer& t : one) all.push_back(t.path);
    }
    return all;
  };
  const auto alone = quotient().run(p, control);
  control.jobs = 3;
  const auto together = quotient().run(p, control);
  ASSERT_TRUE(alone.found && together.found);
  EXPECT_EQ(path_ids(*alone.found), path_ids(*together.found));
}

TEST(unit_schedule_sat, refutes_step_counts_too_small_for_shortest_paths) {
  const step_network network(mesh({4, 4}), AllPorts);
  problem p{network, checked(one_to_all(operation::Scatter, 1, 16), network)};
  search_control control;
  control.enough = 5;  // 15 messages through 3 ports
  const search_result shortest = sat().run(p, control);
  ASSERT_TRUE(shortest.found);
  EXPECT_EQ(shortest.found->start_ups(), 6U);
  EXPECT_EQ(shortest.refuted_below, 6U);
  EXPECT_EQ(shortest.refuted, "by CaDiCaL, straight from origin to destination, on shortest paths");
  p.paths = path_rule::Any;
  const search_result any = sat().run(p, control);
  ASSERT_TRUE(any.found);
  EXPECT_EQ(any.found->start_ups(), 5U);
  EXPECT_EQ(any.refuted_below, 0U);
  EXPECT_TRUE(check(p, *any.found).empty());
}

TEST(unit_schedule_sat, reports_unsupported_problems) {
  const step_network network(ring(4));
  problem p{network, checked(all_to_all(operation::Scatter, 4), network)};
  search_control control;
  control.less_than = 3;
  const search_result result = sat().run(p, control);
  EXPECT_FALSE(result.found);
  p.combining = true;
  EXPECT_NE(sat().unfit(p), "");
  EXPECT_NE(quotient().unfit(p), "");
  const step_network large(mesh({8, 8}));
  EXPECT_NE(sat().unfit({large, checked(all_to_all(operation::Scatter, 64), large)}), "");
}

TEST(unit_schedule_solver, keeps_only_complete_proofs) {
  proof_folder proofs;
  const auto contradict = [](solver& s) {
    const literal a = s.fresh();
    for (const literal first : {a, -a})
      for (const literal second : {a + 1, -a - 1}) s.clause({first, second});
  };
  solver first({1, &proofs}), second({1, &proofs}), third({1, &proofs});
  EXPECT_EQ(proofs.begun(), 3U);
  contradict(second);
  EXPECT_EQ(second.solve({}), solver::answer::Unsatisfiable);
  const std::string kept = proofs.kept();
  EXPECT_EQ(std::filesystem::path(kept).filename(), "1");
  std::string words;
  std::getline(std::ifstream(kept + ".cnf"), words);
  EXPECT_EQ(words.substr(words.size() - 2), " 4");
  EXPECT_GT(std::filesystem::file_size(kept + ".drat"), 0U);
  contradict(first);
  search_control stopped;
  stopped.stop = [] { return true; };
  EXPECT_EQ(first.solve(stopped), solver::answer::Unknown);
  const literal a = third.fresh();
  third.clause({a});
  EXPECT_EQ(third.solve({}, solver::NoLimit, {-a}), solver::answer::Unsatisfiable) << "which an assumption contradicts";
  EXPECT_EQ(third.solve({}), solver::answer::Satisfiable);
  EXPECT_EQ(proofs.kept(), kept);
}

TEST(unit_schedule_sat, finds_nothing_without_a_path) {
  const step_network network(one_link());
  for (const operation what : {operation::Scatter, operation::Broadcast}) {
    const problem p{network, checked({what, {1}, {0}}, network)};
    EXPECT_FALSE(sat().run(p, {}).found);
    EXPECT_FALSE(quotient().run(p, {}).found);
  }
}

TEST(unit_schedule_sat, writes_a_proof) {
  const step_network network(mesh({4, 4}), AllPorts);
  const problem p{network, checked(one_to_all(operation::Scatter, 1, 16), network)};
  proof_folder proofs;
  search_control control;
  control.enough = 5;
  control.proof = &proofs;
  EXPECT_EQ(sat().run(p, control).refuted_below, 6U);
  const std::string stem = proofs.kept();
  std::string first_words;
  std::getline(std::ifstream(stem + ".cnf"), first_words);
  EXPECT_EQ(first_words.substr(0, 6), "p cnf ");
  EXPECT_GT(std::filesystem::file_size(stem + ".drat"), 0U);
  const bool checks = std::system("command -v drat-trim > /dev/null") == 0;
  const int status = checks ? std::system(("drat-trim " + stem + ".cnf " + stem + ".drat > /dev/null").c_str()) : 0;
  if (!checks) GTEST_SKIP() << "the proof is written, but there is no drat-trim to check it";
  EXPECT_EQ(status, 0);
}

/// Whether messages from \p i on can each get a step and a path; tries all combinations.
bool placed_directly(const step_network& network, const std::vector<demand>& demands, std::size_t i,
                     std::vector<std::vector<unsigned>>& free, std::uint32_t detour) {
  if (i == demands.size()) return true;
  for (const channel_path& path : find_paths(network, demands[i].what.origin, demands[i].receiver, detour, 1000)) {
    for (std::vector<unsigned>& in_step : free) {
      if (std::any_of(path.begin(), path.end(), [&](channel_id c) { return in_step[c] == 0; })) continue;
      for (const channel_id c : path) --in_step[c];
      const bool all = placed_directly(network, demands, i + 1, free, detour);
      for (const channel_id c : path) ++in_step[c];
      if (all) return true;
    }
  }
  return false;
}

std::size_t fewest_direct_steps(const problem& p) {
  const std::uint32_t detour = p.paths == path_rule::Any ? 99 : 0;
  std::vector<unsigned> capacities;
  for (const step_channel& c : p.network.channels()) capacities.push_back(c.capacity);
  for (std::size_t steps = 1;; ++steps) {
    std::vector<std::vector<unsigned>> free(steps, capacities);
    if (placed_directly(p.network, demands_of(p.requested), 0, free, detour)) return steps;
  }
}

RC_GTEST_PROP(unit_schedule_sat, matches_exhaustive_search, ()) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const step_network network(small_network(random, 5), random() % 2 == 0 ? OnePort : port_rule{});
  problem p{network, small_collective(random, network, 7)};
  const bool scatter = p.requested.what == operation::Scatter;
  p.paths = !scatter || random() % 2 == 0 ? path_rule::Any : path_rule::Minimal;
  const auto fewest = scatter ? fewest_direct_steps(p) : brute_force(p).fewest_steps(7, 300'000);
  if (!fewest) RC_DISCARD("too much to try");
  const search_result result = sat().run(p, {});
  RC_ASSERT(result.found.has_value());
  RC_ASSERT(check(p, *result.found).empty());
  RC_ASSERT(result.found->start_ups() == *fewest);
  RC_ASSERT(result.refuted_below <= *fewest);
}

RC_GTEST_PROP(unit_schedule_quotient, solutions_pass_the_schedule_check, ()) {
  std::mt19937 random(*rc::gen::arbitrary<std::uint32_t>());
  const step_network network(small_network(random, 6));
  problem p{network, small_collective(random, network, 12)};
  p.paths = random() % 2 == 0 ? path_rule::Any : path_rule::Minimal;
  const search_result exact = sat().run(p, {});
  search_control control;
  control.enough = exact.found->start_ups();
  const search_result result = quotient().run(p, control);
  RC_ASSERT(result.found.has_value());
  RC_ASSERT(check(p, *result.found).empty());
  RC_ASSERT(result.found->start_ups() >= exact.found->start_ups());
}

}  // namespace
}  // namespace weft::schedule
