// SPDX-License-Identifier: Apache-2.0
/// Routing through intermediate nodes, and minimal adaptive routing, in networks of any shape.
#include "support/random_plan.h"
#include "unit/topology/generated.h"
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "weft/router/output_selection.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/generators/dragonfly.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/octagon.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/kinds.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

const routing_kind& routing_called(const std::string& name) {
  const auto& all = routing_kinds();
  return **std::find_if(all.begin(), all.end(), [&](const routing_kind* r) { return r->name == name; });
}

topology network(const topology_kind& kind, const std::string& routing, unsigned vcs = 4) {
  network_plan plan{&kind, &routing_called(routing)};
  plan.topology = kind.defaults;
  plan.network.vcs = vcs;
  return make_network(plan);
}

/// The routers on the path of a packet that always takes the sure offer, or a choice if \p detours, and the VCs of its
/// hops.
struct walk {
  std::vector<router_id> routers;
  std::vector<vc_set> vcs;
};

walk walk_of(const topology& t, node_id source, node_id destination, node_id via, bool detours) {
  const wiring wires(t);
  port_ref in = t.nodes[source].ports.front();
  unsigned vc = 0;
  walk taken{{in.router}, {}};
  while (taken.routers.size() < 100) {
    const route r = t.routing[in.router].answer({in.port, vc, destination, via});
    const bool leaves_direct_path = detours && r.adaptive();
    const unsigned port = leaves_direct_path ? lowest(r.choices) : r.port;
    const vc_set vcs = leaves_direct_path ? r.choice_vcs : r.vcs;
    const port_end end = wires.output({in.router, port});
    if (end.what != port_end::kind::Channel) break;
    in = t.channels[end.index].to;
    vc = lowest(vcs);
    taken.routers.push_back(in.router);
    taken.vcs.push_back(vcs);
  }
  return taken;
}

std::vector<router_id> joined(std::vector<router_id> first, const std::vector<router_id>& second) {
  first.insert(first.end(), second.begin() + 1, second.end());
  return first;
}

TEST(unit_topology_detours, valiant_goes_to_the_intermediate_node_and_then_to_the_destination) {
  for (const topology_kind* kind : generated_kinds()) {
    if (kind->grid || kind == &hypercube_topology()) continue;
    const topology t = network(*kind, "valiant", 16), usual = network(*kind, kind->usual->name, 8);
    const auto nodes = static_cast<node_id>(t.nodes.size());
    for (node_id s = 0; s < nodes; s += 7) {
      for (node_id d = 0; d < nodes; d += 5) {
        const node_id via = (3 * s + 2 * d) % nodes;
        const walk taken = walk_of(t, s, d, via, false);
        const std::size_t first = route_path(usual, s, via).size() - 1;
        EXPECT_EQ(taken.routers, joined(route_path(usual, s, via), route_path(usual, via, d))) << kind->name;
        for (std::size_t hop = 0; hop < taken.vcs.size(); ++hop)
          EXPECT_EQ(taken.vcs[hop] & (hop < first ? 0xff00U : 0x00ffU), 0U) << kind->name;
      }
    }
    EXPECT_EQ(t.nodes.front().path_ids.count, nodes);
    EXPECT_NE(t.nodes[0].path_ids.seed, t.nodes[1].path_ids.seed);
  }
}

TEST(unit_topology_detours, ugal_offers_the_usual_path_and_one_detour_at_the_source) {
  for (const topology_kind* kind : generated_kinds()) {
    const topology t = network(*kind, "ugal", 16), usual = network(*kind, kind->usual->name, 8);
    const auto nodes = static_cast<node_id>(t.nodes.size());
    for (node_id s = 0; s < nodes; s += 7) {
      for (node_id d = 0; d < nodes; d += 5) {
        const node_id via = (3 * s + 2 * d + 1) % nodes;
        const std::vector<router_id> direct = route_path(usual, s, d), to_via = route_path(usual, s, via);
        EXPECT_EQ(walk_of(t, s, d, via, false).routers, direct) << kind->name;
        const bool has_detour = direct.size() > 1 && to_via.size() > 1;
        EXPECT_EQ(walk_of(t, s, d, via, true).routers, has_detour ? joined(to_via, route_path(usual, via, d)) : direct)
            << kind->name;
      }
    }
  }
}

