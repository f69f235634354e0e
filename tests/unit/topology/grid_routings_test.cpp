// SPDX-License-Identifier: Apache-2.0
/// Routings of grids compared with the definitions in the papers that introduce them.
#include "unit/topology/networks.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/files/export.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

topology routed_grid(const shape_t& shape, grid_algorithm algorithm, unsigned vcs, bool rings = false) {
  grid_parameters p;
  p.shape = shape;
  p.algorithm = algorithm;
  p.rings = rings;
  p.options.vcs = vcs;
  return make_grid(p);
}

int coordinate(const topology& t, router_id r, unsigned d) { return static_cast<int>(t.routers[r].coordinates[d]); }

port_set ports_of(const route& r) {
  return r.adaptive() ? r.choices : r.vcs != 0 ? static_cast<port_set>(1U << r.port) : port_set{0};
}

/// Calls \p visit(source, destination, router, in_port, route) for every hop that packets may take between all nodes.
/// A network has a node at each router.
template <class Visit>
void for_each_hop(const topology& t, Visit visit) {
  const wiring wires(t);
  const auto nodes = static_cast<node_id>(t.nodes.size());
  for (node_id source = 0; source < nodes; ++source) {
    for (node_id destination = 0; destination < nodes; ++destination) {
      std::set<std::pair<router_id, unsigned>> open{{source, t.nodes[source].ports.front().port}}, seen;
      while (!open.empty()) {
        const auto [router, in_port] = *open.begin();
        open.erase(open.begin());
        if (router == destination || !seen.insert({router, in_port}).second) continue;
        const route r = t.routing[router].answer({in_port, 0, destination, 0});
        visit(source, destination, router, in_port, r);
        for_each_member(ports_of(r), [&](unsigned port) {
          const port_ref to = t.channels[wires.output({router, port}).index].to;
          open.insert({to.router, to.port});
        });
      }
    }
  }
}

/// The function ROUTE of Chiu 2000 (figure 4), which is given the source, as ports of Weft: +x is 0, -x is 1, +y is 2
/// and -y is 3.
port_set route_of_chiu(const topology& t, node_id source, node_id destination, router_id current) {
  const int c0 = coordinate(t, current, 0), s0 = coordinate(t, source, 0), d0 = coordinate(t, destination, 0);
  const int e0 = d0 - c0, e1 = coordinate(t, destination, 1) - coordinate(t, current, 1);
  const port_set along_y = e1 > 0 ? 4 : 8;
  if (e0 == 0) return along_y;
  port_set available = 0;
  if (e0 > 0) {
    if (e1 == 0) return 1;
    if (c0 % 2 == 1 || c0 == s0) available |= along_y;
    if (d0 % 2 == 1 || e0 != 1) available |= 1;
    return available;
  }
  available = 2;
  if (c0 % 2 == 0 && e1 != 0) available |= along_y;
  return available;
}

TEST(unit_topology_grid_routings, odd_even_equals_the_function_of_chiu) {
  for (const shape_t& shape : {shape_t{8, 8}, shape_t{5, 4}, shape_t{2, 7}, shape_t{1, 5}}) {
    const topology t = routed_grid(shape, grid_algorithm::OddEven, 1);
    std::size_t hops = 0;
    for_each_hop(t, [&](node_id source, node_id destination, router_id router, unsigned, const route& r) {
      ++hops;
      ASSERT_EQ(ports_of(r), route_of_chiu(t, source, destination, router))
          << source << " to " << destination << " at " << router;
    });
    EXPECT_GT(hops, t.nodes.size() * (t.nodes.size() - 1));
  }
}

/// Rule 1: no packet turns from east to north in an even column, none from north to west in an odd column. Rule 2: the
/// same with south instead of north. Every other turn of 90 degrees is taken by some packet.
TEST(unit_topology_grid_routings, odd_even_takes_all_turns_but_those_of_rules_1_and_2) {
  const topology t = routed_grid({6, 6}, grid_algorithm::OddEven, 1);
  enum : unsigned { East, West, North, South };
  std::set<std::array<unsigned, 3>> taken;  // parity of the column, direction before and after
  for_each_hop(t, [&](node_id, node_id, router_id router, unsigned in_port, const route& r) {
    if (in_port > South) return;
    for_each_member(ports_of(r), [&](unsigned port) {
      const unsigned before = in_port ^ 1U;  // a packet that goes east arrives from the west
      if (before / 2 != port / 2) taken.insert({router % 6 % 2, before, port});
    });
  });
  std::set<std::array<unsigned, 3>> permitted;
  for (const unsigned odd : {0U, 1U})
    for (const unsigned vertical : {North, South}) {
      if (odd == 1) permitted.insert({odd, East, vertical});
      if (odd == 0) permitted.insert({odd, vertical, West});
      permitted.insert({odd, West, vertical});
      permitted.insert({odd, vertical, East});
    }
  // A packet that goes west turns only in even columns: in an odd one, it could not turn back to the west.
  for (const unsigned vertical : {North, South}) {
    EXPECT_EQ(taken.count({1, West, vertical}), 1U) << "in the column of its destination";
    EXPECT_EQ(taken.count({0, vertical, East}), 1U) << "in the column of its source";
  }
  EXPECT_EQ(taken, permitted);
}

