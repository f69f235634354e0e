// SPDX-License-Identifier: Apache-2.0
/// Attributes of graphs of other programs that Weft interprets in its own way, ignores with a warning, or rejects.
#include "support/warnings.h"
#include "unit/topology/networks.h"
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/topology/files/export.h"
#include "weft/topology/files/read_topology.h"

namespace weft {
namespace {

/// Two vertices and an edge, with \p keys before the graph, \p vertex in the first vertex, \p edge in the edge.
std::string pair_of(const std::string& keys, const std::string& vertex = "", const std::string& edge = "",
                    const std::string& of_edge = "") {
  return "<graphml>\n" + keys + "\n<graph edgedefault='undirected'>\n<node id='a'>" + vertex +
         "</node>\n<node id='b'/>\n" + "<edge source='a' target='b'" + of_edge + ">" + edge +
         "</edge>\n</graph>\n</graphml>";
}

struct outcome {
  std::string error, warnings;
  topology network;
};

template <class Read>
outcome outcome_of(Read read, const std::string& text) {
  outcome found;
  caught_warnings caught;
  try {
    found.network = read(text, "f", {});
  } catch (const input_error& e) {
    found.error = e.what();
  }
  found.warnings = caught.text();
  return found;
}

outcome of_graphml(const std::string& text) { return outcome_of(read_graphml, text); }

constexpr const char* Cycles = "<key id='c' for='edge' attr.name='cycles'><default>4</default></key>";
constexpr const char* Nodes = "<key id='n' for='node' attr.name='nodes'><default>2</default></key>";

TEST(unit_topology_graphml_defaults, apply_where_an_element_has_no_value) {
  const outcome found = of_graphml(std::string("<graphml>") + Cycles + Nodes +
                                   "<graph edgedefault='undirected'><node id='a'/><node id='b'/><node id='c'><data "
                                   "key='n'>0</data></node><edge source='a' target='c'/><edge source='c' target='b'>"
                                   "<data key='c'>2</data></edge></graph></graphml>");
  EXPECT_EQ(found.error + found.warnings, "");
  const topology& t = found.network;
  ASSERT_EQ(t.channels.size(), 4U);
  EXPECT_EQ(t.channels[0].cycles, 4U) << "a to c";
  EXPECT_EQ(t.channels[2].cycles, 2U) << "c to b";
  ASSERT_EQ(t.nodes.size(), 4U);
  const std::vector<router_id> expected{0, 0, 1, 1};
  for (node_id n = 0; n < 4; ++n) EXPECT_EQ(t.nodes[n].ports.front().router, expected[n]);
}

TEST(unit_topology_graphml_defaults, apply_to_one_kind_of_element_or_to_all) {
  const auto cycles = [](const std::string& of) {
    return of_graphml(pair_of("<key id='c'" + of + " attr.name='cycles'><default>3</default></key>")).network.channels;
  };
  EXPECT_EQ(cycles(" for='edge'").front().cycles, 3U);
  EXPECT_EQ(cycles(" for='node'").front().cycles, 1U);
  const outcome all = of_graphml(pair_of("<key id='c' for='all' attr.name='kind'><default>ours</default></key>"));
  EXPECT_EQ(all.network.kind, "ours");
}

TEST(unit_topology_graphml_defaults, yield_to_an_explicit_latency_under_its_other_name) {
  const outcome found = of_graphml(
      pair_of(std::string(Cycles) + "<key id='l' for='edge' attr.name='latency'/>", "", "<data key='l'>7</data>"));
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.network.channels.front().cycles, 7U);
  const std::string latency = "<key id='l' for='edge' attr.name='latency'><default>9</default></key>";
  const outcome other =
      of_graphml(pair_of(latency + "<key id='c' for='edge' attr.name='cycles'/>", "", "<data key='c'>3</data>"));
  EXPECT_EQ(other.error, "");
  EXPECT_EQ(other.network.channels.front().cycles, 3U);
  EXPECT_EQ(of_graphml(pair_of(Cycles + latency)).error,
            "f:2: error: edge 'a' to 'b': cycles is 4 and latency is 9; give only one of them")
      << "two defaults conflict";
}

TEST(unit_topology_graphml_defaults, add_nodes_only_to_routers) {
  const outcome found = of_graphml(
      pair_of(std::string(Nodes) + "<key id='t' for='node' attr.name='type'/>", "<data key='t'>node</data>"));
  EXPECT_EQ(found.error + found.warnings, "");
  ASSERT_EQ(found.network.nodes.size(), 3U) << "the vertex, and two at the router";
}

TEST(unit_topology_graphml_defaults, are_checked_even_if_unused) {
  const auto with = [](const std::string& key, const std::string& vertex = "") {
    return of_graphml(pair_of(key, vertex, "<data key='own'>2</data>")).error;
  };
  const std::string own = "<key id='own' for='edge' attr.name='latency'>";
  EXPECT_EQ(with(own + "\n<default>fast</default></key>"),
            "f:3: error: the default of edges: expected latency to be a whole number from 1 to 1000000, got 'fast'; "
            "leave it out for 1");
  EXPECT_EQ(with(own + "<default/></key>"),
            "f:2: error: the default of the key 'own': latency is empty; give a number, or leave the default out");
  EXPECT_EQ(with(own + "<default>3</default></key>"), "");
  EXPECT_EQ(with(own + "</key><key id='n' for='edge' attr.name='nodes'><default>many</default></key>"), "")
      << "nodes of edges are not read";
  const std::string type = own + "</key><key id='t' attr.name='type'><default>switch</default></key>";
  std::string typed = pair_of(type, "<data key='t'>router</data>", "<data key='own'>2</data>");
  typed.replace(typed.find("<node id='b'/>"), 14, "<node id='b'><data key='t'>router</data></node>");
  EXPECT_EQ(
      of_graphml(typed).error,
      "f:2: error: the default of vertices: expected 'type' to be 'router' or 'node', got 'switch'; leave it out for a "
      "router");
}

TEST(unit_topology_graphviz, checks_unused_defaults) {
  const auto error = [](const std::string& text) { return outcome_of(read_graphviz, text).error; };
  EXPECT_EQ(error("graph { a -- b\n edge [cycles=x] }"),
            "f:2: error: the default of edges: expected cycles to be a whole number from 1 to 1000000, got 'x'; leave "
            "it out for 1");
  EXPECT_EQ(error("graph { a -- b\n subgraph { node [nodes=17] } }"),
            "f:2: error: the default of vertices: expected nodes to be a whole number from 0 to 16, got '17'; leave it "
            "out for 1");
  EXPECT_EQ(error("digraph { a -> b [dir=both]\n edge [dir=up] }"),
            "f:2: error: the default of edges: expected dir to be forward, back, both or none, got 'up'; leave it out "
            "for forward");
}

TEST(unit_topology_graphml, ignores_unrelated_type_attribute_with_a_warning) {
  const std::string key = "<key id='t' for='node' attr.name='type'/>";
  const outcome found = of_graphml(pair_of(key, "<data key='t'>Small Node</data>"));
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.warnings,
            "f:4: warning: the attribute 'type' of vertices is not read, because no vertex has the type router or "
            "node: 'Small Node'\n");
  EXPECT_EQ(found.network.routers[0].name, "a");
  EXPECT_EQ(found.network.nodes.size(), 2U);
  std::string mixed = pair_of(key, "<data key='t'>switch</data>");
  mixed.replace(mixed.find("<node id='b'/>"), 14, "<node id='b'><data key='t'>router</data></node>");
  EXPECT_EQ(
      of_graphml(mixed).error,
      "f:4: error: vertex 'a': expected 'type' to be 'router' or 'node', got 'switch'; leave it out for a router");
}

