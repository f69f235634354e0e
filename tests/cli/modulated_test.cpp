// SPDX-License-Identifier: Apache-2.0
/// Self-similar and Markov-modulated traffic: runs, and invalid parameters with the whole message of `weft`.
#include "cli/bad_configuration.h"

#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

const bad_configuration BadModulation[] = {
    {"hurst_of_short_memory",
     "workload:\n  injection: {process: self_similar, hurst: 0.5}\n",
     {},
     "bad.yaml:2:45: error: workload.injection.hurst: expected a number from 0.51 to 0.99, got '0.5'"},
    {"hurst_of_geometric_bursts",
     "workload:\n  injection: {process: on_off, hurst: 0.8}\n",
     {},
     "bad.yaml:2:39: error: workload.injection.hurst has no effect unless workload.injection.process is self_similar"},
    {"bursts_too_short_for_a_tail",
     "workload:\n  injection:\n    process: self_similar\n    hurst: 0.9\n    mean_burst: 5\n",
     {},
     "bad.yaml:5:17: error: injection self_similar: mean_burst must be at least 6 cycles with hurst 0.9, because the "
     "shortest burst has one cycle, not 5"},
    {"peak_below_self_similar_load",
     "workload:\n  injection: {process: self_similar, load: 0.5, peak: 0.3}\n",
     {},
     "bad.yaml:2:44: error: injection self_similar: peak (0.3) must be at least load (0.5), which is its mean over "
     "time; raise peak or lower load"},
    {"states_missing",
     "workload:\n  injection: {process: mmpp}\n",
     {},
     "bad.yaml:2:24: error: injection mmpp: needs 2 to 8 states, but rates has 0; give each state a rate"},
    {"states_without_a_chain",
     "workload:\n  injection: {rates: [1, 2]}\n",
     {},
     "bad.yaml:2:22: error: workload.injection.rates has no effect unless workload.injection.process is mmpp"},
    {"durations_missing",
     "workload:\n  injection: {process: mmpp, rates: [1, 2]}\n",
     {},
     "bad.yaml:2:37: error: injection mmpp: rates has 2 states and durations has 0; give each state a rate and a mean "
     "duration"},
    {"too_many_states",
     "workload:\n  injection: {process: mmpp, rates: [1, 2, 3, 4, 5, 6, 7, 8, 9], durations: [1]}\n",
     {},
     "bad.yaml:2:77: error: injection mmpp: needs 2 to 8 states, but rates has 9; give each state a rate"},
    {"rate_negative",
     "workload:\n  injection: {process: mmpp, rates: [1, -2], durations: [1, 2]}\n",
     {},
     "bad.yaml:2:41: error: workload.injection.rates[1]: expected a number from 0 to 1000000000, got '-2'"},
    {"rates_zero",
     "workload:\n  injection: {process: mmpp, rates: [0, 0], durations: [1, 2]}\n",
     {},
     "bad.yaml:2:56: error: injection mmpp: all rates are 0; give at least one state a rate above 0"},
    {"duration_below_a_cycle",
     "workload:\n  injection: {process: mmpp, rates: [0, 1], durations: [10, 0.5]}\n",
     {},
     "bad.yaml:2:61: error: workload.injection.durations[1]: expected a number from 1 to 1000000000, got '0.5'"},
    {"transitions_of_other_size",
     "workload:\n  injection:\n    process: mmpp\n    rates: [0, 1]\n    durations: [10, 5]\n    transitions: [[0, "
     "1]]\n",
     {},
     "bad.yaml:6:18: error: injection mmpp: transitions has 1 rows for 2 states; give one row per state"},
    {"transitions_not_in_rows",
     "workload:\n  injection: {process: mmpp, transitions: [0, 1]}\n",
     {},
     "bad.yaml:2:44: error: workload.injection.transitions[0]: expected a list of 2 to 8 numbers from 0 to 1, got "
     "'0'\nbad.yaml:2:47: error: workload.injection.transitions[1]: expected a list of 2 to 8 numbers from 0 to 1, got "
     "'1'"},
    {"transitions_without_sum_1",
     "workload:\n  injection:\n    process: mmpp\n    rates: [0, 1]\n    durations: [10, 5]\n"
     "    transitions: [[0, 1], [0.9, 0]]\n",
     {},
     "bad.yaml:6:18: error: injection mmpp: row 1 of transitions has the sum 0.9; expected 1"},
    {"transition_to_itself",
     "workload:\n  injection:\n    process: mmpp\n    rates: [0, 1]\n    durations: [10, 5]\n"
     "    transitions: [[0.5, 0.5], [1, 0]]\n",
     {},
     "bad.yaml:6:18: error: injection mmpp: row 0 of transitions has 0.5 for its own state; a visit lasts as durations "
     "specify, so write 0"},
    {"state_out_of_reach",
     "workload:\n  traffics:\n    a:\n      injection:\n        process: mmpp\n        rates: [0, 1, 2]\n"
     "        durations: [10, 5, 7]\n        transitions: [[0, 1, 0], [1, 0, 0], [1, 0, 0]]\n",
     {},
     "bad.yaml:8:22: error: workload.traffics.a: injection mmpp: state 2 never follows state 0; add transitions such "
     "that each state can be reached from all others"},
    {"state_above_a_packet_per_cycle",
     "workload:\n  length: 1\n  injection: {process: mmpp, load: 0.5, rates: [0, 1], durations: [90, 10]}\n",
     {},
     "bad.yaml:3:36: error: injection: a load of 5 in one of its states, which a mean load of 0.5 needs, with packets "
     "of 1 flits on average needs 5 packets per cycle, but a node creates at most one; lower the mean load to at most "
     "0.1 or send longer packets"},
    {"chain_beside_traffics",
     "workload:\n  injection: {durations: [1, 2]}\n  traffics: {a: {}}\n",
     {},
     "bad.yaml:2:26: error: workload.injection.durations has no effect with workload.traffics\n"
     "bad.yaml:2:26: error: workload.injection.durations has no effect unless workload.injection.process is mmpp"},
};

