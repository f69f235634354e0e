// SPDX-License-Identifier: Apache-2.0
#include "weft/core/suggest.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(unit_core_suggest, edit_distance_counts_edits_and_swaps) {
  EXPECT_EQ(edit_distance("depth", "depth"), 0u);
  EXPECT_EQ(edit_distance("dept", "depth"), 1u);
  EXPECT_EQ(edit_distance("deepth", "depth"), 1u);
  EXPECT_EQ(edit_distance("tepth", "depth"), 1u);
  EXPECT_EQ(edit_distance("detph", "depth"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(unit_core_suggest, suggests_the_nearest_word_but_no_distant_one) {
  EXPECT_EQ(nearest("unifrom", {"transpose", "uniform"}), "uniform");
  EXPECT_EQ(nearest("dimension", {"dimension_order"}), "dimension_order");
  EXPECT_EQ(nearest("virtual-cut-through", {"wormhole", "virtual_cut_through"}), "virtual_cut_through");
  EXPECT_EQ(nearest("colour", {"vcs", "depth"}), "");
  EXPECT_EQ(nearest("", {"x"}), "");
  EXPECT_EQ(nearest(std::string(100'000, 'a'), {"x"}), "");
  EXPECT_EQ(nearest("TORUS", {"mesh", "torus"}), "torus");
  EXPECT_EQ(nearest("Dimension", {"dimension_order"}), "dimension_order");
  EXPECT_EQ(nearest("mesh", {"mesh_of_trees", "mesh"}), "mesh");
  EXPECT_EQ(did_you_mean("dept", {"vcs", "depth"}), "; did you mean 'depth'?");
  EXPECT_EQ(did_you_mean("router.vc", {"router.vc_allocator", "router.vcs"}), "; did you mean 'router.vcs'?");
  EXPECT_EQ(did_you_mean("west", {"west\r"}), "; did you mean 'west\\x0d'?");
  EXPECT_LT(did_you_mean("west", {"west" + std::string(5000, 'x')}).size(), 200U);
  EXPECT_EQ(did_you_mean("zzz", {"vcs", "depth"}), "");
}

}  // namespace
}  // namespace weft