TEST(unit_topology_graphml, ignores_unsupported_coordinates_with_a_warning) {
  const outcome found =
      of_graphml(pair_of("<key id='p' for='node' attr.name='coordinates'/>", "<data key='p'>-1.5, 2</data>"));
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.warnings,
            "f:4: warning: the attribute 'coordinates' is not read, because it is not a list of whole numbers "
            "separated by blanks: '-1.5, 2'\n");
  EXPECT_TRUE(found.network.routers[0].coordinates.empty());
  EXPECT_EQ(outcome_of(read_graphviz,
                       "graph {\n a [coordinates=\"1 2\"];\n b [\n coordinates=west];\n c "
                       "[coordinates=east]; a -- b -- c }")
                .warnings,
            "f:4: warning: the attribute 'coordinates' is not read, because it is not a list of whole numbers "
            "separated by blanks: 'west' (2 times, first here)\n");
}

TEST(unit_topology_graphml, counts_unread_attributes_in_one_warning_per_kind) {
  const outcome found = of_graphml(
      pair_of("<key id='x' for='node' attr.name='Country'><default>?</default></key>\n<key id='w' for='edge' "
              "attr.name='bandwidth'/>\n<key id='l' for='node' attr.name='label'/>",
              "<data key='l'>drawn</data>", "<data key='w'>10</data>"));
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.warnings,
            "f:2: warning: attributes of vertices that Weft does not read, with their counts: Country (2); it reads "
            "name, nodes, coordinates, type\n"
            "f:3: warning: attributes of edges that Weft does not read, with their counts: bandwidth (1); it reads "
            "cycles, latency, phits; ports and direction are the XML attributes sourceport, targetport and directed\n");
}

