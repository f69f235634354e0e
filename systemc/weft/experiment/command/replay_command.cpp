// SPDX-License-Identifier: Apache-2.0
/// `weft replay`: an MPI program on a network.
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/command/file_arguments.h"
#include "weft/experiment/command/result_files.h"
#include "weft/experiment/command/session.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/program/program_results.h"

namespace weft::experiment {

namespace {

constexpr const char* ProgramHelp = R"(Examples:
  weft replay my.yaml --trace my.trace --set simulation.level=tlm
  weft replay my.yaml --trace my.trace --compare --set simulation.level=tlm
  weft replay my.yaml --trace my.trace --map optimised --computing 0.1 --json replay.json

Replays a program that libweft_mpi.so recorded on the network of CONFIG: each rank does its calls in order, computes
between them for as long as it did, and waits where MPI makes it wait. Makespan, what each rank did with its time, and
the critical path, in cycles. --compare replays it with nic.compression.mode none, always and selective.

Exit status: 0 done, 1 calls that nobody matches, or the network is deadlocked, 2 wrong usage or input, 130 Ctrl-C, 143
SIGTERM.)";

struct program_options {
  input in;
  std::string trace;
  replay_choices choices;
  bool compare = false;
  std::string json_file;
  bool quiet = false;
};

std::vector<configuration> configurations_to_replay(const program_options& asked) {
  if (!asked.compare) return {asked.in.load()};
  std::vector<configuration> list;
  for (const char* const mode : {"none", "always", "selective"}) {
    list.push_back(asked.in.load({{"nic.compression.mode", mode, "--compare"}}));
    if (list.back().simulation.level != level_kind::Tlm)
      fail("--compare", "takes simulation.level=tlm: at pin level a process has one network");
  }
  return list;
}

int do_replay_program(const program_options& asked, const rtl_provider& rtl) {
  const std::vector<configuration> configurations = configurations_to_replay(asked);
  std::vector<file_argument> read = inputs_of(asked.in, configurations.front());
  for (file_argument& file : trace_files("--trace", asked.trace)) read.push_back(std::move(file));
  check_outputs({{"--json", asked.json_file}}, read);
  const replay_program program = read_program(asked.trace);
  handle_signals();
  program_report report{configurations.front(), asked.trace, program, asked.choices, {}};
  int status = Done;
  for (const configuration& c : configurations) {
    progress_line progress(std::cerr, shows_progress(c, asked.quiet));
    report.replays.push_back({to_json(c).at(pointer_to("nic.compression.mode")),
                              replay_program_on(c, program, asked.choices, rtl, hooks_of_session(progress))});
    progress.clear();
    const program_figures& f = report.replays.back().figures;
    status = end_of_run(f.how, f.explanation, asked.quiet);
    if (status != Done) break;
  }
  if (!asked.quiet && asked.json_file != "-") std::cout << to_table(report);
  if (!asked.json_file.empty()) write_text("--json", asked.json_file, to_text(to_json(report)));
  return status;
}

}  // namespace

void add_replay(command_set& commands) {
  const auto options = std::make_shared<program_options>();
  CLI::App& command =
      commands.add("replay", "Replays an MPI program on a network and tells what it takes.", ProgramHelp,
                   [options, &commands] { return do_replay_program(*options, commands.rtl()); });
  replay_choices& choices = options->choices;
  add_input(command, options->in);
  add_seed(command, options->in);
  add_file_option(command, "--trace", options->trace, "the program: a folder or a file that libweft_mpi.so wrote")
      ->required();
  command.add_option("--map", choices.map, "nodes of the ranks: linear, optimised, or a list as in 0,5,10")
      ->type_name("MAP");
  command.add_option("--computing", choices.computing, "share of the time between calls that is replayed; otherwise 1")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1000.0));
  command.add_option("--gigahertz", choices.gigahertz, "clock of the network, for that time; otherwise 1")
      ->type_name("GHZ")
      ->check(CLI::Range(0.001, 1000.0));
  command.add_option("--eager", choices.eager, "bytes of the longest message that does not ask first; otherwise 4096")
      ->type_name("BYTES");
  command.add_option("--packet", choices.packet, "flits of the longest packet; otherwise 16")
      ->type_name("FLITS")
      ->check(CLI::Range(1u, (1u << 24) - 1));
  command.add_flag("--compare", options->compare, "without compression, always and selectively compressed");
  add_file_option(command, "--json", options->json_file, "write all figures; - for standard output");
  add_quiet(command, options->quiet);
}

}  // namespace weft::experiment