/// Number of shortest paths that odd-even routing permits between routers that are \p x columns and \p y rows apart,
/// counted by enumerating all paths and rejecting those with a forbidden turn.
unsigned count_permitted(int column, int x, int y, char before) {
  if (x == 0 && y == 0) return 1;
  unsigned paths = 0;
  const bool odd = column % 2 != 0;
  if (x != 0) {
    const bool west = x < 0;
    if (!(west && odd && before == 'v'))
      paths += count_permitted(column + (west ? -1 : 1), west ? x + 1 : x - 1, y, west ? 'w' : 'e');
  }
  if (y != 0 && !(before == 'e' && !odd)) paths += count_permitted(column, x, y > 0 ? y - 1 : y + 1, 'v');
  return paths;
}

unsigned count_taken(const topology& t, const wiring& wires, router_id router, unsigned in_port, node_id destination) {
  if (router == destination) return 1;
  unsigned paths = 0;
  for_each_member(ports_of(t.routing[router].answer({in_port, 0, destination, 0})), [&](unsigned port) {
    const port_ref to = t.channels[wires.output({router, port}).index].to;
    paths += count_taken(t, wires, to.router, to.port, destination);
  });
  return paths;
}

TEST(unit_topology_grid_routings, odd_even_takes_every_permitted_shortest_path) {
  const topology t = routed_grid({6, 5}, grid_algorithm::OddEven, 1);
  const wiring wires(t);
  for (router_id from = 0; from < 30; ++from) {
    for (node_id to = 0; to < 30; ++to) {
      const int x = coordinate(t, to, 0) - coordinate(t, from, 0), y = coordinate(t, to, 1) - coordinate(t, from, 1);
      ASSERT_EQ(count_taken(t, wires, from, 4, to), count_permitted(coordinate(t, from, 0), x, y, ' '))
          << from << " to " << to;
    }
  }
}

/// Nesson and Johnsson 1995: the intermediate router is any of the minimal rectangle of source and destination.
TEST(unit_topology_grid_routings, romm_draws_every_router_of_the_minimal_rectangle_equally_often) {
  const topology t = routed_grid({5, 4}, grid_algorithm::Romm, 2);
  const node_id source = 6, destination = 18;  // (1, 1) to (3, 3)
  constexpr unsigned Draws = 90'000;
  std::map<std::uint64_t, unsigned> drawn;
  for (unsigned i = 0; i < Draws; ++i) ++drawn[t.nodes[source].path_ids(destination, i)];
  EXPECT_EQ(drawn.size(), 9U);
  for (const auto& [router, times] : drawn) {
    EXPECT_TRUE(router % 5 >= 1 && router % 5 <= 3 && router / 5 >= 1 && router / 5 <= 3) << router;
    EXPECT_NEAR(times, Draws / 9.0, 500) << router;
  }
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(t.nodes[source].path_ids(source, i), source);
}

/// Length of the path of a packet with \p path_id, which always takes the highest admissible VC.
unsigned hops_of(const topology& t, const wiring& wires, node_id source, node_id destination, std::uint64_t path_id) {
  unsigned hops = 0, vc = 0;
  port_ref at = t.nodes[source].ports.front();
  for (;;) {
    const route r = t.routing[at.router].answer({at.port, vc, destination, path_id});
    const port_end end = wires.output({at.router, r.port});
    if (end.what == port_end::kind::Node) return end.index == destination ? hops : ~0U;
    if (++hops > 1000) return hops;
    at = t.channels[end.index].to;
    vc = 31 - static_cast<unsigned>(__builtin_clz(r.vcs));
  }
}

