// SPDX-License-Identifier: Apache-2.0
#include "weft/command/study_session.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/core/printable.h"
#include "weft/picture/picture.h"
#include "weft/study/mpi.h"

namespace weft::experiment {

namespace {

std::vector<sweep_axis> axes_of(const char* option, const std::vector<std::string>& texts) {
  std::vector<sweep_axis> axes;
  for (const std::string& text : texts) axes.push_back(parse_axis(option, text));
  return axes;
}

/// The design in section `sweep`, overridden by the options.
sweep_design design_of(const study_options& options, const configuration& base) {
  sweep_design design = base.sweep;
  sweep_design overrides;
  overrides.over = axes_of("--over", options.over);
  overrides.linked = axes_of("--linked", options.linked);
  overrides.sample = axes_of("--sample", options.sample);
  override_axes(design, overrides);
  check_sampling(design, base);
  return design;
}

unsigned jobs_of(const study_options& options) {
  if (processes_of_mpirun() == 0) return options.jobs.value_or(default_jobs());
  if (options.jobs)
    fail(fmt::format("--jobs {}", *options.jobs), "each process of mpirun runs one point at a time; leave --jobs out");
  return 1;
}

std::string described(const sweep_point& point) {
  return point.empty() ? "the only point" : printable(settings_text(point));
}

void draw_points(const std::string& title, const std::vector<study_row>& rows, output_file& svg, bool quiet) {
  if (signal_seen() != 0 || rows.front().point.empty()) return;
  stored_table table{svg.file(), title, {}};
  for (const study_row& row : rows) {
    table.points.push_back({title, {}, columns_of(row.result)});
    for (const setting& s : row.point) table.points.back().keys[s.key] = s.value;
  }
  try {
    const std::optional<picture> made = sweep_picture(table, rows.front().point.front().key);
    if (!made) return;
    svg.write(draw(*made, picture_format::Svg));
    svg.commit();
    if (!quiet) std::cout << written_line(svg.file());
  } catch (const no_picture& e) {
    std::cerr << fmt::format("weft: {}\n", printable(e.what()));
  }
}

}  // namespace

point_store open_store(const std::string& argument, const std::filesystem::path& file, bool create) {
  try {
    return point_store(file, create);
  } catch (const output_error& e) {
    fail(argument + " " + file.string(),
         create ? std::string(e.what()) + "; name another file with --store" : e.what());
  }
}

int with_whole_store(const std::string& argument, const std::filesystem::path& file, const std::function<int()>& use) {
  try {
    return use();
  } catch (const damaged_store& e) {
    fail(argument + " " + file.string(), e.what());
  }
}

void add_study_options(CLI::App& command, study_options& options) {
  const auto add_axes = [&](const char* name, std::vector<std::string>& texts, const char* what) {
    command.add_option(name, texts, what)->type_name("KEY=VALUES")->expected(1)->take_all();
  };
  add_input(command, options.in);
  add_seed(command, options.in);
  add_axes("--over", options.over,
           "values to sweep, KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP; several options give all combinations");
  add_axes("--linked", options.linked,
           "values to sweep; the lists of several such options advance together, value by value");
  add_axes("--sample", options.sample, "values to draw samples from, KEY=LOW:HIGH or KEY=VALUE,VALUE,…");
  command.add_option("--samples", options.samples, "number of samples; short for --set sweep.samples=N")
      ->type_name("N");
  command
      .add_option("--replicates", options.replicates,
                  "number of runs of each point, with consecutive seeds; short for --set sweep.replicates=N")
      ->type_name("N");
  command
      .add_option("-j,--jobs", options.jobs,
                  "number of points to simulate at a time; default: the number of processors")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  add_file_option(command, "--store", options.store, "the store; default: points.sqlite beside the other results");
  add_output(command, options.in);
  add_quiet(command, options.quiet);
}

study_question question_of(const study_options& options, std::vector<std::string> tables) {
  study_question q = question_without_points(options, std::move(tables));
  q.points = points_of(q.design, q.base.simulation.seed);
  return q;
}

study_question question_without_points(const study_options& options, std::vector<std::string> tables) {
  std::vector<setting> more;
  if (options.samples) more.push_back({"sweep.samples", *options.samples, "--samples " + *options.samples});
  if (options.replicates)
    more.push_back({"sweep.replicates", *options.replicates, "--replicates " + *options.replicates});
  study_question q;
  q.base = options.in.load_unchecked(more);
  check_sweepable(q.base);
  q.design = design_of(options, q.base);
  q.store = options.store.empty() ? q.base.output.directory / "points.sqlite" : std::filesystem::path(options.store);
  std::error_code error;
  if (std::filesystem::is_directory(q.store, error))
    fail(fmt::format("--store {}", q.store.string()), "is a directory; expected a file");
  q.tables = std::move(tables);
  std::vector<file_argument> outputs{{"--store", q.store.string()}};
  for (const std::string& suffix : q.tables) outputs.push_back(result_argument(q.base.result_file(suffix)));
  check_outputs(outputs, kept_inputs_of(options.in, q.base));
  return q;
}

int with_study(const study_options& options, const rtl_provider& rtl, const study_question& question,
               const std::function<int(study&)>& use) {
  study_context context{[&options](const sweep_point& point) { return options.in.load(point); }, rtl};
  context.jobs = jobs_of(options);
  context.hooks = hooks_of_session();
  handle_signals();
  std::optional<mpi_session> mpi;
  if (processes_of_mpirun() > 1) {
    options.in.require_file("mpirun passes standard input to one process only");
    mpi.emplace();
  }
  if (mpi && mpi->rank() > 0) {
    work_for_process_0([&context](const std::string& point) { return work_on_packed(context, point); });
    return Done;
  }
  const study* running = nullptr;
  const std::unique_ptr<remote_workers> others =
      mpi ? all_other_processes(*mpi, [&running](std::size_t i) { return packed(running->rows()[i].point); }) : nullptr;
  context.others = others.get();
  points_line progress(shows_progress(question.base, options.quiet));
  context.progress = [&progress](std::size_t done, std::size_t all) { progress.update(done, all); };
  context.ended = [&progress] { progress.clear(); };
  context.failed = [&progress](const study_row& row, const std::string& why) {
    progress.clear();
    std::cerr << fmt::format("weft: the run of {} ended without a result; reason: {}\n", described(row.point),
                             printable(why, "\n"));
  };
  // The results are locked before the store is opened, so that a study without the lock creates no store.
  std::unique_ptr<result_lock> lock;
  if (!question.tables.empty()) {
    std::error_code error;  // errors are reported when the files are written
    std::filesystem::create_directories(question.base.output.directory, error);
    lock = lock_results(question.base);
  }
  point_store store = open_store("--store", question.store, true);
  context.on_subprocess_start = [&lock] {
    if (lock) lock->leave_to_parent();
  };
  study s(context, store);
  running = &s;
  return with_whole_store("--store", question.store, [&] { return use(s); });
}

int report_infeasible(const std::vector<std::string>& errors) {
  std::set<std::string> reported_errors;
  for (const std::string& error : errors)
    if (reported_errors.insert(error).second) std::cerr << printable(error, "\n") << "\n";
  return Wrong;
}

int end_of_study(const study& s, const study_question& question) {
  const std::vector<study_row>& rows = s.rows();
  if (signal_seen() != 0) {
    std::cerr << fmt::format(
        "weft: interrupted; {} of {} points are done and stored in {}; run the same command again for the others\n",
        s.done(), rows.size(), printable(question.store.string()));
    return 128 + signal_seen();
  }
  const auto count = [&rows](const auto& which) { return std::count_if(rows.begin(), rows.end(), which); };
  const auto infeasible = [](const study_row& r) { return r.result.outcome == "infeasible"; };
  const auto undecided = [](const study_row& r) { return r.result.outcome == "undecided"; };
  const auto failed = [](const study_row& r) { return is_failure(r.result); };
  const auto first = [&rows](const auto& which) { return *std::find_if(rows.begin(), rows.end(), which); };
  const auto all = static_cast<std::ptrdiff_t>(rows.size());
  if (all > 0 && count(infeasible) == all) {
    std::vector<std::string> errors;
    for (const study_row& row : rows) errors.push_back(row.result.error);
    return report_infeasible(errors);
  }
  if (count(infeasible) > 0)
    std::cerr << fmt::format("weft: {} of {} points are infeasible, the first at {}: {}\n", count(infeasible), all,
                             described(first(infeasible).point), printable(first(infeasible).result.error, "\n"));
  if (count(undecided) > 0)
    std::cerr << fmt::format("weft: {} of {} points are undecided, the first at {}: {}\n", count(undecided), all,
                             described(first(undecided).point), printable(first(undecided).result.error, "\n"));
  if (count(failed) == 0) return Done;
  std::cerr << fmt::format("weft: {} of {} points failed, the first at {}: {}\n", count(failed), all,
                           described(first(failed).point), first(failed).result.outcome);
  return Failed;
}

void show_points(const std::string& title, const std::vector<study_row>& rows, output_file& csv, output_file& svg,
                 bool quiet) {
  csv.write(study_csv(rows, title));
  csv.commit();
  if (!quiet) std::cout << study_table(rows) << "\n" << written_line(csv.file());
  draw_points(title, rows, svg, quiet);
}

}  // namespace weft::experiment
