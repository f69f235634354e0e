// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/max_flow.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

/// The search must not need a stack as deep as the path is long.
TEST(unit_topology_max_flow, follows_paths_of_any_length) {
  constexpr std::size_t Vertices = 500'000;
  max_flow flow(Vertices);
  for (std::size_t v = 1; v < Vertices; ++v) flow.add_arc(v - 1, v, 3);
  EXPECT_EQ(flow.run(0, Vertices - 1), 3);
}

TEST(unit_topology_max_flow, finds_a_minimum_cut) {
  max_flow flow(4);
  flow.add_arc(0, 1, 3);
  flow.add_arc(0, 2, 2);
  flow.add_arc(1, 2, 5);
  flow.add_arc(1, 3, 2);
  flow.add_arc(2, 3, 2);
  EXPECT_EQ(flow.run(0, 3), 4);
  EXPECT_TRUE(flow.before_cut(1));
  EXPECT_FALSE(flow.before_cut(3));
  flow.reset();
  EXPECT_EQ(flow.run(0, 3, 1), 1);
}

TEST(unit_topology_max_flow, continues_after_a_capacity_is_raised) {
  max_flow flow(3);
  flow.add_arc(0, 1, 2);
  flow.add_arc(1, 2, 5);
  EXPECT_EQ(flow.run(0, 2), 2);
  flow.raise_capacity(0, 2);
  EXPECT_EQ(flow.run(0, 2), 2);
  EXPECT_EQ(flow.flow(0), 4);
}

TEST(unit_topology_max_flow, later_runs_keep_a_required_flow) {
  max_flow flow(4);
  flow.add_arc(0, 1, 1);
  flow.add_arc(0, 2, 1);
  flow.add_arc(1, 2, 1);
  flow.add_arc(2, 3, 1);
  flow.add_arc(3, 0, 1);
  flow.require(2, 1);
  EXPECT_EQ(flow.flow(0), 1);
  flow.require(1, 1);  // a cycle through arc 1 needs the only arc to vertex 3, which arc 2 uses
  EXPECT_EQ(flow.flow(1), 0);
  EXPECT_EQ(flow.flow(2), 1);
}

}  // namespace
}  // namespace weft