TEST(unit_topology_grid_routings, romm_takes_shortest_paths_over_every_router_that_it_may_draw) {
  for (const bool rings : {false, true}) {
    for (const shape_t& shape : {shape_t{6, 4}, shape_t{3, 5}, shape_t{4, 3, 2}}) {
      const topology t = routed_grid(shape, grid_algorithm::Romm, 4, rings);
      const wiring wires(t);
      const topology plain = routed_grid(shape, grid_algorithm::DimensionOrder, 4, rings);
      for (node_id source = 0; source < t.nodes.size(); ++source) {
        for (node_id to = 0; to < t.nodes.size(); ++to) {
          const path_selector& path_ids = t.nodes[source].path_ids;
          const unsigned distance = hops_of(plain, wires, source, to, 0);
          std::set<std::uint64_t> routers;
          for (std::uint64_t i = 0; i < path_ids.choices(to); ++i) {
            ASSERT_EQ(hops_of(t, wires, source, to, path_ids.choice(to, i)), distance) << source << " to " << to;
            routers.insert(path_ids.choice(to, i));
          }
          ASSERT_EQ(routers.size(), path_ids.choices(to));
          ASSERT_TRUE(routers.count(source) == 1 && routers.count(to) == 1);
        }
      }
    }
  }
}

/// Adds \p load to every channel of the path from \p from to \p to by dimension order in a mesh of \p width columns.
void load_path(const topology& t, router_id from, router_id to, std::uint32_t width, double load,
               std::map<std::pair<router_id, router_id>, double>& loads) {
  while (from != to) {
    const std::uint32_t x = from % width, there = to % width;
    router_id next = from < to ? from + width : from - width;
    if (x != there) next = x < there ? from + 1 : from - 1;
    loads[{from, next}] += load / static_cast<double>(t.nodes.size() - 1);
    from = next;
  }
}

TEST(unit_topology_grid_routings, loads_of_romm_are_the_mean_over_the_rectangle) {
  constexpr std::uint32_t Width = 4, Height = 3;
  const topology t = routed_grid({Width, Height}, grid_algorithm::Romm, 2);
  std::map<std::pair<router_id, router_id>, double> expected;
  for (router_id from = 0; from < Width * Height; ++from) {
    for (router_id to = 0; to < Width * Height; ++to) {
      if (from == to) continue;
      const auto [left, right] = std::minmax({from % Width, to % Width});
      const auto [low, high] = std::minmax({from / Width, to / Width});
      const double load = 1.0 / ((right - left + 1) * (high - low + 1));
      for (std::uint32_t y = low; y <= high; ++y) {
        for (std::uint32_t x = left; x <= right; ++x) {
          load_path(t, from, y * Width + x, Width, load, expected);
          load_path(t, y * Width + x, to, Width, load, expected);
        }
      }
    }
  }
  const std::vector<double> loads = uniform_channel_loads(t);
  for (std::size_t c = 0; c < loads.size(); ++c)
    EXPECT_NEAR(loads[c], (expected[{t.channels[c].from.router, t.channels[c].to.router}]), 1e-9) << c;
}

TEST(unit_topology_grid_routings, romm_from_a_file_draws_the_same_routers) {
  const topology t = routed_grid({4, 3}, grid_algorithm::Romm, 4, true);
  read_options options;
  options.vcs = 4;
  const topology read = read_topology(to_json(t).dump(), "f", options);
  for (node_id n = 0; n < 12; ++n) EXPECT_EQ(read.nodes[n].path_ids.within, t.nodes[n].path_ids.within);
  for (unsigned i = 0; i < 50; ++i) EXPECT_EQ(read.nodes[1].path_ids(10, i), t.nodes[1].path_ids(10, i));
}

/// Chien and Kim 1992: a packet is routed adaptively in the plane of dimensions i and i + 1 until dimension i is
/// correct, and then in the next plane.
TEST(unit_topology_grid_routings, planar_adaptive_offers_the_two_dimensions_of_its_plane) {
  for (const shape_t& shape : {shape_t{5, 4}, shape_t{3, 4, 3}, shape_t{3, 2, 3, 2}}) {
    const topology t = routed_grid(shape, grid_algorithm::PlanarAdaptive, 3);
    for_each_hop(t, [&](node_id, node_id destination, router_id router, unsigned, const route& r) {
      port_set expected = 0;
      for (unsigned d = 0; d < shape.size() && expected == 0; ++d) {
        for (unsigned e = d; e < std::min<std::size_t>(d + 2, shape.size()); ++e) {
          const int off = coordinate(t, destination, e) - coordinate(t, router, e);
          if (e > d && expected == 0) break;
          if (off != 0) expected |= 1U << (2 * e + (off < 0));
        }
      }
      ASSERT_EQ(ports_of(r), expected) << router << " to " << destination;
    });
  }
}

