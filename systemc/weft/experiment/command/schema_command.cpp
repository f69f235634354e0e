/// `weft schema`: all keys of a configuration.
#include <iostream>
#include <memory>

#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/command/result_files.h"
#include "weft/experiment/configuration/schema.h"

namespace weft::experiment {

namespace {

constexpr const char* Help = R"(Examples:
  weft schema > weft.schema.json      an editor can check and complete with it
  weft schema --markdown              the same for people)";

int do_schema(bool markdown) {
  std::cout << (markdown ? markdown_page() : to_text(json_schema()));
  return Done;
}

}  // namespace

void add_schema(command_set& commands) {
  const auto markdown = std::make_shared<bool>(false);
  CLI::App& command = commands.add("schema", "Prints all keys of a configuration, as JSON Schema.", Help,
                                   [markdown] { return do_schema(*markdown); });
  command.add_flag("--markdown", *markdown, "as the page of the user guide");
}

}  // namespace weft::experiment