TEST(unit_topology_graphml, ignores_graphviz_attributes_with_a_warning) {
  const outcome found =
      of_graphml(pair_of("<key id='k' for='edge' attr.name='tailport'/><key id='d' for='edge' attr.name='dir'/>", "",
                         "<data key='k'>east</data><data key='d'>back</data>"));
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(
      found.warnings,
      "f:2: warning: attributes of edges that Weft does not read, with their counts: dir (1), tailport (1); it "
      "reads cycles, latency, phits; ports and direction are the XML attributes sourceport, targetport and directed\n");
}

TEST(unit_topology_graphml, rejects_duplicates) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {pair_of("<key id='c' for='edge' attr.name='cycles'><default>7</default>\n<default>8</default></key>"),
       "f:3: error: there is a second element 'default' in 'key'; give one"},
      {pair_of("<key id='c' attr.name='cycles'/>\n<key id='c' attr.name='latency'/>", "", "<data key='c'>3</data>"),
       "f:3: error: there are two keys 'c', the first in line 2; give each key its own id"},
      {pair_of("<key attr.name='cycles'/>"), "f:2: error: a key has no id; give each key its own id"},
      {pair_of("<key id='c' attr.name='cycles'><default>3</default></key><key id='d' for='edge' "
               "attr.name='cycles'><default>4</default></key>"),
       "f:2: error: two keys declare defaults of the attribute 'cycles': '3' in line 2, and '4' here; give one"},
      {pair_of("") + "\n<graphml><graph><node id='z'/></graph></graphml>",
       "f:9: error: there is a second element 'graphml'; expected one root element"},
      {pair_of("", "", "", " source='b'"), "f:6: error: XML syntax: the element 'edge' has two attributes 'source'"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(of_graphml(text).error, error) << text;
  const outcome apart =
      of_graphml(pair_of("<key id='c' for='node' attr.name='cycles'><default>3</default></key><key id='d' for='edge' "
                         "attr.name='cycles'><default>4</default></key>"));
  EXPECT_EQ(apart.error, "");
  EXPECT_EQ(apart.network.channels.front().cycles, 4U);
}

TEST(unit_topology_graphml, rejects_text_outside_data_elements) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {pair_of("latency"),
       "f:2: error: there is the text 'latency' in 'graphml'; expected only elements: key, graph, data, desc"},
      {pair_of("<key id='c' for='edge' attr.name='cycles'>5</key>"),
       "f:2: error: there is the text '5' in 'key'; expected only elements: default, desc"},
      {pair_of("", "router"),
       "f:4: error: there is the text 'router' in 'node'; expected only elements: port, data, desc"},
      {pair_of("", "<port name='p'>\n a b </port>"),
       "f:5: error: there is the text 'a b' in 'port'; expected only elements: data, desc"},
      {pair_of("", "", "cycles=9"),
       "f:6: error: there is the text 'cycles=9' in 'edge'; expected only elements: data, desc"},
      {pair_of("", "", "<![CDATA[ 9]]>"),
       "f:6: error: there is the text '9' in 'edge'; expected only elements: data, desc"},
      {pair_of(Cycles, "", "<data key='c'>3<b>4</b></data>"),
       "f:6: error: edge 'a' to 'b': there is an element 'b' in the attribute 'cycles'; expected only text"},
      {pair_of("", "<desc>a</data>"), "f:4: error: XML syntax: the element 'desc' is closed as 'data'"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(of_graphml(text).error, error) << text;
  const outcome fine = of_graphml(
      pair_of(Cycles, "\n\t<!-- text -->\n<desc>text</desc>", "<data key='c'>\n<!-- text --><![CDATA[3]]>\n</data>"));
  EXPECT_EQ(fine.error + fine.warnings, "");
  EXPECT_EQ(fine.network.channels.front().cycles, 3U);
}

