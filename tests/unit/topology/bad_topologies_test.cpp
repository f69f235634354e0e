// SPDX-License-Identifier: Apache-2.0
/// Invalid network files, each with the error message of Weft.

#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/files/read_topology.h"

namespace weft {
namespace {

using read_function = topology (*)(const std::string&, const std::string&, const read_options&);

std::string reading_error(const std::string& text, const read_function& read = read_topology,
                          const read_options& options = {}) {
  try {
    read(text, "f", options);
  } catch (const input_error& e) {
    return e.what();
  }
  return "nothing";
}

/// A row of three routers with a node each, with one line of its text replaced.
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

TEST(unit_topology_bad_file, the_unmodified_sample_file_is_valid) {
  EXPECT_EQ(reading_error(row(7, "routing: shortest")), "nothing");
}

TEST(unit_topology_bad_file, rejects_files_that_are_not_topologies) {
  EXPECT_EQ(reading_error(""),
            "f:1:1: error: the file is empty; expected a topology, which begins with 'format: weft-topology-1'");
  EXPECT_EQ(reading_error("# nothing here\n"),
            "f:1:1: error: the file is empty; expected a topology, which begins with 'format: weft-topology-1'");
  EXPECT_EQ(reading_error("routers: [a"), "f:1:1: error: YAML syntax: end of sequence flow not found");
  EXPECT_EQ(reading_error("hello"),
            "f:1:1: error: topology: expected a map with format, kind, algorithm, shape, width, routers, links, "
            "channels, nodes, routing, got 'hello'");
  EXPECT_EQ(reading_error("- a\n- b\n"),
            "f:1:1: error: topology: expected a map with format, kind, algorithm, shape, width, routers, links, "
            "channels, nodes, routing, got a list");
  EXPECT_EQ(reading_error(row(1, "format: weft-topology-2")),
            "f:1:9: error: format: expected weft-topology-1, got 'weft-topology-2'");
  EXPECT_EQ(reading_error(row(1, "kind: mine")), "f:1:1: error: topology: 'format' is missing");
  EXPECT_EQ(reading_error("format: weft-topology-1\n---\nformat: x\n"),
            "f:2:1: error: YAML syntax: a second document begins here; expected one document");
}

TEST(unit_topology_bad_file, reports_bad_keys_and_types) {
  EXPECT_EQ(reading_error(row(3, "link:")), "f:3:1: error: unknown key 'link'; did you mean 'links'?");
  EXPECT_EQ(
      reading_error(row(4, "  - {betwen: [a, b]}")),
      "f:4:6: error: unknown key 'betwen' in links[0]; did you mean 'between'?\n"
      "f:4:5: error: links[0]: expected either 'between: [a, b]' for a two-way link, or 'from: a' and 'to: b' for a "
      "one-way link");
  EXPECT_EQ(reading_error(row(7, "colour: red")),
            "f:7:1: error: unknown key 'colour'; expected one of format, kind, algorithm, shape, width, routers, "
            "links, channels, nodes, routing");
  EXPECT_EQ(reading_error(row(2, "routers: 3")), "f:2:10: error: routers: expected a list of routers, got '3'");
  EXPECT_EQ(reading_error(row(2, "routers: [[a], b, c]")),
            "f:2:11: error: routers[0]: expected a map with name, ports, coordinates, got a list");
  EXPECT_EQ(reading_error(row(7, "routing: up_down\nrouting: shortest")),
            "f:8:1: error: key 'routing' is given twice; give it once");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, b], cycles: two}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got 'two'");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, b], cycles: '2'}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got '2'; a value in quotes is "
            "a text, so leave the quotes out");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, b, c]}")),
            "f:4:15: error: links[0].between: expected a list of two routers, got a list of 3");
  EXPECT_EQ(reading_error(row(4, "  - {from: a}")), "f:4:5: error: links[0]: 'to' is missing");
  EXPECT_EQ(
      reading_error(row(4, "  - {between: [a, b], to: c}")),
      "f:4:5: error: links[0]: expected either 'between: [a, b]' for a two-way link, or 'from: a' and 'to: b' for a "
      "one-way link");
  EXPECT_EQ(reading_error(row(6, "nodes: [a, b, {router: c, ports: [c]}]")),
            "f:6:15: error: nodes[2]: expected either 'router: a' or 'ports: [a, b]'");
  EXPECT_EQ(reading_error(row(6, "nodes: []")), "f:6:8: error: nodes: the list is empty; give at least one");
  EXPECT_EQ(reading_error(row(2, "routers: []")), "f:2:10: error: routers: the list is empty; give at least one");
}

