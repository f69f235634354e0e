// SPDX-License-Identifier: Apache-2.0
/// Links that are narrower than flits: runs, metrics, and invalid values with the whole message of `weft`.
#include "cli/bad_configuration.h"
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const bad_configuration BadWidths[] = {
    {"link_width_no_divisor",
     "network: {link: {width: 48}}\n",
     {},
     "bad.yaml:1:25: error: network.link.width: expected a divisor of 64 (network.flit.payload_bits) that is at least "
     "1, got 48"},
    {"link_wider_than_a_flit",
     "network: {link: {width: 128}}\n",
     {},
     "bad.yaml:1:25: error: network.link.width: expected a divisor of 64 (network.flit.payload_bits) that is at least "
     "1, got 128"},
    {"link_with_too_many_phits",
     "network:\n  flit: {payload_bits: 256}\n  link: {width: 2}\n",
     {},
     "bad.yaml:3:17: error: network.link.width: expected a divisor of 256 (network.flit.payload_bits) that is at least "
     "4, got 2"},
    {"link_without_width",
     "network: {link: {width: 0}}\n",
     {},
     "bad.yaml:1:25: error: network.link.width: expected flit or an integer from 1 to 256, got '0'"},
    {"energy_of_narrow_links",
     "network: {link: {width: 16}}\noutput: {energy: asap7}\n",
     {},
     "bad.yaml:2:18: error: output.energy: the energy of narrow links is not modelled; leave output.energy out, or "
     "make "
     "all links as wide as flits"},
};

class cli_bad_width : public cli_bad_configuration {};

TEST_P(cli_bad_width, is_rejected_with_its_place_and_a_remedy) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(each, cli_bad_width, testing::ValuesIn(BadWidths),
                         [](const auto& test) { return test.param.name; });

class cli_narrow_links : public command_test {
 protected:
  cli_narrow_links() {
    write("run.yaml",
          "network: {topology: {shape: [4, 4]}, link: {width: 16}}\nworkload: {injection: 0.1, length: 5}\n"
          "simulation: {level: engine, warmup: 1000, measure: 4000}\n");
  }

  json run(const std::vector<std::string>& settings) {
    std::vector<std::string> arguments{"run", "run.yaml", "-q"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    const std::string result = read("results/run.json");
    return result.empty() ? json() : json::parse(result);
  }

  static double highest_utilisation(const json& result) {
    double highest = 0;
    for (const json& channel : result["channels"])
      if (channel["to"].contains("router")) highest = std::max(highest, channel["utilisation"].get<double>());
    return highest;
  }
};

TEST_F(cli_narrow_links, levels_give_the_same_events_and_waits) {
  for (const char* const load : {"0.05", "0.3"}) {
    const std::string setting = std::string("workload.injection.load=") + load;
    const json engine = run({"output.event_log=true", "simulation.measure=1500", setting});
    const std::string events = read("results/run.events");
    EXPECT_GT(events.size(), 50000U);
    const json pins = run({"output.event_log=true", "simulation.measure=1500", setting, "simulation.level=pin"});
    EXPECT_EQ(read("results/run.events"), events);
    EXPECT_EQ(pins["latency"], engine["latency"]);
    EXPECT_EQ(pins["channels"], engine["channels"]);
  }
}

TEST_F(cli_narrow_links, metrics_count_what_links_carry) {
  const std::string narrow = weft({"topology", "run.yaml"}).out;
  EXPECT_THAT(narrow, HasSubstr("bisection                    4  links each way"));
  EXPECT_THAT(narrow, HasSubstr("its width                 64  bits per cycle each way, of these links"));
  const std::string wide = weft({"topology", "run.yaml", "--set", "network.link.width=flit"}).out;
  EXPECT_EQ(wide.find("its width"), std::string::npos);
  EXPECT_THAT(wide, HasSubstr("ideal throughput        0.9375"));
  EXPECT_THAT(narrow, HasSubstr("ideal throughput        0.2344")) << "a quarter";
}

/// The flits of a saturated link last longer than the window or an interval.
TEST_F(cli_narrow_links, links_are_occupied_all_the_time_at_most) {
  write("run.yaml",
        "network: {topology: {shape: [2]}, link: {width: 16}}\nworkload: {length: 1, injection: {load: 1}}\n"
        "simulation: {level: engine, warmup: 100, measure: 10, drain: 1000}\noutput: {interval: 30}\n");
  const json result = run({});
  EXPECT_EQ(highest_utilisation(result), 1);
  double highest = 0;
  for (const json& channel : result["time_series"]["channels"])
    for (const json& share : channel["utilisation"]) highest = std::max(highest, share.get<double>());
  EXPECT_GT(highest, 0.9) << "the flits of a narrow link count with their phits";
  EXPECT_LE(highest, 1);
  EXPECT_THAT(weft({"run", "run.yaml"}).out, HasSubstr("1.0000  of the cycles busy"));
}

TEST_F(cli_narrow_links, latency_without_load_is_that_of_the_formula) {
  const json result = run({"workload.injection.load=0.001", "simulation.measure=200000"});
  const std::string metrics = weft({"topology", "run.yaml"}).out;
  const std::size_t at = metrics.find("zero-load latency");
  ASSERT_NE(at, std::string::npos);
  const double formula = std::stod(metrics.substr(at + 17));
  EXPECT_NEAR(result["latency"]["packet"]["mean"].get<double>(), formula, 0.02 * formula);
}

TEST_F(cli_narrow_links, no_link_is_busy_for_more_than_all_cycles) {
  const json result = run({"workload.injection.load=1"});
  EXPECT_GT(highest_utilisation(result), 0.8);
  EXPECT_LE(highest_utilisation(result), 1.0);
  EXPECT_LT(result["throughput"]["accepted"]["mean"].get<double>(), 0.2344);
}

TEST_F(cli_narrow_links, have_no_bounds) {
  write("flows.txt", "a 0 5 4 0.01 4\n");
  const command_result r =
      weft({"bounds", "run.yaml", "--set", "workload={flows: {file: flows.txt}}", "--set", "network.router.vcs=1"});
  EXPECT_THAT(r.out, HasSubstr("no bound for a: links are narrower than flits\n"));
}

}  // namespace
}  // namespace weft::cli