class cli_bad_modulation : public cli_bad_configuration {};

TEST_P(cli_bad_modulation, is_rejected_with_its_place_and_a_remedy) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(each, cli_bad_modulation, testing::ValuesIn(BadModulation),
                         [](const auto& test) { return test.param.name; });

class cli_modulated : public command_test {
 protected:
  cli_modulated() {
    write("run.yaml", R"(network: {topology: {shape: [4, 4]}, router: {classes: 2}}
workload:
  traffics:
    data: {injection: {process: self_similar, load: 0.1, peak: 0.6, mean_burst: 20, hurst: 0.75}, length: 3}
    control:
      injection: {process: mmpp, load: 0.05, rates: [1, 0, 5], durations: [100, 50, 20]}
      length: 1
      class: 1
    bursts: {injection: {process: on_off, load: 0.05, mean_burst: 10}}
simulation: {warmup: 500, measure: 4000}
output: {event_log: true}
)");
  }
};

TEST_F(cli_modulated, pin_level_and_engine_have_the_same_events) {
  std::string events;
  for (const char* const level : {"pin", "engine"}) {
    const command_result r = weft({"run", "run.yaml", "--set", std::string("simulation.level=") + level});
    EXPECT_EQ(r.status, 0) << r.err << r.out;
    const std::string found = read("results/run.events");
    EXPECT_GT(found.size(), 100'000u);
    EXPECT_TRUE(events.empty() || found == events) << level;
    events = found;
  }
}

TEST_F(cli_modulated, traffics_have_their_loads_and_can_be_scaled) {
  EXPECT_EQ(weft({"run", "run.yaml", "--set", "simulation={level: engine, measure: 100000}", "--set",
                  "workload.injection.load=0.1"})
                .status,
            0);
  const json j = json::parse(read("results/run.json"));
  const double loads[] = {0.05, 0.025, 0.025};  // of data, control and bursts
  ASSERT_EQ(j["traffics"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const double mean = j["traffics"][i]["offered"]["mean"].get<double>();
    EXPECT_NEAR(mean, loads[i], 1.5 * j["traffics"][i]["offered"]["half_width"].get<double>()) << i;
    EXPECT_NEAR(mean, loads[i], 0.25 * loads[i]) << i;
  }
}

TEST_F(cli_modulated, self_similar_load_beyond_the_capacity_is_undecided) {
  write("high.yaml",
        "network: {topology: {shape: [4, 4]}}\nworkload: {injection: {process: self_similar, load: 0.9}}\n"
        "simulation: {level: engine, measure: 20000}\n");
  const command_result r = weft({"run", "high.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(json::parse(read("results/high.json"))["outcome"], "undecided");
  EXPECT_THAT(weft({"run", "high.yaml", "--set", "workload.injection.peak=0.9"}).out, HasSubstr("SATURATED"))
      << "at peak the load does not vary";
}

TEST_F(cli_modulated, self_similar_load_widens_intervals_and_gives_a_warning) {
  write("long.yaml",
        "network: {topology: {shape: [4, 4]}}\nworkload: {injection: {process: self_similar, load: 0.1}}\n"
        "simulation: {level: engine, measure: 50000}\n");
  const command_result r = weft({"run", "long.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("  warning: the load is self-similar: no window is long enough to tell whether the "
                               "network is saturated, and intervals of rates assume that means converge as slowly as "
                               "the length of the window to the power -0.2; compare runs with several seeds\n"));
  EXPECT_THAT(r.out, HasSubstr("  warning: no 95 % interval of the mean latency: the load is self-similar, so"));
  const auto half_width = [this] {
    return json::parse(read("results/long.json"))["throughput"]["offered"]["half_width"].get<double>();
  };
  const double wide = half_width();
  EXPECT_THAT(weft({"run", "long.yaml", "--set", "workload.injection.process=on_off"}).out,
              Not(HasSubstr("self-similar")));
  EXPECT_GT(wide, 2 * half_width());
}

}  // namespace
}  // namespace weft::cli
