// SPDX-License-Identifier: Apache-2.0
/// Wrong networks in files, each with what Weft says of it.

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/files/read_topology.h"

namespace weft {
namespace {

using read_function = topology (*)(const std::string&, const std::string&, const read_options&);

std::string said_of(const std::string& text, const read_function& read = read_topology,
                    const read_options& options = {}) {
  try {
    read(text, "f", options);
  } catch (const input_error& e) {
    return e.what();
  }
  return "nothing";
}

/// A row of three routers with a node each, with one line replaced.
std::string row(std::size_t line, const std::string& text) {
  std::vector<std::string> lines{
      "format: weft-topology-1", "routers: [a, b, c]", "links:",          "  - {between: [a, b]}",
      "  - {between: [b, c]}",   "nodes: [a, b, c]",   "routing: up_down"};
  lines[line - 1] = text;
  std::string all;
  for (const std::string& l : lines) all += l + "\n";
  return all;
}

std::string table(const std::string& routes) { return row(7, "routing:\n  algorithm: table\n  routes:\n" + routes); }

TEST(unit_topology_bad_file, the_row_itself_is_good) { EXPECT_EQ(said_of(row(7, "routing: shortest")), "nothing"); }

TEST(unit_topology_bad_file, what_is_no_topology) {
  EXPECT_EQ(said_of(""),
            "f:1:1: error: the file is empty; expected a topology, which begins with 'format: weft-topology-1'");
  EXPECT_EQ(said_of("# nothing here\n"),
            "f:1:1: error: the file is empty; expected a topology, which begins with 'format: weft-topology-1'");
  EXPECT_EQ(said_of("routers: [a"), "f:1:1: error: YAML syntax: end of sequence flow not found");
  EXPECT_EQ(said_of("hello"),
            "f:1:1: error: topology: expected a map with format, kind, algorithm, shape, width, routers, links, "
            "channels, nodes, routing, got 'hello'");
  EXPECT_EQ(said_of("- a\n- b\n"),
            "f:1:1: error: topology: expected a map with format, kind, algorithm, shape, width, routers, links, "
            "channels, nodes, routing, got a list");
  EXPECT_EQ(said_of(row(1, "format: weft-topology-2")),
            "f:1:9: error: format: expected weft-topology-1, got 'weft-topology-2'");
  EXPECT_EQ(said_of(row(1, "kind: mine")), "f:1:1: error: topology: 'format' is missing");
  EXPECT_EQ(said_of("format: weft-topology-1\n---\nformat: x\n"),
            "f:2:1: error: YAML syntax: a second document, expected one");
}

TEST(unit_topology_bad_file, keys_and_types) {
  EXPECT_EQ(said_of(row(3, "link:")), "f:3:1: error: unknown key 'link'; did you mean 'links'?");
  EXPECT_EQ(
      said_of(row(4, "  - {betwen: [a, b]}")),
      "f:4:6: error: unknown key 'betwen' in links[0]; did you mean 'between'?\n"
      "f:4:5: error: links[0]: expected either 'between: [a, b]', a link both ways, or 'from: a' and 'to: b', one way");
  EXPECT_EQ(said_of(row(7, "colour: red")),
            "f:7:1: error: unknown key 'colour'; expected one of format, kind, algorithm, shape, width, routers, "
            "links, channels, nodes, routing");
  EXPECT_EQ(said_of(row(2, "routers: 3")), "f:2:10: error: routers: expected a list of routers, got '3'");
  EXPECT_EQ(said_of(row(2, "routers: [[a], b, c]")),
            "f:2:11: error: routers[0]: expected a map with name, ports, coordinates, got a list");
  EXPECT_EQ(said_of(row(7, "routing: up_down\nrouting: shortest")), "f:8:1: error: key 'routing' is given twice");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, b], cycles: two}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got 'two'");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, b], cycles: '2'}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got '2'; in quotes it is a "
            "text: leave the quotes out");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, b, c]}")),
            "f:4:15: error: links[0].between: expected a list of two routers, got 3 of them");
  EXPECT_EQ(said_of(row(4, "  - {from: a}")), "f:4:5: error: links[0]: 'to' is missing");
  EXPECT_EQ(
      said_of(row(4, "  - {between: [a, b], to: c}")),
      "f:4:5: error: links[0]: expected either 'between: [a, b]', a link both ways, or 'from: a' and 'to: b', one way");
  EXPECT_EQ(said_of(row(6, "nodes: [a, b, {router: c, ports: [c]}]")),
            "f:6:15: error: nodes[2]: expected either 'router: a' or 'ports: [a, b]'");
  EXPECT_EQ(said_of(row(6, "nodes: []")), "f:6:8: error: nodes: the list is empty; give at least one");
  EXPECT_EQ(said_of(row(2, "routers: []")), "f:2:10: error: routers: the list is empty; give at least one");
}

