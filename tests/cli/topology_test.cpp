// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

namespace weft::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class cli_topology : public command_test {
 protected:
  cli_topology() { write("mesh.yaml", "network: {topology: {shape: [4, 2]}}\n"); }
};

TEST_F(cli_topology, prints_metrics) {
  const command_result r = weft({"topology", "mesh.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, StartsWith("mesh: 4x2 mesh, dimension_order routing\n"));
  EXPECT_THAT(r.out, HasSubstr("  routers                      8\n"));
  EXPECT_THAT(r.out, HasSubstr("  diameter                     4  hops\n"));
  EXPECT_THAT(r.out, HasSubstr("deadlock-free"));
  EXPECT_EQ(r.err, "");
}

TEST_F(cli_topology, describes_one_dimensional_networks_by_router_count) {
  EXPECT_THAT(weft({"topology", "mesh.yaml", "--set", "network.topology.shape=[8]"}).out,
              StartsWith("mesh: mesh of 8 routers, dimension_order routing\n"));
  EXPECT_THAT(weft({"topology", "mesh.yaml", "--set", "network.topology={kind: ring, shape: [5]}"}).out,
              StartsWith("mesh: ring of 5 routers, "));
}

TEST_F(cli_topology, writes_json) {
  EXPECT_EQ(weft({"topology", "mesh.yaml", "--json", "net/mesh.json"}).status, 0);
  EXPECT_THAT(files_in("net"), ElementsAre("mesh.json"));
  const auto from_file = nlohmann::json::parse(read("net/mesh.json"));
  EXPECT_EQ(from_file["routers"].size(), 8u);
  EXPECT_EQ(nlohmann::json::parse(weft({"topology", "mesh.yaml", "--json", "-"}).out), from_file);
}

TEST_F(cli_topology, writes_graphviz) {
  const command_result r = weft({"topology", "mesh.yaml", "--graphviz", "-", "--set", "network.topology.shape=[2,2]"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("graph"));
  EXPECT_THAT(r.out, HasSubstr("}"));
}

TEST_F(cli_topology, reports_throughput_limits) {
  const command_result r = weft({"topology", "mesh.yaml", "--set", "network.topology.shape=[8,8]"});
  EXPECT_THAT(
      r.out,
      HasSubstr("  ideal throughput        0.4922  flits/node/cycle of uniform traffic: load of the busiest link\n"));
  EXPECT_THAT(r.out, HasSubstr("  bisection                    8  links each way: axis cut x < 4: 32 | 32 nodes\n"));
  EXPECT_THAT(r.out, HasSubstr("  VCs needed                   1  of "));
}

TEST_F(cli_topology, reports_throughput_and_latency_of_the_traffic_pattern) {
  const command_result r = weft(
      {"topology", "mesh.yaml", "--set", "network.topology.shape=[8,8]", "--set", "workload.pattern.kind=transpose"});
  EXPECT_THAT(r.out, HasSubstr("  ideal throughput        0.4922  flits/node/cycle of uniform traffic"));
  EXPECT_THAT(r.out, HasSubstr("    of transpose          0.1429  flits/node/cycle: load of the busiest link\n"
                               "  zero-load latency       37.250  cycles of transpose traffic, mean of all packets\n"
                               "    injection              2.000  NIC and its channel to the router\n"
                               "    routers               25.000  pipelines\n"
                               "    links                  5.250  channels between routers\n"
                               "    ejection               1.000  channel to the node\n"
                               "    serialisation          4.000  flits behind the head\n"));
}

TEST_F(cli_topology, writes_svg) {
  EXPECT_EQ(weft({"topology", "mesh.yaml", "--svg", "mesh.svg"}).status, 0);
  EXPECT_THAT(read("mesh.svg"), StartsWith("<svg xmlns="));
  EXPECT_EQ(weft({"topology", "mesh.yaml", "--svg", "-"}).out, read("mesh.svg"));
}

TEST_F(cli_topology, file_that_cannot_be_written_is_an_error) {
  const command_result r = weft({"topology", "mesh.yaml", "--json", "mesh.yaml/x.json"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err, "--json mesh.yaml/x.json: error: cannot make directory mesh.yaml: Not a directory\n");
}

/// Every kind can be written as data, as GraphML and as a drawing; the data restores the same network.
TEST_F(cli_topology, verilog_error_points_to_key_or_option) {
  write("small.yaml", "network: {topology: {shape: [2, 2]}}\n");
  EXPECT_THAT(weft({"topology", "small.yaml", "--verilog", "v", "--nics", "axi"}).err,
              StartsWith("--verilog v: error: the RTL of NICs cannot be generated: a receiver of AXI4-Stream may "
                         "stall"));
  EXPECT_THAT(weft({"topology", "small.yaml", "--verilog", "v", "--nics", "axi", "--set", "nic.ejection_depth=0"}).err,
              StartsWith("--set nic.ejection_depth=0: error: --verilog: the RTL of NICs cannot be generated: "));
}

TEST_F(cli_topology, every_kind_round_trips_through_its_files) {
  for (const std::string kind :
       {"{kind: mesh, shape: [3, 2]}", "{kind: torus, shape: [3, 3]}", "{kind: ring}",
        "{kind: hypercube, dimensions: 3}", "{kind: fat_tree, children: [2, 2], parents: [1, 2]}",
        "{kind: hierarchical_ring}", "{kind: octagon}", "{kind: random, routers: 8}"}) {
    SCOPED_TRACE(kind);
    write("a.yaml", "network: {topology: " + kind + "}\n");
    const command_result first =
        weft({"topology", "a.yaml", "--json", "net.json", "--graphml", "net.graphml", "--svg", "net.svg"});
    ASSERT_EQ(first.status, 0) << first.err;
    write("b.yaml", "network: {topology: {kind: file, file: net.json}}\n");
    write("c.yaml", "network: {topology: {kind: file, file: net.graphml}}\n");
    EXPECT_EQ(weft({"topology", "b.yaml", "--json", "-"}).out, read("net.json"));
    const auto routers = [this](const char* file) {
      return nlohmann::json::parse(weft({"topology", file, "--json", "-"}).out)["routers"].size();
    };
    EXPECT_EQ(routers("c.yaml"), routers("a.yaml"));
  }
}

/// A ring of so many routers as text, numbered along the ring.
std::string ring_file(std::size_t routers) {
  std::string text = "format: weft-topology-1\nrouters: [";
  for (std::size_t r = 0; r < routers; ++r) text += "r" + std::to_string(r) + ", ";
  text += "]\nlinks:\n";
  for (std::size_t r = 0; r < routers; ++r)
    text += "- {between: [r" + std::to_string(r) + ", r" + std::to_string((r + 1) % routers) + "]}\n";
  text += "nodes: [";
  for (std::size_t r = 0; r < routers; ++r) text += std::to_string(r) + ", ";
  return text + "]\n";
}

TEST_F(cli_topology, prints_metrics_of_a_network_too_large_to_route) {
  write("ring.net.yaml", ring_file(5000));
  write("ring.yaml", "network: {topology: {kind: file, file: ring.net.yaml}}\nsimulation: {level: engine}\n");
  const command_result r = weft({"topology", "ring.yaml"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, StartsWith("ring: custom, not routed\n"));
  EXPECT_THAT(r.out, HasSubstr("  routers                   5000\n"));
  EXPECT_THAT(r.out, HasSubstr("  links                    10000  directed, between routers\n"));
  EXPECT_THAT(r.out, HasSubstr("  diameter                  2500  hops"));
  EXPECT_THAT(r.out, HasSubstr("  bisection                    2  links each way"));
  EXPECT_THAT(r.out, Not(HasSubstr("mean route  ")));
  EXPECT_THAT(r.out,
              HasSubstr("\n  not computed: mean route, zero-load latency, VCs needed and the check for deadlock"));
  EXPECT_THAT(r.out, HasSubstr("    ring.net.yaml:1:1: routing: tables for 5000 routers and 5000 nodes have more than "
                               "16777216 entries; "));
  for (const std::vector<std::string>& rejected :
       {std::vector<std::string>{"run", "ring.yaml"}, {"topology", "ring.yaml", "--json", "a.json"}}) {
    const command_result other = weft(rejected);
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.err, HasSubstr("tables for 5000 routers and 5000 nodes have more than 16777216 entries; "));
  }
}

TEST_F(cli_topology, reading_time_grows_linearly_with_file_length) {
  const auto processor_time = [this](std::size_t routers) {
    write("ring.net.yaml", ring_file(routers));
    write("ring.yaml", "network: {topology: {kind: file, file: ring.net.yaml}}\nsimulation: {level: engine}\n");
    const auto spent = [] {
      rusage children{};
      getrusage(RUSAGE_CHILDREN, &children);
      return static_cast<double>(children.ru_utime.tv_sec) + 1e-6 * static_cast<double>(children.ru_utime.tv_usec);
    };
    const double before = spent();
    EXPECT_EQ(weft({"check", "ring.yaml"}).status, 2);
    return spent() - before;
  };
  EXPECT_LT(processor_time(60'000), 8 * processor_time(15'000)) << "four times as many routers";
}

}  // namespace
}  // namespace weft::cli
