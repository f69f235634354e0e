// SPDX-License-Identifier: Apache-2.0
/// Keys that request RTL where there is none, each with the whole message of `weft`; with and without RTL in the
/// build.
#include "cli/bad_configuration.h"

namespace weft::cli {
namespace {

const bad_configuration BadRtl[] = {
    {"coding_with_rtl",
     "nic: {coding: true, compression: {mode: always, implementation: rtl}}\n",
     {},
     "bad.yaml:1:65: error: nic.compression.implementation: expected systemc with nic.coding, got rtl; the RTL "
     "compressor has no wires for the code part of a header; set nic.implementation: rtl to simulate whole NICs, or "
     "leave the key out"},
    {"rtl_compressor_at_unknown_node",
     "network: {topology: {shape: [2, 2]}}\nnic: {compression: {mode: always, implementation: rtl, rtl_nodes: [1, "
     "4]}}\n",
     {},
     "bad.yaml:2:67: error: nic.compression.rtl_nodes: expected node numbers from 0 to 3, got 4"},
    {"rtl_nic_at_unknown_node",
     "network: {topology: {shape: [2, 2]}}\nnic: {implementation: rtl, rtl_nodes: [1, 4]}\n",
     {},
     "bad.yaml:2:39: error: nic.rtl_nodes: expected node numbers from 0 to 3, got 4"},
    {"rtl_stages_in_rtl_nics",
     "nic: {implementation: rtl, compression: {mode: always, implementation: rtl}}\n",
     {},
     "bad.yaml:1:72: error: nic.compression.implementation has no effect while nic.implementation is rtl"},
    {"breakdown_with_rtl_nics",
     "nic: {implementation: rtl}\noutput: {breakdown: true}\n",
     {},
     "bad.yaml:2:21: error: output.breakdown: expected false, because nic.implementation is rtl, got true; only the "
     "SystemC NICs report what a packet waits for"},
    {"rtl_routers_without_rtl",
     "network: {router: {rtl_routers: [1]}}\n",
     {},
     "bad.yaml:1:33: error: network.router.rtl_routers has no effect unless network.router.implementation is rtl"},
    {"unknown_rtl_router",
     "network: {topology: {shape: [2, 2]}, router: {implementation: rtl, rtl_routers: [1, 4]}}\n",
     {},
     "bad.yaml:1:81: error: network.router.rtl_routers: expected router numbers from 0 to 3, got 4"},
    {"empty_list_of_rtl_routers",
     "network: {router: {implementation: rtl, rtl_routers: []}}\n",
     {},
     "bad.yaml:1:54: error: network.router.rtl_routers: expected a list of at least 1 integers from 0 to 4294967295, "
     "got a list of length 0; leave the key out to select all routers, or set network.router.implementation: systemc "
     "to "
     "select none"},
    {"empty_list_of_rtl_nics",
     "nic: {implementation: rtl, rtl_nodes: []}\n",
     {},
     "bad.yaml:1:39: error: nic.rtl_nodes: expected a list of at least 1 integers from 0 to 4294967295, got a list "
     "of length 0; leave the key out to select all nodes, or set nic.implementation: systemc to select none"},
    {"empty_list_of_rtl_compressors",
     "nic: {compression: {mode: always, implementation: rtl}}\n",
     {"--set", "nic.compression.rtl_nodes=[]"},
     "--set nic.compression.rtl_nodes=[]: error: nic.compression.rtl_nodes: expected a list of at least 1 integers "
     "from 0 to 4294967295, got a list of length 0; leave the key out to select all nodes, or set "
     "nic.compression.implementation: systemc to select none"},
    {"rtl_routers_in_the_engine",
     "network: {router: {implementation: rtl}}\nsimulation: {level: engine}\n",
     {},
     "bad.yaml:1:36: error: network.router.implementation has no effect unless simulation.level is pin"},
    {"breakdown_with_rtl_routers",
     "network: {router: {implementation: rtl}}\noutput: {breakdown: true}\n",
     {},
     "bad.yaml:2:21: error: output.breakdown: expected false, because network.router.implementation is rtl, got true; "
     "only the SystemC routers report what a packet waits for"},
};

class cli_bad_rtl : public cli_bad_configuration {};

TEST_P(cli_bad_rtl, is_rejected) { expect_rejection(); }

INSTANTIATE_TEST_SUITE_P(table, cli_bad_rtl, testing::ValuesIn(BadRtl),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace weft::cli