TEST(unit_topology_bad_file, routers) {
  EXPECT_EQ(said_of(row(2, "routers: [a, b, c, a]")),
            "f:2:20: error: routers[3]: there are two routers 'a'; give each its own name");
  EXPECT_EQ(said_of(row(2, "routers: [a, b, {name: c, ports: [x, x]}]")),
            "f:2:17: error: routers[2]: router 2 (c) has two ports 'x'; give each its own name");
  EXPECT_EQ(
      said_of(row(2, "routers: [a, b, {name: c, ports: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}]")),
      "f:2:17: error: routers[2]: router 2 (c) has 17 ports; give at most 16");
  EXPECT_EQ(said_of(row(6, "nodes: [a, b, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c]")),
            "f:6:60: error: nodes[17]: router 2 (c) has more than 16 links and nodes; a router has at most 16 ports");
}

TEST(unit_topology_bad_file, links) {
  EXPECT_EQ(said_of(row(4, "  - {between: [a, d]}")),
            "f:4:19: error: links[0].between[1]: there is no router 'd'; there are a, b, c");
  EXPECT_EQ(said_of(row(2, "routers: [west, east, c]")),
            "f:4:16: error: links[0].between[0]: there is no router 'a'; there are west, east, c\n"
            "f:4:19: error: links[0].between[1]: there is no router 'b'; there are west, east, c\n"
            "f:5:16: error: links[1].between[0]: there is no router 'b'; there are west, east, c\n"
            "f:6:9: error: nodes[0]: there is no router 'a'; there are west, east, c\n"
            "f:6:12: error: nodes[1]: there is no router 'b'; there are west, east, c");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, 3]}")),
            "f:4:19: error: links[0].between[1]: there is no router 3, only 0 to 2");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, a]}")),
            "f:4:5: error: links[0]: it joins router 0 (a) to itself; name two routers");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, b], cycles: 0}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got '0'");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, b], cycles: -1}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got '-1'");
  EXPECT_EQ(said_of(row(4, "  - {between: [a.x, b]}\n  - {between: [a.x, c]}")),
            "f:5:5: error: links[1]: router 0 (a) x is used twice, by links[0] and links[1]; give each its own port");
  EXPECT_EQ(said_of(row(2, "routers: [a, {name: b, ports: [left, right]}, c]")),
            "f:6:12: error: nodes[1]: router 1 (b) has no free port left; list more ports");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, {router: b, port: 7}]}")),
            "f:4:37: error: links[0].between[1].port: router 1 (b) has no port 7; it has no list of ports");
  EXPECT_EQ(said_of(row(2, "routers: [{name: a, ports: [east, local]}, b, c]\nwidth: 8") +
                    "channels: [{from: a.eats, to: b}]\n"),
            "f:9:19: error: channels[0].from: router 0 (a) has no port 'eats'; did you mean 'east'?");
  EXPECT_EQ(said_of(row(4, "  - {between: [a, b], width: 64}\n  - {between: [c, a], width: 128}")),
            "f:5:30: error: links[1].width: the link is 128 bits wide, but others are 64; unequal widths would take "
            "routers that cut flits, and Weft has none: make all 64");
  EXPECT_EQ(said_of(row(3, "width: 64\nlinks:"), read_topology, {4, 128, &up_down_routing()}),
            "f:5:5: error: links[0]: the link is 64 bits wide, but flits have 128; unequal widths would take routers "
            "that cut flits, and Weft has none: make all 128\n"
            "f:6:5: error: links[1]: the link is 64 bits wide, but flits have 128; unequal widths would take routers "
            "that cut flits, and Weft has none: make all 128");
}

TEST(unit_topology_bad_file, nodes) {
  EXPECT_EQ(said_of(row(6, "nodes: [a, b, d]")), "f:6:15: error: nodes[2]: there is no router 'd'; there are a, b, c");
  EXPECT_EQ(said_of(row(6, "nodes: [a, b, {router: c, cycles: 0}]")),
            "f:6:35: error: nodes[2].cycles: expected a whole number from 1 to 1000000, got '0'");
  EXPECT_EQ(said_of(row(6, "nodes: [a, b, {ports: []}]")),
            "f:6:23: error: nodes[2].ports: the list is empty; give at least one");
  EXPECT_EQ(said_of(row(5, "  - {from: b, to: c}")),
            "f:7:10: error: routing: node 0 cannot be reached from router 2 (c); add a link");
  EXPECT_EQ(said_of(row(5, "#")), "f:7:10: error: routing: node 0 cannot be reached from router 2 (c); add a link");
  EXPECT_EQ(said_of(row(6, "nodes: [a.x, b, a.x]")),
            "f:6:17: error: nodes[2]: router 0 (a) x is used twice, by nodes[0] and nodes[2]; give each its own port");
}

