// SPDX-License-Identifier: Apache-2.0
/// The outcome of a run, and the quality of its metrics as the run reports it.
#include "cli/small_run.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using cycle_number = std::uint64_t;

class cli_run_outcome : public small_run_test {};

TEST_F(cli_run_outcome, saturation_is_a_successful_outcome) {
  const command_result r =
      weft({"run", "small.yaml", "--set", "workload.injection.load=1", "--set", "simulation.measure=3000"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("SATURATED"));
  const json j = json::parse(read("results/small.json"));
  EXPECT_EQ(j["saturated"], true);
  EXPECT_EQ(j["complete"], true);
  EXPECT_EQ(j["cycles"]["simulated"], 3100);
  EXPECT_LT(j["throughput"]["accepted"]["mean"], j["throughput"]["offered"]["mean"]);
}

/// The network is a ring of four routers with one VC. Packets to the opposite router go clockwise.
TEST_F(cli_run_outcome, deadlock_is_not_mistaken_for_saturation) {
  write("ring.net.yaml",
        "format: weft-topology-1\nrouters: [a, b, c, d]\nnodes: [a, b, c, d]\n"
        "links: [{between: [a, b]}, {between: [b, c]}, {between: [c, d]}, {between: [d, a]}]\n"
        "routing: {algorithm: source, paths: [{from: 0, to: 2, through: [a, b, c]}, {from: 1, to: 3, through: [b, c, "
        "d]}, "
        "{from: 2, to: 0, through: [c, d, a]}, {from: 3, to: 1, through: [d, a, b]}]}\n");
  write("ring.yaml",
        "network: {topology: {kind: file, file: ring.net.yaml}, router: {vcs: 1}, routing: {allow_deadlock: true}}\n"
        "workload: {injection: {load: 1}, length: 64}\nsimulation: {level: engine, warmup: 2000, measure: 10000}\n");
  const auto run = [this](const char* deadlock_after) {
    const command_result r =
        weft({"run", "ring.yaml", "--set", std::string("simulation.deadlock_after=") + deadlock_after});
    EXPECT_EQ(r.status, 1) << r.out;
    EXPECT_EQ(r.err, "weft: deadlock\n");
    EXPECT_THAT(r.out, HasSubstr("holds up: a ring of 8\n"));
    const json j = json::parse(read("results/ring.json"));
    EXPECT_EQ(j["outcome"], "deadlock");
    EXPECT_FALSE(j["ring"].empty());
    return j;
  };
  const json early = run("500"), late = run("5000");
  EXPECT_LT(early["cycles"]["simulated"], 12'000) << "found within the window";
  EXPECT_GT(late["cycles"]["simulated"], 12'000) << "found behind it";
  EXPECT_EQ(late["cycles"]["window_end"], 12'000);
  EXPECT_EQ(early["ring"], late["ring"]);
}

/// In the first row of a torus, VCs without flits of their own wait for each other, while packets of the second row
/// move.
TEST_F(cli_run_outcome, ring_through_shared_buffers_is_not_mistaken_for_saturation) {
  std::string pairs;
  for (unsigned i = 0; i < 8; ++i)
    pairs += std::to_string(i) + " " + std::to_string((i + 3) % 8) + "\n" + std::to_string(8 + i) + " " +
             std::to_string(8 + (i + 1) % 8) + "\n";
  write("pairs.txt", pairs);
  write("torus.yaml",
        "network:\n  topology: {kind: torus, shape: [8, 2]}\n  routing: {allow_deadlock: true}\n"
        "  router: {vcs: 2, depth: 1, buffer: {policy: shared, reserved: 0}}\n"
        "workload: {pattern: {kind: permutation, file: pairs.txt}, injection: 0.9, length: 1}\n"
        "simulation: {level: engine, warmup: 200, measure: 10000, deadlock_after: 1000}\n");
  const command_result r = weft({"run", "torus.yaml"});
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_THAT(r.out, HasSubstr("though others have: they wait for each other\n"));
  EXPECT_THAT(r.out, HasSubstr("waits for room in the shared buffer of +x"));
  EXPECT_THAT(r.out, HasSubstr("holds up: a ring of "));
  EXPECT_FALSE(json::parse(read("results/torus.json"))["ring"].empty());
}

TEST_F(cli_run_outcome, closed_loop_is_never_reported_as_saturated) {
  write("loop.yaml",
        "network: {topology: {shape: [4, 4]}, router: {vcs: 4, classes: 2}}\nsimulation: {level: engine}\n"
        "workload: {injection: {process: request_reply, window: 64, reply: 5}, length: 1}\n");
  for (const char* const measure : {"1", "3000", "10000"}) {  // queues can grow by chance in some of these windows
    const command_result r = weft({"run", "loop.yaml", "--set", std::string("simulation.measure=") + measure});
    EXPECT_EQ(r.status, 0);
    EXPECT_THAT(r.out, HasSubstr("\n  complete\n")) << measure;
    EXPECT_EQ(json::parse(read("results/loop.json"))["sources"]["growing"], json::array());
  }
}

TEST_F(cli_run_outcome, long_bursts_in_a_short_window_leave_saturation_undecided) {
  write("bursts.yaml",
        "network: {topology: {shape: [8, 8]}}\nsimulation: {level: engine, warmup: 2000, measure: 16000}\n"
        "workload: {injection: {process: on_off, load: 0.2, mean_burst: 5000}}\n");
  const command_result r = weft({"run", "bursts.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("UNDECIDED: source queues grew"));
  EXPECT_THAT(r.out, HasSubstr("the window is too short to tell whether the network is saturated; raise "
                               "simulation.measure to 400000 or more\n"));
  EXPECT_EQ(json::parse(read("results/bursts.json"))["outcome"], "undecided");
  const command_result few = weft({"run", "bursts.yaml", "--set", "workload.injection.load=0.01"});
  EXPECT_THAT(few.out, HasSubstr("\n  complete\n  warning: the window is too short to tell"));
}

TEST_F(cli_run_outcome, window_of_one_cycle_gives_a_warning) {
  EXPECT_THAT(weft({"run", "small.yaml", "--set", "workload.injection.load=0.9", "--set", "simulation.measure=1"}).out,
              HasSubstr("\n  warning: the window is too short to tell whether the network is saturated; raise "
                        "simulation.measure to 8 or more\n"));
}

TEST_F(cli_run_outcome, run_without_measured_packets_fails) {
  for (const char* const load : {"0", "1e-300"}) {
    const command_result r = weft({"run", "small.yaml", "--set", std::string("workload.injection.load=") + load});
    EXPECT_EQ(r.status, 1) << load;
    EXPECT_THAT(r.out, HasSubstr("\n  NOTHING MEASURED: no packet was created in the window\n"));
    EXPECT_EQ(r.err, "weft: nothing_measured\n");
    const json j = json::parse(read("results/small.json"));
    EXPECT_EQ(j["outcome"], "nothing_measured");
    EXPECT_EQ(j["complete"], false);
    const std::string csv = read("results/small.csv");  // missing values are empty, not 0
    EXPECT_THAT(csv, HasSubstr(",mean_routers,carried,compressed_share,travelled_share,send_latency,receive_latency,"));
    EXPECT_THAT(csv, HasSubstr(",,0,,,,,0,0,0,"));
  }
  const command_result r = weft({"run", "small.yaml", "--set", "workload.length=1000000"});
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "weft: nothing_measured\n");
}

TEST_F(cli_run_outcome, finds_the_warm_up_and_stops_at_the_requested_precision) {
  write(
      "precise.yaml",
      "network: {topology: {shape: [3, 3]}}\nworkload: {injection: 0.3, length: 3}\n"
      "simulation: {level: engine, warmup: auto, until: {relative_error: 2 %, at_most: 400000}, measure: 2000, clock: "
      "1.5}\n"
      "output: {breakdown: true, matrix: true, interval: 500}\n");
  const command_result r = weft({"run", "precise.yaml"});
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("ns on average, at 1.5 GHz\n"));
  const json j = json::parse(read("results/precise.json"));
  EXPECT_EQ(j["configuration"]["simulation"]["until"]["relative_error"], 0.02);
  EXPECT_EQ(j["warmup"]["settled"], true);
  EXPECT_EQ(j["stationary"], true);
  EXPECT_LE(j["precision"]["reached"], 0.021);
  const cycle_number window =
      j["cycles"]["window_end"].get<cycle_number>() - j["cycles"]["window_first"].get<cycle_number>();
  EXPECT_LT(window, 400'000u);
  EXPECT_EQ(j["time_series"]["start"].size(), j["cycles"]["window_end"].get<cycle_number>() / 500);
  EXPECT_EQ(j["time_series"]["channels"].size(), j["channels"].size());
  ASSERT_EQ(j["time_series"]["routers"].size(), 9u);
  double flits = 0;
  for (const json& router : j["time_series"]["routers"])
    for (const json& occupancy : router["occupancy"]) {
      EXPECT_GE(occupancy, 0);
      flits += occupancy.get<double>() / static_cast<double>(j["time_series"]["start"].size());
    }
  // Little's law: a flit is in routers and on the channels to them about as long as a head, which stays some cycles
  // longer in the last router.
  const json& parts = j["latency"]["breakdown"];
  double time = parts["pipeline"].get<double>() + 2;
  for (const char* const wait : {"vc_allocation", "switch_allocation", "credit_wait"})
    time += parts[wait].get<double>();
  const double most = time * 9 * j["throughput"]["accepted"]["mean"].get<double>();
  EXPECT_LT(flits, most);
  EXPECT_GT(flits, 0.75 * most);
  std::uint64_t packets = 0;
  for (const json& row : j["matrix"]["packets"])
    for (const json& count : row) packets += count.get<std::uint64_t>();
  EXPECT_EQ(packets, j["packets"]["delivered"]);
  EXPECT_NEAR(j["sources"]["accepted"]["mean"].get<double>(), j["throughput"]["accepted"]["mean"].get<double>(), 1e-9);
}

TEST_F(cli_run_outcome, warns_when_precision_is_not_reached) {
  const command_result r = weft({"run", "small.yaml", "--set", "simulation={level: engine, until: 1e-5}", "--set",
                                 "simulation.until.at_most=20000"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("\n  complete\n  warning: the mean latency is known to "));
  EXPECT_THAT(r.out, HasSubstr("not to 0.001 %; raise simulation.until.at_most\n"));
  EXPECT_EQ(json::parse(read("results/small.json"))["warnings"].size(), 1u);
}

/// An 8x8 mesh with express links over four routers in both dimensions.
std::string express_mesh() {
  std::string routers, nodes, links;
  const auto name = [](int x, int y) { return "r" + std::to_string(x) + "_" + std::to_string(y); };
  const auto add = [&links](const std::string& a, const std::string& b, int cycles) {
    links += "  - {between: [" + a + ", " + b + "], cycles: " + std::to_string(cycles) + "}\n";
  };
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      routers += "  - {name: " + name(x, y) + "}\n";
      nodes += "  - " + name(x, y) + "\n";
      if (x + 1 < 8) add(name(x, y), name(x + 1, y), 1);
      if (y + 1 < 8) add(name(x, y), name(x, y + 1), 1);
    }
  for (int y = 0; y < 8; ++y)
    for (const int x : {0, 3}) add(name(x, y), name(x + 4, y), 2);
  for (int x = 0; x < 8; ++x)
    for (const int y : {0, 3}) add(name(x, y), name(x, y + 4), 2);
  return "format: weft-topology-1\nrouters:\n" + routers + "links:\n" + links + "nodes:\n" + nodes +
         "routing: {algorithm: shortest}\n";
}

/// A load that an irregular network cannot carry is reported as saturation and not as a failure, even if packets of the
/// window starve.
TEST_F(cli_run_outcome, load_near_saturation_is_reported_as_complete_or_saturated) {
  write("express.topo.yaml", express_mesh());
  write("express.yaml",
        "network: {topology: {kind: file, file: express.topo.yaml}, router: {vcs: 8, depth: 8}}\n"
        "workload: {pattern: uniform, length: 4}\n"
        "simulation: {level: engine, warmup: 3000, measure: 10000}\n");
  for (const auto& [load, how] : {std::pair{"0.479", "complete"}, {"0.545", "SATURATED"}, {"0.6", "SATURATED"}})
    for (const char* const seed : {"1", "8"}) {
      const command_result r =
          weft({"run", "express.yaml", "--seed", seed, "--set", "workload.injection.load=" + std::string(load)});
      EXPECT_EQ(r.status, 0) << load << r.err;
      EXPECT_THAT(r.out, HasSubstr(how)) << load;
      EXPECT_LT(json::parse(read("results/express.json"))["cycles"]["simulated"], 50'000);
    }
}

TEST_F(cli_run_outcome, deadlock_detected_late_is_not_reported_as_saturation) {
  write("ring.yaml",
        "network:\n  topology: {kind: ring, shape: [8]}\n  routing: {algorithm: source, allow_deadlock: true}\n"
        "  router: {vcs: 2, depth: 4}\nworkload: {injection: 0.45, length: 8}\n"
        "simulation: {level: engine, warmup: 200, measure: 4000, deadlock_after: 5000, seed: 5}\n");
  const command_result r = weft({"run", "ring.yaml"});  // nothing moves from cycle 1100 on; the window ends at 4200
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("DEADLOCK"));
  EXPECT_EQ(r.err, "weft: deadlock\n");
}

TEST_F(cli_run_outcome, window_of_a_packet_list_spans_first_to_last_packet) {
  for (const int first : {0, 99}) {
    std::string list;
    for (int i = 0; i < 320; ++i)
      list += std::to_string(i) + " " + std::to_string(first) + " " + std::to_string(i % 16) + " " +
              std::to_string(15 - i % 16) + " 4\n";
    write("list.txt", list);
    write("list.yaml",
          "network: {topology: {shape: [4, 4]}}\nworkload: {packet_list: list.txt}\nsimulation: {level: engine}\n");
    const command_result r = weft({"run", "list.yaml"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, testing::Not(HasSubstr("±")));
    const json j = json::parse(read("results/list.json"));
    const json& cycles = j["cycles"];
    EXPECT_EQ(cycles["window_first"], first);
    EXPECT_EQ(cycles["window_end"], first + j["latency"]["packet"]["max"].get<int>() + 1);
    const double window = cycles["window_end"].get<double>() - first;
    EXPECT_NEAR(j["throughput"]["accepted"]["mean"].get<double>(), 320 * 4 / window / 16, 1e-9);
    EXPECT_EQ(j["throughput"]["offered"]["mean"], j["throughput"]["accepted"]["mean"]);
    EXPECT_TRUE(j["latency"]["packet"]["half_width"].is_null());
  }
}

TEST_F(cli_run_outcome, run_with_packets_left_at_the_drain_limit_fails) {
  const command_result r = weft({"run", "small.yaml", "--set", "simulation.drain=1", "--set", "network.link=64"});
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, HasSubstr("NOT DRAINED"));
  EXPECT_EQ(r.err, "weft: not_drained\n");
  const json j = json::parse(read("results/small.json"));
  EXPECT_EQ(j["outcome"], "not_drained");
  EXPECT_EQ(j["complete"], false);
}

}  // namespace
}  // namespace weft::cli
