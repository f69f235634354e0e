// SPDX-License-Identifier: Apache-2.0
/// key_at(): the key at a line and a column of a YAML text.
#include "weft/yaml/key_at.h"

#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

const std::string Text =
    "network:\n"
    "  router:\n"
    "    vcs: 4\n"
    "  topology: {kind: mesh, shape: [4, 4]}\n"
    "seed: 1\n";

TEST(unit_yaml_key_at, finds_keys_of_blocks_by_name_and_by_value) {
  EXPECT_EQ(key_at(Text, 3, 5), "network.router.vcs");
  EXPECT_EQ(key_at(Text, 3, 10), "network.router.vcs");
  EXPECT_EQ(key_at(Text, 1, 1), "network");
  EXPECT_EQ(key_at(Text, 5, 7), "seed");
}

TEST(unit_yaml_key_at, finds_keys_of_maps_on_one_line) {
  EXPECT_EQ(key_at(Text, 4, 20), "network.topology.kind");
  EXPECT_EQ(key_at(Text, 4, 33), "network.topology.shape");
  EXPECT_EQ(key_at(Text, 4, 37), "network.topology.shape");
}

TEST(unit_yaml_key_at, is_empty_without_keys) {
  EXPECT_EQ(key_at("", 1, 1), "");
  EXPECT_EQ(key_at("a: [1", 1, 1), "");
  EXPECT_EQ(key_at("just text", 1, 1), "");
  EXPECT_EQ(key_at("\n\na: 1\n", 1, 1), "");
}

}  // namespace
}  // namespace weft
