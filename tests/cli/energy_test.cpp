// SPDX-License-Identifier: Apache-2.0
/// Energy, area and clock in the results of `weft`.
#include "cli/command.h"
#include "unit/energy/toy_technology.h"
#include <cstddef>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class cli_energy : public command_test {
 protected:
  cli_energy() {
    write("toy.yaml", ToyTechnology);
    write("run.yaml",
          "network: {topology: {shape: [3, 3]}}\n"
          "workload: {injection: 0.1, length: 3}\n"
          "simulation: {level: engine, warmup: 100, measure: 2000}\n"
          "output: {energy: {technology: file, file: toy.yaml}}\n");
  }

  json run(const std::vector<std::string>& settings = {}) {
    std::vector<std::string> arguments{"run", "run.yaml", "-q"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.err, "");
    EXPECT_EQ(r.status, 0);
    return json::parse(read("results/run.json"));
  }

  static double sum_of(const json& values) {
    double sum = 0;
    for (const json& value : values) sum += value.get<double>();
    return sum;
  }
};

TEST_F(cli_energy, is_equal_at_both_levels_and_the_sum_of_its_parts) {
  const json engine = run()["energy"], pin = run({"simulation.level=pin"})["energy"];
  EXPECT_EQ(engine, pin);
  const double total = engine["total"].get<double>();
  EXPECT_NEAR(sum_of(engine["parts"]), total, 1e-9 * total);
  EXPECT_GT(engine["parts"]["links"].get<double>(), 0);
  EXPECT_EQ(engine["parts"]["stages"], 0);
  EXPECT_EQ(engine["technology"], "toy");
  EXPECT_EQ(engine["slowest"], "vc_allocator of a router with 5 ports");
  EXPECT_EQ(engine["notes"], json::array());
}

TEST_F(cli_energy, lists_what_channels_and_routers_spent) {
  const json result = run();
  const json& energy = result["energy"];
  ASSERT_EQ(energy["channels"].size(), result["channels"].size());
  double links = 0;
  for (std::size_t i = 0; i < energy["channels"].size(); ++i) {
    const json& c = energy["channels"][i];
    links += c["energy"].get<double>();
    EXPECT_NEAR(3 * c["packets"].get<int>(), result["channels"][i]["flits"].get<int>(), 8) << i;  // parts of packets
    EXPECT_EQ(c["length"], result["channels"][i]["to"].contains("router") ? 1 : 0) << i;
  }
  EXPECT_NEAR(links, energy["parts"]["links"].get<double>(), 1e-9 * links);
  EXPECT_EQ(energy["routers"].size(), 9U);
}

TEST_F(cli_energy, is_written_to_tables_and_shown) {
  run();
  EXPECT_THAT(read("results/run.csv"), AllOf(HasSubstr(",ejection,energy,energy_buffers,"),
                                             HasSubstr(",energy_leakage,energy_per_flit,energy_per_bit,power,")));
  const command_result r = weft({"run", "run.yaml"});
  EXPECT_THAT(r.out, HasSubstr("pJ for each payload bit received"));
  EXPECT_THAT(r.out, HasSubstr("GHz and 1 V in toy"));
  const json without = run({"output.energy=none"});
  EXPECT_THAT(read("results/run.csv"), HasSubstr(",energy,"));  // an empty column
  EXPECT_FALSE(without.contains("energy"));
}

