// SPDX-License-Identifier: Apache-2.0
/// Shared by the tests of replays by the command: a 4x4 mesh, and the invariants of every replay that ended.
#pragma once

#include "mpi/recording.h"
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace weft::cli {

class mpi_replay : public recording_test {
 protected:
  void SetUp() override {
    recording_test::SetUp();
    write("mesh.yaml", "network: {topology: {kind: mesh, shape: [4, 4]}}\nsimulation: {level: engine}\n");
  }

  /// Runs `weft replay` and returns the result file.
  nlohmann::json replay(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"replay", "mesh.yaml", "--trace", "t", "-q"});
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, "");
    return nlohmann::json::parse(read("results/mesh.json"));
  }

  /// Checks the invariants of every replay that ended.
  static void expect_sound(const nlohmann::json& one) {
    EXPECT_EQ(one["outcome"], "complete");
    EXPECT_EQ(
        one["critical_path"]["computing"].get<std::uint64_t>() + one["critical_path"]["network"].get<std::uint64_t>(),
        one["makespan"]);
    std::uint64_t sent = 0;
    for (const auto& rank : one["ranks"]) {
      sent += rank["bytes"].get<std::uint64_t>();
      EXPECT_EQ(rank["computing"].get<std::uint64_t>() + rank["receiving"].get<std::uint64_t>() +
                    rank["sending"].get<std::uint64_t>(),
                rank["end"]);
    }
    EXPECT_EQ(one["bytes"], sent);
  }
};

}  // namespace weft::cli
