// SPDX-License-Identifier: Apache-2.0
// The examples, of which some are replays.
#include <filesystem>

#include <gtest/gtest.h>

#include "weft/configuration/configuration.h"

namespace weft::experiment {
namespace {

TEST(unit_experiment_examples, load_without_errors) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    EXPECT_NO_THROW(load_configuration(entry.path())) << entry.path();
  }
  EXPECT_GE(count, 5u);
}

}  // namespace
}  // namespace weft::experiment
