// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/check.h"

#include "unit/topology/networks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

/// The error of check_structure() for a 2x2 mesh with 4 VCs after \p spoil. Its channels 0 to 7 are listed in
/// unit_topology_grid.plus_channel_enters_next_router_at_minus_port.
std::string finding(const std::function<void(topology&)>& spoil) {
  topology t = mesh_of({2, 2});
  spoil(t);
  return error_of([&] { check_structure(t, 4); });
}

/// Replaces the routing of router 0 by a table that sends everything for other nodes to \p port on \p vcs.
void send_all(topology& t, std::uint8_t port, vc_set vcs) {
  std::vector<route> by_destination(4, {port, vcs});
  by_destination[0] = {4, 1};
  t.routing[0] = table_rule(by_destination);
}

TEST(unit_topology_check, accepts_a_mesh) {
  EXPECT_EQ(finding([](topology&) {}), "");
  EXPECT_NO_THROW(check_structure(mesh_of({2, 2})));
}

TEST(unit_topology_check, finds_broken_routers) {
  EXPECT_EQ(finding([](topology& t) { t.routers.clear(); }), "topology: the network has no routers; add at least one");
  EXPECT_EQ(finding([](topology& t) { t.nodes.clear(); }), "topology: the network has no nodes; add at least one");
  EXPECT_EQ(finding([](topology& t) { t.routers[2].ports = 17; }),
            "topology: router 2 (0,1) has 17 ports; give 1 to 16");
  EXPECT_EQ(finding([](topology& t) { t.routers[2].ports = 0; }), "topology: router 2 (0,1) has 0 ports; give 1 to 16");
  EXPECT_EQ(finding([](topology& t) { t.routers[2].port_names.pop_back(); }),
            "topology: router 2 (0,1) has 5 ports but 4 port names; give one for each");
}

TEST(unit_topology_check, finds_broken_channels) {
  EXPECT_EQ(finding([](topology& t) { t.channels[1].to.router = 4; }),
            "topology: channel 1: there is no router 4, expected 0 to 3");
  EXPECT_EQ(finding([](topology& t) { t.channels[1].from.router = 99; }),
            "topology: channel 1: there is no router 99, expected 0 to 3");
  EXPECT_EQ(finding([](topology& t) { t.channels[1].from.port = 5; }),
            "topology: channel 1: router 0 (0,0) has no port 5, expected 0 to 4");
  EXPECT_EQ(finding([](topology& t) { t.channels[3].cycles = 0; }),
            "topology: channel 3 (router 1 (1,0) +y -> router 3 (1,1) -y) takes 0 cycles; give at least 1");
  EXPECT_EQ(finding([](topology& t) { t.channels[1].from.port = 0; }),
            "topology: router 0 (0,0) +x: output used twice, by channel 0 and channel 1; give each its own port");
  EXPECT_EQ(finding([](topology& t) { t.channels[4].to = t.channels[3].to; }),
            "topology: router 3 (1,1) -y: input used twice, by channel 3 and channel 4; give each its own port");
}

TEST(unit_topology_check, finds_broken_nodes) {
  EXPECT_EQ(finding([](topology& t) { t.nodes[3].ports.clear(); }),
            "topology: node 3 has no port; attach it to a router");
  EXPECT_EQ(finding([](topology& t) { t.nodes[3].ports[0].router = 7; }),
            "topology: node 3: there is no router 7, expected 0 to 3");
  EXPECT_EQ(finding([](topology& t) { t.nodes[3].ports[0].port = 6; }),
            "topology: node 3: router 3 (1,1) has no port 6, expected 0 to 4");
  EXPECT_EQ(finding([](topology& t) { t.nodes[3].ports[0].router = 0; }),
            "topology: router 0 (0,0) local: output used twice, by node 0 and node 3; give each its own port");
  EXPECT_EQ(finding([](topology& t) { t.nodes[3].ports[0].port = 1; }),
            "topology: router 3 (1,1) -x: output used twice, by channel 6 and node 3; give each its own port");
  EXPECT_EQ(finding([](topology& t) { t.nodes[3].cycles = 0; }),
            "topology: node 3 at router 3 (1,1) local: its channels take 0 cycles; give at least 1");
}

