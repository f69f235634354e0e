// SPDX-License-Identifier: Apache-2.0
/// `--json` of the commands that write results: to a file, and to standard output.
#include "cli/command.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class cli_result_json : public command_test {
 protected:
  cli_result_json() {
    write("in/grid.yaml",
          "network: {topology: {shape: [3, 3]}}\n"
          "workload: {packet_list: list.txt}\n"
          "simulation: {level: engine, warmup: 0, measure: 1000}\n");
    write("in/list.txt", "0 0 0 8 4\n1 5 3 1 2\n");
    write("group.yaml",
          "collective: {algorithm: tree}\nnetwork: {topology: {shape: [2, 2]}}\nsimulation: {level: engine}\n");
  }
};

TEST_F(cli_result_json, standard_output_has_the_result_and_nothing_else) {
  const command_result r = weft({"run", "in/grid.yaml", "--json", "-"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(json::parse(r.out)["outcome"], "complete");
  EXPECT_EQ(json::parse(r.out)["configuration"]["workload"]["packet_list"], "in/list.txt");
  EXPECT_THAT(files_in("results"), IsEmpty());

  write("again.json", r.out);  // in the working directory, to which the paths in the output are relative
  EXPECT_EQ(weft({"run", "again.json", "--json", "-"}).out, r.out);
}

TEST_F(cli_result_json, a_file_replaces_the_results_in_the_directory) {
  ASSERT_EQ(weft({"run", "in/grid.yaml", "-q"}).status, 0);
  const command_result r = weft({"run", "in/grid.yaml", "--json", "deep/er/r.json", "-o", "other"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("wrote deep/er/r.json\n"));
  EXPECT_THAT(r.out, Not(HasSubstr("other/")));
  EXPECT_THAT(files_in("other"), IsEmpty());
  EXPECT_THAT(files_in("deep/er"), ElementsAre("r.json"));
  json there = json::parse(read("deep/er/r.json")), here = json::parse(read("results/grid.json"));
  EXPECT_EQ(there["configuration"]["workload"]["packet_list"], "../../in/list.txt");
  there.erase("configuration");
  here.erase("configuration");
  EXPECT_EQ(there, here);
  EXPECT_EQ(weft({"run", "deep/er/r.json", "--json", "-"}).status, 0);
}

TEST_F(cli_result_json, other_requested_files_go_to_the_directory) {
  const command_result r = weft({"run", "in/grid.yaml", "--json", "-", "--set", "output.event_log=true"});
  EXPECT_NO_THROW(json::parse(r.out)) << r.err;
  EXPECT_THAT(files_in("results"), ElementsAre("grid.events"));
}

TEST_F(cli_result_json, collectives_write_results_and_counts) {
  if (lacks("collective")) GTEST_SKIP() << "built without collectives";
  const command_result r = weft({"collective", "group.yaml", "--json", "-"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(json::parse(r.out).contains("configuration"));
  EXPECT_TRUE(json::parse(weft({"collective", "group.yaml", "--analyse", "--json", "-"}).out).contains("algorithms"));
  const command_result both = weft({"collective", "group.yaml", "--compare", "tree", "--json", "-"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--json -: error: not with --compare"));
  EXPECT_THAT(files_in("results"), IsEmpty());
}

TEST_F(cli_result_json, inputs_are_not_overwritten) {
  const command_result r = weft({"run", "in/grid.yaml", "--json", "in/list.txt"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("--json in/list.txt: error: would overwrite"));
  EXPECT_EQ(read("in/list.txt"), "0 0 0 8 4\n1 5 3 1 2\n");
}

}  // namespace
}  // namespace weft::cli
