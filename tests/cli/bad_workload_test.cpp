// SPDX-License-Identifier: Apache-2.0
/// Invalid workloads, and invalid sections about their simulation and output, each with the whole message of `weft`.
#include "cli/bad_configuration.h"

namespace weft::cli {
namespace {

const bad_configuration BadWorkloads[] = {
    {"pattern_misspelt",
     "workload:\n  pattern: unifrom\n",
     {},
     "bad.yaml:2:12: error: workload.pattern.kind: expected one of uniform, transpose, bit_reversal, "
     "bit_complement, bit_rotation, shuffle, tornado, neighbour, shift, hotspot, permutation, matrix, got 'unifrom'; "
     "did "
     "you mean 'uniform'?"},
    {"pattern_list",
     "workload:\n  pattern: [uniform]\n",
     {},
     "bad.yaml:2:12: error: workload.pattern: expected a map with kind, to_self, hotspots, share, file, "
     "shift, rates, got a list; to simulate several values, use `weft sweep` with sweep: {over: "
     "{workload.pattern.kind: "
     "[…]}}"},
    {"transpose_without_square",
     "network: {topology: {shape: [8, 4]}}\nworkload:\n  pattern: transpose\n",
     {},
     "bad.yaml:3:12: error: pattern transpose: needs a square grid of two dimensions or 4, 16, 64, … nodes, but this "
     "network of 32 nodes has neither; choose another pattern, such as uniform"},
    {"bits_without_power_of_two",
     "network: {topology: {shape: [6, 6]}}\nworkload: {pattern: {kind: bit_reversal}}\n",
     {},
     "bad.yaml:2:28: error: pattern bit_reversal: needs a number of nodes that is a power of two, but this network has "
     "36; "
     "choose one with 32 or 64 nodes, or another pattern, such as uniform"},
    {"hotspot_missing",
     "workload: {pattern: hotspot}\n",
     {},
     "bad.yaml:1:21: error: pattern hotspot: needs at least one node in hotspots"},
    {"hotspot_out_of_range",
     "workload:\n  pattern:\n    kind: hotspot\n    hotspots: [3, 64]\n",
     {},
     "bad.yaml:4:15: error: pattern hotspot: node 64 does not exist; expected 0…63"},
    {"hotspot_twice",
     "workload: {pattern: {kind: hotspot, hotspots: [3, 3]}}\n",
     {},
     "bad.yaml:1:47: error: pattern hotspot: node 3 is listed twice; list it once"},
    {"hotspot_share_above_one",
     "workload: {pattern: {kind: hotspot, hotspots: [3], share: 1.5}}\n",
     {},
     "bad.yaml:1:59: error: workload.pattern.share: expected a number from 0 to 1, got '1.5'"},
    {"hotspots_with_another_pattern",
     "workload:\n  pattern:\n    kind: uniform\n    hotspots: [3]\n",
     {},
     "bad.yaml:4:15: error: workload.pattern.hotspots has no effect unless workload.pattern.kind is hotspot"},
    {"permutation_without_file",
     "workload: {pattern: permutation}\n",
     {},
     "bad.yaml:1:21: error: pattern permutation: needs a file with a line `source destination` for each "
     "node"},
    {"permutation_file_missing",
     "workload:\n  pattern: {kind: permutation, file: none.txt}\n",
     {},
     "bad.yaml:2:38: error: workload.pattern.file: none.txt: cannot be opened: No such file or directory"},
    {"load_negative",
     "workload: {injection: {load: -0.1}}\n",
     {},
     "bad.yaml:1:30: error: workload.injection.load: expected a number from 0 to 16, got '-0.1'"},
    {"load_not_a_number",
     "workload: {injection: {load: high}}\n",
     {},
     "bad.yaml:1:30: error: workload.injection.load: expected a number from 0 to 16, got 'high'"},
    {"load_above_a_packet_per_cycle",
     "nic: {ports: 2}\nworkload:\n  injection: {load: 1.5}\n  length: 1\n",
     {},
     "bad.yaml:3:21: error: injection: a load of 1.5 with packets of 1 flits on average needs 1.5 packets per cycle, "
     "but a node creates at most one; lower it to at most 1 or send longer packets"},
    {"load_above_port_count",  // although there are packets of five flits
     "workload:\n  injection: {load: 6}\n  length: 5\n",
     {},
     "bad.yaml:2:21: error: workload.injection.load: expected at most 1 (one flit per cycle and port of a node), got "
     "6"},
    {"peak_below_load",
     "workload:\n  injection: {process: on_off, load: 0.5, peak: 0.3}\n",
     {},
     "bad.yaml:2:38: error: injection on_off: peak (0.3) must be at least load (0.5), which is its mean over time; "
     "raise peak or lower load"},
    {"peak_without_bursts",
     "workload:\n  injection: {load: 0.5, peak: 0.7}\n",
     {},
     "bad.yaml:2:32: error: workload.injection.peak has no effect unless workload.injection.process is "
     "on_off or self_similar"},
    {"burst_below_a_cycle",
     "workload: {injection: {process: on_off, mean_burst: 0.5}}\n",
     {},
     "bad.yaml:1:53: error: workload.injection.mean_burst: expected a number from 1 to 1000000, got '0.5'"},
    {"length_zero",
     "workload: {length: 0}\n",
     {},
     "bad.yaml:1:20: error: workload.length.flits: expected an integer from 1 to 1000000, got '0'"},
    {"length_range_reversed",
     "workload: {length: {kind: uniform, min: 8, max: 4}}\n",
     {},
     "bad.yaml:1:41: error: packet length: min 8 is above max 4; swap them"},
    {"length_for_another_kind",
     "workload: {length: {kind: uniform, flits: 4}}\n",
     {},
     "bad.yaml:1:43: error: workload.length.flits has no effect unless workload.length.kind is fixed"},
    {"length_without_choices",
     "workload: {length: {kind: weighted}}\n",
     {},
     "bad.yaml:1:27: error: packet length: weighted needs at least one choice with a weight above 0"},
    {"length_choices_empty",
     "workload: {length: {kind: weighted, choices: {}}}\n",
     {},
     "bad.yaml:1:46: error: workload.length.choices: expected a map from integers from 1 to 1000000 to "
     "weights from 0 to 1000000000, got an empty map"},
    {"length_choices_is_a_list",
     "workload: {length: {kind: weighted, choices: [1, 5]}}\n",
     {},
     "bad.yaml:1:46: error: workload.length.choices: expected a map from integers from 1 to 1000000 to "
     "weights from 0 to 1000000000, got a list"},
    {"length_choice_zero",
     "workload: {length: {kind: weighted, choices: {0: 1}}}\n",
     {},
     "bad.yaml:1:47: error: workload.length.choices: expected an integer from 1 to 1000000, got '0'"},
    {"length_weight_negative",
     "workload: {length: {kind: weighted, choices: {1: -1}}}\n",
     {},
     "bad.yaml:1:50: error: workload.length.choices.1: expected a number from 0 to 1000000000, got '-1'"},
    {"length_weights_all_zero",
     "workload: {length: {kind: weighted, choices: {1: 0, 2: 0}}}\n",
     {},
     "bad.yaml:1:46: error: workload.length.choices: expected at least one weight above 0"},
    {"length_choice_twice",
     "workload: {length: {kind: weighted, choices: {1: 2, 1: 3}}}\n",
     {},
     "bad.yaml:1:53: error: workload.length.choices: 1 is given twice"},
    {"packet_longer_than_the_buffer",
     "network:\n  router: {depth: 8, flow_control: virtual_cut_through}\nworkload: {length: 9}\n",
     {},
     "bad.yaml:2:36: error: network.router.flow_control: virtual_cut_through needs room for a whole packet in "
     "network.router.depth; expected packets of at most 8 flits, got 9; set network.router.depth to 9 or more, or "
     "shorten the packets"},
    {"payload_misspelt",
     "workload: {payload: rando}\n",
     {},
     "bad.yaml:1:21: error: workload.payload.kind: expected one of zero, random, small_integers, "
     "smooth_doubles, file, got 'rando'; did you mean 'random'?"},
    {"payload_without_file",
     "workload: {payload: file}\n",
     {},
     "bad.yaml:1:21: error: payload file: needs the name of a file"},
    {"payload_file_missing",
     "workload:\n  payload: {kind: file, file: data.bin}\n",
     {},
     "bad.yaml:2:31: error: workload.payload.file: data.bin: cannot be opened: No such file or directory"},
    {"payload_file_without_effect",
     "workload:\n  payload: {kind: random, file: data.bin}\n",
     {},
     "bad.yaml:2:33: error: workload.payload.file has no effect unless workload.payload.kind is file"},
    {"packet_list_missing",
     "workload: {packet_list: nothing.txt}\n",
     {},
     "bad.yaml:1:25: error: workload.packet_list: nothing.txt: cannot be opened: No such file or directory"},
    {"automatic_warmup_with_packet_list",
     "workload: {packet_list: good.txt}\nsimulation: {warmup: auto}\n",
     {},
     "bad.yaml:2:22: error: simulation.warmup: auto needs endless traffic, but a packet list ends; give a number of "
     "cycles"},
    {"relative_error_above_one",
     "simulation: {until: {relative_error: 200 %}}\n",
     {},
     "bad.yaml:1:38: error: simulation.until.relative_error: expected none or a number from 1e-05 to 1, or per cent as "
     "in 1 %, got '200 %'"},
    {"until_shorter_than_measure",
     "simulation: {measure: 5000, until: {relative_error: 1%, at_most: 100}}\n",
     {},
     "bad.yaml:1:66: error: simulation.until.at_most: expected at least 5000 (simulation.measure), got 100"},
    {"at_most_without_relative_error",
     "simulation: {until: {at_most: 100}}\n",
     {},
     "bad.yaml:1:31: error: simulation.until.at_most has no effect while simulation.until.relative_error is none"},
    {"matrix_with_too_many_nodes",
     "network: {topology: {shape: [40, 40]}}\noutput: {matrix: true}\n",
     {},
     "bad.yaml:2:18: error: output.matrix: expected a network of at most 1024 nodes, got 1600"},
    {"packet_list_malformed",
     "workload: {packet_list: bad.yaml}\n",
     {},
     "bad.yaml:1:25: error: workload.packet_list: bad.yaml:1: column 1 (packet): expected a whole number "
     "0…2^64-1, found 'workload:'"},
    {"packet_list_with_pattern",
     "workload:\n  packet_list: good.txt\n  pattern: uniform\n",
     {},
     "bad.yaml:3:3: error: workload.pattern has no effect with workload.packet_list"},
    {"packet_list_for_another_network",
     "network: {topology: {shape: [2, 2]}}\nworkload: {packet_list: good.txt}\n",
     {},
     "bad.yaml:2:25: error: workload.packet_list: good.txt:1: expected a destination in 0…3, found 5"},
    {"listed_packet_longer_than_the_buffer",
     "network: {router: {depth: 2, flow_control: virtual_cut_through}}\nworkload: {packet_list: good.txt}\n",
     {},
     "bad.yaml:1:44: error: network.router.flow_control: virtual_cut_through needs room for a whole packet in "
     "network.router.depth; expected packets of at most 2 flits, got 3 (packet 0 of good.txt); set "
     "network.router.depth to 3 or more, or "
     "shorten the packets"},
    {"measure_zero",
     "simulation: {measure: 0}\n",
     {},
     "bad.yaml:1:23: error: simulation.measure: expected at least 1 without a packet list, got 0"},
    {"level_unknown",
     "simulation: {level: gate}\n",
     {},
     "bad.yaml:1:21: error: simulation.level: expected one of pin, engine, got 'gate'"},
    {"deadlock_limit_too_short",
     "network: {link: 50}\nsimulation: {deadlock_after: 100}\n",
     {},
     "bad.yaml:2:30: error: simulation.deadlock_after: expected more than 108 cycles (the longest time that a flit can "
     "move through these links and routers without an event), got 100"},
    {"gating_not_a_boolean",
     "simulation: {clock_gating: yes}\n",
     {},
     "bad.yaml:1:28: error: simulation.clock_gating: expected true or false, got 'yes'"},
    {"name_with_a_directory",
     "output: {name: a/b}\n",
     {},
     "bad.yaml:1:16: error: output.name: expected a file name without a directory, got 'a/b'"},
    {"name_with_nul_byte",
     "output: {name: \"a\\0b\"}\n",
     {},
     "bad.yaml:1:16: error: output.name: expected a text, got 'a\\x00b'"},
    {"vcd_that_matches_nothing",
     "output:\n  vcd: [network.router_0*, network.rooter*]\n",
     {},
     "bad.yaml:2:8: error: no wire matches the VCD pattern 'network.rooter*'"},
    {"progress_unknown",
     "output: {progress: often}\n",
     {},
     "bad.yaml:1:20: error: output.progress: expected one of auto, never, always, got 'often'"},
};

class cli_bad_workload : public cli_bad_configuration {};

TEST_P(cli_bad_workload, is_rejected) { expect_rejection(); }

class cli_load : public command_test {};

TEST_F(cli_load, rejects_load_above_the_port_count_of_nodes_in_a_network_file) {
  write("two.dot", "graph { m [type=\"node\"]; n [type=\"node\"]; a -- b; m -- a; m -- b; n -- a; n -- b }");
  write("bad.yaml", "network: {topology: {kind: file, file: two.dot}}\nworkload: {injection: {load: 6}, length: 5}\n");
  const command_result r = weft({"run", "bad.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "bad.yaml:2:30: error: workload.injection.load: expected at most 2 (one flit per cycle and port of a "
            "node), got 6\n");
}

INSTANTIATE_TEST_SUITE_P(table, cli_bad_workload, testing::ValuesIn(BadWorkloads),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace weft::cli
