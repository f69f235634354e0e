/// Wrong configurations and command lines, each with all that `weft` says of it.

#include "cli/command.h"
#include <ostream>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct bad_configuration {
  const char* name;
  const char* yaml;                    ///< bad.yaml
  std::vector<std::string> arguments;  ///< after `weft run bad.yaml`
  const char* message;                 ///< standard error
};

void PrintTo(const bad_configuration& b, std::ostream* out) { *out << b.name; }

// good.txt, the packet list in some of them, is `0 0 0 5 3`: one packet to node 5, of 3 flits.
const bad_configuration BadConfigurations[] = {
    {"unknown_key",
     "network:\n  router:\n    dept: 8\n",
     {},
     "bad.yaml:3:5: error: unknown key 'dept' in network.router; did you mean 'depth'?"},
    {"unknown_key_far_from_all",
     "network:\n  router:\n    colour: red\n",
     {},
     "bad.yaml:3:5: error: unknown key 'colour' in network.router; expected one of vcs, depth, pipeline, "
     "flow_control, classes"},
    {"unknown_section",
     "netwrok:\n  router: {vcs: 2}\n",
     {},
     "bad.yaml:1:1: error: unknown key 'netwrok'; did you mean 'network'?"},
    {"key_in_the_wrong_section",
     "network:\n  vcs: 4\n",
     {},
     "bad.yaml:2:3: error: unknown key 'vcs' in network; did you mean 'network.router.vcs'?"},
    {"duplicate_key",
     "network:\n  router:\n    vcs: 2\n    depth: 4\n    vcs: 3\n",
     {},
     "bad.yaml:5:5: error: key 'vcs' is given twice"},
    {"duplicate_section", "nic: {ports: 1}\nnic: {ports: 2}\n", {}, "bad.yaml:2:1: error: key 'nic' is given twice"},
    {"key_that_is_no_name",
     "network:\n  ? [a]\n  : 3\n",
     {},
     "bad.yaml:2:5: error: expected the name of a key, got a list"},
    {"text_for_an_integer",
     "network:\n  router:\n    vcs: many\n",
     {},
     "bad.yaml:3:10: error: network.router.vcs: expected an integer from 1 to 16, got 'many'"},
    {"fraction_for_an_integer",
     "simulation:\n  measure: 1e4\n",
     {},
     "bad.yaml:2:12: error: simulation.measure: expected an integer from 0 to 1000000000000, got '1e4'"},
    {"quoted_integer",
     "network: {router: {vcs: \"4\"}}\n",
     {},
     "bad.yaml:1:25: error: network.router.vcs: expected an integer from 1 to 16, got '4'"},
    {"negative_integer",
     "simulation:\n  seed: -1\n",
     {},
     "bad.yaml:2:9: error: simulation.seed: expected an integer from 0 to 18446744073709551615, got '-1'"},
    {"list_for_an_integer",
     "network: {router: {depth: [4, 8]}}\n",
     {},
     "bad.yaml:1:27: error: network.router.depth: expected an integer from 1 to 512, got a list"},
    {"nothing_for_an_integer",
     "network:\n  router:\n    depth:\n    vcs: 2\n",
     {},
     "bad.yaml:3:5: error: network.router.depth: expected an integer from 1 to 512, got nothing"},
    {"no_vcs",
     "network: {router: {vcs: 0}}\n",
     {},
     "bad.yaml:1:25: error: network.router.vcs: expected an integer from 1 to 16, got '0'"},
    {"too_many_vcs",
     "network: {router: {vcs: 17}}\n",
     {},
     "bad.yaml:1:25: error: network.router.vcs: expected an integer from 1 to 16, got '17'"},
    {"buffer_too_large",
     "network:\n  router:\n    vcs: 16\n    depth: 33\n",
     {},
     "bad.yaml:4:12: error: network.router: expected vcs · depth of at most 512 flits, got 16 · 33 = 528"},
    {"router_too_large",
     "network:\n  topology: {shape: [4, 4, 4, 4]}\n  router: {vcs: 8, depth: 64}\nnic: {ports: 4}\n",
     {},
     "bad.yaml:3:27: error: network.router: expected ports · vcs · depth of at most 4096 flits, got 12 · 8 · "
     "64 = 6144"},
    {"ejection_buffer_too_large",
     "network: {router: {vcs: 8}}\nnic: {ejection_depth: 65}\n",
     {},
     "bad.yaml:2:23: error: nic.ejection_depth: expected vcs · ejection_depth of at most 512 flits, got 8 · "
     "65 = 520"},
    {"decompressor_without_a_buffer",
     "nic:\n  compression: always\n  ejection_depth: 0\n",
     {},
     "bad.yaml:3:19: error: nic.ejection_depth: expected at least 1 with a decompressor, which cannot take a flit in "
     "every "
     "cycle, got 0; leave the key out for a buffer like a router's"},
    {"compressor_smaller_than_a_packet",
     "nic: {compression: {mode: always, buffer: 64}}\nworkload: {length: 65}\n",
     {},
     "bad.yaml:1:43: error: nic.compression.buffer: expected room for the longest packet, 65 flits, got 64"},
    {"compressor_buffer_of_another_size",
     "nic: {compression: {mode: always, buffer: 100}}\n",
     {},
     "bad.yaml:1:43: error: nic.compression.buffer: expected one of 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, "
     "got "
     "'100'"},
    {"run_lengths_that_do_not_fall",
     "nic:\n  compression:\n    mode: always\n    table: [18, 17, 16, 16, 14, 13]\n",
     {},
     "bad.yaml:4:12: error: nic.compression.table: expected run lengths that fall, got [18, 17, 16, 16, 14, 13]"},
    {"too_few_run_lengths",
     "nic: {compression: {mode: always, table: [18, 17]}}\n",
     {},
     "bad.yaml:1:42: error: nic.compression.table: expected a list of 6 to 6 integers from 1 to 32, got 2 of them"},
    {"codec_latency_that_is_no_number",
     "nic: {compression: {mode: always, latency: hardware}}\n",
     {},
     "bad.yaml:1:44: error: nic.compression.latency: expected rtl or an integer from 1 to 1000000, got 'hardware'"},
    {"assumed_size_with_real_hardware",
     "nic: {compression: {mode: always, size: 2}}\n",
     {},
     "bad.yaml:1:41: error: nic.compression.size has no effect while nic.compression.latency is rtl"},
    {"thresholds_without_selection",
     "nic: {compression: {mode: always, queue_threshold: 2}}\n",
     {},
     "bad.yaml:1:52: error: nic.compression.queue_threshold has no effect unless nic.compression.mode is selective"},
    {"classes_that_do_not_divide_the_vcs",
     "network: {router: {vcs: 6, classes: 4}}\n",
     {},
     "bad.yaml:1:37: error: network.router.classes: expected a divisor of network.router.vcs, 6, got 4"},
    {"coding_without_buffer",
     "nic:\n  coding: true\n  ejection_depth: 0\n",
     {},
     "bad.yaml:3:19: error: nic.ejection_depth: expected at least 1 with a XOR decoder, which cannot take a flit in "
     "every "
     "cycle, got 0; leave the key out for a buffer like a router's"},
    {"coding_behind_several_channels",
     "nic: {coding: true, ports: 2}\n",
     {},
     "bad.yaml:1:28: error: nic.coding: expected one channel from the network to every node, as its XOR decoder must "
     "see "
     "all packets, got 2 to node 0; give nic.ports: 1 and a topology with one router at each node"},
    {"coding_with_given_latency",
     "nic: {coding: true, compression: {mode: always, latency: 100}}\n",
     {},
     "bad.yaml:1:58: error: nic.compression.latency: expected rtl with nic.coding, as only then the NIC decompresses "
     "in "
     "front of the XOR decoder, got 100; leave the key out"},
    {"coding_with_rtl",
     "nic: {coding: true, compression: {mode: always, implementation: rtl}}\n",
     {},
     "bad.yaml:1:65: error: nic.compression.implementation: expected systemc with nic.coding, as the RTL compressor "
     "has "
     "no wires for the code part of a header, got rtl; leave the key out"},
    {"coding_entries_without_coding",
     "nic: {coding: {entries: 8}}\n",
     {},
     "bad.yaml:1:25: error: nic.coding.entries has no effect unless nic.coding.enabled is true"},
    {"codec_without_compression",
     "nic: {compression: {cut: 20}}\n",
     {},
     "bad.yaml:1:26: error: nic.compression.cut has no effect while nic.compression.mode is none"},
    {"compression_mode_misspelt",
     "nic: {compression: selectiv}\n",
     {},
     "bad.yaml:1:20: error: nic.compression.mode: expected one of none, always, selective, got 'selectiv'; did you "
     "mean "
     "'selective'?"},
    {"rtl_at_a_node_that_is_not_there",
     "network: {topology: {shape: [2, 2]}}\nnic: {compression: {mode: always, implementation: rtl, rtl_nodes: [1, "
     "4]}}\n",
     {},
     "bad.yaml:2:67: error: nic.compression.rtl_nodes: expected nodes 0 to 3, got 4"},
    {"window_in_unequal_parts",
     "nic:\n  window: 1000\n  buckets: 3\n",
     {},
     "bad.yaml:3:12: error: nic.buckets: expected a divisor of nic.window, 1000, got 3"},
    {"cut_through_into_a_small_ejection_buffer",
     "network:\n  router: {flow_control: virtual_cut_through}\nnic: {ejection_depth: 4}\nworkload: {length: "
     "5}\n",
     {},
     "bad.yaml:2:26: error: virtual_cut_through needs room for a whole packet in nic.ejection_depth: "
     "expected "
     "packets of at most 4 flits, got 5"},
    {"pipeline_that_is_not_built",
     "network: {router: {pipeline: 6}}\n",
     {},
     "bad.yaml:1:30: error: network.router.pipeline: expected one of 3, 4, 5, 7, 9, got '6'"},
    {"flow_control_misspelt",
     "network:\n  router: {flow_control: wormwhole}\n",
     {},
     "bad.yaml:2:26: error: network.router.flow_control: expected one of wormhole, virtual_cut_through, got "
     "'wormwhole'; did you mean 'wormhole'?"},
    {"flow_control_unknown",
     "network:\n  router: {flow_control: bufferless}\n",
     {},
     "bad.yaml:2:26: error: network.router.flow_control: expected one of wormhole, virtual_cut_through, got "
     "'bufferless'"},
    {"link_without_latency",
     "network: {link: 0}\n",
     {},
     "bad.yaml:1:17: error: network.link.cycles: expected an integer from 1 to 64, got '0'"},
    {"link_too_long",
     "network: {link: {cycles: 65}}\n",
     {},
     "bad.yaml:1:26: error: network.link.cycles: expected an integer from 1 to 64, got '65'"},
    {"flit_width_not_built",
     "network: {flit: {payload_bits: 48}}\n",
     {},
     "bad.yaml:1:32: error: network.flit.payload_bits: expected one of 32, 64, 128, 256, got '48'"},
    {"topology_unknown",
     "network: {topology: {kind: clos}}\n",
     {},
     "bad.yaml:1:28: error: network.topology.kind: expected one of mesh, torus, ring, hypercube, "
     "fat_tree, hierarchical_ring, octagon, random, file, got 'clos'"},
    {"topology_misspelt",
     "network: {topology: {kind: mehs}}\n",
     {},
     "bad.yaml:1:28: error: network.topology.kind: expected one of mesh, torus, ring, hypercube, "
     "fat_tree, hierarchical_ring, octagon, random, file, got 'mehs'; did you mean 'mesh'?"},
    {"shape_no_list",
     "network: {topology: {shape: 8x8}}\n",
     {},
     "bad.yaml:1:29: error: network.topology.shape: expected a list of 1 to 4 integers from 1 to 1048576, got "
     "'8x8'"},
    {"shape_empty",
     "network: {topology: {shape: []}}\n",
     {},
     "bad.yaml:1:29: error: network.topology.shape: expected a list of 1 to 4 integers from 1 to 1048576, got 0 "
     "of them"},
    {"shape_of_five_dimensions",
     "network: {topology: {shape: [2, 2, 2, 2, 2]}}\n",
     {},
     "bad.yaml:1:29: error: network.topology.shape: expected a list of 1 to 4 integers from 1 to 1048576, got 5 "
     "of them"},
    {"shape_with_side_zero",
     "network:\n  topology:\n    shape: [4, 0]\n",
     {},
     "bad.yaml:3:16: error: network.topology.shape[1]: expected an integer from 1 to 1048576, got '0'"},
    {"shape_of_one_router",
     "network: {topology: {shape: [1, 1]}}\n",
     {},
     "bad.yaml:1:29: error: network.topology: expected 2 to 4096 nodes in all, got 1"},
    {"shape_too_large_for_pins",
     "network: {topology: {shape: [256, 256]}}\n",
     {},
     "bad.yaml:1:29: error: network.topology: expected 2 to 4096 nodes in all, got 65536; simulation.level: tlm "
     "has room for 262144"},
    {"shape_too_large",
     "network: {topology: {shape: [1024, 1024]}}\n",
     {},
     "bad.yaml:1:29: error: network.topology: expected 2 to 4096 nodes in all, got 1048576"},
    {"order_of_too_few",
     "network:\n  routing: {order: [x]}\n",
     {},
     "bad.yaml:2:20: error: network.routing.order: expected each of the 2 dimensions of the shape once, got "
     "[x]"},
    {"order_twice_the_same",
     "network:\n  routing: {order: [x, x]}\n",
     {},
     "bad.yaml:2:20: error: network.routing.order: expected each of the 2 dimensions of the shape once, got "
     "[x, x]"},
    {"order_of_a_missing_dimension",
     "network:\n  routing: {order: [x, z]}\n",
     {},
     "bad.yaml:2:20: error: network.routing.order: expected each of the 2 dimensions of the shape once, got "
     "[x, z]"},
    {"order_of_no_dimension",
     "network:\n  routing: {order: [x, q]}\n",
     {},
     "bad.yaml:2:24: error: network.routing.order[1]: expected one of x, y, z, w, got 'q'; did you mean "
     "'x'?"},
    {"routing_unknown",
     "network:\n  routing: adaptive\n",
     {},
     "bad.yaml:2:12: error: network.routing.algorithm: expected one of dimension_order, o1turn, valiant, "
     "minimal_adaptive, west_first, north_last, negative_first, nearest_common_ancestor, shortest, up_down, source, "
     "as_in_file, got 'adaptive'"},
    {"too_many_ports",
     "nic:\n  ports: 13\n",
     {},
     "bad.yaml:2:10: error: topology: nic_ports is 13, with 1 nodes at a router; give 1 to 12, for a router has at "
     "most "
     "16 ports, 4 to others"},
    {"direction_of_no_ring",
     "network:\n  topology: {kind: torus, direction: one_way}\n",
     {},
     "bad.yaml:2:38: error: network.topology.direction has no effect unless network.topology.kind is ring or "
     "hierarchical_ring"},
    {"shape_of_no_grid",
     "network:\n  topology: {kind: hypercube, shape: [4, 4]}\n",
     {},
     "bad.yaml:2:38: error: network.topology.shape has no effect unless network.topology.kind is mesh, torus or ring"},
    {"turn_model_in_a_torus",
     "network:\n  topology: {kind: torus}\n  routing: west_first\n",
     {},
     "bad.yaml:3:12: error: topology: west_first routing can deadlock in a torus; take dimension_order or "
     "minimal_adaptive, or a mesh"},
    {"too_few_vcs_for_the_routing",
     "network:\n  topology: {kind: torus}\n  routing: valiant\n  router: {vcs: 3}\n",
     {},
     "bad.yaml:4:17: error: topology: vcs is 3; valiant routing in a torus needs at least 4"},
    {"routing_of_another_topology",
     "network:\n  topology: {kind: hypercube, dimensions: 3}\n  routing: valiant\n",
     {},
     "bad.yaml:3:12: error: a hypercube has dimension_order and minimal_adaptive routing; any network has shortest, "
     "up_down and source"},
    {"a_file_that_is_not_there",
     "network:\n  topology: {kind: file, file: no.yaml}\n",
     {},
     "bad.yaml:2:32: error: no.yaml cannot be opened"},
    {"a_file_that_is_wrong",
     "network:\n  topology: {kind: file, file: bad.yaml}\n",
     {},
     "bad.yaml:1:1: error: unknown key 'network'; expected one of format, kind, algorithm, shape, width, routers, "
     "links, "
     "channels, nodes, routing\nbad.yaml:1:1: error: topology: 'format' is missing\nbad.yaml:1:1: error: topology: "
     "'routers' is missing\nbad.yaml:1:1: error: topology: 'nodes' is missing"},
    {"far_too_many_ports",
     "nic: {ports: 15}\n",
     {},
     "bad.yaml:1:14: error: nic.ports: expected an integer from 1 to 14, got '15'"},
    {"pattern_misspelt",
     "workload:\n  pattern: unifrom\n",
     {},
     "bad.yaml:2:12: error: workload.pattern.kind: expected one of uniform, transpose, bit_reversal, "
     "bit_complement, bit_rotation, shuffle, tornado, neighbour, hotspot, permutation, got 'unifrom'; did "
     "you mean 'uniform'?"},
    {"pattern_list",
     "workload:\n  pattern: [uniform]\n",
     {},
     "bad.yaml:2:12: error: workload.pattern: expected a map with kind, to_self, hotspots, share, file, got "
     "a list"},
    {"transpose_without_square",
     "network: {topology: {shape: [8, 4]}}\nworkload:\n  pattern: transpose\n",
     {},
     "bad.yaml:3:12: error: pattern transpose: needs a square grid of two dimensions or 4, 16, 64, … nodes, "
     "but this network of 32 nodes is neither; choose another pattern, such as uniform"},
    {"bits_without_power_of_two",
     "network: {topology: {shape: [6, 6]}}\nworkload: {pattern: {kind: bit_reversal}}\n",
     {},
     "bad.yaml:2:28: error: pattern bit_reversal: needs a power of two of nodes, but this network has 36; "
     "choose a network of 32 or 64 nodes, or another pattern, such as uniform"},
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
    {"hotspots_of_another_pattern",
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
     "bad.yaml:2:38: error: workload.pattern.file: none.txt: cannot open: No such file or directory"},
    {"load_negative",
     "workload: {injection: {load: -0.1}}\n",
     {},
     "bad.yaml:1:30: error: workload.injection.load: expected a number from 0 to 16, got '-0.1'"},
    {"load_no_number",
     "workload: {injection: {load: high}}\n",
     {},
     "bad.yaml:1:30: error: workload.injection.load: expected a number from 0 to 16, got 'high'"},
    {"load_of_more_than_a_packet",
     "workload:\n  injection: {load: 1.5}\n  length: 1\n",
     {},
     "bad.yaml:2:21: error: injection: load 1.5 with packets of 1 flits in the mean needs 1.5 packets a "
     "cycle, but a node creates at most one; lower it to at most 1 or send longer packets"},
    {"peak_below_load",
     "workload:\n  injection: {process: on_off, load: 0.5, peak: 0.3}\n",
     {},
     "bad.yaml:2:38: error: injection on_off: peak 0.3 is below load 0.5, its mean over time; raise peak or "
     "lower load"},
    {"peak_without_bursts",
     "workload:\n  injection: {load: 0.5, peak: 0.7}\n",
     {},
     "bad.yaml:2:32: error: workload.injection.peak has no effect unless workload.injection.process is "
     "on_off"},
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
    {"length_of_another_kind",
     "workload: {length: {kind: uniform, flits: 4}}\n",
     {},
     "bad.yaml:1:43: error: workload.length.flits has no effect unless workload.length.kind is fixed"},
    {"length_without_choices",
     "workload: {length: {kind: weighted}}\n",
     {},
     "bad.yaml:1:27: error: packet length: weighted needs at least one choice with a weight above 0"},
    {"length_choices_list",
     "workload: {length: {kind: weighted, choices: [1, 5]}}\n",
     {},
     "bad.yaml:1:46: error: workload.length.choices: expected a map from integers from 1 to 1000000 to "
     "weights from 0 to 1000000000, got a list"},
    {"length_choice_of_no_flits",
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
     "bad.yaml:2:36: error: virtual_cut_through needs room for a whole packet in network.router.depth: "
     "expected packets of at most 8 flits, got 9"},
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
     "bad.yaml:2:31: error: workload.payload.file: data.bin: cannot open: No such file or directory"},
    {"payload_file_without_use",
     "workload:\n  payload: {kind: random, file: data.bin}\n",
     {},
     "bad.yaml:2:33: error: workload.payload.file has no effect unless workload.payload.kind is file"},
    {"packet_list_missing",
     "workload: {packet_list: nothing.txt}\n",
     {},
     "bad.yaml:1:25: error: workload.packet_list: nothing.txt: cannot open: No such file or directory"},
    {"packet_list_wrong",
     "workload: {packet_list: bad.yaml}\n",
     {},
     "bad.yaml:1:25: error: workload.packet_list: bad.yaml:1: column 1 (packet): expected a whole number "
     "0…2^64-1, found 'workload:'"},
    {"packet_list_beside_a_pattern",
     "workload:\n  packet_list: good.txt\n  pattern: uniform\n",
     {},
     "bad.yaml:3:3: error: workload.pattern has no effect with workload.packet_list"},
    {"packet_list_of_another_network",
     "network: {topology: {shape: [2, 2]}}\nworkload: {packet_list: good.txt}\n",
     {},
     "bad.yaml:2:25: error: workload.packet_list: good.txt:1: expected a destination 0…3, found 5"},
    {"packet_list_longer_than_the_buffer",
     "network: {router: {depth: 2, flow_control: virtual_cut_through}}\nworkload: {packet_list: good.txt}\n",
     {},
     "bad.yaml:1:44: error: virtual_cut_through needs room for a whole packet in network.router.depth: "
     "expected packets of at most 2 flits, got 3"},
    {"measure_nothing",
     "simulation: {measure: 0}\n",
     {},
     "bad.yaml:1:23: error: simulation.measure: expected at least 1 without a packet list, got 0"},
    {"level_unknown",
     "simulation: {level: gate}\n",
     {},
     "bad.yaml:1:21: error: simulation.level: expected one of pin, tlm, got 'gate'"},
    {"deadlock_sooner_than_a_flit",
     "network: {link: 50}\nsimulation: {deadlock_after: 100}\n",
     {},
     "bad.yaml:2:30: error: simulation.deadlock_after: expected more than 108, the longest time in which "
     "flits of these links and routers may move unseen, got 100"},
    {"gating_neither_true_nor_false",
     "simulation: {clock_gating: yes}\n",
     {},
     "bad.yaml:1:28: error: simulation.clock_gating: expected true or false, got 'yes'"},
    {"name_with_a_directory",
     "output: {name: a/b}\n",
     {},
     "bad.yaml:1:16: error: output.name: expected a file name without a directory, got 'a/b'"},
    {"vcd_that_matches_nothing",
     "output:\n  vcd: [network.rooter*]\n",
     {},
     "bad.yaml:2:8: error: no wire matches the VCD patterns"},
    {"progress_unknown",
     "output: {progress: often}\n",
     {},
     "bad.yaml:1:20: error: output.progress: expected one of auto, never, always, got 'often'"},
    {"syntax_unclosed",
     "network: {router: {vcs: 4}\nworkload: 3\n",
     {},
     "bad.yaml:2:1: error: YAML syntax: end of map flow not found"},
    {"syntax_indentation",
     "network:\n  router:\n    vcs: 4\n   depth: 8\n",
     {},
     "bad.yaml:4:4: error: YAML syntax: end of map not found"},
    {"syntax_tab", "network:\n\trouter: 3\n", {}, "bad.yaml:2:8: error: YAML syntax: illegal map value"},
    {"syntax_unknown_anchor",
     "network: *base\n",
     {},
     "bad.yaml:1:10: error: YAML syntax: the referenced anchor is not defined"},
    {"two_documents",
     "nic: {ports: 1}\n---\nnic: {ports: 2}\n",
     {},
     "bad.yaml:2:1: error: YAML syntax: a second document, expected one"},
    {"no_map",
     "just a text\n",
     {},
     "bad.yaml:1:1: error: configuration: expected a map with network, nic, workload, collective, simulation, output, "
     "got 'just a text'"},
    {"section_no_map",
     "network: 8\n",
     {},
     "bad.yaml:1:10: error: network: expected a map with topology, routing, router, link, flit, got '8'"},
    {"section_list",
     "network:\n  - router\n",
     {},
     "bad.yaml:2:3: error: network: expected a map with topology, routing, router, link, flit, got a list"},
    {"set_without_value",
     "",
     {"--set", "network.router.vcs"},
     "--set network.router.vcs: error: expected KEY=VALUE, as in network.router.vcs=8"},
    {"set_unknown_key",
     "",
     {"--set", "network.router.vc=4"},
     "--set network.router.vc=4: error: unknown key 'vc' in network.router; did you mean 'vcs'?"},
    {"set_unknown_section",
     "",
     {"--set", "netwrok.router.vcs=4"},
     "--set netwrok.router.vcs=4: error: unknown key 'netwrok'; did you mean 'network'?"},
    {"set_below_a_key",
     "",
     {"--set", "network.router.vcs.x=4"},
     "--set network.router.vcs.x=4: error: network.router.vcs is not a section, it has no 'x'"},
    {"set_wrong_type",
     "",
     {"--set", "network.router.vcs=four"},
     "--set network.router.vcs=four: error: network.router.vcs: expected an integer from 1 to 16, got "
     "'four'"},
    {"set_out_of_range",
     "",
     {"--set", "network.router.vcs=99"},
     "--set network.router.vcs=99: error: network.router.vcs: expected an integer from 1 to 16, got '99'"},
    {"set_syntax",
     "",
     {"--set", "network.topology.shape=[4, 4"},
     "--set network.topology.shape=[4, 4: error: YAML syntax: end of sequence flow not found"},
    {"set_nothing",
     "",
     {"--set", "network.router.vcs="},
     "--set network.router.vcs=: error: network.router.vcs: expected an integer from 1 to 16, got nothing"},
    {"set_conflict_with_the_file",
     "network: {router: {depth: 64}}\n",
     {"--set", "network.router.vcs=16"},
     "--set network.router.vcs=16: error: network.router: expected vcs · depth of at most 512 flits, got 16 "
     "· 64 = 1024"},
    {"set_without_meaning",
     "",
     {"--set", "workload.length.max=4"},
     "--set workload.length.max=4: error: workload.length.max has no effect unless workload.length.kind is "
     "uniform"},
    {"set_file_missing",
     "",
     {"--set", "workload.packet_list=nothing.txt"},
     "--set workload.packet_list=nothing.txt: error: workload.packet_list: nothing.txt: cannot open: No such "
     "file or directory"},
    {"seed_no_number",
     "",
     {"--seed", "x"},
     "--seed x: error: simulation.seed: expected an integer from 0 to 18446744073709551615, got 'x'"},
    {"output_on_a_file", "", {"-o", "bad.yaml"}, "-o bad.yaml: error: cannot make directory bad.yaml: Not a directory"},
};

