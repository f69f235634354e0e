// SPDX-License-Identifier: Apache-2.0
// The result of a problem is no worse than with fewer ports, shorter paths, single messages, or store and forward.
#include "weft/collectives/schedule/restricted.h"

#include "networks.h"
#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/forwarding/solve.h"
#include "weft/collectives/schedule/forwarding/spreading.h"
#include "weft/collectives/schedule/solve.h"
#include "weft/topology/generators/random_graph.h"

namespace weft::schedule {
namespace {

topology random_network(std::uint32_t routers, unsigned degree, std::uint64_t seed) {
  random_graph_parameters p;
  p.routers = routers;
  p.degree = degree;
  p.seed = seed;
  return make_random_graph_unrouted(p);
}

auto channels_of(const step_network& network) {
  std::vector<std::tuple<channel_kind, std::string, std::string, unsigned>> all;
  for (const step_channel& c : network.channels())
    all.emplace_back(c.kind, network.name(c.from), network.name(c.to), c.capacity);
  return all;
}

TEST(unit_schedule_restricted, port_limit_gives_the_network_of_the_port_rule) {
  for (const topology& t : {mesh({3, 4}), torus({3, 3}), gft9(), gft16(), octagon(8, 2), random_network(12, 3, 7)}) {
    for (const unsigned ports : {1U, 2U, 3U}) {
      const step_network whole(t, {port_rule::kind::Number, 8}), rule(t, {port_rule::kind::Number, ports});
      const limited_network limited = with_ports(whole, ports);
      const auto sorted = [](auto list) {
        std::sort(list.begin(), list.end());
        return list;
      };
      EXPECT_EQ(sorted(channels_of(limited.network)), sorted(channels_of(rule))) << t.kind << " " << ports;
      EXPECT_EQ(limited.network.nodes(), rule.nodes());
      EXPECT_EQ(limited.network.routers(), rule.routers());
      EXPECT_EQ(limited.network.vertices(), rule.vertices());
    }
  }
}

TEST(unit_schedule_restricted, each_combination_of_restrictions_occurs_once) {
  const step_network one(mesh({3, 3}), OnePort), all(mesh({3, 3}), AllPorts);
  const collective requested = all_to_all(operation::Scatter, 9);
  EXPECT_TRUE(restrictions_of({one, requested}).empty());
  std::vector<std::string> texts;
  const problem p{all, requested, path_rule::Any, true};
  for (const restricted_question& r : restrictions_of(p)) texts.push_back(r.text());
  EXPECT_EQ(texts.size(), 4U * 2 * 2 - 1);
  EXPECT_EQ(texts[0], "shortest paths");
  EXPECT_EQ(texts[1], "single messages");
  EXPECT_EQ(texts[2], "shortest paths, single messages");
  EXPECT_EQ(texts[3], "3 ports");
  EXPECT_EQ(texts.back(), "1 port, shortest paths, single messages");
}

TEST(unit_schedule_restricted, restricted_schedule_is_valid_in_the_whole_network) {
  for (const topology& t : {gft9(), mesh({3, 3})}) {
    const step_network whole(t, AllPorts);
    const problem p{whole, all_to_all(operation::Scatter, whole.nodes()), path_rule::Any, true};
    for (const restricted_question& r : restrictions_of(p)) {
      const problem q = r.question();
      for (const method* m : methods()) {
        if (m->what != method::kind::Construction || !m->unfit(q).empty()) continue;
        const search_result result = m->run(q, {});
        if (!result.found) continue;
        EXPECT_TRUE(check(q, *result.found).empty()) << t.kind << ", " << m->name << ", " << r.text();
        EXPECT_TRUE(check(p, r.widened(*result.found)).empty()) << t.kind << ", " << m->name << ", " << r.text();
      }
    }
  }
}

schedule_cost answer_of(const problem& p) {
  solve_options options;
  options.search = false;
  const answer a = solve(p, options);
  EXPECT_TRUE(a.best);
  return cost_of(*a.best);
}

bool no_worse(const schedule_cost& a, const schedule_cost& b) {
  return a.start_ups < b.start_ups || (a.start_ups == b.start_ups && a.occupancy <= b.occupancy);
}

/// Compares all settings of ports, paths and combining with every setting that is more restricted.
void expect_no_worse_with_more_freedom(const topology& t, const collective& requested) {
  const auto of = [&](unsigned ports, path_rule paths, bool combining) {
    const step_network network(t, {port_rule::kind::Number, ports});
    return answer_of({network, requested, paths, combining});
  };
  std::map<std::tuple<unsigned, bool, bool>, schedule_cost> costs;
  for (const unsigned ports : {1U, 2U, 4U}) {
    for (const bool any : {false, true}) {
      for (const bool combining : {false, true})
        costs[{ports, any, combining}] = of(ports, any ? path_rule::Any : path_rule::Minimal, combining);
    }
  }
  for (const auto& [free, cost] : costs) {
    for (const auto& [tight, least] : costs) {
      const auto& [p, a, c] = free;
      const auto& [q, b, d] = tight;
      if (q > p || b > a || d > c) continue;
      EXPECT_TRUE(no_worse(cost, least)) << t.kind << ", " << name_of(requested, t.nodes.size()) << ": " << p << a << c
                                         << " takes " << cost.start_ups << "/" << cost.occupancy << ", " << q << b << d
                                         << " " << least.start_ups << "/" << least.occupancy;
    }
  }
}

TEST(unit_schedule_restricted, fewer_restrictions_never_worsen_the_result) {
  for (const topology& t : {mesh({3, 3}), ring(7), gft9(), random_network(10, 3, 5)}) {
    for (const operation what : {operation::Broadcast, operation::Scatter})
      expect_no_worse_with_more_freedom(t, all_to_all(what, t.nodes.size()));
  }
  expect_no_worse_with_more_freedom(gft16(), one_to_all(operation::Scatter, 1, 16));
  expect_no_worse_with_more_freedom(h_rings({3, 4}), one_to_all(operation::Broadcast, 1, 12));
}

/// In the exchange, store and forward takes the fewest rounds; constructions that send directly take more steps.
TEST(unit_schedule_restricted, is_no_worse_than_store_and_forward) {
  for (const topology& t : {torus({5, 5}), random_network(16, 3, 24), random_network(24, 4, 3)}) {
    for (const operation what : {operation::Broadcast, operation::Scatter}) {
      const step_network network(t, AllPorts);
      const auto collective_kind =
          what == operation::Scatter ? forwarding_collective::Alltoall : forwarding_collective::Allgather;
      const auto forwarded = construct_forwarding(make_forwarding(links_of(t), collective_kind), 0);
      ASSERT_TRUE(forwarded);
      for (const bool combining : {false, true}) {
        const problem p{network, all_to_all(what, network.nodes()), path_rule::Minimal, combining};
        EXPECT_LE(answer_of(p).start_ups, forwarded->rounds()) << t.kind;
      }
    }
  }
  const step_network torus55(torus({5, 5}), AllPorts);
  EXPECT_EQ(answer_of({torus55, all_to_all(operation::Scatter, 25)}).start_ups, 15U);  // the load bound
}

/// With one port the result is 4/32, while constructions for more ports give 6/48.
TEST(unit_schedule_restricted, combining_with_all_ports_is_no_worse_than_with_one_port) {
  const step_network all(mesh({4, 4}), AllPorts);
  solve_options options;
  bool is_found = false;
  options.control.on_progress = [&](const std::string& line) {
    is_found = is_found || line.find("; combined: 4/32") != std::string::npos;
  };
  options.control.stop = [&] { return is_found; };
  const answer a = solve({all, all_to_all(operation::Scatter, 16), path_rule::Minimal, true}, options);
  ASSERT_TRUE(a.best);
  EXPECT_TRUE(no_worse(cost_of(*a.best), {4, 32})) << a.best->start_ups() << "/" << a.best->occupancy();
  EXPECT_EQ(a.restricted_to, "1 port");
  const step_network line(mesh({5}), AllPorts);
  const answer b = solve({line, all_to_all(operation::Broadcast, 5), path_rule::Minimal, true}, {});
  EXPECT_TRUE(no_worse(cost_of(*b.best), {3, 6})) << b.best->start_ups() << "/" << b.best->occupancy();
}

TEST(unit_schedule_restricted, prefers_the_unrestricted_result_on_ties) {
  const step_network all(ring(5), AllPorts);
  const answer a = solve({all, all_to_all(operation::Broadcast, 5)}, {});
  ASSERT_TRUE(a.best);
  EXPECT_EQ(a.restricted_to, "");  // if results are equal, that of the unrestricted problem
  for (const attempt& tried : a.attempts) EXPECT_FALSE(tried.combining);
}

}  // namespace
}  // namespace weft::schedule