TEST(unit_topology_bad_file, reports_bad_routers) {
  EXPECT_EQ(reading_error(row(2, "routers: [a, b, c, a]")),
            "f:2:20: error: routers[3]: there are two routers 'a'; give each router its own name");
  EXPECT_EQ(reading_error(row(2, "routers: [a, b, {name: c, ports: [x, x]}]")),
            "f:2:17: error: routers[2]: router 2 (c) has two ports 'x'; give each port its own name");
  EXPECT_EQ(reading_error(row(
                2, "routers: [a, b, {name: c, ports: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}]")),
            "f:2:17: error: routers[2]: router 2 (c) has 17 ports; give at most 16");
  EXPECT_EQ(reading_error(row(6, "nodes: [a, b, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c]")),
            "f:6:60: error: nodes[17]: router 2 (c) has more than 16 links and nodes, but a router has at most 16 "
            "ports; remove some");
}

TEST(unit_topology_bad_file, rejects_shapes_that_contradict_router_count) {
  const auto yaml = [](const std::string& shape) { return reading_error("shape: " + shape + "\n" + row(7, "")); };
  for (const char* const shape : {"[3]", "[1, 3]", "[3, 1, 1]", "[]"}) EXPECT_EQ(yaml(shape), "nothing") << shape;
  EXPECT_EQ(yaml("[2, 2]"),
            "f:1:8: error: shape: 2x2 has more routers than the network, which has 3; give sides whose product is the "
            "number of routers, or leave shape out");
  EXPECT_EQ(yaml("[0, 4294967295, 4294967295]"),
            "f:1:8: error: shape: 0x4294967295x4294967295 has fewer routers than the network, which has 3; give sides "
            "whose product is the number of routers, or leave shape out");
  EXPECT_EQ(yaml("[4294967295, 4294967295, 4294967295, 3]"),
            "f:1:8: error: shape: 4294967295x4294967295x4294967295x3 has more routers than the network, which has 3; "
            "give sides whose product is the number of routers, or leave shape out");
  EXPECT_EQ(reading_error("graph {\n shape=\"2\"; a -- b -- c }", read_graphviz),
            "f:2: error: shape: 2 has fewer routers than the network, which has 3; give sides whose product is the "
            "number of routers, or leave shape out");
  EXPECT_EQ(reading_error("<graphml><key id='s' for='graph' attr.name='shape'/><graph>\n<data key='s'>2 2</data><node "
                          "id='a'/><node id='b'/><edge source='a' target='b'/></graph></graphml>",
                          read_graphml),
            "f:2: error: shape: 2x2 has more routers than the network, which has 2; give sides whose product is the "
            "number of routers, or leave shape out");
}

TEST(unit_topology_bad_file, reports_bad_links) {
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, d]}")),
            "f:4:19: error: links[0].between[1]: there is no router 'd'; there are a, b, c");
  EXPECT_EQ(reading_error(row(2, "routers: [west, east, c]")),
            "f:4:16: error: links[0].between[0]: there is no router 'a'; there are west, east, c\n"
            "f:4:19: error: links[0].between[1]: there is no router 'b'; there are west, east, c\n"
            "f:5:16: error: links[1].between[0]: there is no router 'b'; there are west, east, c\n"
            "f:6:9: error: nodes[0]: there is no router 'a'; there are west, east, c\n"
            "f:6:12: error: nodes[1]: there is no router 'b'; there are west, east, c");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, 3]}")),
            "f:4:19: error: links[0].between[1]: there is no router 3, expected 0 to 2");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, a]}")),
            "f:4:5: error: links[0]: it joins router 0 (a) to itself; name two routers");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, b], cycles: 0}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got '0'");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, b], cycles: -1}")),
            "f:4:31: error: links[0].cycles: expected a whole number from 1 to 1000000, got '-1'");
  EXPECT_EQ(
      reading_error(row(4, "  - {between: [a.x, b]}\n  - {between: [a.x, c]}")),
      "f:5:5: error: links[1]: router 0 (a) x is used twice, by links[0] and links[1]; give each of them its own port");
  EXPECT_EQ(reading_error(row(2, "routers: [a, {name: b, ports: [left, right]}, c]")),
            "f:6:12: error: nodes[1]: router 1 (b) has no free port left; list more ports");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, {router: b, port: 7}]}")),
            "f:4:37: error: links[0].between[1].port: router 1 (b) has no port 7; it has no list of ports");
  EXPECT_EQ(reading_error(row(2, "routers: [{name: a, ports: [east, local]}, b, c]\nwidth: 8") +
                          "channels: [{from: a.eats, to: b}]\n"),
            "f:9:19: error: channels[0].from: router 0 (a) has no port 'eats'; did you mean 'east'?");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, b], width: 48}\n  - {between: [c, a], width: 128}")),
            "f:4:30: error: links[0].width: width 48 does not divide the width of the widest link, 128, into 2 to 64 "
            "parts; give a divisor of 128 that is at least 2");
  EXPECT_EQ(reading_error(row(3, "width: 256\nlinks:"), read_topology, {4, 128, &up_down_routing()}),
            "f:5:5: error: links[0]: 256 bits exceed the width of flits, 128, but a link carries at most one flit per "
            "cycle; give at most 128\n"
            "f:6:5: error: links[1]: 256 bits exceed the width of flits, 128, but a link carries at most one flit per "
            "cycle; give at most 128");
  EXPECT_EQ(
      reading_error(row(4, "  - {between: [a, b], width: 1}"), read_topology, {4, 128, &up_down_routing()}),
      "f:4:30: error: links[0].width: width 1 does not divide the width of flits, 128, into 2 to 64 parts; give a "
      "divisor of 128 that is at least 2");
  EXPECT_EQ(
      reading_error(row(4, "  - {between: [a, b], width: 32, phits: 2}"), read_topology, {4, 128, &up_down_routing()}),
      "f:4:41: error: links[0].phits: has no effect, because links[0].width gives the width of the link; give one "
      "of the two");
  EXPECT_EQ(reading_error(row(4, "  - {between: [a, b], phits: 65}")),
            "f:4:30: error: links[0].phits: expected a whole number from 1 to 64, got '65'");
}

