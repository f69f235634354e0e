// SPDX-License-Identifier: Apache-2.0
/// Runs of protocols at nodes with finite queues, and wrong keys of such protocols.
#include "cli/bad_configuration.h"
#include "cli/command.h"
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class cli_protocol : public command_test {
 protected:
  cli_protocol() {
    write("run.yaml", R"(network: {topology: {shape: [4, 4]}, router: {vcs: 6, depth: 4, classes: 3}}
nic: {source_queues: per_class}
workload:
  injection: {process: request_reply, window: 16, reply: 5, service: 10, forwards: [1], queue: 4}
  length: 1
simulation: {level: engine, warmup: 200, measure: 2000, deadlock_after: 1000}
)");
  }

  json run(const std::vector<std::string>& settings, int status) {
    std::vector<std::string> arguments{"run", "run.yaml"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"--set", s});
    last = weft(arguments);
    EXPECT_EQ(last.status, status) << last.out << last.err;
    return json::parse(read("results/run.json"));
  }

  command_result last;
};

const std::vector<std::string> OneClass = {"network.router.classes=1", "nic.source_queues=shared",
                                           "workload.injection.forwards=[0]"};

TEST_F(cli_protocol, classes_and_queues_of_their_own_let_a_protocol_complete) {
  const json result = run({}, 0);
  ASSERT_EQ(result["classes"].size(), 3U);
  const auto accepted = [&](unsigned c) { return result["classes"][c]["accepted"]["mean"].get<double>(); };
  EXPECT_GT(accepted(0), 0.05);
  EXPECT_NEAR(accepted(1) / accepted(0), 1, 0.05) << "one forward for each request";
  EXPECT_NEAR(accepted(2) / accepted(0), 5, 0.25) << "one reply of 5 flits for each request";
}

TEST_F(cli_protocol, one_class_deadlocks_and_the_ring_passes_through_nodes) {
  const json result = run(OneClass, 1);
  EXPECT_EQ(result["outcome"], "deadlock");
  EXPECT_THAT(last.out, HasSubstr("waits for a place in the queue of node "));
  EXPECT_THAT(last.out, HasSubstr("injection: packet "));
  bool rejected = false, waiting = false;
  for (const json& packet : result["ring"]) {
    rejected |= packet["waits_for"] == "a place in the queue" && packet.contains("node") && packet.contains("vc");
    waiting |= packet["waits_for"] == "a VC with a credit" && packet.contains("node") && !packet.contains("vc");
  }
  EXPECT_TRUE(rejected);
  EXPECT_TRUE(waiting);
  weft({"report", "results"});
  EXPECT_THAT(read("results/report.html"), HasSubstr("ejection VC"));
}

TEST_F(cli_protocol, pin_level_finds_the_same_ring) {
  const json engine = run(OneClass, 1);
  std::vector<std::string> at_pins = OneClass;
  at_pins.insert(at_pins.end(), {"simulation.level=pin"});
  EXPECT_EQ(run(at_pins, 1)["ring"], engine["ring"]);
}

TEST_F(cli_protocol, long_service_is_no_deadlock) {
  const json result = run({"workload.injection.service=3000", "simulation.measure=8000", "simulation.drain=100000"}, 0);
  EXPECT_EQ(result["outcome"], "complete");
}

TEST_F(cli_protocol, deadlock_before_the_window_is_reported_as_such) {
  std::vector<std::string> short_window = OneClass;
  short_window.insert(short_window.end(),
                      {"simulation.warmup=2000", "simulation.measure=200", "simulation.deadlock_after=5000"});
  EXPECT_EQ(run(short_window, 1)["outcome"], "deadlock");
}

/// A protocol that is stuck creates no packets, so all measured packets are those of the other traffic and arrive.
TEST_F(cli_protocol, stuck_packets_are_found_beside_traffic_that_moves) {
  write("mixed.yaml", R"(network: {topology: {shape: [4, 4]}, router: {vcs: 2, depth: 2, classes: 2}}
nic: {source_queues: per_class}
workload:
  traffics:
    cache: {injection: {process: request_reply, window: 30, queue: 1}, length: 1, reply_class: 0}
    video: {injection: {load: 0.05}, length: 4, class: 1}
simulation: {level: engine, warmup: 1000, measure: 4000, drain: 20000, deadlock_after: 1000}
)");
  const command_result r = weft({"run", "mixed.yaml"});
  EXPECT_EQ(r.status, 1) << r.out;
  EXPECT_THAT(r.out, HasSubstr("though others have: they wait for each other"));
  EXPECT_THAT(r.out, HasSubstr("waits for a place in the queue of node "));
}

