// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/rank_mapping.h"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

const collective_network Mesh{16, {4, 4}, false, {}};

/// Each rank sends \p bytes to the next one, the last rank to the first.
std::vector<std::uint64_t> ring(std::uint32_t ranks, std::uint64_t bytes) {
  std::vector<std::uint64_t> traffic(std::size_t{ranks} * ranks, 0);
  for (std::uint32_t r = 0; r < ranks; ++r) traffic[std::size_t{r} * ranks + (r + 1) % ranks] = bytes;
  return traffic;
}

TEST(unit_workload_rank_mapping, cost_is_bytes_times_hops) {
  // From corner to corner of the mesh, in both directions.
  EXPECT_EQ(mapping_cost({0, 10, 3, 0}, {0, 15}, Mesh), 13u * 6);
  EXPECT_EQ(mapping_cost({99, 0, 0, 99}, {0, 15}, Mesh), 0u);  // from each rank to itself
}

TEST(unit_workload_rank_mapping, search_places_communicating_ranks_close_together) {
  std::vector<node_id> linear(16);
  for (node_id n = 0; n < 16; ++n) linear[n] = n;
  const auto traffic = ring(16, 8);
  const std::vector<node_id> placed = place_ranks(traffic, 16, Mesh, 1);
  EXPECT_EQ(std::set<node_id>(placed.begin(), placed.end()).size(), 16u);
  EXPECT_EQ(mapping_cost(traffic, linear, Mesh), 8u * (12 + 3 * 4 + 6));
  EXPECT_LE(mapping_cost(traffic, placed, Mesh), 8u * 20);  // a ring around the mesh has 16 hops
  EXPECT_EQ(place_ranks(traffic, 16, Mesh, 1), placed);
}

TEST(unit_workload_rank_mapping, search_also_uses_free_nodes) {
  // Ranks 0 and 3 of four communicate; in linear order they are three hops apart.
  std::vector<std::uint64_t> traffic(16, 0);
  traffic[3] = 100;
  const std::vector<node_id> placed = place_ranks(traffic, 4, Mesh, 7);
  EXPECT_EQ(mapping_cost(traffic, placed, Mesh), 100u);
  EXPECT_EQ(std::set<node_id>(placed.begin(), placed.end()).size(), 4u);
  EXPECT_TRUE(place_ranks({}, 0, Mesh, 1).empty());
}

}  // namespace
}  // namespace weft