TEST(unit_topology_bad_file, reports_bad_nodes) {
  EXPECT_EQ(reading_error(row(6, "nodes: [a, b, d]")),
            "f:6:15: error: nodes[2]: there is no router 'd'; there are a, b, c");
  EXPECT_EQ(reading_error(row(6, "nodes: [a, b, {router: c, cycles: 0}]")),
            "f:6:35: error: nodes[2].cycles: expected a whole number from 1 to 1000000, got '0'");
  EXPECT_EQ(reading_error(row(6, "nodes: [a, b, {ports: []}]")),
            "f:6:23: error: nodes[2].ports: the list is empty; give at least one");
  EXPECT_EQ(reading_error(row(5, "  - {from: b, to: c}")),
            "f:7:10: error: routing: node 0 cannot be reached from router 2 (c); add a link");
  EXPECT_EQ(reading_error(row(5, "#")),
            "f:7:10: error: routing: node 0 cannot be reached from router 2 (c); add a link");
  EXPECT_EQ(reading_error(row(6, "nodes: [a.x, b, a.x]")),
            "f:6:17: error: nodes[2]: router 0 (a) x is used twice, by nodes[0] and nodes[2]; give each of them its "
            "own port");
}

TEST(unit_topology_bad_file, reports_bad_routings) {
  EXPECT_EQ(reading_error(row(7, "routing: updown")),
            "f:7:10: error: routing: expected one of valiant, minimal_adaptive, shortest, up_down, ugal, source, got "
            "'updown'; did you mean 'up_down'?");
  EXPECT_EQ(reading_error(row(7, "routing: {algorithm: up_down, root: d}")),
            "f:7:37: error: routing.root: there is no router 'd'; there are a, b, c");
  EXPECT_EQ(reading_error(row(7, "routing: {algorithm: shortest, root: a}")),
            "f:7:38: error: routing.root: shortest routing has no such key; leave it out");
  EXPECT_EQ(reading_error(row(7, "routing: {root: a}")), "f:7:10: error: routing: 'algorithm' is missing");
  EXPECT_EQ(
      reading_error(row(7, "routing: {algorithm: source, paths: [{from: 0, to: 2, through: [a, c]}]}")),
      "f:7:10: error: routing: the path from node 0 to node 2: there is no link from router 0 (a) to router 2 (c)");
  EXPECT_EQ(reading_error(row(7, "routing: {algorithm: source, paths: [{from: 0, to: 5, through: [a, c]}]}")),
            "f:7:52: error: routing.paths[0].to: expected a whole number from 0 to 2, got '5'");
  EXPECT_EQ(reading_error(row(7, "routing: [{rule: dimension_ordr}]")),
            "f:7:11: error: routing[0].rule: expected one of dimension_order, o1turn, valiant, romm, minimal_adaptive, "
            "west_first, north_last, negative_first, odd_even, planar_adaptive, table, valiant_by_table, ugal, "
            "nearest_common_ancestor, e_cube, "
            "minimal_adaptive_cube, source, got 'dimension_ordr'; did you mean 'dimension_order'?");
  EXPECT_EQ(reading_error(row(7, "routing: [{rule: source}]")),
            "f:7:10: error: topology: there are 3 routers but 1 routing functions; give one for router 1 (b)");
  EXPECT_EQ(reading_error(row(
                7, "routing: [{rule: table, rows: [[{from: 1, port: 0, vcs: [0]}]]}, {rule: source}, {rule: source}]")),
            "f:7:40: error: routing[0].rows[0][0].from: expected a whole number from 0 to 0, got '1'");
  EXPECT_EQ(reading_error(
                "format: weft-topology-1\nrouters: [a, b, c, d, e]\nlinks: [{between: [a, b]}, {between: [b, c]}, "
                "{between: [c, d]}, {between: [d, e]}, {between: [e, a]}]\nnodes: [a, b, c, d, e]\nrouting: shortest\n",
                read_topology, {1, 0, &up_down_routing()}),
            "f:5:10: error: routing: shortest paths without deadlock need 2 VCs in this network, but vcs is 1; give 2 "
            "to 16, or use up_down");
}

