// SPDX-License-Identifier: Apache-2.0
/// Compares networks in which some or all NICs are verilated, and networks entirely in RTL, with networks of the pin
/// level. Every event of every flit, the queues and the counters must be equal, and the conservation invariants must
/// hold at the end.
#include "lockstep/network_event_trace.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/cosim/rtl_nics.h"
#include "weft/cosim/rtl_routers.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/router/router_interface.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft::lockstep {
namespace {

void compress_in_two_classes(network_case& c, std::vector<std::uint32_t> shape, selection_mode mode) {
  grid_parameters p = grid(std::move(shape));
  p.options.vcs = 2;
  c.graph = make_grid(p);
  c.router.classes = 2;
  c.nic.ejection_depth = 8;
  c.nic.compression.selection.mode = mode;
  c.nic.compression.selection.length_threshold = 3;
  c.nic.compression.selection.received_threshold = 5;
  c.nic.compression.selection.queue_threshold = 1;
  c.workload.payload.kind = payload_kind::SmallIntegers;
}

const network_kind NicKinds[] = {
    {"mesh_3x3",
     [](network_case& c) {
       c.graph = make_grid(grid({3, 3}));
     }},
    {"mesh_4x4",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}));
       c.clock_gating = false;
     }},
    {"mesh_3x3_with_compression_and_two_classes",
     [](network_case& c) {
       compress_in_two_classes(c, {3, 3}, selection_mode::Selective);
       c.clock_gating = false;
     }},
    {"mesh_4x4_with_compression_and_two_classes",
     [](network_case& c) {
       compress_in_two_classes(c, {4, 4}, selection_mode::Always);
     }},
    {"torus_4x4_with_routing_in_layers",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}, true));
       route_shortest_layered(c.graph, c.router.vcs);
     }},
};

std::shared_ptr<const pin::external_nics> nics_of(const network_case& c, const std::vector<node_id>& nodes) {
  return tb::make_rtl_nics(c.graph, c.payload_bits, c.router, c.nic, nodes);
}

std::shared_ptr<const pin::external_routers> routers_of(const network_case& c) {
  return tb::make_rtl_routers(c.graph, c.payload_bits, c.router, c.nic, {});
}

/// Networks with routers that RTL does not have.
const network_kind KindsWithOwnRouters[] = {
    {"mesh_4x4_with_source_routing_and_64_nodes",
     [](network_case& c) {
       grid_parameters p = grid({4, 4});
       p.nodes = 4;
       c.graph = make_grid(p);
       route_by_source(c.graph, c.router.vcs, source_paths::UpDown);
     }},
    {"torus_4x4_with_source_routing_and_ejection_buffers_of_32_bits",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}, true));
       route_by_source(c.graph, c.router.vcs, source_paths::UpDown);
       c.nic.ejection_depth = 4;
       c.payload_bits = 32;
     }},
    {"mesh_3x3_with_source_routing_compression_and_two_classes",
     [](network_case& c) {
       compress_in_two_classes(c, {3, 3}, selection_mode::Selective);
       route_by_source(c.graph, 2, source_paths::UpDown);
     }},
    {"mesh_4x4_with_minimal_adaptive_routing",
     [](network_case& c) {
       grid_parameters p = grid({4, 4});
       p.algorithm = grid_algorithm::MinimalAdaptive;
       c.graph = make_grid(p);
     }},
    {"torus_4x4_with_minimal_adaptive_routing_and_compression",
     [](network_case& c) {
       compress_in_two_classes(c, {4, 4}, selection_mode::Always);
       grid_parameters p = grid({4, 4}, true);
       p.algorithm = grid_algorithm::MinimalAdaptive;
       c.graph = make_grid(p);
       c.router.classes = 1;
     }},
};

class lockstep_nic_network : public testing::TestWithParam<network_kind> {
 protected:
  void SetUp() override {
    std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
    rng random(test_seed());
    m_case = case_of(GetParam(), random, {0.1, 0.3, 0.8}, 800);
    m_expected = run_in_subprocess([this] { return record_event_trace(m_case, nullptr); });
    ASSERT_GT(std::count(m_expected.begin(), m_expected.end(), '\n'), 1000) << m_expected;
  }

