// SPDX-License-Identifier: Apache-2.0
/// Invalid command lines, and several mistakes at once.

#include "cli/command.h"
#include <ostream>

#include <gmock/gmock.h>
#include <unistd.h>

namespace weft::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct bad_command {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;  ///< first line of standard error
};

void PrintTo(const bad_command& b, std::ostream* out) { *out << b.name; }

const bad_command BadCommands[] = {
    {"unknown_command",
     {"simulate", "good.yaml"},
     "weft: error: unknown command 'simulate'; expected one of run, sweep, saturation, curve, explore, bounds, "
     "export, plot, report, diff, collective, schedule, forwarding, topology, check, import, codec, trace, replay, "
     "map, schema, completion, manual"},
    {"misspelt_command", {"rum", "good.yaml"}, "weft: error: unknown command 'rum'; did you mean 'run'?"},
    {"sweep_without_keys",
     {"sweep", "good.yaml"},
     "good.yaml:1:1: error: there is nothing to sweep; expected a section sweep with over, linked or sample, or --over "
     "KEY=VALUES"},
    {"sweep_over_key_without_values",
     {"sweep", "good.yaml", "--over", "load"},
     "--over load: error: expected KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP"},
    {"sweep_over_an_unknown_key",
     {"sweep", "good.yaml", "--over", "network.router.vc=1,2"},
     "--over network.router.vc: error: unknown key 'vc' in network.router; did you mean 'vcs'?"},
    {"sweep_over_a_key_twice",
     {"sweep", "good.yaml", "--over", "network.router.vcs=1", "--over", "network.router.vcs=2"},
     "--over network.router.vcs: error: is swept twice; name it once"},
    {"sweep_over_an_output",
     {"sweep", "good.yaml", "--over", "output.name=a,b"},
     "--over output.name: error: cannot be swept, because all points have the same output; use --set"},
    {"sweep_with_a_log_for_each_point",
     {"sweep", "good.yaml", "--over", "network.router.vcs=1,2", "--set", "output.event_log=true"},
     "--set output.event_log=true: error: output.event_log has no effect here; a sweep or comparison "
     "writes no such file"},
    {"sweep_without_jobs",
     {"sweep", "good.yaml", "--over", "network.router.vcs=8", "-j", "0"},
     "weft: error: --jobs: Value 0 not in range 1 to 1024"},
    {"saturation_with_nan_width",
     {"saturation", "good.yaml", "--width", "nan"},
     "weft: error: --width: expected a number from 0.0001 to 1, got nan"},
    {"curve_with_nan_load",
     {"curve", "good.yaml", "--most", "nan"},
     "weft: error: --most: expected a number from 0.001 to 16, got nan"},
    {"forwarding_with_nan_time",
     {"forwarding", "good.yaml", "--seconds", "nan"},
     "weft: error: --seconds: expected a number from 0 to 1e+09, got nan"},
    {"sweep_part_out_of_range",
     {"sweep", "good.yaml", "--over", "network.router.vcs=8", "--part", "4/4"},
     "--part 4/4: error: expected I/N with I from 0 to N - 1, as in 0/4"},
    {"sweep_of_linked_lists_of_different_lengths",
     {"sweep", "good.yaml", "--linked", "network.router.vcs=1,2", "--linked", "network.router.depth=4"},
     "--linked network.router.depth: error: linked lists must have equal lengths; expected 2 values, as in the list of "
     "network.router.vcs, got 1"},
    {"no_configuration", {"run"}, "weft: error: CONFIG is required"},
    {"two_configurations",
     {"run", "good.yaml", "good.yaml"},
     "weft: error: The following argument was not expected: good.yaml"},
    {"setting_without_its_option",
     {"run", "good.yaml", "network.router.vcs=8"},
     "weft: error: The following argument was not expected: network.router.vcs=8; did you mean --set "
     "network.router.vcs=8?"},
    {"configuration_without_a_command",
     {"good.yaml"},
     "weft: error: 'good.yaml' is a file, expected a command; did you mean 'weft run good.yaml'?"},
    {"configuration_file_unreadable",
     {"check", "/proc/self/mem"},
     "/proc/self/mem: error: cannot be read: Input/output error; expected a YAML file"},
    {"configuration_is_an_endless_device",
     {"check", "/dev/zero"},
     "/dev/zero: error: is a device without an end; expected a YAML file"},
    {"diff_of_a_configuration",
     {"diff", "good.yaml", "good.yaml"},
     "good.yaml: error: expected a result of `weft run`, `weft collective` or `weft replay`, NAME.json; got another "
     "kind of file"},
    {"diff_of_missing_file",
     {"diff", "none.json", "good.yaml"},
     "none.json: error: cannot be opened: No such file or directory; expected a result of `weft run`, `weft "
     "collective` or `weft replay`, NAME.json"},
    {"equals_sign_without_value",
     {"topology", "good.yaml", "--json=", "--svg", "a.svg"},
     "weft: error: --json= requires a value"},
    {"unknown_option", {"run", "good.yaml", "--fast"}, "weft: error: The following argument was not expected: --fast"},
    {"option_without_value", {"run", "good.yaml", "--seed"}, "weft: error: --seed: 1 required N missing"},
    {"set_without_value", {"run", "good.yaml", "--set"}, "weft: error: --set: 1 required KEY=VALUE missing"},
    {"output_without_value", {"run", "good.yaml", "-o"}, "weft: error: --output: 1 required DIR missing"},
    {"configuration_missing",
     {"run", "none.yaml"},
     "none.yaml: error: cannot be opened: No such file or directory; expected a YAML file"},
    {"configuration_missing_in_check",
     {"check", "none.yaml"},
     "none.yaml: error: cannot be opened: No such file or directory; expected a YAML file"},
    {"configuration_is_a_directory", {"topology", "."}, ".: error: is a directory; expected a YAML file"},
    {"option_of_another_command",
     {"schema", "--json", "x"},
     "weft: error: The following arguments were not expected: x --json"},
    {"argument_of_schema", {"schema", "good.yaml"}, "weft: error: The following argument was not expected: good.yaml"},
};