TEST(unit_topology_bad_file, rejects_keys_that_need_a_list_of_routing_functions) {
  EXPECT_EQ(
      reading_error("algorithm: shortest\n" + row(6, "nodes: [a, {router: b, ways: {count: 2}}, c]")),
      "f:1:12: error: algorithm: has no effect without a list of routing functions; write routing: NAME, or routing: "
      "{algorithm: NAME, …}\n"
      "f:7:30: error: nodes[1].ways: has no effect without a list of routing functions; leave it out, or give the "
      "list");
}

TEST(unit_topology_bad_file, reports_unknown_keys_with_their_section) {
  EXPECT_EQ(reading_error("delay: 3\n" + row(6, "nodes: [a, b, c]")),
            "f:1:1: error: unknown key 'delay'; expected one of format, kind, algorithm, shape, width, routers, links, "
            "channels, nodes, routing");
  EXPECT_EQ(reading_error(row(6, "nodes: [a, {router: b, delay: 3}, c]")),
            "f:6:24: error: unknown key 'delay' in nodes[1]; expected one of router, ports, cycles, ways");
  EXPECT_EQ(reading_error(row(7, "routing: {algorithm: shortest, delay: 3}")),
            "f:7:32: error: unknown key 'delay' in routing; expected one of algorithm, root, routes, paths, others, "
            "threshold, weight");
  EXPECT_EQ(reading_error(table("    - {at: a, to: others, next: b, delay: 3}\n")),
            "f:10:36: error: unknown key 'delay' in routing.routes[0]; expected one of at, to, port, next, vcs");
  EXPECT_EQ(
      reading_error(row(7, "routing: {algorithm: source, paths: [{from: 0, to: 2, through: [a, b, c], delay: 3}]}")),
      "f:7:75: error: unknown key 'delay' in routing.paths[0]; expected one of from, to, through");
}

TEST(unit_topology_bad_file, reports_bad_routing_tables) {
  EXPECT_EQ(
      reading_error(
          table("    - {at: a, to: others, next: b}\n    - {at: b, to: others, next: a}\n    - {at: c, to: others, "
                "next: b}\n")),
      "f:8:3: error: routing: packets from node 0 to node 2 follow a loop: router 0 (a), router 1 (b), router 0 (a)");
  EXPECT_EQ(reading_error(table("    - {at: a, to: others, next: b}\n    - {at: c, to: others, next: b}\n")),
            "f:8:3: error: routing: router 1 (b) has no route to node 0, but packets from node 1 to that node arrive "
            "there; add a route");
  EXPECT_EQ(
      reading_error(table(
          "    - {at: a, to: others, next: b}\n    - {at: b, to: 0, next: a}\n    - {at: c, to: others, next: b}\n")),
      "f:8:3: error: routing: router 1 (b) has no route to node 2, but packets from node 0 to that node arrive there; "
      "add a route");
  EXPECT_EQ(reading_error(table("    - {at: a, to: others, next: c}\n")),
            "f:10:33: error: routing.routes[0].next: there is no link from router 0 (a) to router 2 (c)");
  EXPECT_EQ(reading_error(table("    - {at: a, to: others, port: d}\n")),
            "f:10:33: error: routing.routes[0].port: router 0 (a) has no port 'd'; there are b, local");
  EXPECT_EQ(reading_error(table("    - {at: a, to: [1, 3], next: b}\n")),
            "f:10:23: error: routing.routes[0].to[1]: expected a whole number from 0 to 2, got '3'");
  EXPECT_EQ(reading_error(table("    - {at: a, to: 1, port: local}\n")),
            "f:8:3: error: routing: router 1 (b) has no route to node 0, but packets from node 1 to that node arrive "
            "there; add a route");
  EXPECT_EQ(reading_error(table("    - {at: a, to: 1, next: b}\n    - {at: a, to: [1, 2], next: b}\n")),
            "f:8:3: error: routing: the route at router 0 (a) to node 1 is given twice");
  const std::string good =
      "    - {at: a, to: others, next: b}\n    - {at: b, to: 0, next: a}\n    - {at: b, to: 2, next: c}\n    - {at: c, "
      "to: others, next: b}\n";
  EXPECT_EQ(reading_error(table(good)), "nothing");
  EXPECT_EQ(reading_error(table(good + "    - {at: b, to: 1, port: local}\n")), "nothing");
  EXPECT_EQ(
      reading_error(table(good + "    - {at: b, to: 1, next: a}\n")),
      "f:8:3: error: routing: the route at router 1 (b) to node 1: output a does not lead to the node, which is at "
      "this router; remove the route");
  EXPECT_EQ(reading_error(table("    - {at: a, to: 1, next: b, vcs: [4]}\n")),
            "f:8:3: error: routing: the route at router 0 (a) to node 1: it admits VCs beyond the 4 VCs of a port; "
            "give lower VCs");
  EXPECT_EQ(reading_error(table("    - {at: a, to: 1}\n")),
            "f:10:7: error: routing.routes[0]: expected either 'port: east' or 'next: hub'");
}

