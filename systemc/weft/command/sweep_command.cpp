// SPDX-License-Identifier: Apache-2.0
/// `weft sweep`: runs an experiment at many points.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/command/study_session.h"
#include "weft/core/printable.h"
#include "weft/study/slurm.h"

namespace weft::experiment {

namespace {

constexpr const char* SweepHelp = R"(Examples:
  weft sweep examples/quickstart.yaml --over workload.injection.load=0.05:0.45:0.05
  weft sweep examples/quickstart.yaml --over workload.injection.load=0.1,0.2,0.3 --over network.router.vcs=2,4,8
  weft sweep examples/quickstart.yaml --sample workload.injection.load=0.05:0.35 --samples 20 --replicates 3
  mpirun -n 8 weft sweep my.yaml
  weft sweep my.yaml --slurm job.sh --tasks 50 && sbatch job.sh

The section `sweep` of the file defines the points; options override it. Every point runs in its own process, and its
result is stored as soon as it ends. A sweep that was interrupted, killed or extended simulates only the missing
points. Writes NAME.sweep.csv with one row per point and, if gnuplot is installed, NAME.sweep.svg, which shows latency
and accepted throughput over the first key, without the latency of saturated points.

Exit status: 0 done, 1 a point failed as in `weft run`, 2 wrong usage or input, or no point is feasible, 129
SIGHUP, 130 Ctrl-C, 143 SIGTERM.)";

struct sweep_options {
  study_options study;
  std::string part;
  std::string slurm;
  std::size_t tasks = 0;
};

/// Part `i` of `of` parts of a sweep: each `of`-th point, starting with point `i`.
struct sweep_part {
  std::size_t i = 0, of = 1;
};

sweep_part part_of(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto i = parse_number<std::size_t>(text.substr(0, slash));
  const auto of = parse_number<std::size_t>(text.substr(std::min(slash + 1, text.size())));
  if (!i || !of || *i >= *of) fail("--part " + text, "expected I/N with I from 0 to N - 1, as in 0/4");
  return {*i, *of};
}

/// The arguments that repeat the sweep on other machines: the options for the points and for the result files.
std::vector<std::string> arguments_of(const sweep_options& options) {
  const study_options& s = options.study;
  std::vector<std::string> words{"sweep", s.in.file};
  const auto add = [&words](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  const auto add_all = [&add](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) add(option, value);
  };
  add_all("--set", s.in.sets);
  if (s.in.seed) add("--seed", *s.in.seed);
  add_all("--over", s.over);
  add_all("--linked", s.linked);
  add_all("--sample", s.sample);
  if (s.samples) add("--samples", *s.samples);
  if (s.replicates) add("--replicates", *s.replicates);
  if (!s.store.empty()) add("--store", s.store);
  if (!s.in.directory.empty()) add("--output", s.in.directory);
  return words;
}

/// The reasons why no point can be simulated; empty if some point can.
std::vector<std::string> infeasible_points(const sweep_options& options, const study_question& question) {
  std::vector<std::string> errors;
  for (const sweep_point& point : question.points) {
    try {
      options.study.in.load(point);
      return {};
    } catch (const configuration_error& e) {
      errors.emplace_back(e.what());
    }
  }
  return errors;
}

int write_slurm(const sweep_options& options, const study_question& question) {
  constexpr std::size_t MostTasks = 100;  // the default; Slurm by default accepts at most 1000
  options.study.in.require_file("the tasks of a job array have no common standard input");
  const std::size_t points = question.points.size();
  const std::size_t tasks = std::min(points, options.tasks > 0 ? options.tasks : MostTasks);
  std::vector<file_argument> inputs = inputs_of(options.study.in, question.base);
  inputs.push_back({"--store", question.store.string()});
  check_outputs({{"--slurm", options.slurm}}, inputs);
  if (const std::vector<std::string> errors = infeasible_points(options, question); !errors.empty())
    return report_infeasible(errors);
  write_text("--slurm", options.slurm,
             slurm_script(std::filesystem::read_symlink("/proc/self/exe").string(), arguments_of(options),
                          std::filesystem::current_path().string(), question.base.output.name, tasks));
  if (!options.study.quiet && options.slurm != "-")
    std::cout << fmt::format("  wrote {0}: {1} points in {2} tasks; submit it with sbatch {0}\n",
                             printable(options.slurm), points, tasks);
  return Done;
}

int run_part(study& s, const sweep_part& part, const study_question& question, bool quiet) {
  for (std::size_t i = part.i; i < question.points.size(); i += part.of) s.add(question.points[i]);
  s.run();
  if (!quiet) std::cout << fmt::format("  points in {}: {}\n", printable(question.store.string()), s.done());
  return end_of_study(s, question);
}

int run_sweep(study& s, const study_question& question, bool quiet) {
  const configuration& base = question.base;
  const std::unique_ptr<output_file> csv = open_result(base, ".sweep.csv");
  const std::unique_ptr<output_file> svg = open_result(base, ".sweep.svg");
  for (const sweep_point& point : question.points) s.add(point);
  s.run();
  std::vector<study_row> rows;
  for (const study_row& row : s.rows())
    if (!row.result.outcome.empty()) rows.push_back(row);
  const int status = end_of_study(s, question);
  if (rows.empty() || status == Wrong) return status;
  show_points(base.output.name, rows, *csv, *svg, quiet);
  return status;
}

int do_sweep(const sweep_options& options, const rtl_provider& rtl) {
  const sweep_part part = part_of(options.part);
  const bool writes_tables = options.part.empty();
  const study_question question = question_of(
      options.study, writes_tables ? std::vector<std::string>{".sweep.csv", ".sweep.svg"} : std::vector<std::string>{});
  if (keys_of(question.design).empty())
    fail(question.base.where("sweep"),
         "there is nothing to sweep; expected a section sweep with over, linked or sample, or --over KEY=VALUES");
  if (!options.slurm.empty()) return write_slurm(options, question);
  return with_study(options.study, rtl, question, [&](study& s) {
    return writes_tables ? run_sweep(s, question, options.study.quiet)
                         : run_part(s, part, question, options.study.quiet);
  });
}

}  // namespace

void add_sweep(command_set& commands) {
  const auto options = std::make_shared<sweep_options>();
  CLI::App& command = commands.add("sweep", "Simulates an experiment at many points; writes a table and a chart.",
                                   SweepHelp, [options, &commands] { return do_sweep(*options, commands.rtl()); });
  add_study_options(command, options->study);
  CLI::Option* const part =
      command.add_option("--part", options->part, "simulate only points I, I + N, I + 2N, …, and write no table")
          ->type_name("I/N");
  CLI::Option* const slurm = add_file_option(command, "--slurm", options->slurm,
                                             "only write a script with a job array for sbatch; - for standard output")
                                 ->excludes(part);
  command
      .add_option("--tasks", options->tasks, "number of tasks of the job array; default: one per point, at most 100")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000}))
      ->needs(slurm);
}

}  // namespace weft::experiment