class cli_bad_command : public command_test, public testing::WithParamInterface<bad_command> {};

TEST_P(cli_bad_command, is_rejected) {
  if (lacks(GetParam().arguments[0])) GTEST_SKIP() << GetParam().arguments[0] << " was left out of this build";
  write("good.yaml", "");
  const command_result r = weft(GetParam().arguments);
  EXPECT_EQ(first_line(r.err), GetParam().message);
  EXPECT_EQ(r.out, "");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(files_in("."), ElementsAre("good.yaml"));
}

INSTANTIATE_TEST_SUITE_P(table, cli_bad_command, testing::ValuesIn(BadCommands),
                         [](const auto& test) { return std::string(test.param.name); });

class cli_bad_input : public command_test {};

TEST_F(cli_bad_input, reports_all_errors_of_a_file_together) {
  write("bad.yaml", "network:\n  router: {vcs: 99, dept: 8}\nsimulation: {sed: 1}\n");
  const command_result r = weft({"check", "bad.yaml", "--set", "nic.ports=0"});
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(r.err,
            "bad.yaml:2:17: error: network.router.vcs: expected an integer from 1 to 16, got '99'\n"
            "bad.yaml:2:21: error: unknown key 'dept' in network.router; did you mean 'depth'?\n"
            "bad.yaml:3:14: error: unknown key 'sed' in simulation; did you mean 'seed'?\n"
            "--set nic.ports=0: error: nic.ports: expected an integer from 1 to 14, got '0'\n");
}

TEST_F(cli_bad_input, reports_up_to_10_errors_of_a_packet_list) {
  std::string list = "0 0 99 5 3\n0 x 0 5 3\n1 0 0 5\n";
  write("list.txt", list);
  write("bad.yaml", "workload: {packet_list: list.txt}\n");
  const std::string here = "bad.yaml:1:25: error: workload.packet_list: list.txt";
  EXPECT_EQ(weft({"check", "bad.yaml"}).err,
            here + ":1: expected a source in 0…63, found 99\n" + here +
                ":2: column 2 (cycle): expected a whole number 0…2^64-1, found 'x'\n" + here +
                ":3: expected 5 to 7 columns 'packet cycle source destination length type class', found 4\n");
  for (int i = 0; i < 20; ++i) list += "x\n";
  write("list.txt", list);
  const std::string err = weft({"check", "bad.yaml"}).err;
  EXPECT_THAT(err, HasSubstr(here + ":10: "));
  EXPECT_THAT(err, ::testing::EndsWith(here + ": there may be more errors; these are the first 10\n"));
}

TEST_F(cli_bad_input, error_gives_reason_for_unreadable_file) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read anything";
  write("bad.yaml", "");
  std::filesystem::permissions(m_directory / "bad.yaml", std::filesystem::perms::none);
  EXPECT_EQ(weft({"check", "bad.yaml"}).err,
            "bad.yaml: error: cannot be opened: Permission denied; expected a YAML file\n");
}

TEST_F(cli_bad_input, error_names_the_file_as_on_the_command_line) {
  write("deep/bad.yaml", "x: 1\n");
  EXPECT_THAT(weft({"check", "deep/bad.yaml"}).err, HasSubstr("deep/bad.yaml:1:1: error: "));
  const std::string whole = (m_directory / "deep" / "bad.yaml").string();
  EXPECT_THAT(weft({"check", whole}).err, HasSubstr(whole + ":1:1: error: "));
}

TEST_F(cli_bad_input, rejects_binary_data) {
  write("bad.yaml", std::string("\x00\xff\xfe{\x80:", 6));
  const command_result r = weft({"check", "bad.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("bad.yaml: error: is binary data"));
}

TEST_F(cli_bad_input, rejects_deep_nesting) {
  write("bad.yaml", std::string(100'000, '['));
  const command_result r = weft({"check", "bad.yaml"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err, HasSubstr("bad.yaml:1:"));
}

}  // namespace
}  // namespace weft::cli
