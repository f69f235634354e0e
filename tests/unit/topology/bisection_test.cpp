// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/bisection.h"

#include "unit/topology/random_networks.h"
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/loads.h"
#include "weft/topology/analysis/metrics.h"

namespace weft {
namespace {

/// The bisection over all partitions, by the definition.
std::size_t bisection_by_force(const topology& t) {
  std::size_t uneven = ~std::size_t{0}, least = 0;
  for (std::uint32_t low = 0; low < 1U << t.routers.size(); ++low) {
    std::size_t up = 0, down = 0, below = 0;
    for (const node_attachment& n : t.nodes) below += low >> n.ports.front().router & 1;
    for (const channel& c : t.channels) {
      const bool from = low >> c.from.router & 1, to = low >> c.to.router & 1;
      up += from && !to;
      down += !from && to;
    }
    const std::size_t difference =
        below > t.nodes.size() - below ? 2 * below - t.nodes.size() : t.nodes.size() - 2 * below;
    const std::size_t channels = std::max(up, down);
    if (difference < uneven || (difference == uneven && channels < least)) {
      uneven = difference;
      least = channels;
    }
  }
  return least;
}

RC_GTEST_PROP(unit_topology_bisection, search_matches_brute_force_on_small_networks, ()) {
  const topology t = random_graph(9, 3);
  RC_ASSERT(search_bisection(t).channels == bisection_by_force(t));
}

/// The bisection over all partitions of the routers and of the nodes that are attached to several routers.
std::size_t bisection_of_shared_nodes_by_force(const topology& t) {
  std::size_t uneven = ~std::size_t{0}, least = 0;
  for (std::uint32_t low = 0; low < 1U << t.routers.size(); ++low) {
    for (std::uint32_t nodes = 0; nodes < 1U << t.nodes.size(); ++nodes) {
      std::size_t up = 0, down = 0, below = 0;
      bool possible = true;
      const auto cross = [&](bool from, bool to) {
        up += from && !to;
        down += !from && to;
      };
      for (const channel& c : t.channels) cross(low >> c.from.router & 1, low >> c.to.router & 1);
      for (node_id n = 0; n < t.nodes.size(); ++n) {
        const bool side = nodes >> n & 1;
        below += side;
        const std::vector<port_ref>& ports = t.nodes[n].ports;
        for (const port_ref port : ports) {
          const bool router_side = low >> port.router & 1;
          if (ports.size() == 1 && router_side != side) possible = false;
          cross(side, router_side);
          cross(router_side, side);
        }
      }
      const std::size_t difference = std::max(below, t.nodes.size() - below) * 2 - t.nodes.size();
      if (!possible || below == 0 || below == t.nodes.size()) continue;
      if (difference > uneven || (difference == uneven && std::max(up, down) >= least)) continue;
      uneven = difference;
      least = std::max(up, down);
    }
  }
  return least;
}

RC_GTEST_PROP(unit_topology_bisection, handles_nodes_attached_to_several_routers, ()) {
  topology t = random_graph(6, 2);
  for (node_attachment& node : t.nodes) {
    const auto other = *rc::gen::inRange<router_id>(0, static_cast<router_id>(t.routers.size()));
    if (t.nodes.size() > 2 && other != node.ports.front().router)
      node.ports.push_back({other, t.routers[other].ports++});
  }
  RC_PRE(t.nodes.size() <= 8);
  const bisection found = search_bisection(t);
  RC_ASSERT(found.channels == bisection_of_shared_nodes_by_force(t));
  RC_ASSERT(found.low_nodes.size() == t.nodes.size());
  RC_ASSERT(partition_bisection(t).channels >= found.channels ||
            std::count(found.low_nodes.begin(), found.low_nodes.end(), true) * 2 !=
                static_cast<std::ptrdiff_t>(t.nodes.size()));
}

RC_GTEST_PROP(unit_topology_bisection, heuristic_is_balanced_and_near_optimal, ()) {
  const topology t = random_graph(16, 1);
  const bisection found = partition_bisection(t), best = search_bisection(t);
  RC_ASSERT(found.channels >= best.channels);
  RC_ASSERT(found.channels <= 2 * best.channels + 2);  // never much worse
  const auto low = std::count_if(t.nodes.begin(), t.nodes.end(),
                                 [&](const node_attachment& n) { return found.low[n.ports.front().router]; });
  RC_ASSERT(low == static_cast<std::ptrdiff_t>(t.nodes.size() / 2) ||
            low == static_cast<std::ptrdiff_t>((t.nodes.size() + 1) / 2));
}

TEST(unit_topology_bisection, grid_formula_matches_search) {
  for (const bool rings : {false, true})
    for (const shape_t& shape :
         {shape_t{7}, {8}, {3, 3}, {4, 3}, {5, 3}, {4, 4}, {3, 5}, {2, 2, 3}, {3, 2, 2}, {2, 2, 2, 2}}) {
      const topology t = grid_of(shape, rings, grid_algorithm::DimensionOrder);
      EXPECT_EQ(find_bisection(t, recognise_grid(t)).channels, search_bisection(t).channels)
          << ::testing::PrintToString(shape) << rings;
    }
}

TEST(unit_topology_bisection, of_a_k_ary_tree_is_half_the_node_count) {
  EXPECT_EQ(compute_metrics(tree_of(2, 3, ascent::Random)).bisection_channels, 4U);
  EXPECT_EQ(compute_metrics(tree_of(4, 2, ascent::Random)).bisection_channels, 8U);
  const topology_metrics f = compute_metrics(tree_of(4, 3, ascent::Random));
  EXPECT_EQ(f.bisection_channels, 32U);
  EXPECT_FALSE(f.bisection_exact);
}

}  // namespace
}  // namespace weft
