// SPDX-License-Identifier: Apache-2.0
/// Shortest paths on VCs whose numbers rise from hop to hop.
#include "weft/topology/routing/hop_ordered.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/routing/path_search.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

/// The output ports of shortest paths.
port_matrix shortest_ports_of(const topology& t) {
  port_matrix ports(t);
  path_search search(t, std::vector<bool>(t.channels.size(), true));
  for (node_id d = 0; d < t.nodes.size(); ++d) {
    search.aim(d);
    for (router_id r = 0; r < t.routers.size(); ++r) {
      const std::uint32_t next = search.next(r, path_search::Climbing);
      if (next != path_search::None) ports.at(r, d) = static_cast<std::uint8_t>(t.channels[next].from.port);
    }
  }
  return ports;
}

/// Routers in a line with a node each.
topology line_of(router_id routers) {
  topology t;
  t.kind = "custom";
  t.routers.resize(routers);
  const auto port = [&t](router_id r, const std::string& name) {
    t.routers[r].port_names.push_back(name);
    return port_ref{r, t.routers[r].ports++};
  };
  for (router_id r = 0; r + 1 < routers; ++r) {
    const port_ref left = port(r, "right"), right = port(r + 1, "left");
    t.channels.push_back({left, right, 1});
    t.channels.push_back({right, left, 1});
  }
  for (router_id r = 0; r < routers; ++r) t.nodes.push_back({{port(r, "local")}, 1, {}});
  return t;
}

RC_GTEST_PROP(unit_topology_shortest_by_hops, paths_are_shortest_and_deadlock_free, ()) {
  random_graph_parameters p;
  p.degree = *rc::gen::inRange<unsigned>(3, 7);
  p.routers = 2 * *rc::gen::inRange<std::uint32_t>(p.degree / 2 + 1, 20);
  p.nodes = *rc::gen::inRange(1U, 3U);
  p.options.nic_ports = *rc::gen::inRange(1U, 3U);
  p.seed = *rc::gen::arbitrary<std::uint64_t>();
  topology t = make_random_graph_unrouted(p);
  const port_matrix ports = shortest_ports_of(t);
  const unsigned hops = route_shortest_by_hops(t, MaxVcs, ports, "");
  for (const unsigned vcs : {hops, hops + 1, MaxVcs}) {
    RC_ASSERT(route_shortest_by_hops(t, vcs, ports, "") == hops);
    check_structure(t, vcs);
    RC_ASSERT(find_dependency_cycle(t, vcs).empty());
    std::uint32_t longest = 0;
    for (node_id a = 0; a < t.nodes.size(); ++a) {
      const std::vector<std::uint32_t> distance = hops_from(neighbours_of(t), {t.nodes[a].ports.front().router});
      for (node_id b = 0; b < t.nodes.size(); ++b) {
        const std::uint32_t shortest = distance[t.nodes[b].ports.front().router];
        RC_ASSERT(route_channels(t, a, b).size() == shortest);
        longest = std::max(longest, shortest);
      }
    }
    RC_ASSERT(longest == hops);
  }
}

TEST(unit_topology_shortest_by_hops, leaves_one_higher_vc_for_each_remaining_hop) {
  topology t = line_of(4);
  EXPECT_EQ(route_shortest_by_hops(t, 5, shortest_ports_of(t), ""), 3U);
  const auto vcs = [&t](router_id at, unsigned in_port, unsigned in_vc, node_id to) {
    return t.routing[at].for_all_path_ids({in_port, in_vc, to, 0}).vcs;
  };
  const unsigned local = t.nodes[0].ports.front().port, left = 1, of_last_but_one = 1;
  ASSERT_EQ(t.routers[1].port_names[0], "left");
  ASSERT_EQ(t.routers[0].port_names[local], "local");
  EXPECT_EQ(vcs(0, local, 4, 3), 0b00111U) << "three hops: VCs 3 and 4 for the last two";
  EXPECT_EQ(vcs(0, local, 0, left), 0b11111U);
  EXPECT_EQ(vcs(of_last_but_one, 0, 0, 3), 0b01110U);
  EXPECT_EQ(vcs(of_last_but_one, 0, 2, 3), 0b01000U);
  EXPECT_EQ(vcs(2, 0, 3, 3), 0b10000U);
  EXPECT_EQ(vcs(2, 0, 1, 3), 0b11100U);
}

TEST(unit_topology_shortest_by_hops, error_states_the_required_vcs) {
  const auto error_with = [](router_id routers, unsigned vcs) -> std::string {
    topology t = line_of(routers);
    try {
      route_shortest_by_hops(t, vcs, shortest_ports_of(t), "shortest paths do not fit");
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_EQ(error_with(6, 5), "");
  EXPECT_EQ(error_with(6, 4),
            "routing: shortest paths without deadlock need 5 VCs in this network, one for each hop of the longest "
            "path, but vcs is 4; give 5 to 16, or use up_down");
  EXPECT_EQ(error_with(18, 16),
            "routing: shortest paths do not fit, and the longest path has 17 hops, each of which needs its own VC, but "
            "a port has at most 16 VCs; use up_down");
  EXPECT_EQ(error_with(400, 16),
            "routing: shortest paths do not fit, and the longest path has at least 255 hops, each of which needs its "
            "own VC, but a port has at most 16 VCs; use up_down");
}

TEST(unit_topology_shortest_by_hops, is_used_in_networks_too_large_for_layers) {
  random_graph_parameters p;
  p.routers = 1026;
  p.degree = 6;
  topology t = make_random_graph_unrouted(p);
  const unsigned hops = route_shortest_layered(t, MaxVcs);
  EXPECT_LE(hops, 7U);
  EXPECT_EQ(route_shortest_layered(t, hops), hops);
  EXPECT_TRUE(find_dependency_cycle(t, hops).empty());
  EXPECT_THROW(route_shortest_layered(t, hops - 1), std::invalid_argument);
}

TEST(unit_topology_shortest_by_hops, is_used_when_there_are_fewer_vcs_than_layers) {
  random_graph_parameters p;
  p.routers = 256;
  topology t = make_random_graph_unrouted(p);
  const unsigned layers = route_shortest_layered(t, MaxVcs);
  EXPECT_FALSE(t.nodes[0].path_ids.by_destination.empty()) << "in layers";
  const unsigned hops = route_shortest_layered(t, layers - 1);
  EXPECT_LT(hops, layers);
  EXPECT_TRUE(t.nodes[0].path_ids.by_destination.empty());
  EXPECT_NO_THROW(check_structure(t, layers - 1));
  EXPECT_TRUE(find_dependency_cycle(t, layers - 1).empty());
}

}  // namespace
}  // namespace weft
