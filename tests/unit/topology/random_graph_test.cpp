// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/random_graph.h"

#include "unit/topology/networks.h"
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

random_graph_parameters parameters_of(std::uint32_t routers, unsigned degree, std::uint64_t seed = 1) {
  random_graph_parameters p;
  p.routers = routers;
  p.degree = degree;
  p.seed = seed;
  return p;
}

/// The pairs of routers of all channels.
std::multiset<std::pair<router_id, router_id>> links_of(const topology& t) {
  std::multiset<std::pair<router_id, router_id>> links;
  for (const channel& c : t.channels) links.emplace(c.from.router, c.to.router);
  return links;
}

std::string graph_rejection(const std::function<void(random_graph_parameters&)>& spoil) {
  random_graph_parameters p = parameters_of(16, 4);
  spoil(p);
  return error_of([&] { make_random_graph(p); });
}

TEST(unit_topology_random_graph, graphs_of_the_paper_have_degree_4) {
  for (const std::uint32_t routers : {16U, 64U}) {
    const topology t = make_random_graph(parameters_of(routers, 4));
    ASSERT_NO_THROW(check_structure(t, 4));
    const topology_metrics f = compute_metrics(t);
    EXPECT_EQ(f.min_degree, 4U);
    EXPECT_EQ(f.max_degree, 4U);
    EXPECT_EQ(f.channels, 4 * routers);
    EXPECT_TRUE(find_dependency_cycle(t, 4).empty());
  }
}

TEST(unit_topology_random_graph, is_the_same_on_every_machine) {
  const topology t = make_random_graph(parameters_of(6, 3, 7));
  std::vector<router_id> neighbours;
  for (const channel& c : t.channels) neighbours.push_back(c.to.router);
  EXPECT_EQ(neighbours, (std::vector<router_id>{3, 4, 5, 2, 4, 5, 1, 3, 4, 0, 2, 5, 0, 1, 2, 0, 1, 3}));
}

TEST(unit_topology_random_graph, names_its_ports) {
  random_graph_parameters p = parameters_of(4, 2);
  p.nodes = 2;
  p.options.nic_ports = 2;
  p.options.link_cycles = 3;
  p.options.node_cycles = 2;
  const topology t = make_random_graph(p);
  EXPECT_EQ(t.kind, "random");
  EXPECT_EQ(t.algorithm, "up_down");
  EXPECT_EQ(t.routers[3].port_names,
            (std::vector<std::string>{"link0", "link1", "local0", "local1", "local2", "local3"}));
  EXPECT_EQ(t.nodes[5].ports, (std::vector<port_ref>{{2, 4}, {2, 5}}));
  EXPECT_EQ(t.nodes[5].cycles, 2U);
  for (const channel& c : t.channels) EXPECT_EQ(c.cycles, 3U);
}

TEST(unit_topology_random_graph, rejects_impossible_parameters_with_a_remedy) {
  EXPECT_EQ(graph_rejection([](auto& p) { p.routers = 1; }), "random graph: routers is 1; give 2 to 1048576");
  EXPECT_EQ(graph_rejection([](auto& p) { p.degree = 16; }),
            "random graph: degree is 16; with 16 routers give 1 to 15");
  EXPECT_EQ(graph_rejection([](auto& p) { p.degree = 0; }), "random graph: degree is 0; with 16 routers give 1 to 15");
  EXPECT_EQ(graph_rejection([](auto& p) { p.degree = 1; }),
            "random graph: degree is 1, which connects only 2 routers, not 16; give at least 2");
  EXPECT_EQ(
      graph_rejection([](auto& p) {
        p.routers = 15;
        p.degree = 3;
      }),
      "random graph: 15 routers with 3 links each have an odd number of link ends; make one of the two numbers even");
  EXPECT_EQ(graph_rejection([](auto& p) { p.nodes = 0; }),
            "random graph: nodes is 0; give at least 1 node for each router");
  EXPECT_EQ(graph_rejection([](auto& p) { p.nodes = 13; }),
            "random graph: a degree of 4 and 13 nodes with 1 ports each need more than the 16 ports of a router; lower "
            "one of them");
  EXPECT_EQ(graph_rejection([](auto& p) { p.options.nic_ports = 0; }), "random graph: nic.ports is 0; give at least 1");
  EXPECT_EQ(graph_rejection([](auto& p) { p.options.link_cycles = 0; }),
            "random graph: link_cycles is 0; a channel takes at least 1 cycle");
  EXPECT_EQ(graph_rejection([](auto& p) { p.options.vcs = 17; }), "routing: vcs is 17; give 1 to 16");
}

RC_GTEST_PROP(unit_topology_random_graph, is_regular_connected_and_simple, ()) {
  const auto degree = *rc::gen::inRange<unsigned>(2, 9);
  auto routers = *rc::gen::inRange<std::uint32_t>(degree + 1, 60);
  if (degree % 2 != 0 && routers % 2 != 0) ++routers;
  random_graph_parameters p = parameters_of(routers, degree, *rc::gen::arbitrary<std::uint64_t>());
  p.nodes = *rc::gen::inRange(1U, 4U);
  const topology t = make_random_graph(p);
  check_structure(t, p.options.vcs);  // connected: all nodes are reachable
  const auto links = links_of(t);
  RC_ASSERT(links.size() == std::size_t{routers} * degree);
  for (const auto& [a, b] : links) {
    RC_ASSERT(a != b);
    RC_ASSERT(links.count({a, b}) == 1);
    RC_ASSERT(links.count({b, a}) == 1);
  }
  for (router_id r = 0; r < routers; ++r) {
    const auto leaving = std::count_if(links.begin(), links.end(), [r](const auto& l) { return l.first == r; });
    RC_ASSERT(leaving == static_cast<std::ptrdiff_t>(degree));
  }
  RC_ASSERT(links_of(make_random_graph(p)) == links);  // the same seed gives the same graph
}

TEST(unit_topology_random_graph, different_seeds_give_different_graphs) {
  EXPECT_NE(links_of(make_random_graph(parameters_of(64, 4, 1))), links_of(make_random_graph(parameters_of(64, 4, 2))));
}

TEST(unit_topology_random_graph, large_graph_has_short_tables) {
  random_graph_parameters p = parameters_of(10000, 4);
  p.options.nic_ports = 2;
  const topology t = make_random_graph(p);
  std::size_t bytes = 0;
  for (const route_rule& rule : t.routing) bytes += rule.as<table_rule>()->bytes();
  EXPECT_LT(bytes, 10000U * 600U);
  // Paths first climb towards router 0 and then descend.
  std::vector<std::uint32_t> level(t.routers.size(), t.routers.size());
  std::vector<router_id> queue{0};
  level[0] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::size_t c = 4 * queue[i]; c < 4 * queue[i] + 4; ++c) {
      const router_id next = t.channels[c].to.router;
      if (level[next] < t.routers.size()) continue;
      level[next] = level[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  for (node_id a = 0; a < 10000; a += 997) {
    for (node_id b = 0; b < 10000; b += 1009) {
      bool descends = false;
      for (const std::size_t c : route_channels(t, a, b)) {
        const router_id from = t.channels[c].from.router, to = t.channels[c].to.router;
        const bool up = std::make_pair(level[to], to) < std::make_pair(level[from], from);
        EXPECT_FALSE(descends && up) << a << " to " << b;
        descends = !up;
      }
    }
  }
}

}  // namespace
}  // namespace weft
