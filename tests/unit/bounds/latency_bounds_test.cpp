// SPDX-License-Identifier: Apache-2.0
/// Latency bounds of flows in cases that can be checked by hand, and networks for which there is no bound.
#include "weft/bounds/latency_bounds.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/grid.h"

namespace weft {
namespace {

using testing::HasSubstr;

regulated_flow flow(const char* name, node_id source, node_id destination, std::uint32_t flits, double rate,
                    std::uint32_t burst, unsigned message_class = 0) {
  return {name, source, destination, flits, rate, burst, message_class, 0};
}

topology mesh(std::uint32_t columns, std::uint32_t rows = 1) { return make_grid({{columns, rows}, {1, 1, 1, 1}}); }

router_parameters router_of(unsigned vcs, unsigned depth, unsigned classes) {
  router_parameters router;
  router.vcs = vcs;
  router.depth = depth;
  router.classes = classes;
  return router;
}

const router_parameters OneVc = router_of(1, 16, 1);

TEST(unit_latency_bounds, of_a_single_packet_is_the_zero_load_latency) {
  for (const std::uint32_t flits : {1U, 5U, 16U}) {
    const flow_bound b = bound_latencies(mesh(5), OneVc, {}, {flow("a", 0, 4, flits, 0.05, flits)}).front();
    EXPECT_EQ(b.zero_load, 2 + 5 * 5 + flits - 1);
    ASSERT_TRUE(b.latency.has_value());
    EXPECT_EQ(*b.latency, b.zero_load);
    EXPECT_EQ(b.routers, 5U);
    EXPECT_EQ(b.backpressure, 0U);
  }
}

TEST(unit_latency_bounds, of_two_flows_in_one_router_adds_one_packet_of_the_other) {
  // Both flows need output +x of router 1. The other packet holds the VC for its 8 flits and the grant.
  const std::vector<flow_bound> bounds =
      bound_latencies(mesh(3, 2), OneVc, {}, {flow("a", 0, 2, 8, 0.05, 8), flow("b", 1, 2, 8, 0.05, 8)});
  ASSERT_TRUE(bounds[0].latency.has_value());
  EXPECT_GE(*bounds[0].latency, bounds[0].zero_load + 8);
  EXPECT_LE(*bounds[0].latency, bounds[0].zero_load + 8 + 2 * 8) << "a packet, and the distance to it later on";
}

TEST(unit_latency_bounds, grow_with_the_burst_of_another_flow) {
  cycle_t before = 0;
  for (const std::uint32_t burst : {8U, 16U, 64U}) {
    const auto bounds = bound_latencies(mesh(4), router_of(1, 128, 1), {},
                                        {flow("a", 0, 3, 8, 0.05, 8), flow("b", 0, 2, 8, 0.05, burst)});
    ASSERT_TRUE(bounds[0].latency.has_value());
    EXPECT_GT(*bounds[0].latency, before);
    before = *bounds[0].latency;
  }
}

TEST(unit_latency_bounds, of_classes_with_source_queues_of_their_own_share_only_the_channels) {
  nic_parameters nic;
  nic.queues = source_queues::PerClass;
  const std::vector<regulated_flow> flows{flow("data", 0, 3, 16, 0.05, 32, 0), flow("control", 0, 3, 1, 0.01, 1, 1)};
  const auto apart = bound_latencies(mesh(4), router_of(2, 64, 2), nic, flows);
  const auto together = bound_latencies(mesh(4), router_of(2, 64, 2), {}, flows);
  ASSERT_TRUE(apart[1].latency.has_value());
  ASSERT_TRUE(together[1].latency.has_value());
  EXPECT_LT(*apart[1].latency, *together[1].latency) << "two packets of data may wait in front of a control packet";
}

std::string reason(const topology& graph, const router_parameters& router, const nic_parameters& nic = {}) {
  const flow_bound b = bound_latencies(graph, router, nic, {flow("a", 0, 1, 4, 0.1, 4)}).front();
  return b.latency ? "" : b.why_not;
}

TEST(unit_latency_bounds, do_not_exist_for_routers_outside_the_analysis) {
  router_parameters r = OneVc;
  EXPECT_EQ(reason(mesh(2), r), "");
  r.flow = flow_control::VirtualCutThrough;
  EXPECT_THAT(reason(mesh(2), r), HasSubstr("reserve buffers"));
  r = OneVc;
  r.switch_allocator.kind = allocator_kind::Wavefront;
  EXPECT_THAT(reason(mesh(2), r), HasSubstr("default allocators"));
  r = OneVc;
  r.priority = priority_kind::MessageClass;
  EXPECT_THAT(reason(mesh(2), r), HasSubstr("priorities"));
  r = OneVc;
  r.reallocation = vc_reallocation::AfterTailCredit;
  EXPECT_THAT(reason(mesh(2), r), HasSubstr("output VCs"));
  nic_parameters nic;
  nic.ejection_depth = 4;
  EXPECT_THAT(reason(mesh(2), OneVc, nic), HasSubstr("ejection buffers"));
  nic = {};
  nic.coding.enabled = true;
  EXPECT_THAT(reason(mesh(2), OneVc, nic), HasSubstr("stages"));
}

TEST(unit_latency_bounds, do_not_exist_without_a_single_path) {
  EXPECT_THAT(reason(mesh(2), router_of(4, 8, 1)), HasSubstr("its message class has 4 VCs"));
  grid_parameters adaptive{{3, 3}, {1, 1, 1, 1}};
  adaptive.algorithm = grid_algorithm::WestFirst;
  EXPECT_THAT(bound_latencies(make_grid(adaptive), OneVc, {}, {flow("a", 0, 8, 4, 0.1, 4)}).front().why_not,
              HasSubstr("its routes are adaptive in router 0"));
  network_options ports{1, 1, 2, 1};
  EXPECT_THAT(reason(make_grid({{2, 2}, ports}), OneVc), HasSubstr("several ports"));
}

TEST(unit_latency_bounds, do_not_exist_with_three_vcs_of_an_input_port) {
  const std::vector<regulated_flow> flows{flow("a", 0, 2, 4, 0.01, 4, 0), flow("b", 0, 2, 4, 0.01, 4, 1),
                                          flow("c", 0, 2, 4, 0.01, 4, 2)};
  for (const flow_bound& b : bound_latencies(mesh(3), router_of(3, 64, 3), {}, flows))
    EXPECT_THAT(b.why_not, HasSubstr("three VCs in use"));
}

TEST(unit_latency_bounds, do_not_exist_where_a_source_may_send_too_much) {
  const auto bounds = bound_latencies(
      mesh(3, 3), OneVc, {}, {flow("a", 0, 2, 4, 0.6, 4), flow("b", 0, 8, 4, 0.6, 4), flow("c", 3, 5, 4, 0.1, 4)});
  EXPECT_THAT(bounds[0].why_not, HasSubstr("source queue may grow"));
  EXPECT_FALSE(bounds[1].latency.has_value());
}

TEST(unit_latency_bounds, hold_with_buffers_that_fill) {
  // The burst of b exceeds the buffers, so that its packets hold up those of a, which leave in another direction.
  const auto bounds =
      bound_latencies(mesh(4, 2), router_of(1, 8, 1), {},
                      {flow("a", 0, 5, 4, 0.02, 4), flow("b", 0, 3, 16, 0.05, 32), flow("c", 2, 3, 16, 0.05, 32)});
  ASSERT_TRUE(bounds[0].latency.has_value());
  EXPECT_GT(bounds[0].backpressure, 0U);
  const auto deep =
      bound_latencies(mesh(4, 2), router_of(1, 64, 1), {},
                      {flow("a", 0, 5, 4, 0.02, 4), flow("b", 0, 3, 16, 0.05, 32), flow("c", 2, 3, 16, 0.05, 32)});
  EXPECT_LT(*deep[0].latency, *bounds[0].latency);
  EXPECT_EQ(deep[0].backpressure, 0U);
}

}  // namespace
}  // namespace weft