TEST_F(cli_energy, of_a_window_has_the_power_of_its_intervals) {
  const json result = run({"output.interval=500", "simulation.warmup=500", "output.energy.thermal=true"});
  const json& power = result["time_series"]["power"];
  ASSERT_GE(power.size(), 5U);
  const double mean = (sum_of(power) - power[0].get<double>()) / static_cast<double>(power.size() - 1);
  EXPECT_NEAR(mean, result["energy"]["power"].get<double>(), 0.1 * mean);
  // The power trace has the same power in watts, and the floor plan a tile for each router.
  const std::string trace = read("results/run.ptrace");
  EXPECT_EQ(trace.substr(0, 17), "router_0\trouter_1");
  std::istringstream lines(trace.substr(trace.find('\n') + 1));
  for (const json& of_interval : power) {
    std::string line;
    std::getline(lines, line);
    std::istringstream values(line);
    double sum = 0;
    for (double value; values >> value;) sum += value;
    EXPECT_NEAR(sum * 1e3, of_interval.get<double>(), 1e-4 * sum * 1e3);
  }
  EXPECT_THAT(read("results/run.flp"), HasSubstr("router_8\t0.001\t0.001\t0.002\t0.002\n"));
}

TEST_F(cli_energy, has_a_floor_plan_without_overlaps) {
  run({"output.interval=500", "output.energy.thermal=true", "network.topology={kind: hypercube, dimensions: 4}"});
  std::istringstream lines(read("results/run.flp"));
  std::set<std::string> places;
  std::size_t tiles = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.substr(0, 1) == "#") continue;
    ++tiles;
    places.insert(line.substr(line.find('\t')));
  }
  EXPECT_EQ(tiles, 16U);
  EXPECT_EQ(places.size(), 16U);
}

TEST_F(cli_energy, of_coding_counts_the_words_of_the_window) {
  std::string text = ToyTechnology;
  text +=
      "codec:\n  compressor: {cycle: {}, word: {\"1\": 1000000}, leakage: {}, area: {}}\n"
      "  decompressor: {cycle: {}, leakage: {}, area: {}}\n";
  write("toy.yaml", text);
  // Beyond saturation, most packets that leave a compressor in the window were created before it.
  const json result = run({"nic.compression=always", "workload.payload=small_integers", "workload.length=12",
                           "workload.injection.load=0.9", "simulation.warmup=1000", "simulation.drain=0"});
  double coded = 0;
  for (const json& c : result["energy"]["injections"]) coded += 24 * c["packets"].get<double>();
  EXPECT_NEAR(result["energy"]["parts"]["stages"].get<double>(), coded, 0.02 * coded);  // 1 nJ for each word
}

TEST_F(cli_energy, of_decoding_counts_packets_that_arrive) {
  write("toy.yaml", ToyTechnology +
                        "codec:\n  compressor: {cycle: {}, leakage: {}, area: {}}\n"
                        "  decompressor: {cycle: {}, word: {\"1\": 1000000}, leakage: {}, area: {}}\n");
  const json result =
      run({"nic.compression=always", "workload.payload=small_integers", "workload.length=12",
           "workload.injection.load=0.9", "simulation.warmup=0", "simulation.measure=300", "simulation.drain=0"});
  double decoded = 0;
  for (std::size_t i = 0; i < result["channels"].size(); ++i)
    if (result["channels"][i]["to"].contains("node"))
      decoded += 24 * result["energy"]["channels"][i]["packets"].get<double>();
  // Packets in ejection buffers are not decoded yet: at most one for each of 9 nodes and 4 VCs.
  const auto counted = result["energy"]["parts"]["stages"].get<double>();
  EXPECT_LE(counted, decoded);
  EXPECT_GE(counted, decoded - 24 * 9 * 4);
}

TEST_F(cli_energy, depends_on_the_payload) {
  const json random = run()["energy"], zero = run({"workload.payload.kind=zero"})["energy"];
  for (const json& c : zero["channels"]) EXPECT_EQ(c["payload_toggles"], 0);
  EXPECT_LT(zero["parts"]["links"].get<double>(), random["parts"]["links"].get<double>());
  EXPECT_EQ(zero["parts"]["vc_allocation"], random["parts"]["vc_allocation"]);
}