  /// \param nodes those with RTL NICs; none: all
  void compare(const char* what, const std::vector<node_id>& nodes, bool rtl_routers = false) {
    const std::string rtl = run_in_subprocess(
        [&] { return record_event_trace(m_case, rtl_routers ? routers_of(m_case) : nullptr, nics_of(m_case, nodes)); });
    ASSERT_EQ(first_difference(m_expected, rtl), "")
        << "\nWEFT_SEED=" << test_seed() << ": " << what << ": " << describe(m_case);
  }

 private:
  network_case m_case;
  std::string m_expected;
};

class lockstep_nic_network_with_own_routers : public lockstep_nic_network {};

TEST_P(lockstep_nic_network, has_the_same_events_in_rtl_and_systemc) {
  compare("all NICs", {});
  compare("some NICs", {0, 4, 5});
  compare("everything", {}, true);
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_nic_network, testing::ValuesIn(NicKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST_P(lockstep_nic_network_with_own_routers, has_the_same_events_in_rtl_and_systemc) {
  compare("all NICs", {});
  compare("some NICs", {0, 4, 5});
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_nic_network_with_own_routers, testing::ValuesIn(KindsWithOwnRouters),
                         [](const auto& kind) { return std::string(kind.param.name); });

/// The reason why \p c has no RTL; empty if it has.
std::string nic_rejection(const network_case& c) {
  return rejection_of([&c] { nics_of(c, {}); });
}

TEST(lockstep_nic_network_rejection, explains_unsupported_parameters) {
#ifdef WEFT_OTHER_MODELS
  GTEST_SKIP() << "this build has other models";
#endif
  using testing::HasSubstr;
  const network_case good;
  EXPECT_EQ(nic_rejection(good), "");
  network_case c = good;
  c.payload_bits = 128;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for at most 64 payload bits, not 128"));
  c = good;
  c.router.vcs = 2;
  EXPECT_THAT(nic_rejection(c),
              HasSubstr("for 4 VCs of 8 flits, not for 2 VCs of 8 flits; set network.router.vcs: 4 "
                        "and network.router.depth: 8, build with -DWEFT_RTL_MORE_NICS=2x8, or leave"));
  c = good;
  c.router.depth = 4;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for 4 VCs of 8 flits, not for 4 VCs of 4 flits"));
  c = good;
  c.router.classes = 4;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for 1 or 2 classes, not 4"));
  c = good;
  c.nic.ejection_depth = 17;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for at most 16 flits of an ejection VC, not 17"));
  c = good;
  c.nic.coding.enabled = true;
  EXPECT_EQ(nic_rejection(c), "");
  c.nic.coding.depth = 8;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for 16 flits that XOR stages hold, not 8"));
  c.nic.coding.depth = 16;
  c.nic.coding.entries = 32;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for 16 or 64 entries of an XOR decoder, not 32"));
  c.nic.coding.entries = 64;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for 1 cycle of an XOR with 64 entries, not 0"));
  c.nic.coding.overhead = 1;
  EXPECT_EQ(nic_rejection(c), "");
  c.graph = make_grid(grid({65}));
  EXPECT_THAT(nic_rejection(c), HasSubstr("with XOR stages for at most 64 nodes, not 65"));
  c = good;
  compress_in_two_classes(c, {3, 3}, selection_mode::Always);
  EXPECT_EQ(nic_rejection(c), "");
  c.nic.compression.depth = 64;
  EXPECT_THAT(nic_rejection(c), HasSubstr("for 512 flits of the compressor's memories, not 64"));
  c = good;
  grid_parameters p = grid({4, 4});
  p.algorithm = grid_algorithm::O1Turn;
  c.graph = make_grid(p);
  EXPECT_THAT(nic_rejection(c), HasSubstr("path ids that the source draws"));
  c = good;
  c.graph.nodes[1].path_ids.send_sequence = {{0, 0}};
  EXPECT_THAT(nic_rejection(c), HasSubstr("without send sequences of schedules"));
  c = good;
  c.graph = make_grid(grid({65}));
  EXPECT_EQ(nic_rejection(c), "");
  route_by_source(c.graph, c.router.vcs);
  EXPECT_THAT(nic_rejection(c), HasSubstr("for path ids to at most 64 nodes, not 65"));
}

}  // namespace
}  // namespace weft::lockstep