/// The path of a packet between two nodes of one router leaves the router only with Valiant's routing.
TEST(unit_topology_detours, ugal_never_leaves_the_router_of_both_nodes) {
  const topology ugal = network(dragonfly_topology(), "ugal"), valiant = network(dragonfly_topology(), "valiant");
  EXPECT_EQ(walk_of(ugal, 0, 1, 70, true).routers, (std::vector<router_id>{0}));
  EXPECT_GT(walk_of(valiant, 0, 1, 70, false).routers.size(), 2U);
}

TEST(unit_topology_detours, expected_loads_equal_those_of_all_intermediate_nodes) {
  for (const topology_kind* kind : {&dragonfly_topology(), &random_topology(), &octagon_topology()}) {
    const topology t = network(*kind, "valiant", 8);
    const expected_loads all = follow_loads(t, std::numeric_limits<std::size_t>::max()), known = find_loads(t);
    ASSERT_EQ(all.channels.size(), known.channels.size());
    for (std::size_t c = 0; c < all.channels.size(); ++c) EXPECT_NEAR(known.channels[c], all.channels[c], 1e-9);
    EXPECT_NEAR(known.mean_route, all.mean_route, 1e-9);
  }
}

TEST(unit_topology_detours, the_error_names_the_vcs_of_both_parts) {
  const auto rejection = [](const topology_kind& kind, unsigned vcs) {
    return error_of([&] { network(kind, "ugal", vcs); });
  };
  EXPECT_EQ(
      rejection(dragonfly_topology(), 3),
      "routing: ugal routing needs at least 4 VCs in this network, 2 for each of the two parts of a path, but vcs "
      "is 3");
  EXPECT_EQ(
      rejection(mesh_topology(), 1),
      "routing: ugal routing needs at least 2 VCs in this network, 1 for each of the two parts of a path, but vcs "
      "is 1");
  EXPECT_EQ(rejection(mesh_topology(), 2), "");
}

TEST(unit_topology_detours, routes_that_the_source_selects_cannot_be_extended) {
  topology t = network(random_topology(), "shortest", 8);
  EXPECT_EQ(
      error_of([&] {
        extend_by_ugal(t, {16, {}, 1});
      }),
      "routing: ugal routing leads packets over the routes that the network has without it, but these are selected "
      "by the source of a packet; use another routing, or routes that depend only on the destination");
  topology adaptive = network(random_topology(), "minimal_adaptive", 8);
  EXPECT_NE(error_of([&] { extend_by_valiant(adaptive, {16, {}, 1}); }).find("these are adaptive"), std::string::npos);
}

/// Routes that are given for all 8 VCs need 8 VCs for each part of a path.
TEST(unit_topology_detours, routes_of_a_file_need_half_the_vcs) {
  const topology given = network(dragonfly_topology(), "minimal", 8);
  const auto with = [&](unsigned vcs) {
    return error_of([&] {
      const topology t = make_extended(ugal_routing(), {vcs, {}, 1}, [&](unsigned part) {
        check_structure(given, part);
        return given;
      });
      check_structure(t, vcs);
    });
  };
  EXPECT_EQ(
      with(8),
      "routing: ugal routing needs at least 16 VCs in this network, 8 for each of the two parts of a path, but vcs "
      "is 8");
  EXPECT_EQ(with(16), "");
}

TEST(unit_topology_detours, a_file_gives_the_threshold) {
  const char* const file =
      "format: weft-topology-1\nrouters: [a, b, c]\nlinks: [{between: [a, b]}, {between: [b, c]}]\nnodes: [a, b, c]\n"
      "routing: {algorithm: ugal, threshold: 2}\n";
  EXPECT_EQ(read_topology(file, "f").routing[0].choice().threshold, 2U);
}

