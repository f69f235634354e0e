// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/read_topology.h"

#include "unit/topology/networks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/files/export.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/kinds.h"
#include "weft/topology/names.h"
#include "weft/topology/routing/too_large_to_route.h"

namespace weft {
namespace {

constexpr const char* Star = R"(
format: weft-topology-1
kind: star
width: 128
routers:
  - {name: hub, coordinates: [1, 1]}
  - {name: left, ports: [core, out, spare]}
  - right
links:
  - {between: [hub.west, left.out], cycles: 2}
  - {from: hub, to: right}
  - {from: right, to: hub}
nodes:
  - left
  - {router: right, cycles: 3}
  - {ports: [right, right]}
routing: {algorithm: up_down, root: hub}
)";

topology random_network() {
  random_graph_parameters p;
  p.degree = *rc::gen::inRange<unsigned>(2, 5);
  p.routers = 2 * *rc::gen::inRange<std::uint32_t>(p.degree, 10);
  p.nodes = *rc::gen::inRange(1U, 3U);
  p.options.nic_ports = *rc::gen::inRange(1U, 3U);
  p.options.link_cycles = *rc::gen::inRange(1U, 4U);
  p.seed = *rc::gen::arbitrary<std::uint64_t>();
  return make_random_graph_unrouted(p);
}

TEST(unit_topology_file, assigns_ports_if_links_and_nodes_name_none) {
  const topology t = read_topology(Star, "star.yaml", {4, 128, &up_down_routing()});
  EXPECT_EQ(t.kind, "star");
  EXPECT_EQ(t.algorithm, "up_down");
  EXPECT_EQ(t.routers[0].port_names, (std::vector<std::string>{"west", "right"}));
  EXPECT_EQ(t.routers[1].port_names, (std::vector<std::string>{"core", "out", "spare"}));
  EXPECT_EQ(t.routers[2].port_names, (std::vector<std::string>{"hub", "local", "local#2", "local#3"}));
  ASSERT_EQ(t.channels.size(), 4U);
  EXPECT_EQ(full_name(t, t.channels[0]), "router 0 (hub) west -> router 1 (left) out");
  EXPECT_EQ(full_name(t, t.channels[1]), "router 1 (left) out -> router 0 (hub) west");
  EXPECT_EQ(full_name(t, t.channels[2]), "router 0 (hub) right -> router 2 (right) hub");
  EXPECT_EQ(full_name(t, t.channels[3]), "router 2 (right) hub -> router 0 (hub) right");
  EXPECT_EQ(t.channels[0].cycles, 2U);
  EXPECT_EQ(t.nodes[0].ports, (std::vector<port_ref>{{1, 0}}));
  EXPECT_EQ(t.nodes[1].cycles, 3U);
  EXPECT_EQ(t.nodes[2].ports, (std::vector<port_ref>{{2, 2}, {2, 3}}));
  EXPECT_EQ(route_path(t, 0, 1), (std::vector<router_id>{1, 0, 2}));
  EXPECT_TRUE(find_dependency_cycle(t, 4).empty());
}

constexpr const char* Ring = R"(
format: weft-topology-1
routers: [a, b, c]
links: [{between: [a, b]}, {between: [b, c]}, {between: [c, a]}]
nodes: [a, b, c]
)";

TEST(unit_topology_file, routes_with_the_specified_algorithm) {
  const std::string ring = Ring;
  EXPECT_EQ(read_topology(ring, "ring.yaml").algorithm, "up_down");
  EXPECT_EQ(read_topology(ring + "routing: shortest", "ring.yaml").algorithm, "shortest");
  EXPECT_EQ(read_topology(ring, "ring.yaml", {4, 0, &source_routing()}).algorithm, "source");
  const topology source = read_topology(
      ring + "routing: {algorithm: source, paths: [{from: 0, to: 1, through: [a, c, b]}], others: up_down}",
      "ring.yaml");
  EXPECT_EQ(route_path(source, 0, 1), (std::vector<router_id>{0, 2, 1}));
  EXPECT_EQ(route_path(source, 1, 0), (std::vector<router_id>{1, 0}));
  const topology table = read_topology(ring + R"(
routing:
  algorithm: table
  routes:
    - {at: a, to: [1, 2], next: c, vcs: [1]}
    - {at: b, to: others, port: a}
    - {at: c, to: 0, next: a}
    - {at: c, to: others, next: b}
)",
                                       "ring.yaml");
  EXPECT_EQ(route_path(table, 0, 1), (std::vector<router_id>{0, 2, 1}));
  EXPECT_EQ(table.routing[0].answer({2, 0, 1}).vcs, 0b10U);
  EXPECT_EQ(table.routing[1].answer({2, 0, 0}).vcs, 0b1111U);
}

