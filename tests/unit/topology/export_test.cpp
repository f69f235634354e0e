#include "weft/topology/export.h"

#include "unit/topology/networks.h"
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(unit_topology_json, of_a_mesh_says_everything_once) {
  mesh_parameters p;
  p.shape = {2};
  p.link_cycles = 2;
  p.vcs = 3;
  EXPECT_EQ(to_json(make_mesh(p)), json::parse(R"({
    "format": "weft-topology-1", "kind": "mesh", "shape": [2],
    "routers": [{"coordinates": [0], "ports": ["+x", "-x", "local"]},
                {"coordinates": [1], "ports": ["+x", "-x", "local"]}],
    "channels": [{"from": {"router": 0, "port": 0}, "to": {"router": 1, "port": 1}, "cycles": 2},
                 {"from": {"router": 1, "port": 1}, "to": {"router": 0, "port": 0}, "cycles": 2}],
    "nodes": [{"ports": [{"router": 0, "port": 2}], "cycles": 1},
              {"ports": [{"router": 1, "port": 2}], "cycles": 1}],
    "routing": {"rule": "dimension_order", "size": [2], "stride": [1], "order": [0], "local_ports": 1,
                "vcs": [0, 1, 2]}})"));
}

TEST(unit_topology_json, keys_keep_their_order) {
  const std::string text = to_json(mesh_of({2, 3}, {1, 0})).dump();
  EXPECT_EQ(text.rfind(R"({"format":"weft-topology-1","kind":"mesh","shape":[2,3],"routers":[)", 0), 0U);
  EXPECT_THAT(text, HasSubstr(R"("size":[2,3],"stride":[1,2],"order":[1,0])"));
}

TEST(unit_topology_json, of_tables_lists_them_by_router_and_destination) {
  const json routing = to_json(clockwise_square())["routing"];
  EXPECT_EQ(routing["rule"], "table");
  ASSERT_EQ(routing["tables"].size(), 4U);
  EXPECT_EQ(routing["tables"][0], json::parse(R"([{"port": 4, "vcs": [0]}, {"port": 2, "vcs": [0]},
                                                  {"port": 2, "vcs": [0]}, {"port": 2, "vcs": [0]}])"));
}

TEST(unit_topology_json, of_unlike_rules_lists_each) {
  topology t = clockwise_square();
  t.routing[1].which = route_rule::kind::DimensionOrder;
  const json routing = to_json(t)["routing"];
  EXPECT_EQ(routing["rule"], "mixed");
  ASSERT_EQ(routing["routers"].size(), 4U);
  EXPECT_EQ(routing["routers"][0]["rule"], "table");
  EXPECT_EQ(routing["routers"][0]["table"].size(), 4U);
  EXPECT_EQ(routing["routers"][1]["rule"], "dimension_order");
  EXPECT_EQ(routing["routers"][1]["here"], json::parse("[1, 0]"));
}

TEST(unit_topology_json, a_mesh_whose_routers_differ_is_not_written_as_one_rule) {
  topology t = mesh_of({2, 2});
  t.routing[3].dimension_order.vcs = 1;
  EXPECT_EQ(to_json(t)["routing"]["rule"], "mixed");
  t = mesh_of({2, 2});
  std::swap(t.routing[0], t.routing[3]);  // not where the coordinates say
  EXPECT_EQ(to_json(t)["routing"]["rule"], "mixed");
}

TEST(unit_topology_graphviz, draws_a_pair_of_channels_once) {
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

TEST(unit_topology_graphviz, one_way_and_slow_channels_show) {
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

}  // namespace
}  // namespace weft