TEST(unit_topology_bad_file, rejects_routing_entries_without_effect) {
  const auto rule = [](const std::string& route, const std::string& more = "") {
    return reading_error(row(
        7, "routing: [{rule: table, rows: [[{from: 0" + route + "}]]" + more + "}, {rule: source}, {rule: source}]"));
  };
  EXPECT_EQ(rule(", port: 1"),
            "f:7:49: error: routing[0].rows[0][0].port: has no effect without routing[0].rows[0][0].vcs; give both, "
            "or neither for no route");
  EXPECT_EQ(rule(", choices: [1]"),
            "f:7:52: error: routing[0].rows[0][0].choices: has no effect without routing[0].rows[0][0].choice_vcs; "
            "give both, or neither for no route");
  EXPECT_EQ(
      rule(", choice_vcs: [1]"),
      "f:7:55: error: routing[0].rows[0][0].choice_vcs: has no effect without routing[0].rows[0][0].choices; give "
      "both, or neither");
  EXPECT_EQ(
      rule("", ", inputs: [{port: 0, vc: 1, row: 0}, {port: 0, vc: 1, row: 1}]"),
      "f:7:81: error: routing[0].inputs[1]: routing[0].inputs[0] has the same port and VC; give only one of the two");
  EXPECT_EQ(reading_error(table("    - {at: a, to: [], next: b}\n")),
            "f:10:19: error: routing.routes[0].to: the list is empty; give at least one");
  const std::string ways =
      reading_error(row(6, "nodes: [a, {router: b, ways: {count: 2, by_destination: [0, 0, 0]}}, c]"));
  EXPECT_EQ(ways.substr(0, ways.find('\n')),
            "f:6:38: error: nodes[1].ways.count: has no effect, because nodes[1].ways.by_destination fixes the path "
            "ids; give one of the two");
}

TEST(unit_topology_bad_file, reports_bad_graphml) {
  EXPECT_EQ(reading_error("", read_graphml), "f: error: the file is empty; expected a graph");
  EXPECT_EQ(reading_error("<graphml><graph>", read_graphml), "f:1: error: XML syntax: unexpected end of data");
  EXPECT_EQ(reading_error("<svg/>", read_graphml), "f:1: error: expected the root element 'graphml'");
  EXPECT_EQ(reading_error("<graphml/>", read_graphml), "f:1: error: expected an element 'graph' in 'graphml'");
  EXPECT_EQ(reading_error("<graphml><graph/></graphml>", read_graphml),
            "f:1: error: the graph has no vertices; give at least one");
  EXPECT_EQ(
      reading_error("<graphml><graph><node id='a'/><edge source='a' target='b'/></graph></graphml>", read_graphml),
      "f:1: error: edge 'a' to 'b': there is no vertex 'b'; add it, or name another");
  EXPECT_EQ(reading_error("<graphml><graph><node id='a'/><node id='a'/></graph></graphml>", read_graphml),
            "f:1: error: there are two vertices 'a'; give each vertex its own id");
  EXPECT_EQ(
      reading_error("<graphml><key id='cycles'/><graph><node id='a'/><node id='b'/><edge source='a' target='b'><data "
                    "key='cycles'>0</data></edge></graph></graphml>",
                    read_graphml),
      "f:1: error: edge 'a' to 'b': expected cycles to be a whole number from 1 to 1000000, got '0'; leave it out for "
      "1");
  EXPECT_EQ(reading_error("<graphml><graph><node id='a'/><node id='b'/></graph></graphml>", read_graphml),
            "f: error: routing: node 0 cannot be reached from router 1 (b); add a link");
  EXPECT_EQ(
      reading_error("<graphml><graph><node id='a'><port name='p'/></node><node id='b'/><edge source='a' target='b' "
                    "sourceport='q'/></graph></graphml>",
                    read_graphml),
      "f:1: error: vertex 'a' has no port 'q', which an edge names; list it at the vertex, or name another");
}