TEST(unit_topology_check, finds_broken_routing_functions) {
  EXPECT_EQ(finding([](topology& t) { t.routing.pop_back(); }),
            "topology: there are 4 routers but 3 routing functions; give one for router 3 (1,1)");
  EXPECT_EQ(finding([](topology& t) { t.routing.push_back(t.routing[0]); }),
            "topology: there are 4 routers but 5 routing functions; give one for each router");
  EXPECT_EQ(finding([](topology& t) {
              t.routing[0] = table_rule(std::vector<route>(3, {0, 1}));
            }),
            "topology: router 0 (0,0): its routing table has 3 entries for 4 nodes; give one for each");
  EXPECT_EQ(finding([](topology& t) { t.routing[1].as<grid_rule>()->dimensions = 5; }),
            "topology: router 1 (1,0): its routing function is for a grid of 5 dimensions; give 1 to 4");
  EXPECT_EQ(finding([](topology& t) { t.routing[1].as<grid_rule>()->stride[1] = 0; }),
            "topology: router 1 (1,0): the grid of its routing function has size 2 and stride 0 in dimension 1; give "
            "at least 1 for both");
  EXPECT_EQ(finding([](topology& t) {
              t.routing[1].as<grid_rule>()->order = {1, 1};
            }),
            "topology: router 1 (1,0): the order of dimension-order routing must name each dimension once");
  EXPECT_EQ(finding([](topology& t) { t.routing[1].as<grid_rule>()->local_ports = 0; }),
            "topology: router 1 (1,0): the grid of its routing function has 0 local ports; give at least 1");
}

TEST(unit_topology_check, finds_routes_that_never_arrive) {
  EXPECT_EQ(finding([](topology& t) { send_all(t, 1, 1); }),
            "topology: router 0 (0,0): the route from node 0 to node 1 leaves by -x, which is not connected");
  EXPECT_EQ(finding([](topology& t) { send_all(t, 9, 1); }),
            "topology: router 0 (0,0): the route from node 0 to node 1 leaves by port 9, which does not exist");
  EXPECT_EQ(finding([](topology& t) { send_all(t, 0, 0); }),
            "topology: router 0 (0,0): the route from node 0 to node 1 leaves by +x with no admissible VC; give at "
            "least one");
  EXPECT_EQ(finding([](topology& t) { send_all(t, 0, 0x10); }),
            "topology: router 0 (0,0): the route from node 0 to node 1 leaves by +x with admissible VCs (bits 0x10) "
            "beyond the 4 VCs of a port; make the topology with vcs = 4, or set router.vcs to the vcs of the topology");
  EXPECT_EQ(finding([](topology& t) { send_all(t, 4, 1); }),
            "topology: router 0 (0,0): the route from node 0 to node 1 leaves by local, where node 0 is");
  // Router 0 sends packets for node 2 by +x, since x is the first dimension, and router 1 sends them back by -x.
  EXPECT_EQ(finding([](topology& t) { send_all(t, 0, 1); }),
            "topology: the route from node 0 to node 2 has a loop through router 0 (0,0) +x -> router 1 (1,0) -x, "
            "VC 0");
}

/// Only packets of the last of four layers request VCs that do not exist.
TEST(unit_topology_check, follows_every_distinct_path_id) {
  const auto in_layers = [](topology& t) {
    for (route_rule& rule : t.routing) {
      std::vector<route> by_destination;
      for (node_id d = 0; d < 4; ++d) by_destination.push_back(rule.answer({4, 0, d, 0}));
      for (route& r : by_destination) r.vcs = first_vcs(8);
      table_rule table(by_destination);
      table.divide(4);
      rule = table;
    }
  };
  const auto finding_of = [&](std::uint64_t path_id_count) {
    topology t = mesh_of({2, 2});
    in_layers(t);
    t.nodes[1].path_ids.count = path_id_count;
    return error_of([&] { check_structure(t, 7); });
  };
  EXPECT_EQ(finding_of(3), "");
  EXPECT_NE(finding_of(4).find("the route from node 1 to node 0 leaves by"), std::string::npos) << finding_of(4);
  EXPECT_NE(finding_of(4).find("beyond the 7 VCs of a port"), std::string::npos) << finding_of(4);
  EXPECT_EQ(finding_of(5000),
            "topology: node 1 draws one of 5000 path ids, which are too many to check; give at most 4096");
}

TEST(unit_topology_check, rejects_invalid_vc_counts) {
  const topology t = mesh_of({2, 2});
  EXPECT_EQ(error_of([&] { check_structure(t, 0); }), "topology: vcs is 0; give 1 to 16");
  EXPECT_EQ(error_of([&] { check_structure(t, 17); }), "topology: vcs is 17; give 1 to 16");
  EXPECT_EQ(error_of([&] { find_dependency_cycle(t, 0); }), "topology: vcs is 0; give 1 to 16");
  EXPECT_NE(error_of([&] { check_structure(t, 3); }), "");  // the mesh uses four VCs
}

