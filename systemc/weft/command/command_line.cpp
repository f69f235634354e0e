// SPDX-License-Identifier: Apache-2.0
#include "weft/command/command_line.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/standard_output.h"
#include "weft/core/printable.h"
#include "weft/core/suggest.h"
#include "weft/file/interruption.h"
#include "weft/report/format.h"

namespace weft::experiment {

namespace {

constexpr const char* Overview = R"(Weft simulates networks-on-chip.

  weft run examples/quickstart.yaml                  simulate, print a table, write results/
  weft run my.yaml --set workload.injection.load=0.3 the same with another load
  weft sweep my.yaml --over workload.injection.load=0.05:0.4:0.05
                                                     the same at many points: a table and a chart
  weft saturation my.yaml                            the highest load that the network carries
  weft curve my.yaml                                 latency over load
  weft explore my.yaml                               the best designs of a sweep, without simulating all
  weft bounds my.yaml                                bounds on the latency of regulated flows
  weft plot latency-load results/my.sweep.csv -o latency.svg
                                                     draw stored results
  weft report results                                write a web page with all results of a directory
  weft diff results/a.json results/b.json            compare two results
  weft collective examples/network_coding.yaml       simulate a collective communication
  weft schedule examples/schedule_mesh.yaml          schedule one in the fewest steps without conflicts
  weft forwarding --known dgx1 --collective allgather
                                                     the same with store and forward: steps, rounds, chunks
  weft topology my.yaml                              metrics of the network, without simulating
  weft check my.yaml                                 check the configuration
  weft codec --tune payload.bin                      compression ratios of recorded messages
  weft trace my.trace                                summarize a recorded MPI program
  weft replay my.yaml --trace my.trace               simulate that program on a network
  weft map tasks.txt my.yaml -o rates.txt            place the tasks of an application on nodes
  weft schema --markdown                             list all configuration keys
  weft completion bash                               a script for completion in a shell
  weft manual run | man -l -                         the manual page of a command
)";

/// In the order of `weft --help`.
constexpr void (*Commands[])(command_set&) = {
    add_run,    add_sweep, add_saturation, add_curve,    add_explore,    add_bounds,     add_export, add_plot,
    add_report, add_diff,  add_collective, add_schedule, add_forwarding, add_topology,   add_check,  add_import,
    add_codec,  add_trace, add_replay,     add_map,      add_schema,     add_completion, add_manual};

/// The error message if \p word, the first argument, is not a command; otherwise empty.
std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (word.rfind('-', 0) == 0 || std::find(names.begin(), names.end(), word) != names.end()) return "";
  if (std::error_code error; std::filesystem::is_regular_file(word, error))
    return fmt::format("weft: error: '{0}' is a file, expected a command; did you mean 'weft run {0}'?\n", word);
  const std::string hint = did_you_mean(word, names);
  return fmt::format("weft: error: unknown command {}{}\n", in_quotes(word),
                     hint.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : hint);
}

/// The error message if an option has no value after "=", as in "--json=", because CLI11 would use the next argument as
/// its value; otherwise empty. Words after "--" are not options.
std::string lacking_value(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") return "";
    if (word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1)
      return fmt::format("weft: error: {} requires a value\n", word);
  }
  return "";
}

/// A hint for an unexpected argument of the form KEY=VALUE, which may belong to --set; otherwise empty.
std::string setting_hint(const CLI::Error& e) {
  if (e.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return "";
  std::istringstream words(e.what());  // the arguments come last
  for (std::string word; words >> word;)
    if (const std::size_t equals = word.find('='); word[0] != '-' && equals != std::string::npos && equals > 0)
      return fmt::format("; did you mean --set {}?", word);
  return "";
}

int parse_and_run(int argc, const char* const* argv, const rtl_provider& rtl) {
  CLI::App app(Overview, "weft");
  app.set_version_flag("--version", std::string("weft ") + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return fmt::format("weft: error: {}\nSee `weft --help`, or --help of a command.\n",
                       printable(e.what() + setting_hint(e), "\n"));
  });
  command_set commands(app, rtl);
  for (const auto add : Commands) add(commands);

  if (argc <= 1) {
    std::cerr << app.help();
    return Wrong;
  }
  if (const std::string error = unknown_command(app, argv[1]); !error.empty()) {
    std::cerr << printable(error, "\n");
    return Wrong;
  }
  if (const std::string error = lacking_value(argc, argv); !error.empty()) {
    std::cerr << printable(error, "\n");
    return Wrong;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? Done : Wrong;
  }
  return commands.act();
}

/// Calls \p act and returns its exit status. If it throws, prints the message on standard error and returns the exit
/// status of the error.
template <class Act>
int run_reporting_errors(Act act) {
  try {
    return act();
  } catch (const configuration_error& e) {
    std::cerr << printable(e.what(), "\n") << "\n";
    return Wrong;
  } catch (const interrupted& e) {
    std::cerr << "weft: " << printable(e.what()) << "\n";
    return 128 + noted_signal();
  } catch (const std::exception& e) {
    std::cerr << "weft: error: " << printable(message_of(e), "\n") << "\n";
  }
  return Failed;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, const rtl_provider& rtl) {
  exit_on_signal();  // until a run checks for signals, a signal ends the process at once
  standard_output out;
  const int status = run_reporting_errors([&] { return parse_and_run(argc, argv, rtl); });
  const int flushed = run_reporting_errors([&out] {
    out.flush();
    return Done;
  });
  return status == Done ? flushed : status;
}

}  // namespace weft::experiment