TEST(unit_topology_file, mesh_survives_round_trip) {
  grid_parameters p;
  p.shape = {3, 2};
  p.options.nic_ports = 2;
  p.options.link_cycles = 2;
  const topology t = make_grid(p);
  const topology back = read_topology(to_json(t).dump(2), "mesh.json");
  EXPECT_EQ(to_json(back), to_json(t));
  EXPECT_EQ(back.routing, t.routing);
  EXPECT_EQ(back.algorithm, "dimension_order");
}

RC_GTEST_PROP(unit_topology_file, random_network_survives_round_trip, ()) {
  topology t = random_network();
  const auto how = graph_routings()[*rc::gen::inRange<std::size_t>(0, graph_routings().size())];
  try {
    route_network(t, *how, {MaxVcs, {}, 1});
  } catch (const std::invalid_argument&) {
    RC_DISCARD("a path of more than eight segments");
  }
  t.routers[1].name = "5";
  t.routers[2].name = "with.dot \"and\" quotes";
  const topology back = read_topology(to_json(t).dump(), "random.json", {MaxVcs, 0, &up_down_routing()});
  RC_ASSERT(to_json(back) == to_json(t));
  RC_ASSERT(back.routing == t.routing);
  for (node_id n = 0; n < t.nodes.size(); ++n)
    RC_ASSERT(back.nodes[n].path_ids.by_destination == t.nodes[n].path_ids.by_destination);
}

TEST(unit_topology_file, all_routing_rules_survive_round_trip) {
  topology t = read_topology(Ring, "ring.yaml");
  grid_rule grid;
  grid.algorithm = grid_algorithm::O1Turn;
  grid.size = grid.stride = {2, 2};
  grid.order = {1, 0};
  grid.rings = grid.one_way = true;
  grid.nodes = 2;
  grid.vcs = 3;
  tree_rule tree;
  tree.up = ascent::Random;
  tree.divisor = 4;
  cube_rule cube;
  cube.adaptive = true;
  cube.dimensions = 3;
  cube.vcs = 6;
  for (const route_rule& rule : {route_rule(grid), route_rule(tree), route_rule(cube)}) {
    t.routing[0] = rule;
    std::string message;
    try {
      read_topology(to_json(t).dump(), "odd.json");
    } catch (const input_error& e) {
      message = e.what();  // these rules lead nowhere in this network, but the reader understood them
    }
    EXPECT_EQ(message.find("expected"), std::string::npos) << message;
  }
}

// ---- GraphML and Graphviz ----

RC_GTEST_PROP(unit_topology_graphml, random_network_survives_round_trip, ()) {
  topology t = random_network();
  t.routers[1].name = "  a <b> & \"c\"\n\td  e\r\n";
  t.nodes[0].cycles = 3;
  const topology back = read_graphml(to_graphml(t), "random.graphml");
  RC_ASSERT(to_graphml(back) == to_graphml(t));
  RC_ASSERT(to_json(back)["routers"] == to_json(t)["routers"]);
  RC_ASSERT(to_json(back)["channels"] == to_json(t)["channels"]);
  RC_ASSERT(to_json(back)["nodes"] == to_json(t)["nodes"]);
}

TEST(unit_topology_graphml, mesh_keeps_its_shape_in_round_trip) {
  const topology t = mesh_of({3, 2});
  const topology back = read_graphml(to_graphml(t), "mesh.graphml");
  EXPECT_EQ(back.kind, "mesh");
  EXPECT_EQ(back.shape, t.shape);
  EXPECT_EQ(back.routers[4].coordinates, t.routers[4].coordinates);
  EXPECT_EQ(to_graphml(back), to_graphml(t));
}

