// SPDX-License-Identifier: Apache-2.0
/// Compares networks in which some or all routers are verilated with networks of the pin level. Every event of every
/// flit, the queues and the counters must be equal, and the conservation invariants must hold at the end.
#include "lockstep/network_event_trace.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/cosim/rtl_routers.h"
#include "weft/pin/router/router_interface.h"

namespace weft::lockstep {
namespace {

/// \throws std::invalid_argument
std::shared_ptr<const pin::external_routers> rtl_of(const network_case& c, const std::vector<router_id>& routers) {
  return tb::make_rtl_routers(c.graph, c.payload_bits, c.router, c.nic, routers);
}

const network_kind Kinds[] = {
    {"mesh_3x3",
     [](network_case& c) {
       c.graph = make_grid(grid({3, 3}));
     }},
    {"mesh_4x4_of_3_stages",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}));
       c.router.pipeline = 3;
     }},
    {"mesh_4x4_of_2_vcs_of_5_flits_of_32_bits",
     [](network_case& c) {
       grid_parameters p = grid({4, 4});
       p.options.vcs = c.router.vcs = 2;
       c.router.depth = 5;
       c.payload_bits = 32;
       c.graph = make_grid(p);
     }},
    {"mesh_4x4_with_cut_through",
     [](network_case& c) {
       c.graph = make_grid(grid({4, 4}));
       c.router.flow = flow_control::VirtualCutThrough;
       c.router.depth = 8;
     }},
    {"torus_4x4_with_long_links",
     [](network_case& c) {
       grid_parameters p = grid({4, 4}, true);
       p.options.link_cycles = 3;
       c.graph = make_grid(p);
       c.clock_gating = false;
     }},
    {"ring_of_7_with_ejection_buffers",
     [](network_case& c) {
       c.graph = make_grid(grid({7}, true));
       c.nic.ejection_depth = 4;
     }},
    {"mesh_3x3_with_two_classes",
     [](network_case& c) {
       grid_parameters p = grid({3, 3});
       p.options.vcs = 2;
       c.graph = make_grid(p);
       c.router.classes = 2;
     }},
};

class lockstep_router_network : public testing::TestWithParam<network_kind> {};

TEST_P(lockstep_router_network, has_the_same_events_in_rtl_and_systemc) {
  std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
  rng random(test_seed());
  const network_case c = case_of(GetParam(), random, {0.1, 0.3, 0.9}, 1000);
  const std::string expected = run_in_subprocess([&] { return record_event_trace(c, nullptr); });
  ASSERT_GT(std::count(expected.begin(), expected.end(), '\n'), 1000) << expected;
  for (const std::vector<router_id>& routers : {std::vector<router_id>{}, std::vector<router_id>{0, 4, 5}}) {
    const std::string rtl = run_in_subprocess([&] { return record_event_trace(c, rtl_of(c, routers)); });
    ASSERT_EQ(first_difference(expected, rtl), "") << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
  }
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_router_network, testing::ValuesIn(Kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

/// The reason why \p c has no RTL; empty if it has.
std::string rejection(const network_case& c) {
  return rejection_of([&c] { rtl_of(c, {}); });
}

TEST(lockstep_router_network, explains_unsupported_parameters) {
#ifdef WEFT_OTHER_MODELS
  GTEST_SKIP() << "this build has other models";
#endif
  using testing::HasSubstr;
  const network_case good;
  EXPECT_EQ(rejection(good), "");
  network_case c = good;
  c.router.pipeline = 5;
  EXPECT_THAT(rejection(c), HasSubstr("not with S = 5 for wormhole; set network.router.pipeline: 4, build with "
                                      "-DWEFT_RTL_MORE_ROUTERS=s5, or leave"));
  c = good;
  c.router.pipeline = 3;
  c.router.flow = flow_control::VirtualCutThrough;
  EXPECT_THAT(rejection(c), HasSubstr("not with S = 3 for virtual cut-through; set network.router.pipeline: 4, "
                                      "build with -DWEFT_RTL_MORE_ROUTERS=s3_cut_through, or leave"));
  c = good;
  c.router.vcs = 8;
  EXPECT_THAT(rejection(c), HasSubstr("at most 4 VCs, not 8"));
  c = good;
  c.router.depth = 17;
  EXPECT_THAT(rejection(c), HasSubstr("at most 16 flits of a VC, not 17"));
  c = good;
  c.payload_bits = 128;
  EXPECT_THAT(rejection(c), HasSubstr("at most 64 payload bits, not 128; set network.flit.payload_bits: 64, build with "
                                      "-DWEFT_RTL_ROUTER_SIZES=Words=4, or leave"));
  c = good;
  c.graph = make_grid(grid({9, 8}));
  EXPECT_THAT(rejection(c), HasSubstr("at most 64 nodes, not 72"));
  c = good;
  c.graph = make_grid(grid({2, 2, 2}));
  EXPECT_THAT(rejection(c), HasSubstr("at most 5 ports, not 7"));
  c = good;
  c.nic.coding.enabled = true;
  EXPECT_EQ(rejection(c), "");
  c = good;
  grid_parameters p = grid({4, 4});
  p.algorithm = grid_algorithm::WestFirst;
  c.graph = make_grid(p);
  EXPECT_THAT(rejection(c), HasSubstr("no adaptive routing"));
  p = grid({5, 4});
  p.algorithm = grid_algorithm::Valiant;
  c.graph = make_grid(p);
  EXPECT_THAT(rejection(c), HasSubstr("at most 16 path ids that the source chooses from, not 20"));
}

}  // namespace
}  // namespace weft::lockstep
