// SPDX-License-Identifier: Apache-2.0
/// `weft map`: the placement of the tasks of an application, and the traffic matrix that it writes.
#include "cli/command.h"
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct rate_line {
  unsigned from = 0, to = 0;
  double rate = 0;
};

std::vector<rate_line> rates_in(const std::string& text) {
  std::vector<rate_line> rates;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    rate_line r;
    if (words >> r.from >> r.to >> r.rate) rates.push_back(r);
  }
  return rates;
}

class cli_map : public command_test {
 protected:
  cli_map() {
    write("mesh.yaml", "network: {topology: {shape: [4, 3]}}\nsimulation: {level: engine}\n");
    write("pipeline.txt", "# a pipeline\nread filter 10\nfilter code 20\ncode write 5.5\n");
  }

  /// The matrix that `weft map` writes for \p graph on the mesh.
  std::string map(const std::string& graph, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"map", graph, "mesh.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    return r.out;
  }
};

TEST_F(cli_map, neighbours_of_a_pipeline_are_placed_one_hop_apart) {
  const std::string text = map("pipeline.txt");
  EXPECT_THAT(text, HasSubstr("# rate times hops: 35.5;"));
  const std::vector<rate_line> rates = rates_in(text);
  ASSERT_EQ(rates.size(), 3U);
  EXPECT_EQ(rates[0].rate, 10);
  EXPECT_EQ(rates[2].rate, 5.5);
  EXPECT_EQ(rates[0].to, rates[1].from);
  EXPECT_EQ(rates[1].to, rates[2].from);
}

TEST_F(cli_map, tasks_in_order_are_on_free_nodes) {
  write("placed.txt", "read filter 10\nfilter code 20\ncode write 5.5\nfilter 0\nwrite 11\n");
  const std::string text = map("placed.txt", {"--linear"});
  EXPECT_THAT(text, HasSubstr("# filter                     0  by hand\n"));
  const std::vector<rate_line> rates = rates_in(text);
  ASSERT_EQ(rates.size(), 3U);
  EXPECT_EQ(std::tuple(rates[0].from, rates[0].to), std::tuple(1U, 0U));
  EXPECT_EQ(std::tuple(rates[1].from, rates[1].to), std::tuple(0U, 2U));
  EXPECT_EQ(std::tuple(rates[2].from, rates[2].to), std::tuple(2U, 11U));
}

/// On a ring with links in one direction, the way back is longer. Each task sends to the next one.
TEST_F(cli_map, one_way_links_count_in_their_direction) {
  write(
      "ring.net.yaml",
      "format: weft-topology-1\nrouters: [a, b, c, d, e, f]\nnodes: [a, b, c, d, e, f]\n"
      "links: [{from: a, to: b}, {from: b, to: c}, {from: c, to: d}, {from: d, to: e}, {from: e, to: f}, {from: f, to: "
      "a}]\n");
  write("ring.yaml", "network: {topology: {kind: file, file: ring.net.yaml}}\n");
  write("ring.txt", "t0 t1 1\nt1 t2 1\nt2 t3 1\nt3 t4 1\nt4 t5 1\nt5 t0 1\n");
  for (const char* const seed : {"1", "2", "3"}) {
    const command_result r = weft({"map", "ring.txt", "ring.yaml", "--seed", seed});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("# rate times hops: 6;"));
  }
}

/// Tasks on one router can be exchanged without a change of the cost, where a single search ends far from the optimum.
TEST_F(cli_map, several_nodes_at_a_router_do_not_trap_the_search) {
  const std::string folder = std::string(WEFT_SOURCE_DIR) + "/examples/applications/";
  const command_result r =
      weft({"map", folder + "vopd.txt", "mesh.yaml", "--set", "network.topology={shape: [2, 2], nodes_per_router: 3}"});
  EXPECT_EQ(r.status, 0) << r.err;
  const std::string before = "# rate times hops: ";
  const std::size_t at = r.out.find(before);
  ASSERT_NE(at, std::string::npos);
  EXPECT_LE(std::stod(r.out.substr(at + before.size())), 1.05 * 883) << "a placement by hand has 883";
}

TEST_F(cli_map, tasks_that_are_placed_by_hand_stay_there) {
  write("placed.txt", "read filter 10\nfilter code 20\ncode write 5.5\nread 0\nfilter 11\n");
  const std::vector<rate_line> rates = rates_in(map("placed.txt"));
  ASSERT_EQ(rates.size(), 3U);
  EXPECT_EQ(std::tuple(rates[0].from, rates[0].to), std::tuple(0U, 11U));
}

