// SPDX-License-Identifier: Apache-2.0
/// Invalid configurations of several traffics, each with the whole message of `weft`.
#include "cli/bad_configuration.h"

namespace weft::cli {
namespace {

const bad_configuration BadTraffics[] = {
    {"list",
     "workload:\n  traffics: [a, b]\n",
     {},
     "bad.yaml:2:13: error: workload.traffics: expected a map from names to the keys of traffics, got a list"},
    {"scalar",
     "workload: {traffics: uniform}\n",
     {},
     "bad.yaml:1:22: error: workload.traffics: expected a map from names to the keys of traffics, got 'uniform'"},
    {"name",
     "workload:\n  traffics:\n    my video: {}\n",
     {},
     "bad.yaml:3:5: error: unknown key 'my video' in workload.traffics; the name of a traffic begins with a letter and "
     "consists of letters, digits and '_'"},
    {"number_as_name",
     "workload:\n  traffics: {1: {}}\n",
     {},
     "bad.yaml:2:14: error: unknown key '1' in workload.traffics; the name of a traffic begins with a letter and "
     "consists of letters, digits and '_'"},
    {"unknown_key",
     "workload:\n  traffics:\n    a: {lenght: 3}\n",
     {},
     "bad.yaml:3:9: error: unknown key 'lenght' in workload.traffics.a; did you mean 'length'?"},
    {"value_of_a_traffic",
     "workload:\n  traffics: {a: 3}\n",
     {},
     "bad.yaml:2:17: error: workload.traffics.a: expected a map with pattern, injection, length, payload, sources, "
     "class, reply_class, got '3'"},
    {"same_name_twice",
     "workload:\n  traffics:\n    a: {}\n    a: {}\n",
     {},
     "bad.yaml:4:5: error: key 'a' is given twice; give it once"},
    {"beside_a_pattern",
     "workload:\n  pattern: transpose\n  traffics: {a: {}}\n",
     {},
     "bad.yaml:2:3: error: workload.pattern has no effect with workload.traffics"},
    {"beside_a_length",
     "workload:\n  length: 3\n  traffics: {a: {}}\n",
     {},
     "bad.yaml:2:3: error: workload.length has no effect with workload.traffics"},
    {"beside_a_payload",
     "workload:\n  payload: zero\n  traffics: {a: {}}\n",
     {},
     "bad.yaml:2:3: error: workload.payload has no effect with workload.traffics"},
    {"beside_a_process",
     "workload:\n  injection: {process: on_off}\n  traffics: {a: {}}\n",
     {},
     "bad.yaml:2:24: error: workload.injection.process has no effect with workload.traffics"},
    {"beside_a_packet_list",
     "workload:\n  packet_list: good.txt\n  traffics: {a: {}}\n",
     {},
     "bad.yaml:3:3: error: workload.traffics has no effect with workload.packet_list"},
    {"class_above_those_of_the_network",
     "workload:\n  traffics: {a: {class: 1}}\n",
     {},
     "bad.yaml:2:25: error: workload.traffics.a.class: expected a class from 0 to 0, got 1; raise "
     "network.router.classes to have more"},
    {"reply_class_above_those_of_the_network",
     "workload:\n  traffics:\n    a: {injection: {process: request_reply}, reply_class: 2}\n",
     {},
     "bad.yaml:3:59: error: workload.traffics.a.reply_class: expected a class from 0 to 0, got 2; raise "
     "network.router.classes to have more"},
    {"reply_class_without_replies",
     "workload:\n  traffics: {a: {reply_class: 0}}\n",
     {},
     "bad.yaml:2:31: error: workload.traffics.a.reply_class has no effect unless workload.traffics.a.injection.process "
     "is request_reply"},
    {"source_outside",
     "workload:\n  traffics: {a: {sources: [3, 64]}}\n",
     {},
     "bad.yaml:2:27: error: workload.traffics.a: sources: expected nodes from 0 to 63, got 64"},
    {"source_twice",
     "workload:\n  traffics: {a: {sources: [3, 4, 3]}}\n",
     {},
     "bad.yaml:2:27: error: workload.traffics.a: sources: node 3 is listed twice; list each node once"},
    {"no_sources",
     "workload:\n  traffics: {a: {sources: []}}\n",
     {},
     "bad.yaml:2:27: error: workload.traffics.a.sources: expected a list of at least 1 integers from 0 to 4294967295, "
     "got a list of length 0; leave the key out to select all nodes"},
    {"sources_of_a_matrix",
     "workload:\n  traffics: {a: {sources: [3], pattern: {kind: matrix, file: good.txt}}}\n",
     {},
     "bad.yaml:2:27: error: workload.traffics.a.sources has no effect while workload.traffics.a.pattern.kind is "
     "matrix\nbad.yaml:2:62: error: workload.traffics.a.pattern.file: good.txt:1: expected 3 columns 'source "
     "destination rate', found 5"},
    {"loads_above_a_port",
     "workload:\n  traffics: {a: {injection: 0.7}, b: {injection: 0.6}}\n",
     {},
     "bad.yaml:2:3: error: workload.traffics: expected loads whose sum is at most 1 (one flit per cycle and port of a "
     "node) on average over all nodes, got 1.3; lower them"},
    {"load_above_a_packet_per_cycle",
     "workload:\n  traffics: {a: {length: 1, sources: [0], injection: 2}}\n",
     {},
     "bad.yaml:2:54: error: workload.traffics.a: injection: a load of 2 with packets of 1 flits on average needs 2 "
     "packets per cycle, but a node creates at most one; lower it to at most 1 or send longer packets"},
    {"scaled_load_above_the_peak",
     "workload:\n  injection: 0.4\n  traffics: {a: {injection: {process: on_off, load: 0.1, peak: 0.2}}}\n",
     {},
     "bad.yaml:3:53: error: workload.traffics.a, whose load workload.injection.load scales to 0.4: injection on_off: "
     "peak (0.2) must be at least load (0.4), which is its mean over time; raise peak or lower load"},
    {"pattern_that_does_not_fit",
     "network: {topology: {shape: [3, 4]}}\nworkload:\n  traffics: {a: {pattern: transpose}}\n",
     {},
     "bad.yaml:3:27: error: workload.traffics.a: pattern transpose: needs a square grid of two dimensions or 4, 16, "
     "64, … nodes, but this network of 12 nodes has neither; choose another pattern, such as uniform"},
    {"setting_of_an_unknown_traffic",
     "workload:\n  traffics: {video: {}}\n",
     {"--set", "workload.traffics.vidoe.length=3"},
     "--set workload.traffics.vidoe.length=3: error: unknown key 'vidoe' in workload.traffics; did you mean 'video'?"},
    {"no_traffics",
     "workload:\n  traffics: {}\n",
     {},
     "bad.yaml:2:3: error: workload.traffics: expected at least one traffic, got none; leave the key out"},
    {"load_of_closed_loops",
     "workload:\n  injection: 0.2\n  traffics: {a: {injection: {process: request_reply}}}\n",
     {},
     "bad.yaml:2:14: error: workload.injection.load has no effect, because no traffic in workload.traffics has a load "
     "above 0 that could be scaled; leave it out"},
    {"load_of_silent_traffics",
     "workload:\n  injection: 0.2\n  traffics: {a: {injection: 0}}\n",
     {},
     "bad.yaml:2:14: error: workload.injection.load has no effect, because no traffic in workload.traffics has a load "
     "above 0 that could be scaled; leave it out"},
    {"queues_of_a_single_used_class",
     "network: {router: {classes: 2}}\nnic: {source_queues: per_class}\nworkload:\n  traffics: {a: {}}\n",
     {},
     "bad.yaml:2:22: error: nic.source_queues: per_class has no effect, because all packets are in class 0; select "
     "other classes by workload.traffics.NAME.class, by the seventh column of a packet list, or with "
     "workload.injection.process: request_reply"},
    {"queues_without_classes",
     "nic: {source_queues: per_class}\n",
     {},
     "bad.yaml:1:22: error: nic.source_queues: per_class has no effect with one class; set network.router.classes to 2 "
     "or more"},
    {"queues_with_a_compressor",
     "network: {router: {classes: 2}}\nnic: {source_queues: per_class, compression: always}\n",
     {},
     "bad.yaml:2:22: error: nic.source_queues: expected shared with NIC stages (nic.compression, nic.coding), got "
     "per_class\nbad.yaml:2:22: error: nic.source_queues: per_class has no effect, because all packets are in class 0; "
     "select other classes by workload.traffics.NAME.class, by the seventh column of a packet list, or with "
     "workload.injection.process: request_reply"},
};

class cli_bad_traffics : public cli_bad_configuration {};

TEST_P(cli_bad_traffics, is_rejected_with_its_place_and_a_remedy) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(each, cli_bad_traffics, testing::ValuesIn(BadTraffics),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace weft::cli