TEST(unit_topology_check, admissible_vcs_must_exist_at_the_local_port_too) {
  const topology t = ring_of(4, [](router_id, node_id) { return first_vcs(2); });
  EXPECT_NO_THROW(check_structure(t, 2));
  EXPECT_EQ(error_of([&] { check_structure(t, 1); }),
            "topology: router 0: the route from node 0 to node 0 leaves by local with admissible VCs (bits 0x3) beyond "
            "the 1 VCs of a port; make the topology with vcs = 1, or set router.vcs to the vcs of the topology");
}

TEST(unit_topology_check, samples_routes_from_every_source_in_large_networks) {
  topology t = mesh_of({64, 64});
  EXPECT_NO_THROW(check_structure(t, 4));
  t.routing[2080].as<grid_rule>()->here[0] = 63;  // at x = 32, but routes as if at 63: sends packets back
  EXPECT_NE(error_of([&] { check_structure(t, 4); }), "");
}

TEST(unit_topology_deadlock, describes_the_cycle_of_a_clockwise_square) {
  const topology t = clockwise_square();
  ASSERT_NO_THROW(check_structure(t, 1));
  const std::vector<channel_vc> cycle = find_dependency_cycle(t, 1);
  EXPECT_EQ(cycle, (std::vector<channel_vc>{{1, 0}, {4, 0}, {7, 0}, {2, 0}}));
  EXPECT_EQ(describe_cycle(t, cycle),
            "router 0 (0,0) +y -> router 2 (0,1) -y, VC 0\n"
            "router 2 (0,1) +x -> router 3 (1,1) -x, VC 0\n"
            "router 3 (1,1) -y -> router 1 (1,0) +y, VC 0\n"
            "router 1 (1,0) -x -> router 0 (0,0) +x, VC 0\n"
            "back to router 0 (0,0) +y, VC 0\n");
}

TEST(unit_topology_deadlock, dimension_order_is_acyclic_unless_links_wrap_around) {
  topology t = mesh_of({4});
  EXPECT_TRUE(find_dependency_cycle(t, 1).empty());
  t.channels.push_back({{3, 0}, {0, 1}, 1});  // turns the corner and continues straight
  EXPECT_EQ(find_dependency_cycle(t, 1).size(), 4U);
  EXPECT_TRUE(find_dependency_cycle(mesh_of({256, 256}), 2).empty());
}

TEST(unit_topology_deadlock, description_of_no_cycle_is_empty) {
  const topology t = mesh_of({3, 3});
  EXPECT_TRUE(find_dependency_cycle(t, 4).empty());
  EXPECT_EQ(describe_cycle(t, {}), "");
}

TEST(unit_topology_deadlock, a_dateline_breaks_the_cycle_of_a_ring) {
  // Dally and Seitz: one VC for packets that still have to cross from the last router to the first, another VC
  // afterwards.
  const auto dateline = [](router_id here, node_id there) { return here > there ? vc_set{1} : vc_set{2}; };
  const topology safe = ring_of(6, dateline);
  ASSERT_NO_THROW(check_structure(safe, 2));
  EXPECT_TRUE(find_dependency_cycle(safe, 2).empty());

  // The ring closes if one router lets packets keep VC 0 when they no longer have to cross the dateline.
  const topology careless =
      ring_of(6, [&](router_id here, node_id there) { return here == 3 ? first_vcs(2) : dateline(here, there); });
  EXPECT_EQ(find_dependency_cycle(careless, 2),
            (std::vector<channel_vc>{{0, 1}, {1, 1}, {2, 1}, {3, 0}, {4, 0}, {5, 0}}));

  const topology unsafe = ring_of(6, [](router_id, node_id) { return first_vcs(2); });
  EXPECT_FALSE(find_dependency_cycle(unsafe, 2).empty());
}

TEST(unit_topology_deadlock, ignores_dependencies_that_no_route_uses) {
  // Around three routers, a packet for the second next router holds a channel and requests the next one. Around two
  // routers no packet needs both channels, although they form a ring.
  const auto any = [](router_id, node_id) { return first_vcs(1); };
  EXPECT_EQ(find_dependency_cycle(ring_of(3, any), 1).size(), 3U);
  EXPECT_TRUE(find_dependency_cycle(ring_of(2, any), 1).empty());
}

