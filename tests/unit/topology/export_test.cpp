// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/export.h"

#include "unit/topology/graphs.h"
#include "unit/topology/networks.h"
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/flattened_butterfly.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/octagon.h"

namespace weft {
namespace {

using json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(unit_topology_json, describes_a_mesh_completely) {
  grid_parameters p;
  p.shape = {2};
  p.options.link_cycles = 2;
  p.options.vcs = 3;
  EXPECT_EQ(to_json(make_grid(p)), json::parse(R"({
    "format": "weft-topology-1", "kind": "mesh", "algorithm": "dimension_order", "shape": [2],
    "routers": [{"coordinates": [0], "ports": ["+x", "-x", "local"]},
                {"coordinates": [1], "ports": ["+x", "-x", "local"]}],
    "channels": [{"from": {"router": 0, "port": 0}, "to": {"router": 1, "port": 1}, "cycles": 2},
                 {"from": {"router": 1, "port": 1}, "to": {"router": 0, "port": 0}, "cycles": 2}],
    "nodes": [{"ports": [{"router": 0, "port": 2}], "cycles": 1},
              {"ports": [{"router": 1, "port": 2}], "cycles": 1}],
    "routing": [{"rule": "dimension_order", "size": [2], "stride": [1], "here": [0], "order": [0], "local_ports": 1,
                 "vcs": [0, 1, 2]},
                {"rule": "dimension_order", "size": [2], "stride": [1], "here": [1], "order": [0], "local_ports": 1,
                 "vcs": [0, 1, 2]}]})"));
}

TEST(unit_topology_json, keys_keep_their_order) {
  const std::string text = to_json(mesh_of({2, 3}, {1, 0})).dump();
  EXPECT_EQ(
      text.rfind(R"({"format":"weft-topology-1","kind":"mesh","algorithm":"dimension_order","shape":[2,3],"routers":[)",
                 0),
      0U);
  EXPECT_THAT(text, HasSubstr(R"("size":[2,3],"stride":[1,2],"here":[0,0],"order":[1,0])"));
}

TEST(unit_topology_json, merges_table_destinations_into_runs) {
  const json routing = to_json(clockwise_square())["routing"];
  ASSERT_EQ(routing.size(), 4U);
  EXPECT_EQ(routing[0], json::parse(R"({"rule": "table", "rows": [[{"from": 0, "port": 4, "vcs": [0]},
                                                                   {"from": 1, "port": 2, "vcs": [0]}]]})"));
}

TEST(unit_topology_json, lists_table_rows_inputs_and_layers) {
  topology t = clockwise_square();
  auto* table = t.routing[1].as<table_rule>();
  table->add_row(std::vector<route>(4, {0, 0, 0b101, 0b11}));
  table->use_row(2, 3, 1);
  table->divide(2);
  const json rule = to_json(t)["routing"][1];
  EXPECT_EQ(rule["rows"][1], json::parse(R"([{"from": 0, "choices": [0, 2], "choice_vcs": [0, 1]}])"));
  EXPECT_EQ(rule["inputs"], json::parse(R"([{"port": 2, "vc": 3, "row": 1}])"));
  EXPECT_EQ(rule["layers"], 2);
  table->divide({3, 1});
  EXPECT_EQ(to_json(t)["routing"][1]["layers"], json::parse("[3, 1]"));
}

TEST(unit_topology_json, lists_each_rule_when_routers_differ) {
  topology t = clockwise_square();
  t.routing[1] = mesh_of({2, 2}).routing[1];
  t.routing[2] = tree_rule();
  t.routing[3] = source_rule();
  const json routing = to_json(t)["routing"];
  ASSERT_EQ(routing.size(), 4U);
  EXPECT_EQ(routing[0]["rule"], "table");
  EXPECT_EQ(routing[1]["rule"], "dimension_order");
  EXPECT_EQ(routing[1]["here"], json::parse("[1, 0]"));
  EXPECT_EQ(routing[2]["rule"], "nearest_common_ancestor");
  EXPECT_EQ(routing[3]["rule"], "source");
}