TEST(unit_topology_detours, detours_cannot_be_extended_again) {
  topology t = network(dragonfly_topology(), "ugal", 8);
  EXPECT_EQ(error_of([&] {
              extend_by_ugal(t, {16, {}, 1});
            }),
            "routing: the routes of the network already lead over intermediate nodes; leave out ugal routing");
}

// ---- Selection between the direct path and a detour ----

/// The port that a head requests if \p direct and \p detour flits are behind the admissible VCs of ports 1 and 2. Each
/// of these has two VCs of 16 flits.
unsigned selected_port(std::uint32_t direct, std::uint32_t detour, std::uint32_t threshold, vc_set free = 0b0011) {
  route_offers offers;
  offers.sure = 0b1100;
  offers.choice_vcs[2] = free;
  offers.sure_credits = 32 - direct;
  offers.credits[2] = 32 - detour;
  const route selected = select_detour(route(1, 0b1100, 1U << 2, 0b0011), threshold, 16, offers);
  EXPECT_EQ(selected.vcs, selected.port == 1 ? 0b1100U : free);
  return selected.port;
}

TEST(unit_topology_detours, a_head_takes_the_detour_if_its_queue_is_less_than_half) {
  EXPECT_EQ(selected_port(0, 0, 0), 1U);
  EXPECT_EQ(selected_port(8, 4, 0), 1U);
  EXPECT_EQ(selected_port(9, 4, 0), 2U);
  EXPECT_EQ(selected_port(9, 4, 1), 1U);
  EXPECT_EQ(selected_port(10, 4, 1), 2U);
  EXPECT_EQ(selected_port(32, 0, 32), 1U);
  EXPECT_EQ(selected_port(32, 0, 0, 0), 2U);  // it waits until a VC of the detour is free
}

// ---- Minimal adaptive routing ----

TEST(unit_topology_minimal_adaptive, offers_all_channels_that_lead_nearer) {
  const topology t = network(random_topology(), "minimal_adaptive", 3);
  std::vector<std::vector<std::uint32_t>> hops;
  for (router_id r = 0; r < t.routers.size(); ++r) hops.push_back(hops_from(neighbours_of(t), {r}));
  for (router_id r = 0; r < t.routers.size(); ++r) {
    for (node_id d = 0; d < t.nodes.size(); ++d) {
      const router_id to = t.nodes[d].ports.front().router;
      if (to == r) continue;
      port_set nearer = 0;
      for (const channel& c : t.channels)
        if (c.from.router == r && hops[c.to.router][to] + 1 == hops[r][to]) nearer |= 1U << c.from.port;
      const route free = t.routing[r].answer({0, 1, d}), escaped = t.routing[r].answer({0, 0, d});
      EXPECT_EQ(free.choices, nearer);
      EXPECT_EQ(free.choice_vcs, 0b110U);
      EXPECT_EQ(free.vcs, 1U);
      EXPECT_EQ(escaped.choices, 0U);
      EXPECT_EQ(escaped.vcs & ~1U, 0U);  // up*/down* may not lead there from a down channel
    }
  }
}

/// If packets could leave the escape VC, their paths over adaptive VCs would close a cycle of escape channels.
TEST(unit_topology_minimal_adaptive, a_packet_stays_on_the_escape_vc) {
  topology t = network(random_topology(), "minimal_adaptive", 2);
  EXPECT_EQ(describe_cycle(t, find_dependency_cycle(t, 2)), "");
  for (route_rule& rule : t.routing)
    for (unsigned port = 0; port < MaxPorts; ++port) rule.as<table_rule>()->use_row(port, 0, 0);
  EXPECT_NE(describe_cycle(t, find_dependency_cycle(t, 2)), "");
}

TEST(unit_topology_minimal_adaptive, rejects_a_single_vc) {
  EXPECT_EQ(error_of([] { network(random_topology(), "minimal_adaptive", 1); }),
            "routing: vcs is 1; minimal_adaptive routing needs at least 2");
}

}  // namespace
}  // namespace weft
