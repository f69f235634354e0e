// SPDX-License-Identifier: Apache-2.0
/// Invariants of grids of every shape and routing algorithm.
#include "unit/topology/networks.h"
#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/route_search.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/names.h"

namespace weft {
namespace {

bool fits(const grid_parameters& p) {
  const routing_kind& routing = grid_routing(p.algorithm);
  return (routing.rings || !p.rings) && p.shape.size() <= routing.most_dimensions;
}

grid_parameters random_parameters() {
  grid_parameters p;
  do {
    const auto dimensions = *rc::gen::inRange<std::size_t>(1, 5);
    p.shape = random_shape(dimensions, dimensions < 3 ? 7 : 3);
    p.order = random_order(dimensions);
    p.rings = *rc::gen::arbitrary<bool>();
    p.algorithm = *grid_routings()[*rc::gen::inRange<std::size_t>(0, grid_routings().size())].grid;
  } while (!fits(p));
  p.nodes = *rc::gen::inRange(1U, 3U);
  p.options.nic_ports = *rc::gen::inRange(1U, 4U);
  const unsigned least = grid_rule::classes(p.algorithm, p.rings, static_cast<unsigned>(p.shape.size()));
  p.options.vcs = *rc::gen::inRange(least, least + 3);
  p.one_way = p.rings && p.shape.size() == 1 && p.algorithm == grid_algorithm::DimensionOrder;
  return p;
}

RC_GTEST_PROP(unit_topology_grid_invariants, every_shape_and_algorithm_is_valid_and_acyclic, ()) {
  const grid_parameters p = random_parameters();
  const topology t = make_grid(p);
  RC_TAG(t.kind + " " + t.algorithm);
  check_structure(t, p.options.vcs);
  RC_ASSERT(describe_cycle(t, find_dependency_cycle(t, p.options.vcs)) == "");
}

/// Every output that a packet is offered brings it closer to its destination, so routes are as long as the distance in
/// the grid. The search follows packets of ROMM over any router, as those of Valiant's routing.
RC_GTEST_PROP(unit_topology_grid_invariants, every_offered_hop_is_minimal_without_intermediate_router, ()) {
  grid_parameters p = random_parameters();
  if (make_grid(p).routing.front().use_of_path_id() == path_id_use::Router) p.algorithm = grid_algorithm::O1Turn;
  const topology t = make_grid(p);
  const auto distance = [&](router_id a, router_id b) {
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < p.shape.size(); ++d) {
      const std::uint32_t from = t.routers[a].coordinates[d], to = t.routers[b].coordinates[d], k = p.shape[d];
      const std::uint32_t up = (to + k - from) % k, straight = to > from ? to - from : from - to;
      sum += p.one_way ? up : p.rings ? std::min(up, k - up) : straight;
    }
    return sum;
  };
  const wiring wires(t);
  route_search search(t, p.options.vcs);
  const auto destination = *rc::gen::inRange<node_id>(0, static_cast<node_id>(t.nodes.size()));
  const router_id there = t.nodes[destination].ports.front().router;
  search.run(
      destination,
      [&](const route_search::request& r) {
        if (r.router == there) {
          RC_ASSERT(r.end.what == port_end::kind::Node);
        } else {
          RC_ASSERT(r.end.what == port_end::kind::Channel);
          RC_ASSERT(distance(t.channels[r.end.index].to.router, there) + 1 == distance(r.router, there));
        }
      },
      [](node_id, const channel_vc&) { RC_FAIL("a circle"); });
}

/// Requests: channel and VC that the packet holds (in a node: a number past all channels), router, port, VC.
using dependencies = std::set<std::tuple<std::size_t, unsigned, router_id, unsigned, unsigned>>;

void add(dependencies& all, std::size_t channel, unsigned vc, port_ref at, vc_set vcs) {
  for_each_member(vcs, [&](unsigned v) { all.insert({channel, vc, at.router, at.port, v}); });
}

/// The requests that route_search finds with the path ids that represent all.
dependencies searched(const topology& t, unsigned vcs) {
  dependencies all;
  route_search search(t, vcs);
  for (node_id destination = 0; destination < t.nodes.size(); ++destination) {
    search.run(
        destination,
        [&](const route_search::request& r) {
          const std::size_t held = r.holder ? r.holder->channel : t.channels.size();
          add(all, held, r.holder ? r.holder->vc : 0, {r.router, r.port}, r.vcs);
        },
        [](node_id, const channel_vc&) {});
  }
  return all;
}

/// The requests of packets with every path id from every node to every node, each followed individually.
dependencies followed(const topology& t, unsigned vcs) {
  const wiring wires(t);
  dependencies all;
  const auto follow = [&](node_id destination, std::uint64_t path_id, port_ref from, unsigned from_vc) {
    struct arrival {
      std::size_t channel;
      unsigned vc;
      port_ref in;
    };
    std::vector<arrival> open = {{t.channels.size(), from_vc, from}};
    std::set<std::pair<std::size_t, unsigned>> seen;
    while (!open.empty()) {
      const arrival now = open.back();
      open.pop_back();
      const bool holds = now.channel < t.channels.size();
      if (holds && !seen.insert({now.channel, now.vc}).second) continue;
      const route requested = t.routing[now.in.router].answer({now.in.port, now.vc, destination, path_id});
      const auto offer = [&](unsigned port, vc_set set) {
        add(all, now.channel, holds ? now.vc : 0, {now.in.router, port}, set);
        const port_end end = wires.output({now.in.router, port});
        if (end.what != port_end::kind::Channel) return;
        for_each_member(set, [&](unsigned v) { open.push_back({end.index, v, t.channels[end.index].to}); });
      };
      if (requested.vcs != 0) offer(requested.port, requested.vcs);
      for_each_member(requested.choices, [&](unsigned port) { offer(port, requested.choice_vcs); });
    }
  };
  for (node_id destination = 0; destination < t.nodes.size(); ++destination) {
    for (const node_attachment& source : t.nodes) {
      for (std::uint64_t path_id = 0; path_id < source.path_ids.count; ++path_id) {
        for (const port_ref in : source.ports)
          for (unsigned vc = 0; vc < vcs; ++vc) follow(destination, path_id, in, vc);
      }
    }
  }
  return all;
}

/// For a routing in two phases, the search finds all requests within each phase, but not all from the first phase to
/// the second. No request leads back, so these can be in no cycle. The first phase has the lower half of the VCs; the
/// first four ports of a router lead to other routers.
void expect_both_parts(const topology& t, unsigned vcs, const std::string& what) {
  const dependencies some = searched(t, vcs), all = followed(t, vcs);
  const unsigned half = vcs / 2;
  EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end())) << what;
  for (const auto& d : all) {
    const auto [channel, held, router, port, requested] = d;
    if (port >= 4) continue;
    const bool held_any = channel < t.channels.size();
    EXPECT_FALSE(held_any && held >= half && requested < half) << what << ", router " << router << ", port " << port;
    EXPECT_TRUE(some.count(d) != 0 || (held_any && held < half && requested >= half))
        << what << ", router " << router << ", port " << port << ", VC " << held << " to VC " << requested;
  }
}