TEST(unit_topology_bad_file, routings) {
  EXPECT_EQ(said_of(row(7, "routing: updown")),
            "f:7:10: error: routing: expected one of shortest, up_down, source, got 'updown'; did you mean 'up_down'?");
  EXPECT_EQ(said_of(row(7, "routing: {algorithm: up_down, root: d}")),
            "f:7:37: error: routing.root: there is no router 'd'; there are a, b, c");
  EXPECT_EQ(said_of(row(7, "routing: {algorithm: shortest, root: a}")),
            "f:7:38: error: routing.root: shortest routing has no such key");
  EXPECT_EQ(said_of(row(7, "routing: {root: a}")), "f:7:10: error: routing: 'algorithm' is missing");
  EXPECT_EQ(
      said_of(row(7, "routing: {algorithm: source, paths: [{from: 0, to: 2, through: [a, c]}]}")),
      "f:7:10: error: routing: the path from node 0 to node 2: there is no link from router 0 (a) to router 2 (c)");
  EXPECT_EQ(said_of(row(7, "routing: {algorithm: source, paths: [{from: 0, to: 5, through: [a, c]}]}")),
            "f:7:52: error: routing.paths[0].to: expected a whole number from 0 to 2, got '5'");
  EXPECT_EQ(said_of(row(7, "routing: [{rule: dimension_ordr}]")),
            "f:7:11: error: routing[0].rule: expected one of dimension_order, o1turn, valiant, minimal_adaptive, "
            "west_first, north_last, negative_first, table, nearest_common_ancestor, e_cube, minimal_adaptive_cube, "
            "source, got 'dimension_ordr'; did you mean 'dimension_order'?");
  EXPECT_EQ(said_of(row(7, "routing: [{rule: source}]")),
            "f:7:10: error: topology: 3 routers but 1 routing functions; router 1 (b) has none");
  EXPECT_EQ(said_of(row(
                7, "routing: [{rule: table, rows: [[{from: 1, port: 0, vcs: [0]}]]}, {rule: source}, {rule: source}]")),
            "f:7:40: error: routing[0].rows[0][0].from: expected a whole number from 0 to 0, got '1'");
  EXPECT_EQ(
      said_of("format: weft-topology-1\nrouters: [a, b, c, d, e]\nlinks: [{between: [a, b]}, {between: [b, c]}, "
              "{between: [c, d]}, {between: [d, e]}, {between: [e, a]}]\nnodes: [a, b, c, d, e]\nrouting: shortest\n",
              read_topology, {1, 0, &up_down_routing()}),
      "f:5:10: error: routing: shortest paths without deadlock take 2 VCs here; vcs is 1; give 2 to 16, or use "
      "up_down");
}

TEST(unit_topology_bad_file, tables) {
  EXPECT_EQ(
      said_of(table("    - {at: a, to: others, next: b}\n    - {at: b, to: others, next: a}\n    - {at: c, to: others, "
                    "next: b}\n")),
      "f:8:3: error: routing: packets from node 0 to node 2 go in a circle: router 0 (a), router 1 (b), router 0 (a)");
  EXPECT_EQ(said_of(table("    - {at: a, to: others, next: b}\n    - {at: c, to: others, next: b}\n")),
            "f:8:3: error: routing: router 1 (b) has no route to node 0, and packets from node 1 come there");
  EXPECT_EQ(
      said_of(table(
          "    - {at: a, to: others, next: b}\n    - {at: b, to: 0, next: a}\n    - {at: c, to: others, next: b}\n")),
      "f:8:3: error: routing: router 1 (b) has no route to node 2, and packets from node 0 come there");
  EXPECT_EQ(said_of(table("    - {at: a, to: others, next: c}\n")),
            "f:10:33: error: routing.routes[0].next: there is no link from router 0 (a) to router 2 (c)");
  EXPECT_EQ(said_of(table("    - {at: a, to: others, port: d}\n")),
            "f:10:33: error: routing.routes[0].port: router 0 (a) has no port 'd'; there are b, local");
  EXPECT_EQ(said_of(table("    - {at: a, to: [1, 3], next: b}\n")),
            "f:10:23: error: routing.routes[0].to[1]: expected a whole number from 0 to 2, got '3'");
  EXPECT_EQ(said_of(table("    - {at: a, to: 1, port: local}\n")),
            "f:8:3: error: routing: router 1 (b) has no route to node 0, and packets from node 1 come there");
  EXPECT_EQ(said_of(table("    - {at: a, to: 1, next: b}\n    - {at: a, to: [1, 2], next: b}\n")),
            "f:8:3: error: routing: the route at router 0 (a) to node 1 is given twice");
  EXPECT_EQ(said_of(table("    - {at: a, to: 1, next: b, vcs: [4]}\n")),
            "f:8:3: error: routing: the route at router 0 (a) to node 1: admissible VCs beyond the 4 of a port");
  EXPECT_EQ(said_of(table("    - {at: a, to: 1}\n")),
            "f:10:7: error: routing.routes[0]: expected either 'port: east' or 'next: hub'");
}