TEST(unit_topology_graphml, skips_byte_order_mark) {
  const outcome found = of_graphml("\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8'?>\n" + pair_of(""));
  EXPECT_EQ(found.error + found.warnings, "");
  EXPECT_EQ(found.network.routers.size(), 2U);
}

TEST(unit_topology_graphml, expands_only_predefined_and_numeric_references) {
  const auto named = [](const std::string& name, const std::string& type = "") {
    return of_graphml(type + "<graphml>\n<graph><node id='b'/>\n<node id='" + name + "'/><edge source='b' target='" +
                      name + "'/></graph></graphml>");
  };
  const std::string entity = "<!DOCTYPE g [<!ENTITY n \"hub\"> <!ELEMENT a [<b>]>]>";
  for (const auto& [written, name] : std::vector<std::pair<std::string, std::string>>{
           {"a&amp;&lt;&gt;&quot;&apos;", "a&<>\"'"}, {"&#97;&#x62;&#xE9;", "ab\xc3\xa9"}, {"a;b>c", "a;b>c"}}) {
    const outcome found = named(written, entity);
    EXPECT_EQ(found.error + found.warnings, "") << written;
    ASSERT_EQ(found.network.routers.size(), 2U) << written;
    EXPECT_EQ(found.network.routers[1].name, name);
  }
  const std::string not_expanded = "is not expanded, because entities of a DOCTYPE are not read; write its text";
  for (const auto& [written, error] :
       std::vector<std::pair<std::string, std::string>>{{"&n;", "the entity '&n;' " + not_expanded},
                                                        {"x&nbsp;", "the entity '&nbsp;' " + not_expanded},
                                                        {"a&b", "a bare '&'; write it as &amp;"},
                                                        {"a & b;", "a bare '&'; write it as &amp;"},
                                                        {"a<b", "a '<' in the value of an attribute; write it as &lt;"},
                                                        {"&#0;", "'&#0;' is not an XML character"},
                                                        {"&#xD800;", "'&#xD800;' is not an XML character"}})
    EXPECT_EQ(named(written, entity).error, "f:3: error: XML syntax: " + error) << written;
  EXPECT_EQ(of_graphml(pair_of("", "", "<desc>R&amp;D\n&lt;</desc>")).error, "");
  EXPECT_EQ(of_graphml(pair_of("", "", "<desc><![CDATA[R&D <b>]]><!-- R&D --></desc>")).error, "");
  EXPECT_EQ(of_graphml(pair_of("", "", "<desc>\nR&D</desc>")).error,
            "f:7: error: XML syntax: a bare '&'; write it as &amp;");
  EXPECT_EQ(named("a", "<!DOCTYPE g [\n<!ATTLIST edge directed CDATA 'true'>]>").error,
            "f:2: error: XML syntax: values for attributes in a DOCTYPE are not read; write them in the elements");
}

