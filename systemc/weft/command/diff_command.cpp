// SPDX-License-Identifier: Apache-2.0
/// `weft diff`: shows the differences of two results.
#include <iostream>
#include <memory>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/report/result_difference.h"

namespace weft::experiment {

namespace {

constexpr const char* DiffHelp = R"(Examples:
  weft diff results/before.json results/after.json
  weft diff results/seed_1.json results/seed_2.json --json -

Prints the configuration keys and the statistics that differ. If both results have a 95 % interval, a change is
beyond noise if it exceeds the root of the sum of the squares of both half widths. For lists, the command prints how
many elements differ. It does not compare the names of experiments and the versions of Weft.

Exit status: 0 the results are the same, 1 they differ, 2 wrong usage or input.)";

struct diff_options {
  std::string a, b;
  std::string json_file;
  bool quiet = false;
};

int do_diff(const diff_options& options) {
  check_outputs({{"--json", options.json_file}}, {{"A", options.a}, {"B", options.b}});
  const stored_result a = read_result(options.a), b = read_result(options.b);
  const result_difference found = difference_of(a.content, b.content);
  if (!options.quiet && options.json_file != "-") std::cout << to_table(found, a, b);
  if (!options.json_file.empty()) write_text("--json", options.json_file, to_text(to_json(found, a, b)));
  return found.any() ? Failed : Done;
}

}  // namespace

void add_diff(command_set& commands) {
  const auto options = std::make_shared<diff_options>();
  CLI::App& command =
      commands.add("diff", "Compares two results: prints the differences and whether they exceed noise.", DiffHelp,
                   [options] { return do_diff(*options); });
  command.add_option("A", options->a, "NAME.json, a result of weft run, weft collective or weft replay")
      ->type_name("FILE")
      ->required();
  command.add_option("B", options->b, "another result to compare with A")->type_name("FILE")->required();
  add_file_option(command, "--json", options->json_file, "write all differences; - for standard output");
  add_quiet(command, options->quiet);
}

}  // namespace weft::experiment
