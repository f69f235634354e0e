// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/verilog.h"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>

#include "weft/topology/files/read_topology.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/grid.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;

verilog_options options_of(unsigned vcs) {
  verilog_options o;
  o.router.vcs = vcs;
  o.router.depth = 5;
  return o;
}

grid_parameters grid(std::vector<std::uint32_t> shape, unsigned vcs) {
  grid_parameters p{std::move(shape)};
  p.options.vcs = vcs;
  return p;
}

/// Three routers in a row with a long link; the middle router has no node.
topology row_of_three(unsigned vcs) {
  return read_topology(R"(
format: weft-topology-1
kind: row
routers: [{name: a}, {name: b}, {name: c}]
links: [{between: [a, b]}, {between: [b, c], cycles: 4}]
nodes: [a, c]
routing: up_down
)",
                       "row.yaml", {vcs, 0, &up_down_routing()});
}

/// The message with which RTL of \p t is rejected.
std::string rejection(const topology& t, const verilog_options& o) {
  try {
    to_verilog(t, o);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

TEST(unit_topology_verilog, grid_has_shared_constants_and_coordinates_per_router) {
  grid_parameters p = grid({4, 3}, 2);
  p.order = {1, 0};
  const verilog_network made = to_verilog(make_grid(p), options_of(2));
  EXPECT_THAT(made.top, HasSubstr(".Rule       (weft_pkg::RuleGrid),\n    .UsableVcs  (2),\n    .Dimensions (2),\n"
                                  "    .Sizes      (64'h0001_0001_0003_0004),\n    .Order      (8'b11_10_00_01),\n"
                                  "    .Rings      (0),\n    .OneWay     (0),\n    .Nodes      (1),\n"
                                  "    .LocalPorts (1)\n  ) u_router_11 ("));
  EXPECT_THAT(made.top, HasSubstr(".rule_i  (64'h0000_0000_0002_0003),"));
  EXPECT_THAT(made.package, HasSubstr("localparam int unsigned Routers = 12;"));
  EXPECT_THAT(made.package, HasSubstr("localparam int unsigned Depth = 5;"));
  EXPECT_THAT(made.package, HasSubstr("localparam int unsigned PathIdBits = 1;"));
}

TEST(unit_topology_verilog, a_table_has_a_row_for_each_input_or_one) {
  // Entries, the first node lowest: 2 bits of VCs, then the port. Router b: node 0 by port 0, node 1 by port 1.
  const verilog_network made = to_verilog(row_of_three(2), options_of(2));
  EXPECT_THAT(made.top, HasSubstr(".Rule        (weft_pkg::RuleTable),\n    .Destinations(2),\n"));
  EXPECT_THAT(made.top, HasSubstr("{\n      6'h3b}"));
}

TEST(unit_topology_verilog, fat_tree_has_level_parameters_and_first_node_per_router) {
  fat_tree_parameters p;
  p.shape = {{2, 3, 2}, {1, 2, 3}};
  p.options.vcs = 2;
  p.options.nic_ports = 2;
  const std::string top = to_verilog(make_fat_tree(p), options_of(2)).top;
  // A router of level 2 in subtree 1, whose nodes begin with 6.
  EXPECT_THAT(top,
              HasSubstr("    .Rule          (weft_pkg::RuleTree),\n    .UsableVcs     (2),\n    .Destinations  (12),\n"
                        "    .Children      (3),\n    .Span          (2),\n    .ChildPorts    (1),\n"
                        "    .Parents       (3),\n    .Divisor       (2),\n    .AscentByPathId(0)\n"
                        "  ) u_router_8 (\n    .clk_i,\n    .rst_ni,\n    .rule_i  (20'd6),"));
  EXPECT_THAT(top, HasSubstr("    .ChildPorts    (2),\n    .Parents       (2),\n    .Divisor       (1),\n"));
  p.up = ascent::Random;
  const verilog_network drawn = to_verilog(make_fat_tree(p), options_of(2));
  EXPECT_THAT(drawn.top, HasSubstr("    .AscentByPathId(1)\n"));
  EXPECT_THAT(drawn.package, HasSubstr("localparam int unsigned PathIdBits = 3;"));
}

TEST(unit_topology_verilog, a_hypercube_has_the_number_of_each_router) {
  hypercube_parameters p;
  p.dimensions = 3;
  p.nodes = 2;
  p.options.vcs = 1;
  EXPECT_THAT(to_verilog(make_hypercube(p), options_of(1)).top,
              HasSubstr("    .Rule       (weft_pkg::RuleCube),\n    .UsableVcs  (1),\n    .Dimensions (3),\n"
                        "    .Nodes      (2),\n    .LocalPorts (1)\n"
                        "  ) u_router_5 (\n    .clk_i,\n    .rst_ni,\n    .rule_i  (3'd5),"));
}

TEST(unit_topology_verilog, channels_have_repeaters_and_unused_ports_are_tied_off) {
  const verilog_network row = to_verilog(row_of_three(2), options_of(2));
  EXPECT_THAT(row.top, HasSubstr("assign router_1_flit_in[0*FlitBits+:FlitBits] = router_0_flit_out["));
  EXPECT_THAT(row.top, HasSubstr(".Stages    (3),"));
  EXPECT_THAT(row.top, Not(HasSubstr("'0;")));
  EXPECT_THAT(row.package, HasSubstr("localparam int unsigned NodePorts = 2;"));
  const verilog_network mesh = to_verilog(make_grid(grid({2, 2}, 1)), options_of(1));
  EXPECT_THAT(mesh.top, HasSubstr("assign router_0_flit_in[1*FlitBits+:FlitBits] = '0;"));
  EXPECT_THAT(mesh.top, HasSubstr("assign router_0_credit_in[1*CreditBits+:CreditBits] = '0;"));
  EXPECT_THAT(mesh.top, HasSubstr("assign unused_0 = &{router_0_credit_out[1*CreditBits+:CreditBits],"));
}

TEST(unit_topology_verilog, node_ports_use_ejection_depth_and_list_their_order) {
  verilog_options o = options_of(1);
  o.nic.ejection_depth = 9;
  grid_parameters p = grid({2, 2}, 1);
  p.options.nic_ports = 2;
  const verilog_network made = to_verilog(make_grid(p), o);
  EXPECT_THAT(made.top, HasSubstr("{DepthBits'(9), DepthBits'(9), DepthBits'(5), DepthBits'(5), DepthBits'(5), "
                                  "DepthBits'(5)}"));
  EXPECT_THAT(made.package, HasSubstr("localparam int unsigned OutputDepth = 9;"));
  EXPECT_THAT(made.top, HasSubstr("first ports: 0, 2, 4, 6."));
}

TEST(unit_topology_verilog, makes_valid_identifiers_and_lists_the_files) {
  verilog_options o = options_of(1);
  o.name = "8x8-mesh";
  const verilog_network made = to_verilog(make_grid(grid({2, 2}, 1)), o);
  EXPECT_EQ(made.name, "n8x8_mesh");
  EXPECT_THAT(made.top, HasSubstr("module n8x8_mesh #("));
  EXPECT_THAT(made.package, HasSubstr("package n8x8_mesh_pkg;"));
  EXPECT_THAT(made.list, HasSubstr("\n-F ${WEFT_RTL}/files.f\nn8x8_mesh_pkg.sv\nn8x8_mesh.sv\n"));
}

TEST(unit_topology_verilog, constraints_cover_the_ports_of_the_top_module) {
  const verilog_network made = to_verilog(make_grid(grid({2, 2}, 1)), options_of(1));
  EXPECT_EQ(made.outer, made.name);
  EXPECT_THAT(made.constraints, HasSubstr("# Constraints of weft_network, made by weft topology --verilog."));
  EXPECT_THAT(made.constraints,
              HasSubstr("create_clock -name clk -period $weft_period [get_ports clk_i]\n"
                        "set_input_delay $weft_outside -clock clk [get_ports {rst_ni flit_i* credit_i*}]\n"
                        "set_output_delay $weft_outside -clock clk [get_ports {credit_o* flit_o*}]\n"));
}

TEST(unit_topology_verilog, escapes_user_names_in_comments) {
  const topology odd = read_topology(R"(
format: weft-topology-1
kind: "odd\nnet"
routers: [{name: "a\r\nb", ports: ["to\nc", own]}, {name: c}]
links: [{between: ["a\r\nb", c]}]
nodes: ["a\r\nb", c]
routing: up_down
)",
                                     "odd.yaml", {1, 0, &up_down_routing()});
  const verilog_network made = to_verilog(odd, options_of(1));
  EXPECT_THAT(made.top,
              HasSubstr("// weft_network, made by weft topology --verilog: odd\\x0anet, up_down, 2 routers.\n"));
  EXPECT_THAT(made.package, HasSubstr("made by weft topology --verilog: odd\\x0anet, up_down, 2 routers.\n"));
  EXPECT_THAT(made.top, HasSubstr("  // router 0 (a\\x0d\\x0ab): ports to\\x0ac, own\n"));
}

TEST(unit_topology_verilog, source_routing_widens_the_path_id) {
  grid_parameters p = grid({2, 2}, 1);
  topology t = make_grid(p);
  for (route_rule& rule : t.routing) rule = source_rule{1};
  const verilog_network made = to_verilog(t, options_of(1));
  EXPECT_THAT(made.package, HasSubstr("localparam int unsigned PathIdBits = 64;"));
  EXPECT_THAT(made.top, HasSubstr(".Rule       (weft_pkg::RuleSource),\n    .UsableVcs  (1)\n"));
}

TEST(unit_topology_verilog, rejects_routing_that_rtl_does_not_support) {
  grid_parameters p = grid({3, 3}, 4);
  p.algorithm = grid_algorithm::WestFirst;
  EXPECT_EQ(rejection(make_grid(p), options_of(4)),
            "the RTL of router 0 (0,0) cannot be generated: there is no RTL of adaptive routing; use another "
            "network.routing.algorithm");
  p.algorithm = grid_algorithm::O1Turn;
  const verilog_network drawn = to_verilog(make_grid(p), options_of(4));
  EXPECT_THAT(drawn.top, HasSubstr("    .RowsByInput (0),\n    .Ways        (2)\n"));
  EXPECT_THAT(drawn.package, HasSubstr("localparam int unsigned PathIdBits = 1;"));
  EXPECT_EQ(rejection(row_of_three(2), options_of(2)), "none");
}

TEST(unit_topology_verilog, nics_have_their_streams_and_configured_parameters) {
  verilog_options o = options_of(2);
  o.nic.ejection_depth = 6;
  o.nic.window = 1000, o.nic.buckets = 4;
  o.nic.compression.selection.mode = selection_mode::Selective;
  o.nic.compression.selection.length_threshold = 1U << 24;
  o.nic.compression.depth = 64;
  o.nics = verilog_nics::Axi;
  const topology mesh = make_grid(grid({2, 2}, 2));
  const verilog_network axi = to_verilog(mesh, o);
  EXPECT_THAT(axi.nics, HasSubstr("module weft_network_with_nics #(\n  /// 1: a spill register"));
  EXPECT_THAT(axi.nics, HasSubstr("    .Window(250)\n"));
  EXPECT_THAT(axi.nics, HasSubstr("    weft_axi_stream_nic #(\n      .SpillSend      (SpillSend),\n"));
  EXPECT_THAT(axi.nics, HasSubstr("      .Table          ({6'd13, 6'd14, 6'd15, 6'd16, 6'd17, 6'd18}),\n"));
  EXPECT_THAT(axi.nics, HasSubstr("      .mode_i              (2'd2),\n      .length_threshold_i  (24'd16777215),\n"));
  EXPECT_THAT(axi.list, HasSubstr("\nweft_network.sv\nweft_network_with_nics.sv\n"));
  EXPECT_EQ(axi.outer, "weft_network_with_nics");
  EXPECT_THAT(axi.constraints,
              HasSubstr("set_input_delay $weft_outside -clock clk [get_ports {\n  rst_ni s_axis_tvalid_i* "));
  o.nics = verilog_nics::Streams;
  EXPECT_THAT(to_verilog(mesh, o).nics, HasSubstr("    weft_nic #(\n      .Ports          (NodePorts),\n"));
  o.nics = verilog_nics::None;
  EXPECT_EQ(to_verilog(mesh, o).nics, "");
}

TEST(unit_topology_verilog, rejects_nics_that_rtl_does_not_support) {
  const topology mesh = make_grid(grid({2, 2}, 2));
  const auto key = [&mesh](const verilog_options& o, const topology* of = nullptr) -> std::string {
    try {
      to_verilog(of != nullptr ? *of : mesh, o);
    } catch (const verilog_error& e) {
      return e.key();
    }
    return "none";
  };
  verilog_options o = options_of(2);
  o.nics = verilog_nics::Axi;
  EXPECT_EQ(key(o), "nic.ejection_depth");
  o.nic.ejection_depth = 4;
  EXPECT_EQ(key(o), "none");
  grid_parameters p = grid({2, 2}, 2);
  p.options.nic_ports = 2;
  const topology two_ports = make_grid(p);
  EXPECT_EQ(key(o, &two_ports), "nic.ports");
  o.nics = verilog_nics::Streams;
  EXPECT_EQ(key(o, &two_ports), "none");
  o.nic.compression.selection.mode = selection_mode::Always;
  o.nic.compression.latency = 100;
  EXPECT_EQ(key(o), "nic.compression.latency");
  o.nic.compression = compression_parameters();
  o.nic.coding.enabled = true;
  EXPECT_EQ(key(o), "none");
  for (const unsigned depth : {1U, 12U}) {
    o.nic.coding.depth = depth;
    EXPECT_EQ(key(o), "nic.coding.depth") << depth;
  }
}

}  // namespace
}  // namespace weft
