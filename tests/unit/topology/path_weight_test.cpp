// SPDX-License-Identifier: Apache-2.0
/// Routings whose paths are shortest in cycles, compared with distances that the test computes for itself.
#include "weft/topology/routing/path_weight.h"

#include "unit/topology/networks.h"
#include "unit/topology/random_networks.h"
#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/generators/dragonfly.h"
#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/kinds.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

constexpr std::uint64_t Unreachable = std::numeric_limits<std::uint64_t>::max() / 4;

using distances_t = std::vector<std::vector<std::uint64_t>>;

/// Distances between the vertices of a graph by the algorithm of Floyd and Warshall.
distances_t all_distances(distances_t d) {
  for (std::size_t k = 0; k < d.size(); ++k)
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t j = 0; j < d.size(); ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  return d;
}

distances_t cycles_between_routers(const topology& t) {
  distances_t d(t.routers.size(), std::vector<std::uint64_t>(t.routers.size(), Unreachable));
  for (std::size_t r = 0; r < d.size(); ++r) d[r][r] = 0;
  for (const channel& c : t.channels) {
    std::uint64_t& shortest = d[c.from.router][c.to.router];
    shortest = std::min<std::uint64_t>(shortest, c.cycles);
  }
  return all_distances(d);
}

topology random_weighted_graph() {
  topology t = random_graph(9, 2);
  for (channel& c : t.channels) c.cycles = *rc::gen::inRange(1U, 12U);
  return t;
}

/// Cycles of the longest and the shortest path that packets may take, if they always prefer the choices of a route.
struct path_range {
  std::uint64_t least = Unreachable;
  std::uint64_t most = 0;
};

void add_paths(const topology& t, const wiring& wires, node_id destination, std::uint64_t path_id, port_ref at,
               unsigned vc, std::uint64_t cycles, path_range& range) {
  const route_rule& rule = t.routing[at.router];
  const route r = rule.answer({at.port, vc, destination, path_id});
  const auto take = [&](unsigned port, vc_set vcs) {
    const port_end end = wires.output({at.router, port});
    if (end.what == port_end::kind::Node) {
      range.least = std::min(range.least, cycles);
      range.most = std::max(range.most, cycles);
      return;
    }
    const channel& c = t.channels[end.index];
    RC_ASSERT(cycles < 1000U);
    add_paths(t, wires, destination, rule.consumes_path() ? source_path::advance(path_id) : path_id, c.to, lowest(vcs),
              cycles + c.cycles, range);
  };
  if (r.adaptive())
    for_each_member(r.choices, [&](unsigned port) { take(port, r.choice_vcs); });
  else
    take(r.port, r.vcs);
}

path_range cycles_of(const topology& t, node_id source, node_id destination) {
  path_range range;
  const path_selector& path_ids = t.nodes[source].path_ids;
  add_paths(t, wiring(t), destination, path_ids(destination, 0), t.nodes[source].ports.front(), 0, 0, range);
  return range;
}

void expect_least_cycles(const topology& t) {
  const distances_t least = cycles_between_routers(t);
  for (node_id from = 0; from < t.nodes.size(); ++from) {
    for (node_id to = 0; to < t.nodes.size(); ++to) {
      const path_range found = cycles_of(t, from, to);
      const std::uint64_t expected = least[t.nodes[from].ports.front().router][t.nodes[to].ports.front().router];
      RC_ASSERT(found.least == expected);
      RC_ASSERT(found.most == expected);
    }
  }
}

RC_GTEST_PROP(unit_topology_path_weight, paths_with_the_weight_cycles_have_the_least_cycles, ()) {
  topology t = random_weighted_graph();
  route_shortest_layered(t, MaxVcs, path_weight::Cycles);
  expect_least_cycles(t);
  RC_ASSERT(find_dependency_cycle(t, MaxVcs).empty());
  route_minimal_adaptive(t, 3, path_weight::Cycles);
  expect_least_cycles(t);
  RC_ASSERT(find_dependency_cycle(t, 3).empty());
  const std::string too_long =
      error_of([&] { route_by_source(t, 1, source_paths::Shortest, {}, path_weight::Cycles); });
  if (too_long.empty()) expect_least_cycles(t);
}