TEST(unit_topology_graphml_text, escapes_control_characters_in_names) {
  topology t = mesh_of({2, 2});
  t.kind = "k\tl\x1f";
  t.routers[0].name = "a\x1b[b\x01";
  t.routers[1].name = " c\nd  e<";
  t.routers[0].port_names[0] = "p\x01\n\"";
  const std::string text = to_graphml(t);
  EXPECT_THAT(text, HasSubstr("<data key=\"kind\">k&#9;l\\x1f</data>"));
  EXPECT_THAT(text, HasSubstr("<data key=\"name\">a\\x1b[b\\x01</data>"));
  EXPECT_THAT(text, HasSubstr("<data key=\"name\">&#32;c&#10;d &#32;e&lt;</data>"));
  EXPECT_THAT(text, HasSubstr("<port name=\"p\\x01&#10;&quot;\"/>"));
  EXPECT_THAT(text, HasSubstr("sourceport=\"p\\x01&#10;&quot;\""));
  EXPECT_THAT(text, HasSubstr("targetport=\"p\\x01&#10;&quot;\""));
}

TEST(unit_topology_graphviz, draws_opposite_channels_as_one_edge) {
  const std::string dot = to_graphviz(mesh_of({4, 4}));
  EXPECT_EQ(count(dot, "shape=square"), 16U);
  EXPECT_EQ(count(dot, "shape=circle"), 16U);
  EXPECT_EQ(count(dot, "dir=both"), 24U);
  EXPECT_EQ(count(dot, "dir=none"), 16U);
  EXPECT_EQ(count(dot, "dir=forward"), 0U);
  EXPECT_THAT(dot, HasSubstr("r0 -> r1 [dir=both];"));
  EXPECT_THAT(dot, Not(HasSubstr("r1 -> r0")));
  EXPECT_EQ(dot.rfind("digraph weft {\n", 0), 0U);
  EXPECT_EQ(dot.substr(dot.size() - 2), "}\n");
}

TEST(unit_topology_graphviz, places_routers_by_their_coordinates) {
  const std::string dot = to_graphviz(mesh_of({4, 4}));
  EXPECT_THAT(dot, HasSubstr("layout=neato, inputscale=72"));
  EXPECT_THAT(dot, HasSubstr(R"dot(r6 [label="6", tooltip="router 6 (2,1)", shape=square)dot"));
  EXPECT_THAT(dot, HasSubstr("pos=\"216,108!\""));
  EXPECT_THAT(to_graphviz(mesh_of({3})), HasSubstr("pos=\"216,0!\""));
  EXPECT_THAT(to_graphviz(mesh_of({2, 2, 2})), Not(HasSubstr("pos=")));
}

TEST(unit_topology_graphviz, marks_one_way_and_slow_channels) {
  const std::string ring = to_graphviz(ring_of(3, [](router_id, node_id) { return vc_set{1}; }));
  EXPECT_EQ(count(ring, "dir=forward"), 3U);
  EXPECT_EQ(count(ring, "dir=both"), 0U);
  EXPECT_THAT(ring, Not(HasSubstr("pos=")));

  topology t = mesh_of({2});
  t.channels[0].cycles = 3;
  const std::string uneven = to_graphviz(t);
  EXPECT_THAT(uneven, HasSubstr("r0 -> r1 [dir=forward, label=\"3\"];"));
  EXPECT_THAT(uneven, HasSubstr("r1 -> r0 [dir=forward];"));
}

/// The center of each element \p element; \p x and \p y are the names of its coordinates.
std::vector<std::pair<double, double>> middles(const std::string& svg, const std::string& element, const std::string& x,
                                               const std::string& y) {
  std::vector<std::pair<double, double>> found;
  for (std::size_t at = svg.find(element); at != std::string::npos; at = svg.find(element, at + 1)) {
    const auto number = [&](const std::string& name) {
      return std::stod(svg.substr(svg.find(name + "=\"", at) + name.size() + 2));
    };
    found.emplace_back(number(x), number(y));
  }
  return found;
}

topology rings_of_rings() {
  std::vector<std::pair<router_id, router_id>> links;
  for (router_id r = 0; r < 4; ++r) {
    for (router_id i = 0; i < 4; ++i) links.emplace_back(4 * r + i, 4 * r + (i + 1) % 4);
    links.emplace_back(4 * r, (4 * r + 4) % 16);
  }
  return graph_of(links, std::vector<unsigned>(16, 1));
}