TEST(unit_topology_graphml, external_graph_vertices_become_routers_with_nodes) {
  const topology t = read_graphml(R"(<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="latency" attr.type="int"/>
  <key id="d1" for="node" attr.name="nodes" attr.type="int"/>
  <graph edgedefault="undirected">
    <node id="x"/> <node id="y"><data key="d1">2</data></node> <node id="z"><data key="d1">0</data></node>
    <edge source="x" target="y"><data key="d0">3</data></edge>
    <edge source="y" target="z"/>
  </graph>
</graphml>)",
                                  "xyz.graphml");
  EXPECT_EQ(t.routers.size(), 3U);
  EXPECT_EQ(t.routers[2].name, "z");
  EXPECT_EQ(t.channels.size(), 4U);
  EXPECT_EQ(t.channels[0].cycles, 3U);
  EXPECT_EQ(t.nodes.size(), 3U);
  EXPECT_EQ(route_path(t, 0, 2), (std::vector<router_id>{0, 1}));
}

TEST(unit_topology_graphviz, undirected_edges_are_bidirectional_links) {
  const topology t =
      read_graphviz(R"(graph g { r2 -- r10 [cycles=2]; r10 -- r1 [headport=east]; r1 [nodes=2]; })", "g.dot");
  ASSERT_EQ(t.routers.size(), 3U);
  EXPECT_EQ(t.routers[0].name, "r1");
  EXPECT_EQ(t.routers[2].name, "r10");
  EXPECT_EQ(t.routers[0].port_names, (std::vector<std::string>{"east", "local", "local#2"}));
  EXPECT_EQ(t.channels.size(), 4U);
  EXPECT_EQ(t.channels[0].cycles, 2U);
  EXPECT_EQ(t.nodes.size(), 4U);
}

TEST(unit_topology_graphviz, directed_edges_are_channels) {
  const topology t = read_graphviz("digraph { a -> b; b -> c; c -> a; }", "ring.dot", {4, 0, &shortest_routing()});
  EXPECT_EQ(t.channels.size(), 3U);
  EXPECT_EQ(route_path(t, 1, 0), (std::vector<router_id>{1, 2, 0}));
  EXPECT_EQ(read_graphviz("digraph { a -> b [dir=both]; }", "pair.dot").channels.size(), 2U);
  EXPECT_EQ(read_graphviz("digraph { a -> b; a -> b [dir=back]; }", "pair.dot").channels[1].from.router, 1U);
}

/// The links of \p text by the names of their ends.
std::vector<std::string> links_of(const std::string& text) {
  const topology t = read_graphviz(text, "g.dot");
  std::vector<std::string> links;
  for (const channel& c : t.channels)
    if (c.from.router < c.to.router)
      links.push_back(t.routers[c.from.router].name + "-" + t.routers[c.to.router].name + ":" +
                      std::to_string(c.cycles));
  std::sort(links.begin(), links.end());
  return links;
}

TEST(unit_topology_graphviz, subgraphs_stand_for_their_vertices) {
  using list = std::vector<std::string>;
  EXPECT_EQ(links_of("graph { a -- {b c} -- d }"), (list{"a-b:1", "a-c:1", "b-d:1", "c-d:1"}));
  EXPECT_EQ(links_of("graph { subgraph s {b; subgraph {c}} a -- subgraph s; subgraph s {d} d -- a }"),
            (list{"a-b:1", "a-c:1", "a-d:1"}));
  EXPECT_EQ(links_of("graph { subgraph s {b -- c} a -- subgraph s }"), (list{"a-b:1", "a-c:1", "b-c:1"}))
      << "the ends of an edge belong to the subgraph that it stands in";
  EXPECT_EQ(links_of("strict graph { a -- b; a -- b; {a b} -- {a b} }"), (list{"a-b:1"}));
}

TEST(unit_topology_graphviz, defaults_apply_where_a_name_first_appears) {
  using list = std::vector<std::string>;
  EXPECT_EQ(links_of("graph { edge [cycles=3] a -- b { edge [cycles=5]; b -- c [latency=\"\"]; } c -- d; }"),
            (list{"a-b:3", "b-c:5", "c-d:3"}));
  const topology t = read_graphviz("graph { node [nodes=2] a -- b { node [nodes=0] b -- c } c -- a; d -- a }", "g.dot");
  EXPECT_EQ(t.nodes.size(), 6U) << "two of a, b and d, none of c";
}