/// Every dependency of the cycle must be real: the next channel starts where this one ends, and the routing function
/// requests it for some destination.
RC_GTEST_PROP(unit_topology_deadlock, reported_cycle_is_closed_and_consists_of_real_requests, ()) {
  const auto routers = *rc::gen::inRange(3U, 9U);
  const auto vcs = *rc::gen::inRange(1U, 4U);
  const auto sets =
      *rc::gen::container<std::vector<vc_set>>(routers * routers, rc::gen::inRange<vc_set>(1, first_vcs(vcs) + 1));
  const topology t = ring_of(routers, [&](router_id r, node_id d) { return sets[r * routers + d]; });
  check_structure(t, vcs);
  const std::vector<channel_vc> cycle = find_dependency_cycle(t, vcs);
  RC_CLASSIFY(cycle.empty());
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const channel_vc held = cycle[i], requested = cycle[(i + 1) % cycle.size()];
    const router_id router = t.channels[held.channel].to.router;
    RC_ASSERT(t.channels[requested.channel].from.router == router);
    bool used = false;
    for (node_id d = 0; d < routers; ++d) {
      // Held by a packet for d; router - 1 requested the held VC, and router requests the next one.
      const router_id before = t.channels[held.channel].from.router;
      used = used || (d != before && d != router && sets[before * routers + d] >> held.vc & 1 &&
                      sets[router * routers + d] >> requested.vc & 1);
    }
    RC_ASSERT(used);
  }
}

/// Compares with brute force: the transitive closure of all dependencies.
RC_GTEST_PROP(unit_topology_deadlock, agrees_with_transitive_closure, ()) {
  const auto routers = *rc::gen::inRange(3U, 7U);
  const auto sets = *rc::gen::container<std::vector<vc_set>>(routers * routers, rc::gen::inRange<vc_set>(1, 4));
  const topology t = ring_of(routers, [&](router_id r, node_id d) { return sets[r * routers + d]; });
  const std::size_t size = routers * 2;
  std::vector<std::vector<bool>> leads(size, std::vector<bool>(size));
  for (node_id d = 0; d < routers; ++d) {
    for (router_id r = 0; r < routers; ++r) {
      const router_id next = (r + 1) % routers;
      if (r == d || next == d) continue;
      for (unsigned a = 0; a < 2; ++a) {
        for (unsigned b = 0; b < 2; ++b) {
          if (sets[r * routers + d] >> a & 1 && sets[next * routers + d] >> b & 1)
            leads[r * 2 + a][next * 2 + b] = true;
        }
      }
    }
  }
  bool cyclic = false;
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        if (leads[i][k] && leads[k][j]) leads[i][j] = true;
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) cyclic = cyclic || leads[i][i];
  RC_CLASSIFY(cyclic);
  RC_ASSERT(find_dependency_cycle(t, 2).empty() == !cyclic);
}

topology with_nic_ports(shape_t shape, unsigned ports) {
  grid_parameters p;
  p.shape = std::move(shape);
  p.options.nic_ports = ports;
  return make_grid(p);
}

TEST(unit_topology_check, checks_buffer_limit_at_the_largest_router) {
  const topology t = mesh_of({3, 3});
  router_parameters router;
  router.vcs = 8;
  router.depth = 64;
  EXPECT_EQ(error_of([&] { check_parameters(t, router, {}); }), "") << "5 · 8 · 64 = 2560";
  topology wide = with_nic_ports({3, 3}, 8);
  const std::vector<parameter_error> found = find_parameter_errors(wide, router, {}, "network.");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "network.router: expected ports · vcs · depth of at most 4096 flits, got 12 · 8 · 64 = 6144");
  EXPECT_EQ(found[0].keys.front(), "network.router.depth");
  wide.routers[4].ports = 17;
  EXPECT_EQ(error_of([&] { check_parameters(wide, {}, {}); }), "topology: a router has 17 ports; give 1 to 16");
}

TEST(unit_topology_check, xor_decoders_need_one_channel_to_each_node) {
  nic_parameters nic;
  nic.ejection_depth = 8;
  nic.coding.enabled = true;
  EXPECT_EQ(error_of([&] { check_parameters(mesh_of({2, 2}), {}, nic); }), "");
  EXPECT_EQ(error_of([&] {
              check_parameters(with_nic_ports({2, 2}, 2), {}, nic);
            }),
            "nic.coding: expected one channel from the network to every node, because its XOR decoder must receive all "
            "packets, got 2 to node 0; give nic.ports: 1 and a topology with one router at each node");
  nic.coding.enabled = false;
  EXPECT_EQ(error_of([&] { check_parameters(with_nic_ports({2, 2}, 2), {}, nic); }), "");
}

}  // namespace
}  // namespace weft