TEST(unit_topology_svg, draws_every_element_once_without_overlap) {
  using algorithm = grid_algorithm;
  topology cube = mesh_of({2, 2, 2, 2});
  cube.kind = "hypercube";
  cube.shape.clear();
  const std::vector<topology> networks = {mesh_of({8, 8}),
                                          mesh_of({4, 4, 4}),
                                          mesh_of({3, 3, 2, 2}),
                                          mesh_of({5}),
                                          grid_of({8}, true, algorithm::DimensionOrder),
                                          grid_of({4, 4}, true, algorithm::DimensionOrder),
                                          grid_of({3, 3, 3}, true, algorithm::DimensionOrder),
                                          grid_of({4, 4}, false, algorithm::DimensionOrder, 4),
                                          tree_of(2, 4, ascent::Random),
                                          tree_of(4, 3, ascent::Random),
                                          cube,
                                          rings_of_rings(),
                                          make_hierarchical_ring({{4, 4, 4}}),
                                          make_octagon({}),
                                          make_fat_tree({}),
                                          graph_of({{0, 1}, {0, 1}, {1, 2}}, {3, 0, 12}),
                                          graph_of({}, {2})};
  for (const topology& t : networks) {
    SCOPED_TRACE(t.kind + ::testing::PrintToString(t.shape));
    const std::string svg = to_svg(t);
    for (router_id r = 0; r < t.routers.size(); ++r) {
      const std::string name = "<title>router " + std::to_string(r);
      EXPECT_EQ(count(svg, name + "<") + count(svg, name + " "), 1U);
    }
    for (node_id n = 0; n < t.nodes.size(); ++n) EXPECT_EQ(count(svg, "<title>node " + std::to_string(n) + "<"), 1U);
    EXPECT_EQ(count(svg, "class=\"link\""), t.channels.size() / 2);
    EXPECT_EQ(count(svg, "class=\"local\""), t.nodes.size());
    const auto routers = middles(svg, "<rect class=\"router\"", " x", " y");
    const auto nodes = middles(svg, "<circle", " cx", " cy");
    for (const auto& places : {routers, nodes})
      for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_GT(std::hypot(places[a].first - places[b].first, places[a].second - places[b].second), 17)
              << a << ' ' << b;
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    EXPECT_EQ(svg.find("nan"), std::string::npos);
  }
}

/// Routers are drawn in rows and planes if they fill a grid, whatever their links.
TEST(unit_topology_svg, places_a_flattened_butterfly_by_its_coordinates) {
  flattened_butterfly_parameters p;
  p.shape = {3, 2, 2};
  const auto at = middles(to_svg(make_flattened_butterfly(p)), "<rect class=\"router\"", " x", " y");
  ASSERT_EQ(at.size(), 12U);
  const auto step = [&](router_id from, router_id to) {
    return std::pair(at[to].first - at[from].first, at[to].second - at[from].second);
  };
  EXPECT_EQ(step(0, 1), step(10, 11));
  EXPECT_EQ(step(0, 3), step(8, 11));
  EXPECT_EQ(step(0, 6), step(5, 11));
  EXPECT_EQ(step(0, 1).second, 0);
  EXPECT_EQ(step(0, 3).first, 0);
}

TEST(unit_topology_svg, marks_one_way_and_slow_channels) {
  EXPECT_EQ(count(to_svg(grid_of({5}, true, grid_algorithm::DimensionOrder, 1, true)), "marker-end"), 5U);
  topology t = mesh_of({3});
  t.channels[0].cycles = t.channels[1].cycles = 3;
  EXPECT_EQ(count(to_svg(t), "class=\"cycles\""), 1U + 1U);  // a line for each direction if latencies differ
  for (channel& c : t.channels) c.cycles = 2;
  EXPECT_EQ(count(to_svg(t), "class=\"cycles\""), 0U);
  EXPECT_THAT(to_svg(t), HasSubstr("3 routers, 3 nodes, 4 links of 2 cycles"));
}

TEST(unit_topology_svg, has_a_title) {
  EXPECT_THAT(to_svg(mesh_of({4, 2})), HasSubstr("<title>4x2 mesh</title>"));
  EXPECT_THAT(to_svg(make_hierarchical_ring({{4, 4}})), HasSubstr("<title>hierarchical ring</title>"));
  EXPECT_THAT(to_svg(mesh_of({2}), "a < b & c"), HasSubstr("<title>a &lt; b &amp; c</title>"));
}

TEST(unit_topology_svg, draws_tree_roots_on_top_and_nodes_below) {
  const std::string svg = to_svg(tree_of(2, 3, ascent::Random));
  const auto routers = middles(svg, "<rect class=\"router\"", " x", " y");
  const auto nodes = middles(svg, "<circle", " cx", " cy");
  EXPECT_LT(routers[8].second, routers[4].second);
  EXPECT_LT(routers[4].second, routers[0].second);
  EXPECT_LT(routers[0].second, nodes[0].second);
  EXPECT_EQ(routers[8].second, routers[11].second);
}

}  // namespace
}  // namespace weft