TEST(unit_topology_graphml, rejects_unknown_elements_and_attributes) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {pair_of("<option/>"), "f:2: error: unknown element 'option' in 'graphml'; expected key, graph, data, desc"},
      {pair_of("", "<locator/>"), "f:4: error: unknown element 'locator' in 'node'; expected port, data, desc"},
      {pair_of("", "<graph/>"),
       "f:4: error: there is a nested graph in 'node'; expected a graph without nested graphs"},
      {pair_of("", "<port name='x'><port name='y'/></port>"),
       "f:4: error: unknown element 'port' in 'port'; expected data, desc"},
      {pair_of("", "", "<delay>3</delay>"), "f:6: error: unknown element 'delay' in 'edge'; expected data, desc"},
      {pair_of("", "", "", " latency='5'"),
       "f:6: error: unknown attribute 'latency' of element 'edge'; expected id, source, target, sourceport, "
       "targetport, directed; put values for Weft in elements 'data'"},
      {"<graphml><graph>\n<hyperedge/></graph></graphml>",
       "f:2: error: there is a hyperedge; expected edges between two vertices"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(of_graphml(text).error, error) << text;
  const outcome fine = of_graphml(
      "<?xml version='1.0'?><!-- <locator/> --><graphml xmlns='http://graphml.graphdrawing.org/xmlns' "
      "xsi:schemaLocation='x'><key id='d' for='node' yfiles.type='nodegraphics'/><graph parse.order='free'><desc>a "
      "<b>locator</b></desc><node id='a'><data key='d'><y:ShapeNode><graph x='>'/></y:ShapeNode></data></node>"
      "<node id='b' parse.indegree='1'/><edge id='e' x:y='1' source='a' target='b'/></graph></graphml>");
  EXPECT_EQ(fine.error, "");
}

TEST(unit_topology_graphml, rejects_contradictory_values) {
  const std::string keys =
      "<key id='c' for='edge' attr.name='cycles'/><key id='l' for='edge' attr.name='latency'/>"
      "<key id='t' for='node' attr.name='type'/>";
  const auto with = [&keys](const std::string& vertex, const std::string& edge, const std::string& of_edge) {
    return of_graphml(pair_of(keys, vertex, edge, of_edge)).error;
  };
  EXPECT_EQ(with("", "<data key='c'>2</data><data key='l'>3</data>", ""),
            "f:6: error: edge 'a' to 'b': cycles is 2 and latency is 3; give only one of them");
  EXPECT_EQ(with("", "<data key='c'>2</data><data key='l'>2</data>", ""), "");
  EXPECT_EQ(with("", "<data key='c'>2</data><data key='c'>3</data>", ""),
            "f:6: error: edge 'a' to 'b': the attribute 'cycles' is given twice, first in line 6; give it once");
  EXPECT_EQ(with("", "<data key='c'/>", ""),
            "f:6: error: edge 'a' to 'b': cycles is empty; give a number, or leave the data out");
  EXPECT_EQ(with("<data key='q'>1</data>", "", ""),
            "f:4: error: node 'a': data of the undeclared key 'q'; declare it by an element 'key'");
  EXPECT_EQ(with("<data key='c'>1</data>", "", ""),
            "f:4: error: node 'a': data of the key 'c', which is declared for 'edge' in line 2; declare a key for "
            "'node'");
  EXPECT_EQ(with("", "<data key='t'>node</data>", ""),
            "f:6: error: edge 'a' to 'b': data of the key 't', which is declared for 'node' in line 2; declare a key "
            "for 'edge'");
  EXPECT_EQ(with("", "", " directed='maybe'"),
            "f:6: error: edge 'a' to 'b': expected directed to be true or false, got 'maybe'; leave it out to use "
            "edgedefault");
  EXPECT_EQ(with("", "", " directed='0'"), "");
  EXPECT_EQ(with("<data key='t'>node</data>", "", " directed='true'"),
            "f:6: error: edge 'a' to 'b': it joins a node and a router in one direction only; make it undirected");
  EXPECT_EQ(of_graphml("<graphml><graph edgedefault='both'/></graphml>").error,
            "f:1: error: graph: expected 'edgedefault' to be 'directed' or 'undirected', got 'both'");
  EXPECT_EQ(of_graphml(pair_of("<key id='k' for='vertex'/>")).error,
            "f:2: error: key 'k': expected the attribute 'for' to be 'all', 'graph', 'node' or 'edge', got 'vertex'; "
            "leave it out for 'all'");
}