TEST(unit_topology_bad_file, graphml) {
  EXPECT_EQ(said_of("", read_graphml), "f: error: the file is empty; expected a graph");
  EXPECT_EQ(said_of("<graphml><graph>", read_graphml), "f:1: error: XML syntax: unexpected end of data");
  EXPECT_EQ(said_of("<svg/>", read_graphml), "f: error: expected an element 'graphml' around all");
  EXPECT_EQ(said_of("<graphml/>", read_graphml), "f: error: expected an element 'graph' in 'graphml'");
  EXPECT_EQ(said_of("<graphml><graph/></graphml>", read_graphml),
            "f: error: the graph has no vertices; give at least one");
  EXPECT_EQ(said_of("<graphml><graph><node id='a'/><edge source='a' target='b'/></graph></graphml>", read_graphml),
            "f: error: edge 'a' to 'b': there is no vertex 'b'");
  EXPECT_EQ(said_of("<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", read_graphml),
            "f: error: there are two vertices 'a'; give each its own id");
  EXPECT_EQ(said_of("<graphml><key id='cycles'/><graph><node id='a'/><node id='b'/><edge source='a' target='b'><data "
                    "key='cycles'>0</data></edge></graph></graphml>",
                    read_graphml),
            "f: error: edge 'a' to 'b': cycles: expected a whole number from 1 to 1000000, got '0'");
  EXPECT_EQ(said_of("<graphml><graph><node id='a'/><node id='b'/></graph></graphml>", read_graphml),
            "f: error: routing: node 0 cannot be reached from router 1 (b); add a link");
  EXPECT_EQ(said_of("<graphml><graph><node id='a'><port name='p'/></node><node id='b'/><edge source='a' target='b' "
                    "sourceport='q'/></graph></graphml>",
                    read_graphml),
            "f: error: vertex 'a' has no port 'q', which an edge names");
}

TEST(unit_topology_bad_file, graphviz) {
  EXPECT_EQ(said_of("graph {", read_graphviz),
            "f: error: Graphviz syntax: Invalid start token for statement (token is \"<eof> ''\")");
  EXPECT_EQ(said_of("digraph { a -- b }", read_graphviz),
            "f: error: Graphviz syntax: Using -- in directed graph (token is \"<dash-dash> '--'\")");
  EXPECT_EQ(said_of("graph { a -- b [latency=0] }", read_graphviz),
            "f: error: edge 'a' to 'b': latency: expected a whole number from 1 to 1000000, got '0'");
  EXPECT_EQ(said_of("graph { a -- a }", read_graphviz),
            "f: error: edge 'a' to 'a': it joins a router to itself; name two vertices");
  EXPECT_EQ(said_of("graph { a -- b; a [type=switch] }", read_graphviz),
            "f: error: vertex 'a': type: expected router or node, got 'switch'");
  EXPECT_EQ(said_of("digraph { a -> b }", read_graphviz),
            "f: error: routing: node 0 cannot be reached from router 1 (b); add a link");
  EXPECT_EQ(said_of("graph { a -- b; n [type=\"node\"]; m [type=\"node\"]; n -- m }", read_graphviz),
            "f: error: edge 'n' to 'm': it joins two nodes; put a router between");
}

TEST(unit_topology_bad_file, a_table_that_deadlocks_is_read_and_its_cycle_found) {
  const topology t = read_topology(R"(
format: weft-topology-1
routers: [a, b, c]
links: [{between: [a, b]}, {between: [b, c]}, {between: [c, a]}]
nodes: [a, b, c]
routing:
  algorithm: table
  routes:
    - {at: a, to: others, next: b}
    - {at: b, to: others, next: c}
    - {at: c, to: others, next: a}
)",
                                   "f", {1, 0, &up_down_routing()});
  EXPECT_EQ(describe_cycle(t, find_dependency_cycle(t, 1)),
            "router 0 (a) b -> router 1 (b) a, VC 0\n"
            "router 1 (b) c -> router 2 (c) b, VC 0\n"
            "router 2 (c) a -> router 0 (a) c, VC 0\n"
            "back to router 0 (a) b, VC 0\n");
}

}  // namespace
}  // namespace weft
