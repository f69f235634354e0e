// SPDX-License-Identifier: Apache-2.0
/// `weft replay`: replays a program on a network.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/comparison_file.h"
#include "weft/command/exit_status.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/core/printable.h"
#include "weft/core/quote.h"
#include "weft/mpi/report/replay_results.h"
#include "weft/mpi/simulation/replay_experiment.h"
#include "weft/study/point.h"

namespace weft::experiment {

namespace {

constexpr const char* ProgramHelp = R"(Examples:
  weft replay my.yaml
  weft replay my.yaml --trace my.trace --set simulation.level=engine
  weft replay my.yaml --trace my.trace --compare --map optimised --computing 0.1

Simulates the program of workload.trace, which libweft_mpi.so recorded, on the network of CONFIG. Each rank makes its
calls in order, computes between them for the recorded time, and waits when MPI requires it. Reports the makespan, the
time that each rank computed, waited and sent, and the critical path, in cycles. Writes NAME.json and NAME.csv. With
--compare, it simulates each nic.compression.mode (none, always, selective) in its own process, and writes
NAME.compare.csv with one row per mode.

Exit status: 0 done, 1 some calls have no partner, or the network is deadlocked, 2 wrong usage or input, 129 SIGHUP,
130 Ctrl-C, 143 SIGTERM.)";

struct program_options {
  input in;
  std::vector<setting> settings;  ///< from options that abbreviate keys
  bool compare = false;
  std::string json_file;
  unsigned jobs = default_jobs();
  bool quiet = false;
};

configuration load_replay(const program_options& options, const std::vector<setting>& more = {}) {
  std::vector<setting> all = options.settings;
  all.insert(all.end(), more.begin(), more.end());
  return options.in.load(all);
}

int do_replay_program(const program_options& options, const rtl_provider& rtl) {
  const configuration c = load_replay(options);
  warn_other_version(c);
  handle_signals();
  result_files files = build_watched([&] { return result_files(c, kept_inputs_of(options.in, c), options.json_file); });
  replay_experiment work = build_watched([&] { return replay_experiment(c, files.log(), files.vcd(), rtl); });
  progress_line progress(std::cerr, shows_progress(c, options.quiet));
  const replay_result result = work.run(files.while_writable(hooks_of_session(progress)));
  progress.clear();
  work.tear_down();
  const replay_summary r{c, work, result};
  const std::vector<std::string> written = files.write(r);
  if (!options.quiet && !files.is_on_standard_output()) {
    std::cout << to_table(r);
    for (const std::string& name : written) std::cout << written_line(name);
  }
  return end_of_run(result.how, result.explanation, options.quiet);
}

/// Replays the program with one of several compression modes, in its own process.
work_result replay_one(const configuration& c, const rtl_provider& rtl) {
  replay_experiment work = build_watched([&] { return replay_experiment(c, nullptr, {}, rtl); });
  const replay_result result = work.run(hooks_of_session());
  work.tear_down();
  for (const std::string& line : result.explanation) std::cerr << "  " << printable(line) << "\n";
  return {status_of(result.how), to_csv({c, work, result})};
}

int do_compare_modes(const program_options& options, const rtl_provider& rtl) {
  const std::vector<std::string> modes{"none", "always", "selective"};
  std::vector<configuration> configurations;
  for (const std::string& mode : modes) {
    configurations.push_back(load_replay(options, {{"nic.compression.mode", mode, "--compare", PointLayer}}));
    check_sweepable(configurations.back());
  }
  handle_signals();
  const configuration& first = configurations.front();
  comparison_file file(options.in, first);
  {  // Reports errors of the input once. The engine needs no elaboration, which only the child processes may do.
    configuration input = first;
    input.simulation.level = abstraction_level::Engine;
    const replay_experiment readable(input, nullptr, {}, rtl);
  }
  const std::vector<work_result> rows =
      run_points_of_session(modes.size(), options.jobs, shows_progress(first, options.quiet),
                            [&](std::size_t i) { return replay_one(configurations[i], rtl); });
  return file.write(modes, rows, options.quiet, comparison_of_replays);
}

/// Declares the options that abbreviate keys.
void add_shorts(CLI::App& command, program_options& options) {
  command
      .add_option_function<std::string>(
          "--trace",
          [&options](const std::string& value) {
            options.settings.push_back({"workload.trace", quoted(value), "--trace " + value});
          },
          "the program, a folder or a file; short for --set workload.trace=FILE")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--map",
          [&options](const std::string& value) {
            const bool names = value.find_first_of("0123456789") == std::string::npos;
            options.settings.push_back({names ? "workload.replay.map" : "workload.replay.nodes",
                                        names ? quoted(value) : "[" + value + "]", "--map " + value});
          },
          "placement of the ranks: linear, optimised, or a list of nodes such as 0,5,10; short for workload.replay.map "
          "or .nodes")
      ->type_name("MAP");
  command
      .add_option_function<std::string>(
          "--computing",
          [&options](const std::string& value) {
            options.settings.push_back({"workload.replay.computing", value, "--computing " + value});
          },
          "factor for the computing time between calls; short for workload.replay.computing")
      ->type_name("SHARE");
}

}  // namespace

void add_replay(command_set& commands) {
  const auto options = std::make_shared<program_options>();
  CLI::App& command = commands.add("replay", "Simulates a recorded program on a network and writes its results.",
                                   ProgramHelp, [options, &commands] {
                                     return options->compare ? do_compare_modes(*options, commands.rtl())
                                                             : do_replay_program(*options, commands.rtl());
                                   });
  add_input(command, options->in);
  add_seed(command, options->in);
  add_output(command, options->in);
  add_shorts(command, *options);
  CLI::Option* const compare =
      command.add_flag("--compare", options->compare,
                       "simulate the modes none, always and selective of nic.compression.mode, and compare them");
  add_result_json(command, options->json_file)->excludes(compare);
  add_jobs(command, options->jobs, "modes that --compare simulates");
  add_quiet(command, options->quiet);
}

}  // namespace weft::experiment
