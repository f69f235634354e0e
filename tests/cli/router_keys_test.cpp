// SPDX-License-Identifier: Apache-2.0
/// Keys of the router's pipeline, of output VCs and of ejection that are wrong or have no effect, and choices without
/// RTL, each with the whole message of `weft`.
#include "cli/bad_configuration.h"
#include <filesystem>
#include <string>
#include <vector>

namespace weft::cli {
namespace {

const bad_configuration BadRouters[] = {
    {"pipeline_2_without_lookahead",
     "network: {router: {pipeline: 2}}\n",
     {},
     "bad.yaml:1:30: error: network.router.pipeline: expected 3 to 9, got 2; set "
     "network.router.lookahead_routing: true for one cycle less"},
    {"pipeline_9_with_lookahead",
     "network: {router: {pipeline: 9, lookahead_routing: true}}\n",
     {},
     "bad.yaml:1:30: error: network.router.pipeline: expected 2 to 8 with lookahead routing, got 9"},
    {"pipeline_9_with_speculation",
     "network: {router: {pipeline: 9, speculation: prioritized}}\n",
     {},
     "bad.yaml:1:30: error: network.router.pipeline: expected 3 to 8 with speculation, got 9"},
    {"pipeline_8_with_both",
     "network: {router: {pipeline: 8, lookahead_routing: true, speculation: masked_by_grants}}\n",
     {},
     "bad.yaml:1:30: error: network.router.pipeline: expected 2 to 7 with lookahead routing and speculation, "
     "got 8"},
    {"lookahead_as_a_number",
     "network: {router: {lookahead_routing: 1}}\n",
     {},
     "bad.yaml:1:39: error: network.router.lookahead_routing: expected true or false, got '1'"},
    {"speculation_of_booksim2",
     "network: {router: {speculation: 1}}\n",
     {},
     "bad.yaml:1:33: error: network.router.speculation: expected one of none, prioritized, masked_by_grants, "
     "masked_by_requests, got '1'"},
    {"speculation_as_a_key_of_booksim2",
     "network: {router: {speculative: 1}}\n",
     {},
     "bad.yaml:1:20: error: unknown key 'speculative' in network.router; BookSim2's speculative is "
     "network.router.speculation: 1 is prioritized"},
    {"speculation_misspelt",
     "network: {router: {speculation: masked_by_grant}}\n",
     {},
     "bad.yaml:1:33: error: network.router.speculation: expected one of none, prioritized, masked_by_grants, "
     "masked_by_requests, got 'masked_by_grant'; did you mean 'masked_by_grants'?"},
    {"reallocation_misspelt",
     "network: {router: {vc_reallocation: after_tail_credits}}\n",
     {},
     "bad.yaml:1:37: error: network.router.vc_reallocation: expected one of after_tail, after_tail_credit, "
     "got 'after_tail_credits'; did you mean 'after_tail_credit'?"},
    {"wait_for_tail_credit_of_booksim2",
     "network: {router: {wait_for_tail_credit: 1}}\n",
     {},
     "bad.yaml:1:20: error: unknown key 'wait_for_tail_credit' in network.router; BookSim2's "
     "wait_for_tail_credit is network.router.vc_reallocation: 1 is after_tail_credit"},
    {"busy_when_full_with_cut_through",
     "network: {router: {flow_control: virtual_cut_through, vc_busy_when_full: true}}\n",
     {},
     "bad.yaml:1:74: error: network.router.vc_busy_when_full has no effect unless network.router.flow_control "
     "is wormhole"},
    {"busy_when_full_after_the_tail_credit",
     "network: {router: {vc_reallocation: after_tail_credit, vc_busy_when_full: true}}\n",
     {},
     "bad.yaml:1:75: error: network.router.vc_busy_when_full has no effect unless "
     "network.router.vc_reallocation is after_tail"},
    {"prefer_empty_after_the_tail_credit",
     "network: {router: {vc_reallocation: after_tail_credit, vc_prefer_empty: true}}\n",
     {},
     "bad.yaml:1:73: error: network.router.vc_prefer_empty has no effect unless "
     "network.router.vc_reallocation is after_tail"},
    {"negative_ejection_credits",
     "nic: {ejection_credits: -1}\n",
     {},
     "bad.yaml:1:25: error: nic.ejection_credits: expected an integer from 0 to 512, got '-1'"},
    {"too_many_ejection_credits",
     "nic: {ejection_credits: 513}\n",
     {},
     "bad.yaml:1:25: error: nic.ejection_credits: expected an integer from 0 to 512, got '513'"},
    {"ejection_credits_with_a_buffer",
     "nic: {ejection_depth: 8, ejection_credits: 8}\n",
     {},
     "bad.yaml:1:44: error: nic.ejection_credits: expected 0 with an ejection buffer (nic.ejection_depth, "
     "which compression and coding need), whose depth is the number of credits, got 8"},
    {"ejection_credits_with_xor_stages",
     "nic: {ejection_credits: 8, coding: {enabled: true}}\n",
     {},
     "bad.yaml:1:25: error: nic.ejection_credits: expected 0 with an ejection buffer (nic.ejection_depth, "
     "which compression and coding need), whose depth is the number of credits, got 8"},
    {"cut_through_with_few_ejection_credits",
     "network: {router: {flow_control: virtual_cut_through}}\nnic: {ejection_credits: 4}\nworkload: {length: 5}\n",
     {},
     "bad.yaml:1:34: error: network.router.flow_control: virtual_cut_through needs room for a whole packet in "
     "nic.ejection_credits; expected packets of at most 4 flits, got 5; set nic.ejection_credits to 5 or more, or "
     "shorten the packets"},
    {"rtl_routers_with_lookahead",
     "network: {router: {pipeline: 3, lookahead_routing: true, implementation: rtl}}\n",
     {},
     "bad.yaml:1:74: error: network.router.implementation: there is no RTL of lookahead routing; set "
     "network.router.lookahead_routing: false, or leave the key out"},
    {"rtl_routers_with_speculation",
     "network: {router: {pipeline: 3, speculation: prioritized, implementation: rtl}}\n",
     {},
     "bad.yaml:1:75: error: network.router.implementation: there is no RTL of speculation; set "
     "network.router.speculation: none, or leave the key out"},
    {"rtl_routers_with_ejection_credits",
     "network: {router: {implementation: rtl}}\nnic: {ejection_credits: 8}\n",
     {},
     "bad.yaml:1:36: error: network.router.implementation: there is no RTL of nic.ejection_credits; "
     "nic.ejection_depth gives nodes a buffer with credits; set nic.ejection_credits: 0, or leave the key out"},
    {"rtl_nics_with_reallocation_after_the_credit",
     "network: {router: {vc_reallocation: after_tail_credit}}\nnic: {implementation: rtl}\n",
     {},
     "bad.yaml:2:23: error: nic.implementation: the RTL NIC is compiled for VCs that are reallocated after "
     "the tail; set network.router.vc_reallocation: after_tail, or leave the key out"},
    {"unknown_priority",
     "network: {router: {priority: oldest}}\n",
     {},
     "bad.yaml:1:30: error: network.router.priority: expected one of none, age, network_age, local_age, "
     "hop_count, queue_length, message_class, got 'oldest'"},
    {"priority_of_booksim2",
     "network: {router: {priority: class}}\n",
     {},
     "bad.yaml:1:30: error: network.router.priority: expected one of none, age, network_age, local_age, "
     "hop_count, queue_length, message_class, got 'class'; BookSim2's class is message_class: for classes with their "
     "own "
     "VCs"},
    {"priority_of_booksim2_without_counterpart",
     "network: {router: {priority: sequence}}\n",
     {},
     "bad.yaml:1:30: error: network.router.priority: expected one of none, age, network_age, local_age, "
     "hop_count, queue_length, message_class, got 'sequence'; BookSim2's sequence has no counterpart: the number of a "
     "packet gives it no priority"},
    {"priority_of_message_classes_with_one_class",
     "network: {router: {priority: message_class}}\n",
     {},
     "bad.yaml:1:30: error: network.router.priority: message_class has no effect with one class; set "
     "network.router.classes to 2 or more"},
    {"packets_too_long_to_store",
     "network: {router: {flow_control: store_and_forward}}\nworkload: {length: 9}\n",
     {},
     "bad.yaml:1:34: error: network.router.flow_control: store_and_forward needs room for a whole packet in "
     "network.router.depth; expected packets of at most 8 flits, got 9; set network.router.depth to 9 or more, or "
     "shorten the packets"},
    {"replies_too_long_to_store",
     "network: {router: {flow_control: store_and_forward, classes: 2}}\n"
     "workload: {length: 1, injection: {process: request_reply, reply: 9}}\n",
     {},
     "bad.yaml:2:66: error: network.router.flow_control: store_and_forward needs room for a whole packet in "
     "network.router.depth; expected packets of at most 8 flits, got 9; set network.router.depth to 9 or more, or "
     "shorten the packets"},
    {"priority_of_message_classes_without_replies",
     "network: {router: {classes: 2, priority: message_class}}\n",
     {},
     "bad.yaml:1:42: error: network.router.priority: message_class has no effect, because all packets are in class 0; "
     "select other classes by workload.traffics.NAME.class, by the seventh column of a packet list, or with "
     "workload.injection.process: request_reply"},
    {"busy_when_full_with_store_and_forward",
     "network: {router: {flow_control: store_and_forward, vc_busy_when_full: true}}\n",
     {},
     "bad.yaml:1:72: error: network.router.vc_busy_when_full has no effect unless network.router.flow_control "
     "is wormhole"},
    {"rtl_routers_with_store_and_forward",
     "network: {router: {flow_control: store_and_forward, implementation: rtl}}\n",
     {},
     "bad.yaml:1:69: error: network.router.implementation: there is no RTL of network.router.flow_control: "
     "store_and_forward; set network.router.flow_control: virtual_cut_through, or leave the key out"},
    {"rtl_routers_that_hold_the_switch",
     "network: {router: {hold_switch: true, implementation: rtl}}\n",
     {},
     "bad.yaml:1:55: error: network.router.implementation: there is no RTL of network.router.hold_switch; set "
     "network.router.hold_switch: false, or leave the key out"},
    {"input_speedup_that_does_not_divide_the_vcs",
     "network: {router: {vcs: 4, input_speedup: 3}}\n",
     {},
     "bad.yaml:1:43: error: network.router.input_speedup: expected a divisor of 4 (network.router.vcs), got 3"},
    {"input_speedup_of_five",
     "network: {router: {vcs: 5, input_speedup: 5}}\n",
     {},
     "bad.yaml:1:43: error: network.router.input_speedup: expected an integer from 1 to 4, got '5'"},
    {"input_speedup_with_too_many_ports",
     "network: {topology: {kind: mesh, nodes_per_router: 6}, router: {input_speedup: 4}}\n",
     {},
     "bad.yaml:1:80: error: network.router.input_speedup: expected ports · input_speedup of at most 20, got 10 · 4 = "
     "40; set it to 2 or less"},
    {"rtl_routers_with_input_speedup",
     "network: {router: {input_speedup: 2, implementation: rtl}}\n",
     {},
     "bad.yaml:1:54: error: network.router.implementation: there is no RTL of network.router.input_speedup; set "
     "network.router.input_speedup: 1, or leave the key out"},
    {"shared_buffer_with_cut_through",
     "network: {router: {buffer: shared, flow_control: virtual_cut_through}}\n",
     {},
     "bad.yaml:1:28: error: network.router.buffer.policy: expected private with network.router.flow_control: "
     "virtual_cut_through or store_and_forward, which reserve room for whole packets, got shared"},
    {"buffer_of_an_unknown_policy",
     "network: {router: {buffer: pooled}}\n",
     {},
     "bad.yaml:1:28: error: network.router.buffer.policy: expected one of private, shared, got 'pooled'"},
    {"reserved_flits_of_private_buffers",
     "network: {router: {buffer: {reserved: 2}}}\n",
     {},
     "bad.yaml:1:39: error: network.router.buffer.reserved has no effect unless network.router.buffer.policy is "
     "shared"},
    {"more_reserved_flits_than_there_are",
     "network: {router: {depth: 4, buffer: {policy: shared, reserved: 5}}}\n",
     {},
     "bad.yaml:1:65: error: network.router.buffer.reserved: expected at most 4 (network.router.depth), got 5"},
    {"no_reserved_flits_with_classes",
     "network: {router: {classes: 2, buffer: {policy: shared, reserved: 0}}}\n",
     {},
     "bad.yaml:1:67: error: network.router.buffer.reserved: expected at least 1 with several classes, because packets "
     "of one class could fill the buffer and block those of another, got 0"},
    {"limit_below_the_reserved_flits",
     "network: {router: {buffer: {policy: shared, reserved: 3, limit: 3}}}\n",
     {},
     "bad.yaml:1:65: error: network.router.buffer.limit: expected 0 (no limit), or more than 3 "
     "(network.router.buffer.reserved) and less than 23 (all flits that a VC can use), got 3"},
    {"limit_without_effect",
     "network: {router: {vcs: 2, depth: 4, buffer: {policy: shared, limit: 7}}}\n",
     {},
     "bad.yaml:1:70: error: network.router.buffer.limit: expected 0 (no limit), or more than 1 "
     "(network.router.buffer.reserved) and less than 7 (all flits that a VC can use), got 7"},
    {"credits_of_nodes_that_differ_from_a_shared_buffer",
     "network: {router: {buffer: shared}}\nnic: {ejection_credits: 4}\n",
     {},
     "bad.yaml:2:25: error: nic.ejection_credits: expected 0 or 8 (network.router.depth) with shared buffers, because "
     "the credits of a node are shared like those of a router, got 4"},
    {"no_reserved_flits_in_a_torus",
     "network: {topology: {kind: torus, shape: [5]}, router: {buffer: {policy: shared, reserved: 0}}}\n",
     {},
     "bad.yaml:1:92: error: packets can deadlock: without flits of their own (network.router.buffer.reserved: 0), VCs "
     "wait for each other, and channels depend on each other in a cycle; set network.router.buffer.reserved to 1 or "
     "more; to simulate the network anyway, set network.routing.allow_deadlock: true\n"
     "router 0 (0) +x -> router 1 (1) -x, any VC\n"
     "router 1 (1) +x -> router 2 (2) -x, any VC\n"
     "router 2 (2) +x -> router 3 (3) -x, any VC\n"
     "router 3 (3) +x -> router 4 (4) -x, any VC\n"
     "router 4 (4) +x -> router 0 (0) -x, any VC\n"
     "back to router 0 (0) +x, any VC"},
    {"rtl_routers_with_shared_buffers",
     "network: {router: {buffer: shared, implementation: rtl}}\n",
     {},
     "bad.yaml:1:52: error: network.router.implementation: there is no RTL of network.router.buffer.policy: shared; "
     "set "
     "network.router.buffer.policy: private, or leave the key out"},
    {"hold_switch_as_a_key_of_booksim2",
     "network: {router: {hold_switch_for_packet: 1}}\n",
     {},
     "bad.yaml:1:20: error: unknown key 'hold_switch_for_packet' in network.router; BookSim2's hold_switch_for_packet "
     "is network.router.hold_switch: 1 is true"},
    {"prefer_empty_with_islip",
     "network: {router: {vc_allocator: islip, vc_prefer_empty: true}}\n",
     {},
     "bad.yaml:1:58: error: network.router.vc_prefer_empty has no effect unless "
     "network.router.vc_allocator.kind is separable_input_first, separable_output_first, wavefront or "
     "wavefront_fair"},
    {"rtl_routers_with_priorities",
     "network: {router: {priority: age, implementation: rtl}}\n",
     {},
     "bad.yaml:1:51: error: network.router.implementation: there is no RTL of network.router.priority; set "
     "network.router.priority: none, or leave the key out"},
    {"pipeline_9_with_both",
     "network: {router: {pipeline: 9, lookahead_routing: true, speculation: prioritized}}\n",
     {},
     "bad.yaml:1:30: error: network.router.pipeline: expected 2 to 7 with lookahead routing and speculation, "
     "got 9"},
};

class cli_bad_router : public cli_bad_configuration {
 protected:
  /// Whether the configuration selects RTL, and this build has none.
  bool needs_absent_rtl() {
    if (std::string(GetParam().yaml).find("implementation: rtl") == std::string::npos) return false;
    write("good.yaml", "network: {router: {implementation: rtl}}\n");
    const std::string err = weft({"check", "good.yaml"}).err;
    std::filesystem::remove(m_directory / "good.yaml");
    return err.find("was built without RTL") != std::string::npos;
  }
};

TEST_P(cli_bad_router, is_rejected_with_file_line_key_and_remedy) {
  if (needs_absent_rtl()) GTEST_SKIP() << "this weft was built without RTL";
  expect_rejection();
}

INSTANTIATE_TEST_SUITE_P(table, cli_bad_router, testing::ValuesIn(BadRouters),
                         [](const auto& test) { return std::string(test.param.name); });

/// A choice that the Verilog generator rejects, and the end of its message.
struct choice_without_rtl {
  const char* yaml;
  const char* message;
};

class cli_router : public command_test, public testing::WithParamInterface<choice_without_rtl> {};

TEST_P(cli_router, choice_without_rtl_is_rejected_by_the_verilog_generator) {
  write("a.yaml", GetParam().yaml);
  const command_result r = weft({"topology", "a.yaml", "--verilog", "v"});
  EXPECT_EQ(r.err, std::string("a.yaml:1:") + GetParam().message + "\n");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(files_in("."), ::testing::ElementsAre("a.yaml"));
}

const choice_without_rtl ChoicesWithoutRtl[] = {
    {"network: {router: {lookahead_routing: true}}\n",
     "39: error: --verilog: there is no RTL of lookahead routing; set network.router.lookahead_routing: "
     "false"},
    {"network: {router: {pipeline: 3, speculation: masked_by_grants}}\n",
     "46: error: --verilog: there is no RTL of speculation; set network.router.speculation: none"},
    {"network: {router: {vc_reallocation: after_tail_credit}}\n",
     "37: error: --verilog: there is no RTL of network.router.vc_reallocation: after_tail_credit; set "
     "network.router.vc_reallocation: after_tail"},
    {"network: {router: {vc_busy_when_full: true}}\n",
     "39: error: --verilog: there is no RTL of network.router.vc_busy_when_full; set "
     "network.router.vc_busy_when_full: false"},
    {"network: {router: {vc_prefer_empty: true}}\n",
     "37: error: --verilog: there is no RTL of network.router.vc_prefer_empty; set "
     "network.router.vc_prefer_empty: false"},
    {"network: {router: {priority: age}}\n",
     "30: error: --verilog: there is no RTL of network.router.priority; set network.router.priority: none"},
    {"network: {router: {flow_control: store_and_forward}}\n",
     "34: error: --verilog: there is no RTL of network.router.flow_control: store_and_forward; set "
     "network.router.flow_control: virtual_cut_through"},
    {"network: {router: {buffer: shared}}\n",
     "28: error: --verilog: there is no RTL of network.router.buffer.policy: shared; set network.router.buffer.policy: "
     "private"},
    {"network: {router: {hold_switch: true}}\n",
     "33: error: --verilog: there is no RTL of network.router.hold_switch; set network.router.hold_switch: false"},
    {"network: {router: {input_speedup: 2}}\n",
     "35: error: --verilog: there is no RTL of network.router.input_speedup; set network.router.input_speedup: 1"},
    {"nic: {ejection_credits: 8}\n",
     "25: error: --verilog: there is no RTL of nic.ejection_credits; nic.ejection_depth gives nodes a "
     "buffer with credits; set nic.ejection_credits: 0"},
};

INSTANTIATE_TEST_SUITE_P(table, cli_router, testing::ValuesIn(ChoicesWithoutRtl));

}  // namespace
}  // namespace weft::cli
