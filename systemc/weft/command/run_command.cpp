// SPDX-License-Identifier: Apache-2.0
/// `weft run`: simulates an experiment.
#include <iostream>
#include <memory>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"

namespace weft::experiment {

namespace {

constexpr const char* RunHelp = R"(Examples:
  weft run examples/quickstart.yaml
  weft run examples/quickstart.yaml --set workload.pattern=transpose --set workload.injection.load=0.2
  weft run examples/quickstart.yaml --seed 7 -o results/seed_7 --quiet
  weft run - --json - < my.yaml > result.json

Writes NAME.json and NAME.csv, named like CONFIG, to the directory `results` or the one given by --output. Section
`output` of the configuration also enables an event log, packet answers and waveforms. Ctrl-C ends a run early and
writes the results so far, marked as `interrupted`; a second Ctrl-C kills the process.

Exit status: 0 done (also if the network is saturated, which is a valid result), 1 the run failed (nothing measured,
deadlock, packets not delivered within the limit, a flit lost, changed or misdelivered), 2 wrong usage or input,
129 SIGHUP, 130 Ctrl-C, 143 SIGTERM.)";

struct run_options {
  input in;
  std::string json_file;
  bool quiet = false;
};

int do_run(const run_options& options, const rtl_provider& rtl) {
  const input& in = options.in;
  const configuration c = in.load();
  require_flowing_traffic(c);
  warn_other_version(c);
  handle_signals();
  result_files files = build_watched([&] { return result_files(c, kept_inputs_of(in, c), options.json_file); });
  experiment work = build_watched([&] { return experiment(c, files.log(), files.vcd(), rtl); });

  progress_line progress(std::cerr, shows_progress(c, options.quiet));
  const run_result result = work.run(files.while_writable(hooks_of_session(progress)));
  const double speed = progress.speed(result.cycles);
  progress.clear();

  work.tear_down();
  const run_summary r{c, work.graph(), work.measured(), result, speed};
  const std::vector<std::string> written = files.write(r);
  if (!options.quiet && !files.is_on_standard_output()) {
    std::cout << to_table(r);
    for (const std::string& name : written) std::cout << written_line(name);
  }
  return end_of_run(result.how, result.explanation, options.quiet);
}

}  // namespace

void add_run(command_set& commands) {
  const auto options = std::make_shared<run_options>();
  CLI::App& command = commands.add("run", "Simulates an experiment and writes its results.", RunHelp,
                                   [options, &commands] { return do_run(*options, commands.rtl()); });
  add_input(command, options->in);
  add_seed(command, options->in);
  add_output(command, options->in);
  add_result_json(command, options->json_file);
  add_quiet(command, options->quiet);
}

}  // namespace weft::experiment
