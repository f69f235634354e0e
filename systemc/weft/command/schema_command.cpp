// SPDX-License-Identifier: Apache-2.0
/// `weft schema`: lists all keys of a configuration, and all statistics of the results.
#include <iostream>
#include <memory>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/result_files.h"
#include "weft/configuration/schema.h"
#include "weft/report/statistics_page.h"

namespace weft::experiment {

namespace {

constexpr const char* SchemaHelp = R"(Examples:
  weft schema > weft.schema.json      for editors that check and complete YAML
  weft schema --markdown              a page of the documentation)";

struct schema_options {
  bool markdown = false;
  bool statistics = false;
};

int do_schema(const schema_options& options) {
  if (options.statistics)
    std::cout << (options.markdown ? statistics_page() : to_text(statistics_json()));
  else
    std::cout << (options.markdown ? markdown_page() : to_text(json_schema()));
  return Done;
}

}  // namespace

void add_schema(command_set& commands) {
  const auto options = std::make_shared<schema_options>();
  CLI::App& command = commands.add("schema", "Prints all keys of a configuration, as JSON Schema.", SchemaHelp,
                                   [options] { return do_schema(*options); });
  command.add_flag("--markdown", options->markdown, "print the page of the user guide");
  command.add_flag("--statistics", options->statistics, "print the statistics in results instead of the keys");
}

}  // namespace weft::experiment