const bad_configuration BadProtocols[] = {
    {"queue_of_no_place",
     "workload: {injection: {process: request_reply, queue: 0}}\n",
     {},
     "bad.yaml:1:55: error: workload.injection.queue: expected unlimited or an integer from 1 to 65536, got '0'"},
    {"queue_in_words",
     "workload: {injection: {process: request_reply, queue: infinite}}\n",
     {},
     "bad.yaml:1:55: error: workload.injection.queue: expected unlimited or an integer from 1 to 65536, got "
     "'infinite'"},
    {"queue_of_an_open_loop",
     "workload: {injection: {queue: 2}}\n",
     {},
     "bad.yaml:1:31: error: workload.injection.queue has no effect unless workload.injection.process is request_reply"},
    {"forwards_of_an_open_loop",
     "workload: {injection: {forwards: [0]}}\n",
     {},
     "bad.yaml:1:34: error: workload.injection.forwards has no effect unless workload.injection.process is "
     "request_reply"},
    {"no_forwards",
     "workload: {injection: {process: request_reply, forwards: []}}\n",
     {},
     "bad.yaml:1:58: error: workload.injection.forwards: expected a list of at least 1 integers from 0 to 15, got a "
     "list of length 0; leave the key out to have no forwards"},
    {"forward_without_forwards",
     "workload: {injection: {process: request_reply, forward: 3}}\n",
     {},
     "bad.yaml:1:57: error: workload.injection.forward has no effect without workload.injection.forwards"},
    {"forward_of_a_class_above_those_of_the_network",
     "network: {router: {classes: 2}}\nworkload: {injection: {process: request_reply, forwards: [1, 2]}}\n",
     {},
     "bad.yaml:2:58: error: workload.injection.forwards: expected classes from 0 to 1, got 2; raise "
     "network.router.classes to have more"},
    {"forward_of_a_traffic_of_a_class_above_those_of_the_network",
     "workload:\n  traffics:\n    a: {injection: {process: request_reply, forwards: [3]}}\n",
     {},
     "bad.yaml:3:55: error: workload.traffics.a.injection.forwards: expected classes from 0 to 0, got 3; raise "
     "network.router.classes to have more"},
    {"forward_longer_than_a_buffer",
     "network: {router: {flow_control: virtual_cut_through, depth: 8}}\n"
     "workload: {injection: {process: request_reply, forwards: [0], forward: 9}}\n",
     {},
     "bad.yaml:2:72: error: network.router.flow_control: virtual_cut_through needs room for a whole packet in "
     "network.router.depth; expected packets of at most 8 flits, got 9; set network.router.depth to 9 or more, or "
     "shorten the packets"},
    {"queue_without_ejection_buffer",
     "nic: {ejection_depth: 0}\nworkload: {injection: {process: request_reply, queue: 2}}\n",
     {},
     "bad.yaml:1:23: error: nic.ejection_depth: expected at least 1, because workload.injection.queue is set and "
     "packets that a node does not accept wait in the ejection buffer, got 0"},
    {"queue_with_a_compressor",
     "nic: {compression: always}\nworkload: {injection: {process: request_reply, queue: 2}}\n",
     {},
     "bad.yaml:2:55: error: workload.injection.queue: expected unlimited, because packets of all classes pass a "
     "decompressor one after the other (nic.compression.mode); leave one of the keys out"},
    {"queue_of_a_traffic_with_network_coding",
     "nic: {coding: {enabled: true}}\nworkload:\n  traffics:\n    a: {injection: {process: request_reply, queue: 2}}\n",
     {},
     "bad.yaml:4:52: error: workload.traffics.a.injection.queue: expected unlimited, because packets of all classes "
     "pass an XOR decoder one after the other (nic.coding.enabled); leave one of the keys out"},
    {"queue_with_rtl",
     "nic: {implementation: rtl}\nworkload: {injection: {process: request_reply, queue: 2}}\n",
     {},
     "bad.yaml:2:55: error: workload.injection.queue: expected unlimited, because a node cannot reject single classes "
     "of a NIC as RTL (nic.implementation); leave one of the keys out"},
};

class cli_bad_protocols : public cli_bad_configuration {};

TEST_P(cli_bad_protocols, is_rejected_with_its_place_and_a_remedy) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(each, cli_bad_protocols, testing::ValuesIn(BadProtocols),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace weft::cli