TEST(unit_topology_graphviz, reads_the_dot_lexical_syntax) {
  using list = std::vector<std::string>;
  EXPECT_EQ(links_of("\xef\xbb\xbf# a line\nGRAPH \"g\" { // more\n /* \"a */ \"a \\\"b\\\"\" -- \"c\" + \"d\\\ne\"; "
                     "-1.5 -- \xc3\xa4_1; <<b>x</b>> -- -1.5 -- cde }"),
            (list{"-1.5-<<b>x</b>>:1", "-1.5-cde:1", "-1.5-\xc3\xa4_1:1", "a \"b\"-cde:1"}));
}

TEST(unit_topology_graphviz, reads_ports_from_records_or_attributes) {
  const topology t = read_graphviz("graph { a:east -- b:west:n; b:s -- c [tailport=up] }", "g.dot");
  EXPECT_EQ(t.routers[0].port_names, (std::vector<std::string>{"east", "local"}));
  EXPECT_EQ(t.routers[1].port_names, (std::vector<std::string>{"west", "up", "local"}));
}

TEST(unit_topology_file, returns_unrouted_network_when_too_large_for_its_routing) {
  constexpr std::size_t Routers = 4097;
  std::string links, nodes, vertices;
  for (std::size_t r = 0; r < Routers; ++r) {
    const std::string a = std::to_string(r), b = std::to_string((r + 1) % Routers);
    links += "- {between: [" + a + ", " + b + "]}\n";
    nodes += a + ", ";
    vertices += "v" + a + " -- v" + b + ";\n";
  }
  const auto unrouted = [&](const auto& read) {
    try {
      read();
    } catch (const unrouted_network& e) {
      EXPECT_EQ(e.graph().routers.size(), Routers);
      EXPECT_EQ(e.graph().channels.size(), 2 * Routers);
      EXPECT_EQ(e.graph().nodes.size(), Routers);
      EXPECT_EQ(e.graph().algorithm, "");
      return std::string(e.what());
    }
    return std::string("nothing is thrown");
  };
  const std::string text = "format: weft-topology-1\nrouters: [" +
                           [&] {
                             std::string all;
                             for (std::size_t r = 0; r < Routers; ++r) all += "{}, ";
                             return all;
                           }() +
                           "]\nlinks:\n" + links + "nodes: [" + nodes + "]\n";
  const std::string why =
      "tables for 4097 routers and 4097 nodes have more than 16777216 entries; make the network smaller, or ";
  EXPECT_NE(unrouted([&] { read_topology(text, "f.yaml"); }).find("f.yaml:1:1: error: routing: " + why),
            std::string::npos);
  EXPECT_NE(unrouted([&] { read_topology(text + "routing: shortest\n", "f.yaml"); }).find("error: routing: " + why),
            std::string::npos);
  EXPECT_NE(
      unrouted([&] { read_graphviz("graph g {" + vertices + "}", "f.dot"); }).find("f.dot: error: routing: " + why),
      std::string::npos);
}

TEST(unit_topology_file, finds_routers_by_name_among_many) {
  std::string text = "format: weft-topology-1\nrouters: [";
  for (unsigned r = 0; r < 300; ++r) text += "r" + std::to_string(r) + ", ";
  text += "]\nnodes: [r0, r299]\nlinks:\n";
  for (unsigned r = 1; r < 300; ++r)
    text += "- {between: [r" + std::to_string(r - 1) + ", r" + std::to_string(r) + "]}\n";
  const topology t = read_topology(text, "f");
  EXPECT_EQ(t.nodes[1].ports.front().router, 299U);
  EXPECT_EQ(t.channels[2 * 41].to.router, 42U);
  const std::string twice = text.substr(0, text.find(']')) + "r7]" + text.substr(text.find(']') + 1);
  try {
    read_topology(twice, "f");
    FAIL() << "two routers have one name";
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find("routers[300]: there are two routers 'r7'; give each router its own name"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace weft
