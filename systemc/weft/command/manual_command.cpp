// SPDX-License-Identifier: Apache-2.0
/// `weft manual`: prints and writes manual pages.
#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/manual.h"
#include "weft/command/result_files.h"
#include "weft/core/printable.h"
#include "weft/core/suggest.h"

namespace weft::experiment {

namespace {

constexpr const char* ManualHelp = R"(Examples:
  weft manual run | man -l -
  weft manual configuration | man -l -
  weft manual -o man

Prints the manual page of COMMAND, or of weft itself, in the macros of man(7). The page `configuration` has all keys of
a configuration. With -o, writes all pages to a directory. An installed weft has its pages where `man weft-run` finds
them.)";

struct manual_options {
  std::string command;
  std::string directory;
};

/// The values of COMMAND.
std::vector<std::string> page_names(const command_set& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands.app().get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  names.push_back("configuration");
  return names;
}

int do_manual(const command_set& commands, const manual_options& options) {
  const std::vector<manual_page> pages = manual_pages(commands);
  if (!options.directory.empty()) {
    for (const manual_page& page : pages)
      write_text("-o", (std::filesystem::path(options.directory) / page.file()).string(), page.content);
    return Done;
  }
  for (const manual_page& page : pages)
    if (page.name == (options.command.empty() ? "weft" : "weft-" + options.command)) {
      std::cout << page.content;
      return Done;
    }
  fail("COMMAND", fmt::format("there is no manual page {}{}", in_quotes(options.command),
                              did_you_mean(options.command, page_names(commands))));
}

}  // namespace

void add_manual(command_set& commands) {
  const auto options = std::make_shared<manual_options>();
  CLI::App& command = commands.add("manual", "Prints the manual page of a command.", ManualHelp,
                                   [options, &commands] { return do_manual(commands, *options); });
  CLI::Option* page = command.add_option("COMMAND", options->command, "a command of weft, or `configuration`");
  commands.set_values(*page, [&commands] { return page_names(commands); });
  add_file_option(command, "-o,--output", options->directory, "write all pages to this directory")
      ->type_name("DIR")
      ->excludes(page);
}

}  // namespace weft::experiment