TEST(unit_topology_bad_file, reports_bad_graphviz) {
  EXPECT_EQ(reading_error("graph {", read_graphviz),
            "f:1: error: Graphviz: expected a vertex, an edge, a subgraph or '}', got the end of the file");
  EXPECT_EQ(reading_error("digraph {\n a -- b }", read_graphviz),
            "f:2: error: Graphviz: expected '->' in a digraph, got '--'");
  EXPECT_EQ(reading_error("graph { a -- b [latency=0] }", read_graphviz),
            "f:1: error: edge 'a' to 'b': expected latency to be a whole number from 1 to 1000000, got '0'; leave it "
            "out for 1");
  EXPECT_EQ(reading_error("graph { a -- a }", read_graphviz),
            "f:1: error: edge 'a' to 'a': it joins a router to itself; name two vertices");
  EXPECT_EQ(
      reading_error("graph { a -- b; a [type=switch]; b [type=router] }", read_graphviz),
      "f:1: error: vertex 'a': expected 'type' to be 'router' or 'node', got 'switch'; leave it out for a router");
  EXPECT_EQ(reading_error("digraph { a -> b }", read_graphviz),
            "f: error: routing: node 0 cannot be reached from router 1 (b); add a link");
  EXPECT_EQ(reading_error("graph { a -- b; n [type=\"node\"]; m [type=\"node\"]; n -- m }", read_graphviz),
            "f:1: error: edge 'n' to 'm': it joins two nodes; put a router between them");
}

TEST(unit_topology_bad_file, graphml_value_errors_have_line_numbers) {
  const auto graphml_error = [](const std::string& vertex, const std::string& edge) {
    return reading_error(
        "<?xml version='1.0'?>\n<!-- a\n comment --><graphml>\n<key id='n' for='node' attr.name='nodes'/>\n"
        "<key id='t' for='node' attr.name='type'/>\n<key id='c' for='edge' attr.name='cycles'/>\n"
        "<graph>\n<node id='a'>\n<desc>one <b>of\ntwo</b></desc>\n" +
            vertex + "\n</node>\n<node id='b'/>\n<edge source='a' target='b'>\n" + edge +
            "\n</edge>\n</graph>\n</graphml>\n",
        read_graphml);
  };
  EXPECT_EQ(graphml_error("<data\n key='n'>x</data>", ""),
            "f:11: error: vertex 'a': expected nodes to be a whole number from 0 to 16, got 'x'; leave it out for 1");
  EXPECT_EQ(graphml_error("", "<!-- 4 -->\n<data key='c'>-1</data>"),
            "f:16: error: edge 'a' to 'b': expected cycles to be a whole number from 1 to 1000000, got '-1'; leave it "
            "out for 1");
  EXPECT_EQ(graphml_error("<data key='t'>node</data>\n<data key='t'>node</data>", ""),
            "f:12: error: node 'a': the attribute 'type' is given twice, first in line 11; give it once");
  EXPECT_EQ(graphml_error("<port name='p'/>\n<port name='p'/>", ""),
            "f:8: error: router 0 (a) has two ports 'p'; give each port its own name");
  EXPECT_EQ(
      graphml_error("<data key='n'>16</data>", ""),
      "f:11: error: router 0 (a) has more than 16 links and nodes, but a router has at most 16 ports; remove some");
}

TEST(unit_topology_bad_file, graphviz_value_errors_have_line_numbers) {
  const auto graphviz_error = [](const std::string& text) {
    return reading_error("graph {\n" + text + "\n}\n", read_graphviz);
  };
  EXPECT_EQ(graphviz_error("a -- b\na [\n nodes=x]"),
            "f:4: error: vertex 'a': expected nodes to be a whole number from 0 to 16, got 'x'; leave it out for 1");
  EXPECT_EQ(graphviz_error("edge [cycles=0]\na -- b\n -- c"),
            "f:2: error: edge 'a' to 'b': expected cycles to be a whole number from 1 to 1000000, got '0'; leave it "
            "out for 1");
  EXPECT_EQ(graphviz_error("a -- b\na -- a"),
            "f:3: error: edge 'a' to 'a': it joins a router to itself; name two vertices");
  EXPECT_EQ(graphviz_error("a:p -- b\na:p -- c"),
            "f:3: error: router 0 (a) p is used twice, by edge 'a' to 'b' and edge 'a' to 'c'; give each of them its "
            "own port");
  EXPECT_EQ(graphviz_error("n [type=\"node\"]\na -- b"), "f:2: error: node 'n' has no edge; join it to a router");
}