/// The dependency graph has no cycle with the least number of VCs; with a single class, it has one.
TEST(unit_topology_grid_routings, planar_adaptive_needs_all_its_classes) {
  for (const shape_t& shape : {shape_t{5, 5}, shape_t{4, 3, 4}, shape_t{3, 3, 3, 3}}) {
    const unsigned least = shape.size() == 2 ? 2 : 3;
    for (unsigned vcs = least; vcs < least + 3; ++vcs)
      EXPECT_TRUE(find_dependency_cycle(routed_grid(shape, grid_algorithm::PlanarAdaptive, vcs), vcs).empty());
    topology merged = routed_grid(shape, grid_algorithm::PlanarAdaptive, least);
    for (route_rule& rule : merged.routing) {
      std::vector<route> routes;
      for (node_id d = 0; d < merged.nodes.size(); ++d) {
        route r = rule.answer({2 * static_cast<unsigned>(shape.size()), 0, d});
        if (r.adaptive())
          r.choice_vcs = 1;
        else
          r.vcs = 1;
        routes.push_back(r);
      }
      rule = table_rule(routes);
    }
    EXPECT_FALSE(find_dependency_cycle(merged, least).empty());
  }
}

TEST(unit_topology_grid_routings, planar_adaptive_follows_the_order_of_dimensions) {
  grid_parameters p;
  p.shape = {4, 4, 4};
  p.order = {2, 0, 1};
  p.algorithm = grid_algorithm::PlanarAdaptive;
  p.options.vcs = 3;
  const topology t = make_grid(p);
  EXPECT_EQ(ports_of(t.routing[0].answer({6, 0, 63})), 0b010001U);  // +z and +x
  EXPECT_EQ(ports_of(t.routing[0].answer({6, 0, 15})), 0b000101U);  // +x and +y
  EXPECT_TRUE(find_dependency_cycle(t, 3).empty());
}

topology mesh_with_selection(selection_rule selection, std::uint32_t congestion) {
  grid_parameters p;
  p.shape = {3, 2};
  p.algorithm = grid_algorithm::OddEven;
  p.selection = selection;
  p.congestion = congestion;
  return make_grid(p);
}

TEST(unit_topology_grid_routings, selections_are_kept_in_files_and_equal_in_a_network) {
  for (const auto& [name, selection] : selection_rules()) {
    const topology t = mesh_with_selection(selection, UsualCongestion);
    EXPECT_EQ(read_topology(to_json(t).dump(), "f").routing, t.routing) << name;
    EXPECT_EQ(t.routing.front().choice().selection, selection);
  }
  topology t = mesh_with_selection(selection_rule::WhenCongested, 30);
  const std::string text = to_json(t).dump();
  EXPECT_EQ(read_topology(text, "f").routing, t.routing);
  EXPECT_NE(text.find(R"("selection":"when_congested","congestion":30)"), std::string::npos);
  t.routing[3].as<grid_rule>()->congestion = 31;
  EXPECT_EQ(error_of([&] { check_structure(t, 4); }),
            "topology: router 3 (0,1): it selects among several outputs in another way than router 0 (0,0); give both "
            "the same selection, congestion and threshold");
}

TEST(unit_topology_grid_routings, rejects_networks_and_vcs_with_a_remedy) {
  const auto rejected = [](const shape_t& shape, grid_algorithm algorithm, unsigned vcs, bool rings) {
    return error_of([&] { routed_grid(shape, algorithm, vcs, rings); });
  };
  EXPECT_EQ(rejected({4, 4, 4}, grid_algorithm::OddEven, 1, false),
            "topology: odd_even routing is for one or two dimensions; in 3 dimensions use negative_first or "
            "planar_adaptive");
  EXPECT_EQ(rejected({4, 4}, grid_algorithm::OddEven, 2, true),
            "topology: odd_even routing can deadlock in a torus; use dimension_order or minimal_adaptive routing, or a "
            "mesh");
  EXPECT_EQ(rejected({4, 4}, grid_algorithm::PlanarAdaptive, 3, true),
            "topology: planar_adaptive routing can deadlock in a torus; use dimension_order or minimal_adaptive "
            "routing, or a mesh");
  EXPECT_EQ(rejected({4, 4}, grid_algorithm::PlanarAdaptive, 1, false),
            "topology: vcs is 1; planar_adaptive routing in a mesh needs at least 2");
  EXPECT_EQ(rejected({4, 4, 4}, grid_algorithm::PlanarAdaptive, 2, false),
            "topology: vcs is 2; planar_adaptive routing in a mesh needs at least 3");
  EXPECT_EQ(rejected({4, 4}, grid_algorithm::Romm, 1, false),
            "topology: vcs is 1; romm routing in a mesh needs at least 2");
  EXPECT_EQ(rejected({4, 4}, grid_algorithm::Romm, 3, true),
            "topology: vcs is 3; romm routing in a torus needs at least 4");
}

}  // namespace
}  // namespace weft