TEST_F(cli_energy, of_a_network_is_known_without_simulation) {
  const command_result r = weft({"topology", "run.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("mm² of cells in toy: routers"));
  EXPECT_THAT(r.out, HasSubstr("GHz, limited by vc_allocator of a router with 5 ports"));
  EXPECT_THAT(r.out, HasSubstr("mW without traffic, at"));
  EXPECT_THAT(weft({"topology", "run.yaml", "--set", "output.energy=none"}).out, Not(HasSubstr("static power")));
}

TEST_F(cli_energy, is_drawn_by_part_and_over_time) {
  run({"output.interval=500"});
  EXPECT_EQ(weft({"plot", "energy", "results/run.json", "-o", "parts.svg"}).status, 0);
  const std::string parts = read("parts.svg");
  for (const char* words : {"energy, nJ", "VC allocation", "links", "leakage"}) EXPECT_THAT(parts, HasSubstr(words));
  EXPECT_EQ(weft({"plot", "power-time", "results/run.json", "-o", "power.svg"}).status, 0);
  EXPECT_THAT(read("power.svg"), HasSubstr("mean power, mW"));
  run({"output.energy=none", "output.interval=500"});
  EXPECT_EQ(weft({"plot", "energy", "results/run.json", "-o", "-"}).err,
            "plot energy: error: no point has energies; set output.energy: TECHNOLOGY in its configuration and run it "
            "again\n");
  EXPECT_THAT(weft({"plot", "power-time", "results/run.json", "-o", "-"}).err,
              HasSubstr("set output.energy: TECHNOLOGY in its configuration and run it again"));
}

TEST_F(cli_energy, is_a_column_of_sweeps) {
  EXPECT_EQ(weft({"sweep", "run.yaml", "-q", "--over", "workload.injection.load=0.05,0.1"}).status, 0);
  const std::string table = read("results/run.sweep.csv");
  EXPECT_THAT(table, HasSubstr(",energy_per_bit,"));
}

TEST_F(cli_energy, of_collectives_is_reported) {
  write("collective.yaml",
        "network: {topology: {shape: [2, 2]}}\ncollective: {algorithm: all_at_once}\nsimulation: {level: engine}\n"
        "output: {energy: {technology: file, file: toy.yaml}}\n");
  const command_result r = weft({"collective", "collective.yaml", "-q"});
  if (r.status == 2 && r.err.find("was left out") != std::string::npos) GTEST_SKIP() << r.err;
  ASSERT_EQ(r.status, 0) << r.err;
  const json energy = json::parse(read("results/collective.json"))["energy"];
  EXPECT_NEAR(sum_of(energy["parts"]), energy["total"].get<double>(), 1e-9 * energy["total"].get<double>());
  EXPECT_GT(energy["per_bit"].get<double>(), 0);
}

TEST_F(cli_energy, rejects_wrong_values_at_their_places) {
  const auto error_of = [&](const std::vector<std::string>& settings) {
    std::vector<std::string> arguments{"run", "run.yaml", "-q"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  EXPECT_THAT(error_of({"output.energy.technology=asap"}),
              HasSubstr("output.energy.technology: expected one of none, file, "));
  EXPECT_EQ(
      error_of({"output.energy.file=none.yaml"}),
      "--set output.energy.file=none.yaml: error: output.energy.file: none.yaml is not a readable file; expected a "
      "technology file\n");
  EXPECT_THAT(error_of({"output.energy.pitch=-1"}), HasSubstr("output.energy.pitch: expected a number from 0 to 1000"));
  EXPECT_THAT(error_of({"output.energy.thermal=true"}), HasSubstr("output.energy.thermal has no effect"));
  write("bad.yaml", "format: weft-technology-1\nname: bad\n");
  const std::string missing = error_of({"output.energy.file=bad.yaml"});
  EXPECT_THAT(missing, HasSubstr("bad.yaml:1:1: error: "));
  EXPECT_THAT(missing, HasSubstr("router"));
  write("pitch.yaml", "output: {energy: {pitch: 2}}\n");
  EXPECT_EQ(weft({"run", "pitch.yaml"}).err,
            "pitch.yaml:1:26: error: output.energy.pitch has no effect while output.energy.technology is none\n");
}

}  // namespace
}  // namespace weft::cli
