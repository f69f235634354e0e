// SPDX-License-Identifier: Apache-2.0
/// Commands and configurations of parts that were left out of the build (WEFT_COLLECTIVES=OFF, WEFT_MPI=OFF).
#include "cli/command.h"

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;

class cli_left_out : public command_test {
 protected:
  /// Expects that \p arguments fail with the name of the option that builds \p part.
  void expect_remedy(const std::vector<std::string>& arguments, const std::string& place, const std::string& option) {
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2) << arguments[0];
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(place + ": error: this build of Weft has no "));
    EXPECT_THAT(r.err, HasSubstr("; build it with -D" + option + "=ON\n"));
    EXPECT_TRUE(files_in("results").empty());
  }
};

TEST_F(cli_left_out, collectives_are_rejected_with_the_option_that_builds_them) {
  if (!lacks("collective")) GTEST_SKIP() << "this build has collectives";
  write("tree.yaml", "collective: {algorithm: tree}\n");
  for (const char* const command : {"collective", "schedule", "forwarding"})
    expect_remedy({command, "tree.yaml", "--quiet"}, "weft " + std::string(command), "WEFT_COLLECTIVES");
  expect_remedy({"check", "tree.yaml"}, "tree.yaml:1:25", "WEFT_COLLECTIVES");
}

TEST_F(cli_left_out, replays_are_rejected_with_the_option_that_builds_them) {
  if (!lacks("replay")) GTEST_SKIP() << "this build has replays";
  write("list.txt", "0 0 0 1 64\n");
  write("list.yaml", "workload: {trace: list.txt}\n");
  expect_remedy({"replay", "list.yaml", "--quiet"}, "weft replay", "WEFT_MPI");
  expect_remedy({"trace", "list.txt"}, "weft trace", "WEFT_MPI");
  for (const char* const command : {"check", "run"})
    expect_remedy({command, "list.yaml"}, "list.yaml:1:19", "WEFT_MPI");
}

}  // namespace
}  // namespace weft::cli
