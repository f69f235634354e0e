// SPDX-License-Identifier: Apache-2.0
/// `weft sweep`: runs an experiment at many points.
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <sys/wait.h>

#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/command/result_files.h"
#include "weft/experiment/command/session.h"
#include "weft/experiment/command/sweep.h"

namespace weft::experiment {

namespace {

constexpr const char* SweepHelp = R"(Examples:
  weft sweep examples/quickstart.yaml --over workload.injection.load=0.05:0.45:0.05
  weft sweep examples/quickstart.yaml --over workload.injection.load=0.1,0.2,0.3 --over network.router.vcs=2,4,8

Every point runs in a process of its own. Several --over make all combinations; the first is the x axis of the drawing.
Writes NAME.sweep.csv, a row a point, and, if gnuplot is there, NAME.sweep.svg: latency and accepted throughput; points
of a saturated network have no latency there. Exit status as of `weft run`.)";

struct sweep_options {
  input in;
  std::vector<std::string> overs;
  unsigned jobs = default_jobs();
  bool quiet = false;
};

std::vector<sweep_axis> axes_of(const sweep_options& options) {
  std::vector<sweep_axis> axes;
  for (const std::string& text : options.overs) axes.push_back(parse_axis(text));
  check_axes(axes);
  return axes;
}

/// Of all points, each checked. \throws configuration_error
std::vector<configuration> configurations_of(const input& in, const std::vector<sweep_point>& points) {
  std::vector<configuration> list;
  for (const sweep_point& point : points) {
    list.push_back(in.load(point));
    refuse_collective(list.back());
    check_sweepable(list.back());
    build_network(list.back());
  }
  return list;
}

/// One point of a sweep, in its process: a row of the table; what went wrong, on standard error.
sweep_row run_point(const configuration& c, const stage_provider& rtl_stages) {
  experiment work(c, nullptr, {}, rtl_stages);
  const run_result result = work.run(hooks_of_session());
  work.tear_down();
  for (const std::string& line : result.explanation) std::cerr << "  " << line << "\n";
  return {status_of(result.how), to_csv({c, work.graph(), work.measured(), result, 0})};
}

/// Has gnuplot run \p script; what went wrong, or nothing.
std::string draw(const std::string& script) {
  constexpr int NoSuchCommand = 127;  // of the shell
  std::signal(SIGPIPE, SIG_IGN);      // the exit status tells whether gnuplot was there
  std::FILE* gnuplot = popen("exec gnuplot 2>&1 >/dev/null", "w");
  if (gnuplot == nullptr) return "cannot start a shell";
  std::fputs(script.c_str(), gnuplot);
  const int status = pclose(gnuplot);
  if (WIFEXITED(status) && WEXITSTATUS(status) == NoSuchCommand)
    return "gnuplot is missing: install the Debian package gnuplot-nox";
  return status == 0 ? "" : "gnuplot failed";
}

int do_sweep(const sweep_options& options, const stage_provider& rtl_stages) {
  const std::vector<sweep_axis> axes = axes_of(options);
  const std::vector<sweep_point> points = points_of(axes);
  const std::vector<configuration> configurations = configurations_of(options.in, points);  // before the first is run
  handle_signals();
  const configuration& first = configurations.front();
  const std::unique_ptr<output_file> csv = open_result(first, ".sweep.csv");
  const std::unique_ptr<output_file> svg = open_result(first, ".sweep.svg");
  const bool quiet = options.quiet;

  const std::vector<sweep_row> rows =
      run_points_of_session(points.size(), options.jobs, shows_progress(first, quiet),
                            [&](std::size_t i) { return run_point(configurations[i], rtl_stages); });

  csv->write(sweep_csv(axes, points, rows));
  csv->commit();
  if (!quiet) std::cout << sweep_table(axes, points, rows) << fmt::format("\n  wrote {}\n", csv->file().string());
  const std::string script = sweep_plot(first.output.name, axes, points, rows, svg->temporary().string());
  if (!script.empty()) {
    const std::string error = draw(script);
    if (!error.empty()) {
      std::cerr << fmt::format("weft: no drawing: {}\n", error);
    } else {
      svg->commit();
      if (!quiet) std::cout << fmt::format("  wrote {}\n", svg->file().string());
    }
  }
  return end_of_points(rows, [&points](std::size_t i) { return settings_text(points[i]); });
}

}  // namespace

void add_sweep(command_set& commands) {
  const auto options = std::make_shared<sweep_options>();
  CLI::App& command = commands.add("sweep", "Runs an experiment at many points and draws the curve.", SweepHelp,
                                   [options, &commands] { return do_sweep(*options, commands.rtl_stages()); });
  add_input(command, options->in);
  command.add_option("--over", options->overs, "KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP: what to sweep; repeatable")
      ->type_name("KEY=VALUES")
      ->expected(1)
      ->take_all()
      ->required();
  add_jobs(command, options->jobs);
  add_output(command, options->in);
  add_quiet(command, options->quiet);
}

}  // namespace weft::experiment