TEST_F(cli_map, matrix_of_the_example_is_what_the_command_writes_and_runs) {
  const std::string folder = std::string(WEFT_SOURCE_DIR) + "/examples/applications/";
  const command_result r = weft({"map", folder + "vopd.txt", folder + "decoder.yaml", "-o", "rates.txt"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("wrote rates.txt"));
  const auto lines_below_title = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_EQ(lines_below_title(read("rates.txt")), lines_below_title(read(folder + "vopd_rates.txt")));
}

/// 100 MB/s are 0.025 flits of 8 bytes per cycle of 2 ns.
TEST_F(cli_map, loads_are_converted_by_clock_and_width_and_run_as_they_are) {
  write("two.txt", "a b 100\n");
  const std::string text = map("two.txt", {"--loads", "--set", "simulation.clock=0.5"});
  ASSERT_EQ(rates_in(text).size(), 1U);
  EXPECT_DOUBLE_EQ(rates_in(text).front().rate, 0.025);
  write("loads.txt", text);
  const command_result r =
      weft({"run", "mesh.yaml", "-q", "--set", "workload.pattern={kind: matrix, file: loads.txt, rates: absolute}"});
  EXPECT_EQ(r.status, 0) << r.err;
  const json result = json::parse(read("results/mesh.json"));
  EXPECT_NEAR(result["throughput"]["accepted"]["mean"].get<double>(), 0.025 / 12, 0.0005);
}

TEST_F(cli_map, wrong_graphs_are_rejected_with_line_and_remedy) {
  const auto expect_error = [this](const std::string& graph, const std::string& message) {
    write("bad.txt", graph);
    const command_result r = weft({"map", "bad.txt", "mesh.yaml"});
    EXPECT_EQ(r.status, 2);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(message));
  };
  expect_error(
      "a b 1\nc\n",
      "bad.txt:2: expected 'source destination rate' or 'task node' with blanks between them, found 1 column\n");
  expect_error("a b 1\na c x\n",
               "bad.txt:2: column 3 (rate): expected a rate, 0 or a number from 1e-18 to 1e18, found 'x'\n");
  expect_error("a b 1\na b 2\n",
               "bad.txt:2: task 'a' already has a rate to task 'b', in line 1; give each pair one rate\n");
  expect_error("a b 1\nb b 2\n", "bad.txt:2: task 'b' sends to itself; leave the line out\n");
  expect_error("a b 1\nb 12\n", "bad.txt:2: column 2 (node): expected a node from 0 to 11, found '12'\n");
  expect_error("a b 1\nb c\n",
               "bad.txt:2: column 2 (node): expected a node from 0 to 11, found 'c'; a line with two tasks also has a "
               "rate\n");
  expect_error("a b 1\nc 3\n",
               "bad.txt:2: task 'c' sends and receives nothing; give it an edge or leave the line out\n");
  expect_error("a b 1\na 3\na 4\n", "bad.txt:3: task 'a' is already on node 3; place each task once\n");
  expect_error("a b 1\na 3\nb 3\n", "bad.txt:3: node 3 already has the task 'a'; a node has one task\n");
  expect_error("a b 0\n", "bad.txt: the graph has no edge with a rate above 0; expected at least one\n");
  std::string chain;
  for (unsigned i = 0; i < 12; ++i) chain += "t" + std::to_string(i) + " t" + std::to_string(i + 1) + " 1\n";
  expect_error(chain, "bad.txt: the graph has 13 tasks, but the network has 12 nodes; use a larger network\n");
}

TEST_F(cli_map, wrong_calls_are_rejected) {
  const command_result clock = weft({"map", "pipeline.txt", "mesh.yaml", "--loads"});
  EXPECT_EQ(clock.status, 2);
  EXPECT_THAT(clock.err, HasSubstr("--loads: error: needs the clock frequency"));
  const command_result missing = weft({"map", "absent.txt", "mesh.yaml"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("absent.txt"));
  const command_result same = weft({"map", "pipeline.txt", "mesh.yaml", "-o", "pipeline.txt"});
  EXPECT_EQ(same.status, 2);
  EXPECT_THAT(read("pipeline.txt"), StartsWith("# a pipeline"));
}

}  // namespace
}  // namespace weft::cli
