// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/zero_load.h"

#include "unit/topology/networks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/metrics.h"

namespace weft {
namespace {

router_parameters with_pipeline(unsigned cycles) {
  router_parameters router;
  router.pipeline = cycles;
  return router;
}

TEST(unit_topology_zero_load, one_flit_takes_2_plus_5_cycles_per_router) {
  const topology t = mesh_of({8, 8});
  EXPECT_EQ(zero_load_latency(t, with_pipeline(4), 0, 0, 1), 7U);
  EXPECT_EQ(zero_load_latency(t, with_pipeline(4), 0, 1, 1), 12U);
  EXPECT_EQ(zero_load_latency(t, with_pipeline(4), 0, 63, 1), 2U + 5U * 15U);
  EXPECT_EQ(zero_load_latency(t, with_pipeline(4), 63, 0, 5), 2U + 5U * 15U + 4U);
}

TEST(unit_topology_zero_load, with_store_and_forward_every_router_waits_for_the_whole_packet) {
  const topology t = mesh_of({8, 8});
  router_parameters router;
  router.flow = flow_control::StoreAndForward;
  EXPECT_EQ(zero_load_latency(t, router, 0, 63, 1), 2U + 5U * 15U);
  EXPECT_EQ(zero_load_latency(t, router, 0, 63, 5), 2U + 5U * 15U + 4U + 15U * 4U);
}

TEST(unit_topology_zero_load, counts_pipeline_links_and_attachments) {
  grid_parameters p;
  p.shape = {4};
  p.options.link_cycles = 3;
  p.options.node_cycles = 2;
  const topology t = make_grid(p);
  EXPECT_EQ(zero_load_latency(t, with_pipeline(4), 0, 2, 1), 3U + 2U * 7U + 6U);
  EXPECT_EQ(zero_load_latency(t, with_pipeline(9), 3, 0, 10), 3U + 3U * 12U + 11U + 9U);
  EXPECT_EQ(zero_load_latency(t, with_pipeline(3), 1, 1, 1), 3U + 5U);
}

TEST(unit_topology_zero_load, latency_depends_on_the_direction) {
  topology t = mesh_of({2});
  t.nodes[0].cycles = 4;
  t.channels[1].cycles = 9;  // channel 1 -> 0
  EXPECT_EQ(zero_load_latency(t, with_pipeline(4), 0, 1, 1), 5U + 5U + 5U);
  EXPECT_EQ(zero_load_latency(t, with_pipeline(4), 1, 0, 1), 2U + 13U + 8U);
}

TEST(unit_topology_zero_load, follows_the_route_and_not_the_shortest_path) {
  EXPECT_EQ(zero_load_latency(clockwise_square(), with_pipeline(4), 0, 1, 1), 2U + 5U * 4U);
}

TEST(unit_topology_zero_load, rejects_a_packet_without_flits) {
  EXPECT_EQ(error_of([] { zero_load_latency(mesh_of({2}), with_pipeline(4), 0, 1, 0); }),
            "zero-load latency: flits is 0; expected at least 1");
}

TEST(unit_topology_zero_load, streaming_depth_is_the_credit_loop) {
  EXPECT_EQ(streaming_depth(1, 1), 5U);
  EXPECT_EQ(streaming_depth(2, 1), 6U);
  EXPECT_EQ(streaming_depth(4, 1), 8U);
  EXPECT_EQ(streaming_depth(6, 1), 10U);
  EXPECT_EQ(streaming_depth(1, 2), 7U);
  EXPECT_EQ(streaming_depth(6, 4), 16U);
}

RC_GTEST_PROP(unit_topology_zero_load, latency_is_2_plus_5_cycles_per_router_in_every_mesh, ()) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 5);
  const topology t = mesh_of(random_shape(dimensions, 4), random_order(dimensions));
  const auto nodes = static_cast<node_id>(t.nodes.size());
  const auto source = *rc::gen::inRange<node_id>(0, nodes);
  const auto destination = *rc::gen::inRange<node_id>(0, nodes);
  const auto flits = *rc::gen::inRange(1U, 200U);
  RC_ASSERT(zero_load_latency(t, with_pipeline(4), source, destination, flits) ==
            2 + 5 * route_path(t, source, destination).size() + flits - 1);
}

}  // namespace
}  // namespace weft
