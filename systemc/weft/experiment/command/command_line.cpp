// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/command/command_line.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/suggest.h"
#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/report/format.h"

namespace weft::experiment {

namespace {

constexpr const char* Overview = R"(Weft simulates networks-on-chip.

  weft run examples/quickstart.yaml                  simulate, print a table, write results/
  weft run my.yaml --set workload.injection.load=0.3 the same with another load
  weft sweep my.yaml --over workload.injection.load=0.05:0.4:0.05
                                                     the same at many points: a table and a drawing
  weft collective examples/network_coding.yaml       play a collective communication
  weft schedule examples/schedule_mesh.yaml          in how few steps can it be done without conflicts?
  weft forwarding --known dgx1 --collective allgather
                                                     the same by store and forward: steps, rounds, chunks
  weft topology my.yaml                              what can be said without simulating
  weft check my.yaml                                 is the configuration right?
  weft codec --tune payload.bin                      what the codecs make of recorded messages
  weft schema --markdown                             all keys of a configuration
)";

/// In the order of `weft --help`.
constexpr void (*Commands[])(command_set&) = {add_run,      add_sweep, add_collective, add_schedule, add_forwarding,
                                              add_topology, add_check, add_codec,      add_schema};

/// What is wrong with a command line that begins with \p word, or nothing.
std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (word.rfind('-', 0) == 0 || std::find(names.begin(), names.end(), word) != names.end()) return "";
  const std::string hint = did_you_mean(word, names);
  return fmt::format("weft: error: unknown command '{}'{}\n", word,
                     hint.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : hint);
}

int parse_and_run(int argc, const char* const* argv, const stage_provider& rtl_stages) {
  CLI::App app(Overview, "weft");
  app.set_version_flag("--version", std::string("weft ") + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return fmt::format("weft: error: {}\nSee `weft --help`, or --help of a command.\n", e.what());
  });
  command_set commands(app, rtl_stages);
  for (const auto add : Commands) add(commands);

  if (argc <= 1) {
    std::cerr << app.help();
    return Wrong;
  }
  if (const std::string error = unknown_command(app, argv[1]); !error.empty()) {
    std::cerr << error;
    return Wrong;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? Done : Wrong;
  }
  return commands.act();
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const stage_provider& rtl_stages) {
  try {
    const int status = parse_and_run(argc, argv, rtl_stages);
    std::cout.flush();
    return status;
  } catch (const configuration_error& e) {
    std::cerr << e.what() << "\n";
    return Wrong;
  } catch (const std::exception& e) {
    std::cerr << "weft: error: " << e.what() << "\n";
  }
  return Failed;
}

}  // namespace weft::experiment