TEST(unit_topology_bad_file, rejects_conflicting_graphviz_attributes_in_a_statement) {
  const auto graphviz_error = [](const std::string& text) {
    return reading_error("graph {\n" + text + "\n}\n", read_graphviz);
  };
  EXPECT_EQ(graphviz_error("a -- b [cycles=2,\ncycles=3]"),
            "f:3: error: Graphviz: the attribute cycles is given twice, as '2' in line 2 and as '3'; give it once");
  EXPECT_EQ(graphviz_error("a [nodes=1] [nodes=2]\na -- b"),
            "f:2: error: Graphviz: the attribute nodes is given twice, as '1' in line 2 and as '2'; give it once");
  EXPECT_EQ(graphviz_error("a:p -- b [tailport=q]"),
            "f:2: error: Graphviz: an edge has the port 'p' after its vertex and the attribute tailport with the value "
            "'q'; give one of them");
  EXPECT_EQ(graphviz_error("a -- b [cycles=2, cycles=2, color=red, color=blue]\na [nodes=1]\na [nodes=2]"), "nothing");
}

TEST(unit_topology_bad_file, graphviz_syntax_errors_have_line_numbers) {
  const auto graphviz_error = [](const std::string& text) {
    const std::string all = reading_error(text, read_graphviz);
    return all.substr(0, 2) == "f:" ? all.substr(2) : all;
  };
  EXPECT_EQ(graphviz_error("network { a -- b }"), "1: error: Graphviz: expected 'graph' or 'digraph', got 'network'");
  EXPECT_EQ(graphviz_error("graph { a -> b }"), "1: error: Graphviz: expected '--' in an undirected graph, got '->'");
  EXPECT_EQ(graphviz_error("graph { a -- b } graph { c }"),
            "1: error: Graphviz: expected the end of the file after the graph (a file has one graph), got 'graph'");
  EXPECT_EQ(graphviz_error("graph {\n\n a -- b [cycles=] }"),
            "3: error: Graphviz: expected the value of the attribute, got ']'");
  EXPECT_EQ(graphviz_error("graph {\n \"a\nb }"), "2: error: Graphviz: the quoted text that begins here is not closed");
  EXPECT_EQ(graphviz_error("graph { a [label=<<b>x</b>] }"),
            "1: error: Graphviz: the text in angle brackets that begins here is not closed");
  EXPECT_EQ(graphviz_error("graph { /* a }"), "1: error: Graphviz: a comment that begins here is not closed");
  EXPECT_EQ(graphviz_error("graph { 2b -- c }"),
            "1: error: Graphviz: '2b' is neither a name nor a number; put it in quotes");
  EXPECT_EQ(graphviz_error("graph { a [type=node] }"),
            "1: error: Graphviz: expected the value of the attribute, got the keyword 'node'; put it in quotes");
  EXPECT_EQ(graphviz_error("graph { a? }"), "1: error: Graphviz: unexpected '?'; put names that contain it in quotes");
  EXPECT_EQ(graphviz_error("graph { a:p:n:x -- b }"),
            "1: error: Graphviz: expected at most a port and a compass point, got '--'");
  EXPECT_EQ(
      graphviz_error("graph { edge [cycles=\"" + std::string(300, '1') + "\"] a -- b }"),
      "1: error: Graphviz: cycles has 300 bytes, expected 255 at most: '" + std::string(100, '1') + "… (300 bytes)'");
}