TEST(unit_topology_graphml, rejects_different_latencies_at_one_node) {
  const std::string text =
      "<graphml><key id='c' attr.name='cycles'/><key id='t' attr.name='type'/><graph><node id='n'><data "
      "key='t'>node</data></node><node id='a'/><node id='b'/><edge source='a' target='b'/><edge source='n' "
      "target='a'><data key='c'>2</data></edge><edge source='b' target='n'/></graph></graphml>";
  EXPECT_EQ(
      of_graphml(text).error,
      "f:1: error: edge 'b' to 'n': it takes 1 cycles and another edge of the node 2; give all edges of a node the "
      "same latency");
}

TEST(unit_topology_graphml, reads_own_export_without_warnings) {
  const outcome found = of_graphml(to_graphml(mesh_of({3, 2})));
  EXPECT_EQ(found.error + found.warnings, "");
}

TEST(unit_topology_graphviz, counts_unread_attributes_in_one_warning_per_kind) {
  const outcome found =
      outcome_of(read_graphviz,
                 "graph {\n rankdir=LR; tier=3\n node [shape=box, power=3];\n a -- b [label=x, weight=2, "
                 "bandwidth=10];\n b -- c [weight=2] }");
  EXPECT_EQ(found.error, "");
  EXPECT_EQ(found.warnings,
            "f:2: warning: attributes of the graph that Weft does not read, with their counts: tier (1); it reads "
            "kind, shape\n"
            "f:3: warning: attributes of vertices that Weft does not read, with their counts: power (1); it reads "
            "name, nodes, coordinates, type\n"
            "f:4: warning: attributes of edges that Weft does not read, with their counts: bandwidth (1), weight (2); "
            "it reads cycles, latency, phits, tailport, headport, dir\n");
}

TEST(unit_topology_graphviz, ignores_width_silently_only_on_vertices) {
  const auto warnings = [](const std::string& text) { return outcome_of(read_graphviz, text).warnings; };
  EXPECT_EQ(warnings("graph { a [width=2]; a -- b }"), "");
  EXPECT_NE(warnings("graph { a -- b [width=2] }").find("width (1)"), std::string::npos);
}

TEST(unit_topology_graphviz, repeated_edges_of_a_strict_graph_must_agree) {
  const auto of = [](const std::string& text) { return outcome_of(read_graphviz, text); };
  EXPECT_EQ(of("strict graph { a -- b; b -- a; a -- b }").network.channels.size(), 2U);
  EXPECT_EQ(of("strict graph { a -- b [cycles=2]; a -- b [cycles=2] }").network.channels.front().cycles, 2U);
  EXPECT_EQ(of("strict graph {\n a -- b;\n a -- b [cycles=3]\n}").error,
            "f:3: error: Graphviz: the edge 'a' to 'b' of a strict graph is given twice with different attributes; "
            "give it once");
}

TEST(unit_topology_graphviz, rejects_unknown_directions) {
  EXPECT_EQ(outcome_of(read_graphviz, "digraph { a -> b [dir=sideways] }").error,
            "f:1: error: edge 'a' to 'b': expected dir to be forward, back, both or none, got 'sideways'; leave it out "
            "for forward");
  EXPECT_EQ(outcome_of(read_graphviz, "graph { a -- b [dir=sideways] }").error,
            "f:1: error: edge 'a' to 'b': expected dir to be both or none, got 'sideways'; leave it out for both");
}

TEST(unit_topology_graphviz, rejects_directions_in_undirected_graphs) {
  for (const char* const dir : {"forward", "back"})
    EXPECT_EQ(outcome_of(read_graphviz, fmt::format("graph {{\n a -- b [dir={}] }}", dir)).error,
              fmt::format("f:2: error: edge 'a' to 'b': expected dir to be both or none in an undirected graph, got "
                          "'{}'; leave it out, or write a digraph",
                          dir));
  for (const char* const dir : {"both", "none"}) {
    const outcome undirected = outcome_of(read_graphviz, fmt::format("graph {{ a -- b [dir={}] }}", dir));
    EXPECT_EQ(undirected.error + undirected.warnings, "");
    EXPECT_EQ(undirected.network.channels.size(), 2U);
    EXPECT_EQ(outcome_of(read_graphviz, fmt::format("digraph {{ a -> b [dir={}] }}", dir)).network.channels.size(), 2U);
  }
}

}  // namespace
}  // namespace weft
