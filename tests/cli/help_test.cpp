// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class cli_help : public command_test {};

TEST_F(cli_help, lists_commands_when_run_without_arguments) {
  const command_result r = weft({});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.out, "");
  for (const char* const word :
       {"weft run examples/quickstart.yaml", "run", "sweep", "saturation", "curve", "export", "diff", "collective",
        "schedule", "forwarding", "topology", "check", "codec", "trace", "replay", "map", "schema", "--version"})
    EXPECT_THAT(r.err, HasSubstr(word));
}

TEST_F(cli_help, help_of_every_command_has_an_example) {
  EXPECT_EQ(weft({"--help"}).status, 0);
  for (const char* const command : {"run", "sweep", "saturation", "curve", "export", "diff", "collective", "schedule",
                                    "forwarding", "topology", "codec", "trace", "replay", "map", "schema"}) {
    if (lacks(command)) continue;
    const command_result r = weft({command, "--help"});
    EXPECT_EQ(r.status, 0);
    EXPECT_THAT(r.out, HasSubstr(std::string("Examples:\n  weft ") + command));
    EXPECT_EQ(r.err, "");
  }
  EXPECT_THAT(weft({"run", "--help"}).out, HasSubstr("Exit status: 0 done"));
  EXPECT_THAT(weft({"check", "--help"}).out, HasSubstr("--set"));
  EXPECT_THAT(weft({"topology", "--help"}).out, HasSubstr("--nics KIND:{streams,axi}"));
}

TEST_F(cli_help, lists_exit_statuses_after_sighup_and_ctrl_c) {
  for (const char* const command : {"run", "sweep", "collective", "schedule", "forwarding", "replay"})
    if (!lacks(command)) {
      EXPECT_THAT(weft({command, "--help"}).out, testing::ContainsRegex("129\\s+\\(?SIGHUP\\)?,\\s+130\\s+\\(?Ctrl-C"))
          << command;
    }
}

TEST_F(cli_help, option_texts_do_not_depend_on_neighboring_texts) {
  for (const char* const command :
       {"run", "sweep", "saturation", "curve", "export", "plot", "report", "diff", "collective", "schedule",
        "forwarding", "topology", "check", "codec", "trace", "replay", "map", "schema"}) {
    const std::string help = weft({command, "--help"}).out, options = help.substr(0, help.find("Examples:"));
    EXPECT_THAT(options, testing::Not(HasSubstr("otherwise"))) << command;
    EXPECT_THAT(options, testing::Not(testing::ContainsRegex("  (of|the same) "))) << command;
  }
}

TEST_F(cli_help, jobs_option_names_what_runs_in_parallel) {
  if (!lacks("collective")) {
    EXPECT_THAT(weft({"collective", "--help"}).out, HasSubstr("number of algorithms that"));
  }
  if (!lacks("replay")) {
    EXPECT_THAT(weft({"replay", "--help"}).out, HasSubstr("number of modes that"));
  }
  EXPECT_THAT(weft({"diff", "--help"}).out, HasSubstr("weft replay"));
}

TEST_F(cli_help, version_option_prints_the_version_number) {
  const command_result r = weft({"--version"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, MatchesRegex("weft [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(cli_help, schema_command_prints_json) {
  const command_result r = weft({"schema"});
  EXPECT_EQ(r.status, 0);
  const auto schema = nlohmann::json::parse(r.out);
  EXPECT_EQ(schema["properties"]["network"]["properties"]["router"]["properties"]["vcs"]["maximum"], 16);
}

TEST_F(cli_help, schema_command_prints_the_configuration_page) {
  const command_result r = weft({"schema", "--markdown"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, StartsWith("# Configuration\n"));
}

TEST_F(cli_help, schema_command_prints_the_statistics_page) {
  const command_result r = weft({"schema", "--statistics", "--markdown"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, StartsWith("# Statistics\n"));
}

TEST_F(cli_help, schema_command_prints_statistics_as_json) {
  const command_result r = weft({"schema", "--statistics"});
  EXPECT_EQ(r.status, 0);
  const auto statistics = nlohmann::json::parse(r.out);
  EXPECT_EQ(statistics["run"][0]["name"], "weft");
  if (!lacks("collective")) {
    EXPECT_EQ(statistics["collective"][0]["name"], "weft");
  }
}

TEST_F(cli_help, check_command_confirms_a_valid_configuration) {
  write("good.yaml", "workload: {pattern: transpose}\n");
  const command_result r = weft({"check", "good.yaml"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out, "good.yaml: good\n");
}

TEST_F(cli_help, standard_error_contains_no_systemc_banner) {
  write("good.yaml", "");
  EXPECT_EQ(weft({"check", "good.yaml"}).err, "");
}

}  // namespace
}  // namespace weft::cli