TEST(unit_topology_bad_file, limits_graph_nesting_to_100) {
  const auto dot = [](std::size_t deep) {
    return "graph { a -- " + std::string(deep, '{') + " b" + std::string(deep, '}') + "}";
  };
  EXPECT_EQ(reading_error(dot(100), read_graphviz), "nothing");
  EXPECT_EQ(reading_error(dot(101), read_graphviz),
            "f:1: error: Graphviz: subgraphs are nested more than 100 deep; nest them less");
  EXPECT_EQ(reading_error("graph { a -- " + std::string(1'000'000, '{') + " b", read_graphviz),
            "f:1: error: Graphviz: subgraphs are nested more than 100 deep; nest them less");
  const auto xml = [](std::size_t deep, const std::string& within = "") {
    std::string text = "<graphml>\n<graph><node id='a'/><node id='b'/><edge source='a' target='b'/><desc>";
    for (std::size_t i = 3; i < deep; ++i) text += "<g>";
    text += within;
    for (std::size_t i = 3; i < deep; ++i) text += "</g>";
    return text + "</desc></graph></graphml>";
  };
  EXPECT_EQ(reading_error(xml(100), read_graphml), "nothing");
  for (const std::size_t deep : {101, 100'000})
    EXPECT_EQ(reading_error(xml(deep), read_graphml),
              "f:2: error: XML syntax: elements are nested more than 100 deep; nest them less");
  // Text that is not an element does not count, whatever it contains.
  for (const char* const other :
       {"<!-- <a><b> -->", "<![CDATA[<a><b>]]>", "<g x='&lt;a>' y=\"b>\"/>", "<?p <a>?>", "<g/>", "&lt;a>"})
    EXPECT_EQ(reading_error(xml(99, other), read_graphml), "nothing") << other;
  EXPECT_EQ(reading_error("<!DOCTYPE g [ <!ELEMENT a [<b>]> ]>" + xml(100), read_graphml), "nothing");
}

/// A short text can describe many edges: a subgraph with more edges than a router has ports is rejected.
TEST(unit_topology_bad_file, rejects_more_subgraph_edges_than_a_router_has_ports) {
  std::string many = "digraph { subgraph a {";
  for (unsigned i = 0; i < 1'000; ++i) many += fmt::format(" v{}", i);
  EXPECT_EQ(reading_error(many + "} subgraph a -> subgraph a }", read_graphviz),
            "f:1: error: Graphviz: an edge ends at a subgraph of more than 17 vertices, which joins a vertex to more "
            "than 16 others, but a router has at most 16 ports; join fewer vertices");
  std::string chain = "digraph { subgraph a { u v w x } subgraph a";
  for (unsigned i = 0; i < 100'000; ++i) chain += " -> subgraph a";
  EXPECT_EQ(reading_error(chain + "}", read_graphviz),
            "f:1: error: Graphviz: 80 edges so far for 4 vertices are too many, because a router has at most 16 ports; "
            "remove edges");
  std::string empty = "graph { a -- b subgraph s {";
  for (unsigned i = 0; i < 100'000; ++i) empty += "{}";
  empty += "}";
  for (unsigned i = 0; i < 1'000; ++i) empty += " a -- subgraph s";
  EXPECT_EQ(reading_error(empty + "}", read_graphviz),
            "f:1: error: Graphviz: the edges between subgraphs join too many pairs of vertices; join single vertices "
            "instead");
}

TEST(unit_topology_bad_file, messages_shorten_long_names_and_escape_newlines) {
  const std::string name(1'000'000, 'x'), begin = std::string(100, 'x') + "… (1,000,000 bytes)";
  EXPECT_EQ(reading_error("graph { " + name + " -- " + name + " }", read_graphviz),
            "f:1: error: edge '" + begin + "' to '" + begin + "': it joins a router to itself; name two vertices");
  EXPECT_EQ(reading_error("<graphml><graph><node id='" + name + "'/><node id='" + name + "'/></graph></graphml>",
                          read_graphml),
            "f:1: error: there are two vertices '" + begin + "'; give each vertex its own id");
  EXPECT_EQ(
      reading_error("{format: weft-topology-1, routers: [a, \"b\\nc\"], links: [{between: [0, 0]}], nodes: [a, 5, '" +
                    name + "']}"),
      "f:1:57: error: links[0]: it joins router 0 (a) to itself; name two routers\n"
      "f:1:88: error: nodes[1]: there is no router 5, expected 0 to 1\n"
      "f:1:91: error: nodes[2]: there is no router '" +
          begin + "'; there are a, b\\x0ac");
}

TEST(unit_topology_bad_file, names_the_format_of_files_of_other_tools) {
  const std::string expected = "expected a network in Weft's own format (YAML or JSON), GraphML or Graphviz DOT";
  EXPECT_EQ(reading_error("router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3\n"),
            "f: error: the file is a network of BookSim2 (anynet); " + expected + "; `weft import` converts it");
  EXPECT_EQ(reading_error("// a comment\ntopology = mesh;\nk = 8;\n"),
            "f: error: the file is a configuration of BookSim2; " + expected);
  EXPECT_EQ(reading_error("<?xml version='1.0'?>\n<graphml><graph/></graphml>\n"),
            "f: error: the file is GraphML; give it a name that ends in .graphml");
  EXPECT_EQ(reading_error("strict graph \"g\" {\n a -- b\n}\n"),
            "f: error: the file is Graphviz DOT; give it a name that ends in .dot");
  EXPECT_EQ(reading_error("<topology/>"), "f: error: the file is XML; " + expected);
  EXPECT_EQ(reading_error(std::string("\x1f\x8b\x08\0\0", 5)), "f: error: the file is a packed file; " + expected);
  EXPECT_EQ(reading_error(std::string("\x7f"
                                      "ELF\2\1\1\0\0",
                                      9)),
            "f: error: the file is binary data; " + expected);
}

TEST(unit_topology_bad_file, reads_deadlocking_table_and_finds_its_cycle) {
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