/// If use_of_path_id() reports that few path ids represent all, the routes of these are all routes.
TEST(unit_topology_grid_invariants, searched_path_ids_cover_all_routes) {
  constexpr unsigned Vcs = 4;
  for (const routing_kind& routing : grid_routings()) {
    for (const bool rings : {false, true}) {
      if (rings && !routing.rings) continue;
      for (const shape_t& shape : {shape_t{3, 4}, shape_t{4, 3}}) {
        grid_parameters p;
        p.shape = shape;
        p.rings = rings;
        p.algorithm = *routing.grid;
        p.options.vcs = Vcs;
        const topology t = make_grid(p);
        const std::string what = routing.name + (rings ? " torus " : " mesh ") + std::to_string(shape[0]);
        if (t.routing.front().use_of_path_id() == path_id_use::Router)
          expect_both_parts(t, Vcs, what);
        else
          EXPECT_EQ(searched(t, Vcs), followed(t, Vcs)) << what;
      }
    }
  }
  fat_tree_parameters tree;
  tree.shape = {{2, 2, 2}, {1, 2, 2}};
  tree.up = ascent::Random;
  tree.options.vcs = Vcs;
  const topology t = make_fat_tree(tree);
  EXPECT_EQ(searched(t, Vcs), followed(t, Vcs));
}

}  // namespace
}  // namespace weft
