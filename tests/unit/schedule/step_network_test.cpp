// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/step_network.h"

#include "unit/schedule/networks.h"
#include <algorithm>

#include <gtest/gtest.h>

namespace weft::schedule {
namespace {

unsigned capacity(const step_network& network, channel_kind kind) {
  unsigned sum = 0;
  for (const step_channel& c : network.channels()) sum += c.kind == kind ? c.capacity : 0;
  return sum;
}

TEST(unit_schedule_step_network, has_the_expected_number_of_channels_of_each_kind) {
  const step_network mesh_4x4(mesh({4, 4}));
  EXPECT_EQ(capacity(mesh_4x4, channel_kind::Link), 48U);
  EXPECT_EQ(capacity(mesh_4x4, channel_kind::Injection), 16U);
  EXPECT_EQ(capacity(mesh_4x4, channel_kind::Ejection), 16U);
}

TEST(unit_schedule_step_network, all_ports_means_one_per_router_link_in_direct_networks) {
  const step_network all(mesh({3, 3}), AllPorts);
  EXPECT_EQ(all.ports_out(0), 2U);
  EXPECT_EQ(all.ports_out(1), 3U);
  EXPECT_EQ(all.ports_in(4), 4U);
  grid_parameters with_ports;
  with_ports.shape = {3, 3};
  with_ports.options.nic_ports = 4;
  EXPECT_EQ(step_network(make_grid(with_ports), AllPorts).ports_out(0), 2U);
  EXPECT_EQ(step_network(make_grid(with_ports)).ports_out(0), 4U);
  const step_network fat(octagon(8, 2), AllPorts);
  EXPECT_EQ(fat.ports_out(0), 1U);
  const step_network tree(gft9(), AllPorts);
  EXPECT_EQ(tree.ports_out(8), 3U);
}

TEST(unit_schedule_step_network, given_port_count_is_limited_to_all_ports) {
  const auto expect_limited = [](const topology& t) {
    const step_network all(t, AllPorts);
    for (unsigned number = 1; number <= 6; ++number) {
      const step_network some(t, {port_rule::kind::Number, number});
      for (node_id n = 0; n < all.nodes(); ++n) {
        EXPECT_EQ(some.ports_out(n), std::min(number, all.ports_out(n)));
        EXPECT_EQ(some.ports_in(n), std::min(number, all.ports_in(n)));
      }
    }
  };
  for (const unsigned nodes_per_router : {1U, 2U, 3U}) {
    for (const unsigned nic_ports : {1U, 2U}) {
      grid_parameters grid;
      grid.shape = {3, 2};
      grid.nodes = nodes_per_router;
      grid.options.nic_ports = nic_ports;
      expect_limited(make_grid(grid));
    }
  }
  expect_limited(octagon(8, 2));
  expect_limited(gft9());
}

TEST(unit_schedule_step_network, port_limit_holds_for_all_routers_of_a_node_together) {
  const step_network tree(gft9(), OnePort);
  EXPECT_EQ(tree.vertices(), tree.nodes() + tree.routers() + 2 * tree.nodes());
  EXPECT_EQ(tree.ports_out(0), 1U);
  EXPECT_EQ(tree.ports_in(0), 1U);
  EXPECT_EQ(find_paths(tree, 0, 1, 0, 10).size(), 3U);
}

TEST(unit_schedule_step_network, parallel_links_form_one_channel) {
  const step_network torus_2x4(torus({2, 4}));
  for (const step_channel& c : torus_2x4.channels()) {
    EXPECT_EQ(c.members.size(), c.kind == channel_kind::Link ? c.capacity : 0U) << torus_2x4.name(c);
  }
  EXPECT_EQ(capacity(torus_2x4, channel_kind::Link), torus({2, 4}).channels.size());
}

TEST(unit_schedule_step_network, paths_are_minimal_unless_detours_are_allowed) {
  const step_network network(mesh({3, 3}));
  EXPECT_EQ(find_paths(network, 0, 8, 0, 100).size(), 6U);
  EXPECT_GT(find_paths(network, 0, 8, 2, 100).size(), 6U);
  EXPECT_EQ(find_paths(network, 0, 8, 2, 7).size(), 7U);
  EXPECT_EQ(find_paths(network, 0, 1, 0, 100).front().size(), 3U);
  EXPECT_EQ(to_string(network, find_paths(network, 0, 1, 0, 100).front()), "n0 -> r0 -> r1 -> n1");
  EXPECT_EQ(find_paths(step_network(ring(4, true)), 1, 0, 0, 9).front().size(), 5U);
}

/// The search must not need a stack as deep as the path is long.
TEST(unit_schedule_step_network, paths_can_have_100000_channels) {
  const step_network network(ring(200'000));
  EXPECT_EQ(find_paths(network, 0, 99'999, 0, 5).front().size(), 100'001U);
}

TEST(unit_schedule_step_network, rejects_zero_ports) {
  EXPECT_THROW(step_network(mesh({2, 2}), {port_rule::kind::Number, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace weft::schedule
