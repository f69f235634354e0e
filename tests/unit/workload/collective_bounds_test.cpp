// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of collectives.
#include "weft/collectives/communication/collective_bounds.h"

#include "collective_support.h"
#include "support.h"
#include <stdexcept>

#include <gtest/gtest.h>

#include "weft/topology/generators/fat_tree.h"

namespace weft {
namespace {

TEST(unit_workload_collective_bounds, all_to_all_broadcast_is_bound_by_ejection) {
  for (const std::uint32_t k : {4u, 8u, 16u}) {
    const collective_floors floors = bounds_of({}, grid_network({k, k}));
    EXPECT_EQ(floors.ejection, k * k - 1);
    EXPECT_EQ(floors.injection, 1u);
    EXPECT_EQ(floors.flit_hops, std::uint64_t{k} * k * (k * k - 1));
    EXPECT_EQ(floors.cycles(), k * k - 1);
  }
}

TEST(unit_workload_collective_bounds, all_to_all_scatter_is_bound_by_the_bisection) {
  collective_parameters p;
  p.operation = collective_operation::Scatter;
  p.lengths = {4};
  const collective_floors floors = bounds_of(p, grid_network({8, 8}));
  EXPECT_EQ(floors.flit_hops, 21504u * 4);
  EXPECT_EQ(floors.injection, 63u * 4);
  EXPECT_EQ(floors.ejection, 63u * 4);
  EXPECT_EQ(floors.cut, 32u * 32 * 4 / 8);
}

/// Bounds of an all-to-all scatter of 200 flits each on a fat tree, given as \p network and as channels.
collective_floors scatter_on_tree(const fat_tree_shape& shape) {
  fat_tree_parameters tree;
  tree.shape = shape;
  const topology t = make_fat_tree(tree);
  collective_network network{static_cast<std::uint32_t>(t.nodes.size()), {}, false, {}};
  network.hops.assign(std::size_t{network.nodes} * network.nodes, 2);  // not used if nodes have several routers
  collective_parameters p;
  p.operation = collective_operation::Scatter;
  p.lengths = {200};
  return collective_bounds(p, network, schedule::step_network(t));
}

TEST(unit_workload_collective_bounds, bounds_count_all_ports_of_a_node) {
  const collective_floors gft_9 = scatter_on_tree(generalised_tree(2, 3, 3));
  EXPECT_EQ(gft_9.injection, 534u) << "8 data of 200 flits over 3 ports";
  EXPECT_EQ(gft_9.ejection, 534u);
  EXPECT_LE(gft_9.cycles(), 616u) << "what all at once takes";
  EXPECT_EQ(gft_9.flit_hops, 9u * 6 * 2 * 200) << "none between nodes at one router";
  const collective_floors gft_16 = scatter_on_tree(generalised_tree(2, 4, 2));
  EXPECT_EQ(gft_16.cut, 12u * 200) << "48 data leave a subtree over 4 channels";
}

TEST(unit_workload_collective_bounds, a_sum_of_many_nodes_counts_as_one_datum) {
  collective_parameters p;
  p.operation = collective_operation::Reduce;
  p.receivers = {5};
  p.lengths = {3};
  const collective_floors floors = bounds_of(p, grid_network({4, 4}));
  EXPECT_EQ(floors.flit_hops, 15u * 3);
  EXPECT_EQ(floors.injection, 3u);
  EXPECT_EQ(floors.ejection, 3u);
  EXPECT_EQ(floors.cut, 3u) << "out of any single node";
  p.operation = collective_operation::AllReduce;
  p.receivers = {};
  EXPECT_EQ(bounds_of(p, grid_network({4, 4})).flit_hops, 16u * 3);
}

TEST(unit_workload_collective_bounds, rejects_cuts_and_channels_of_another_network_size) {
  const collective_network four = grid_network({4});
  const schedule::step_network channels(topology_of(four));
  expect_error<std::invalid_argument>([&] { collective_bounds({}, four, channels, {{true}}); },
                                      "cut: 1 nodes, expected 4");
  expect_error<std::invalid_argument>([&] { collective_bounds({}, grid_network({2}), channels); },
                                      "channels: they connect 4 nodes, expected the 2 nodes of the network");
}

}  // namespace
}  // namespace weft