/// For up*/down*, a vertex of the graph is a router and whether a packet has gone down. Up channels lead to a router
/// nearer to the root in hops, or as near and with a lower number.
RC_GTEST_PROP(unit_topology_path_weight, up_down_takes_the_fewest_cycles_that_it_permits, ()) {
  topology t = random_weighted_graph();
  const std::size_t routers = t.routers.size();
  distances_t hops(routers, std::vector<std::uint64_t>(routers, Unreachable));
  for (std::size_t r = 0; r < routers; ++r) hops[r][r] = 0;
  for (const channel& c : t.channels) hops[c.from.router][c.to.router] = 1;
  hops = all_distances(hops);
  distances_t d(2 * routers, std::vector<std::uint64_t>(2 * routers, Unreachable));
  for (std::size_t s = 0; s < 2 * routers; ++s) d[s][s] = 0;
  for (const channel& c : t.channels) {
    const std::size_t from = c.from.router, to = c.to.router;
    const bool up = std::make_pair(hops[0][to], to) < std::make_pair(hops[0][from], from);
    const auto add = [&](std::size_t a, std::size_t b) { d[a][b] = std::min<std::uint64_t>(d[a][b], c.cycles); };
    if (up) add(2 * from, 2 * to);
    if (!up) add(2 * from, 2 * to + 1), add(2 * from + 1, 2 * to + 1);
  }
  d = all_distances(d);
  route_up_down(t, 1, 0, path_weight::Cycles);
  RC_ASSERT(find_dependency_cycle(t, 1).empty());
  for (node_id a = 0; a < t.nodes.size(); ++a) {
    for (node_id b = 0; b < t.nodes.size(); ++b) {
      const std::size_t from = t.nodes[a].ports.front().router, to = t.nodes[b].ports.front().router;
      RC_ASSERT(cycles_of(t, a, b).least == std::min(d[2 * from][2 * to], d[2 * from][2 * to + 1]));
    }
  }
}

/// Three routers in a ring whose direct link between the routers 0 and 2 takes 10 cycles.
constexpr const char* Triangle =
    "format: weft-topology-1\nrouters: [a, b, c]\n"
    "links: [{from: a, to: b}, {from: b, to: a}, {from: b, to: c}, {from: c, to: b}, {from: a, to: c, cycles: 10}, "
    "{from: c, to: a, cycles: 10}]\nnodes: [a, b, c]\n";

TEST(unit_topology_path_weight, a_file_chooses_the_weight) {
  for (const char* const algorithm : {"shortest", "up_down", "minimal_adaptive", "source"}) {
    const auto cycles = [&](const std::string& weight) {
      const std::string routing = std::string("routing: {algorithm: ") + algorithm + weight + "}\n";
      return cycles_of(read_topology(Triangle + routing, "f"), 0, 2).least;
    };
    EXPECT_EQ(cycles(""), 10U) << algorithm;
    EXPECT_EQ(cycles(", weight: hops"), 10U) << algorithm;
    EXPECT_EQ(cycles(", weight: cycles"), 2U) << algorithm;
  }
}

std::string reading_error_of(const std::string& routing) {
  try {
    read_topology(Triangle + routing, "f");
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

TEST(unit_topology_path_weight, wrong_weights_are_rejected_with_a_remedy) {
  EXPECT_EQ(reading_error_of("routing: {algorithm: shortest, weight: miles}\n"),
            "f:5:40: error: routing.weight: expected one of hops, cycles, phits, got 'miles'");
  EXPECT_EQ(reading_error_of("routing: {algorithm: valiant, weight: cycles}\n"),
            "f:5:39: error: routing.weight: valiant routing has no such key; leave it out");
  network_plan plan{&dragonfly_topology(), &shortest_routing()};
  plan.topology = plan.kind->defaults;
  plan.routing_choices.weight = path_weight::Cycles;
  plan.network.vcs = MaxVcs;
  EXPECT_EQ(error_of([&] { make_network(plan); }), "");
  for (const topology_kind* const kind : topology_kinds()) {
    for (const routing_kind* const routing : kind->routings) {
      if (std::none_of(routing->keys.begin(), routing->keys.end(), [](const auto& k) { return k.name == "weight"; }))
        continue;
      plan.kind = kind;
      plan.routing = routing;
      plan.topology = kind->defaults;
      EXPECT_NE(error_of([&] { make_network(plan); }).find("leave out network.routing.weight"), std::string::npos)
          << kind->name << ", " << routing->name;
    }
  }
}

}  // namespace
}  // namespace weft