class cli_bad_configuration : public command_test, public testing::WithParamInterface<bad_configuration> {};

TEST_P(cli_bad_configuration, is_refused) {
  write("bad.yaml", GetParam().yaml);
  write("good.txt", "0 0 0 5 3\n");
  std::vector<std::string> arguments = {"run", "bad.yaml"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const command_result r = weft(arguments);
  EXPECT_EQ(r.err, std::string(GetParam().message) + "\n");
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(files_in("."), ElementsAre("bad.yaml", "good.txt"));  // nothing written
}

INSTANTIATE_TEST_SUITE_P(table, cli_bad_configuration, testing::ValuesIn(BadConfigurations),
                         [](const auto& test) { return std::string(test.param.name); });

struct bad_command {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;  ///< first line of standard error
};

void PrintTo(const bad_command& b, std::ostream* out) { *out << b.name; }

const bad_command BadCommands[] = {
    {"unknown_command",
     {"simulate", "good.yaml"},
     "weft: error: unknown command 'simulate'; expected one of run, sweep, collective, topology, check, codec, schema"},
    {"misspelt_command", {"rum", "good.yaml"}, "weft: error: unknown command 'rum'; did you mean 'run'?"},
    {"sweep_over_nothing", {"sweep", "good.yaml"}, "weft: error: --over is required"},
    {"sweep_over_a_word",
     {"sweep", "good.yaml", "--over", "load"},
     "--over load: error: expected KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP"},
    {"sweep_over_an_unknown_key",
     {"sweep", "good.yaml", "--over", "network.router.vc=1,2"},
     "--over network.router.vc=1: error: unknown key 'vc' in network.router; did you mean 'vcs'?"},
    {"sweep_to_an_impossible_value",
     {"sweep", "good.yaml", "--over", "network.router.vcs=8,16,32"},
     "--over network.router.vcs=32: error: network.router.vcs: expected an integer from 1 to 16, got '32'"},
    {"sweep_over_a_key_twice",
     {"sweep", "good.yaml", "--over", "network.router.vcs=1", "--over", "network.router.vcs=2"},
     "--over network.router.vcs: error: is swept twice"},
    {"sweep_over_an_output",
     {"sweep", "good.yaml", "--over", "output.name=a,b"},
     "--over output.name: error: a sweep has one output for all its points; use --set"},
    {"sweep_with_a_log_for_each_point",
     {"sweep", "good.yaml", "--over", "network.router.vcs=1,2", "--set", "output.event_log=true"},
     "--set output.event_log=true: error: output.event_log is written by `weft run` only, not for the points of a "
     "sweep"},
    {"sweep_without_jobs",
     {"sweep", "good.yaml", "--over", "network.router.vcs=8", "-j", "0"},
     "weft: error: --jobs: Value 0 not in range 1 to 1024"},
    {"no_configuration", {"run"}, "weft: error: CONFIG is required"},
    {"two_configurations",
     {"run", "good.yaml", "good.yaml"},
     "weft: error: The following argument was not expected: good.yaml"},
    {"unknown_option", {"run", "good.yaml", "--fast"}, "weft: error: The following argument was not expected: --fast"},
    {"option_without_value", {"run", "good.yaml", "--seed"}, "weft: error: --seed: 1 required N missing"},
    {"set_without_value", {"run", "good.yaml", "--set"}, "weft: error: --set: 1 required KEY=VALUE missing"},
    {"output_without_value", {"run", "good.yaml", "-o"}, "weft: error: --output: 1 required DIR missing"},
    {"configuration_missing", {"run", "none.yaml"}, "none.yaml: error: cannot be opened; expected a YAML file"},
    {"configuration_missing_in_check",
     {"check", "none.yaml"},
     "none.yaml: error: cannot be opened; expected a YAML file"},
    {"configuration_is_a_directory", {"topology", "."}, ".: error: is a directory; expected a YAML file"},
    {"option_of_another_command",
     {"schema", "--json", "x"},
     "weft: error: The following arguments were not expected: x --json"},
    {"argument_of_schema", {"schema", "good.yaml"}, "weft: error: The following argument was not expected: good.yaml"},
};

class cli_bad_command : public command_test, public testing::WithParamInterface<bad_command> {};

TEST_P(cli_bad_command, is_refused) {
  write("good.yaml", "");
  const command_result r = weft(GetParam().arguments);
  EXPECT_EQ(first_line(r.err), GetParam().message);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(files_in("."), ElementsAre("good.yaml"));
}

INSTANTIATE_TEST_SUITE_P(table, cli_bad_command, testing::ValuesIn(BadCommands),
                         [](const auto& test) { return std::string(test.param.name); });

class cli_bad_input : public command_test {};

TEST_F(cli_bad_input, all_mistakes_of_a_file_are_told_at_once) {
  write("bad.yaml", "network:\n  router: {vcs: 99, dept: 8}\nsimulation: {sed: 1}\n");
  const command_result r = weft({"check", "bad.yaml", "--set", "nic.ports=0"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "bad.yaml:2:17: error: network.router.vcs: expected an integer from 1 to 16, got '99'\n"
            "bad.yaml:2:21: error: unknown key 'dept' in network.router; did you mean 'depth'?\n"
            "bad.yaml:3:14: error: unknown key 'sed' in simulation; did you mean 'seed'?\n"
            "--set nic.ports=0: error: nic.ports: expected an integer from 1 to 14, got '0'\n");
}

TEST_F(cli_bad_input, the_file_is_named_as_on_the_command_line) {
  write("deep/bad.yaml", "x: 1\n");
  EXPECT_THAT(weft({"check", "deep/bad.yaml"}).err, HasSubstr("deep/bad.yaml:1:1: error: "));
  const std::string whole = (m_directory / "deep" / "bad.yaml").string();
  EXPECT_THAT(weft({"check", whole}).err, HasSubstr(whole + ":1:1: error: "));
}

TEST_F(cli_bad_input, bytes_that_are_no_text_are_refused) {
  write("bad.yaml", std::string("\x00\xff\xfe{\x80:", 6));
  const command_result r = weft({"check", "bad.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("bad.yaml:1:"));
}

TEST_F(cli_bad_input, deep_nesting_is_refused) {
  write("bad.yaml", std::string(100'000, '['));
  const command_result r = weft({"check", "bad.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("bad.yaml:1:"));
}

}  // namespace
}  // namespace weft::cli
