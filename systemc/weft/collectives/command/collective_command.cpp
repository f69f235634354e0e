// SPDX-License-Identifier: Apache-2.0
/// `weft collective`: simulates a collective communication.
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "weft/collectives/report/collective_results.h"
#include "weft/collectives/simulation/collective_experiment.h"
#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/comparison_file.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/core/printable.h"
#include "weft/study/point.h"

namespace weft::experiment {

namespace {

constexpr const char* CollectiveHelp = R"(Examples:
  weft collective examples/network_coding.yaml
  weft collective examples/network_coding.yaml --compare all_at_once,tree,neighbour_forwarding,network_coding
  weft collective examples/network_coding.yaml --set collective.barriers=true --set nic.coding=true \
      --set nic.coding.entries=64
  weft collective examples/network_coding.yaml --analyse --set 'network.topology.shape=[256, 256]' \
      --set simulation.level=engine

Simulates the collective that the section `collective` describes. A node sends a message as soon as it has the data,
and stores what it receives. At the end, the command checks every word. Writes NAME.json and NAME.csv. With --compare,
it simulates each algorithm in its own process, and writes NAME.compare.csv with one row per algorithm. --analyse counts
the messages and hops of each step without simulating.

Exit status: 0 done, 1 a node lacks data at the end, an XOR decoder overflowed, or the network is deadlocked, 2 wrong
usage or input, 129 SIGHUP, 130 Ctrl-C, 143 SIGTERM.)";

struct collective_command_options {
  input in;
  std::vector<std::string> algorithms;
  unsigned jobs = default_jobs();
  bool analyse = false;
  std::string json_file;
  bool quiet = false;
};

int do_collective(const collective_command_options& options, const rtl_provider& rtl) {
  const input& in = options.in;
  configuration c = in.load();
  const std::optional<played_schedule> played = read_schedule_of(c);
  warn_other_version(c);
  handle_signals();
  result_files files = build_watched([&] { return result_files(c, kept_inputs_of(in, c), options.json_file); });
  collective_experiment work = build_watched(
      [&] { return collective_experiment(c, files.log(), files.vcd(), rtl, played ? &*played : nullptr); });

  progress_line progress(std::cerr, shows_progress(c, options.quiet));
  const collective_result result = work.run(files.while_writable(hooks_of_session(progress)));
  progress.clear();

  work.tear_down();
  const collective_summary r{c, work, result, work.floors()};
  const std::vector<std::string> written = files.write(r);
  if (!options.quiet && !files.is_on_standard_output()) {
    std::cout << to_table(r);
    for (const std::string& name : written) std::cout << written_line(name);
  }
  return end_of_run(result.how, result.explanation, options.quiet);
}

/// The configurations with the algorithms in `--compare`, or the configuration in the file if that option is not given.
std::vector<configuration> configurations_of(const input& in, const std::vector<std::string>& algorithms) {
  std::vector<configuration> list;
  for (const std::string& name : algorithms)
    list.push_back(in.load({{"collective.algorithm", name, "--compare " + name, PointLayer}}));
  if (list.empty()) list.push_back(in.load());
  return list;
}

/// Simulates one of several configurations in its own process.
work_result play_one(configuration c, const rtl_provider& rtl) {
  const std::optional<played_schedule> played = read_schedule_of(c);
  collective_experiment work =
      build_watched([&] { return collective_experiment(c, nullptr, {}, rtl, played ? &*played : nullptr); });
  const collective_result result = work.run(hooks_of_session());
  work.tear_down();
  for (const std::string& line : result.explanation) std::cerr << "  " << printable(line) << "\n";
  return {status_of(result.how), to_csv({c, work, result, work.floors()})};
}

int do_compare(const collective_command_options& options, const rtl_provider& rtl) {
  const std::vector<std::string>& algorithms = options.algorithms;
  const std::vector<configuration> configurations = configurations_of(options.in, algorithms);
  for (const configuration& c : configurations) check_sweepable(c);
  handle_signals();
  const configuration& first = configurations.front();
  comparison_file file(options.in, first);
  const std::vector<work_result> rows =
      run_points_of_session(algorithms.size(), options.jobs, shows_progress(first, options.quiet),
                            [&](std::size_t i) { return play_one(configurations[i], rtl); });
  return file.write(algorithms, rows, options.quiet, comparison_of_collectives);
}

int do_analyse(const input& in, const std::vector<std::string>& algorithms, const std::string& json_file) {
  const std::vector<configuration> configurations = configurations_of(in, algorithms);
  check_outputs({{"--json", json_file}}, inputs_of(in, configurations.front()));
  std::vector<std::pair<std::string, collective_counts>> counts;
  for (const configuration& c : configurations) counts.emplace_back(algorithm_of(c), count_collective(c));
  const configuration& first = configurations.front();
  if (json_file != "-") std::cout << analysis_table(first, counts);
  if (!json_file.empty()) write_text("--json", json_file, to_text(analysis_json(first, counts, json_file)));
  return Done;
}

int dispatch(const collective_command_options& options, const rtl_provider& rtl) {
  if (options.analyse) return do_analyse(options.in, options.algorithms, options.json_file);
  if (!options.algorithms.empty() && !options.json_file.empty())
    fail("--json " + options.json_file, "not with --compare, unless --analyse is given, too");
  if (!options.algorithms.empty()) return do_compare(options, rtl);
  return do_collective(options, rtl);
}

}  // namespace

void add_collective(command_set& commands) {
  const auto options = std::make_shared<collective_command_options>();
  CLI::App& command = commands.add("collective", "Simulates a collective communication and writes its results.",
                                   CollectiveHelp, [options, &commands] { return dispatch(*options, commands.rtl()); });
  add_input(command, options->in);
  add_seed(command, options->in);
  add_output(command, options->in);
  command
      .add_option("--compare", options->algorithms,
                  "compare these algorithms, separated by commas, in a table and a CSV file")
      ->type_name("ALGORITHMS")
      ->delimiter(',');
  add_jobs(command, options->jobs, "algorithms that --compare simulates");
  command.add_flag("--analyse", options->analyse, "count messages and hops only, without simulating");
  add_result_json(command, options->json_file)
      ->description(
          "write the result, or the counts of --analyse, to this file instead of NAME.json and NAME.csv; - for "
          "standard output, without the table");
  add_quiet(command, options->quiet);
}

}  // namespace weft::experiment
