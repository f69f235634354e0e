// SPDX-License-Identifier: Apache-2.0
/// `weft explore`: searches the points of a sweep for the best designs.
#include <algorithm>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/command/commands.h"
#include "weft/command/design_runs.h"
#include "weft/command/exit_status.h"
#include "weft/command/explore_results.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/command/study_session.h"
#include "weft/core/printable.h"
#include "weft/explore/genetic.h"
#include "weft/picture/search_pictures.h"
#include "weft/study/search.h"

namespace weft::experiment {

namespace {

constexpr const char* ExploreHelp = R"(Examples:
  weft explore examples/explore/designs.yaml -o designs
  weft explore examples/explore/designs.yaml -o designs --set explore.budget=60 --set explore.seed=2
  weft explore my.yaml --why network.router.vcs=4 --why network.router.depth=8

The section `sweep` of the file defines the designs, as for `weft sweep`, and the section `explore` the objectives, the
constraints and the budget. The search, NSGA-II, proposes designs. Designs that cannot be among the best according to
bounds are not simulated, and the others first with a short window. Every run is stored, as by `weft sweep`; a search
that was interrupted continues where it stopped. Writes NAME.explore.csv with one row per design, NAME.explore.json with
the front and, if gnuplot is installed, NAME.explore.svg.

Exit status: 0 done, 1 no measured design keeps the constraints, or a process died, 2 wrong usage or input, or no design
is feasible, 129 SIGHUP, 130 Ctrl-C, 143 SIGTERM.)";

struct explore_options {
  study_options study;
  std::vector<std::string> why;
};

/// The number of runs of a design at most: one at the load of the file, and a search for the saturation load.
double most_runs_of(const search_goals& goals, const configuration& c) {
  double runs = goals.needs(metric_source::Run) ? 1 : 0;
  if (goals.needs(metric_source::Saturation))
    runs += static_cast<double>(saturation_search::most_loads(1, c.explore.saturation_width));
  return std::max(1., runs);
}

search_limits limits_of(const study_question& question, const search_goals& goals) {
  const configuration& c = question.base;
  const auto& e = c.explore;
  if (e.population % 4 != 0)
    fail(c.where("explore.population"),
         fmt::format("explore.population: expected a multiple of 4, as NSGA-II requires, got {}", e.population));
  // Collectives, programs and lists of packets have no window that could be shorter.
  const bool has_window = !c.collective.algorithm && c.workload.trace.empty() && c.simulation.measure > 0;
  return {static_cast<double>(e.budget),
          most_runs_of(goals, c),
          e.population,
          has_window ? e.shorter : 1,
          goals.need_runs() ? question.design.replicates : 1,
          e.seed,
          e.method,
          e.bounds};
}

/// The design that `--why` names, with a value for each parameter.
sweep_point requested_design(const std::vector<std::string>& texts, const sweep_design& design,
                             const design_space& space) {
  sweep_point given, point;
  for (const std::string& text : texts) {
    const sweep_axis axis = parse_axis("--why", text);
    const std::vector<std::string> values = values_of(axis);
    if (values.size() != 1) fail("--why " + text, fmt::format("expected one value, got {}", values.size()));
    given.push_back({axis.key, values.front(), "--why " + text, PointLayer});
  }
  sweep_design parameters = design;
  parameters.replicates = 1;
  const std::vector<std::string> keys = keys_of(parameters);
  for (const setting& s : given) {
    if (std::find(keys.begin(), keys.end(), s.key) == keys.end())
      fail(s.place, fmt::format("is not a parameter of the search; expected {}", fmt::join(keys, ", ")));
    const auto same = [&s](const setting& other) { return other.key == s.key; };
    if (std::count_if(given.begin(), given.end(), same) > 1) fail(s.place, "is given twice; give it once");
  }
  for (const std::string& key : keys) {
    const auto at = std::find_if(given.begin(), given.end(), [&key](const setting& s) { return s.key == key; });
    if (at == given.end()) fail("--why", fmt::format("lacks {0}; add --why {0}=VALUE", key));
    point.push_back(*at);
  }
  return space.find(point);
}

/// Checks that the runs of a generation have the statistics of \p goals, so that a search for one that no run has ends
/// at once. \throws configuration_error at the key
void require_statistics(const configuration& c, const search_goals& goals, const std::vector<design_result>& results) {
  const auto usable = [](const design_result& r) { return r.fault.empty(); };
  if (signal_seen() != 0 || std::none_of(results.begin(), results.end(), usable)) return;
  const auto check = [&](const char* key, const std::string& metric) {
    const auto has = [&](const design_result& r) { return r.measured.count(metric) > 0; };
    if (source_of(metric) != metric_source::Run || std::any_of(results.begin(), results.end(), has)) return;
    fail(c.where(key), fmt::format("{}: {}: the runs of {} designs have no such statistic; name another, set the "
                                   "keys that produce it, or use a longer window",
                                   key, in_quotes(metric), results.size()));
  };
  for (const objective& o : goals.objectives) check(o.larger ? "explore.maximize" : "explore.minimize", o.metric);
  for (const constraint& limit : goals.constraints) check("explore.constraints", limit.metric);
}

void draw_front(const json& result, output_file& svg, bool quiet) {
  const std::optional<picture> made = signal_seen() != 0 ? std::nullopt : search_picture(result);
  if (!made) return;
  try {
    svg.write(draw(*made, picture_format::Svg));
    svg.commit();
    if (!quiet) std::cout << written_line(svg.file());
  } catch (const no_picture& error) {
    std::cerr << fmt::format("weft: {}\n", printable(error.what()));
  }
}

/// Prints why the front is empty.
void print_no_front(const explored_space& e) {
  const std::vector<explored_design>& designs = e.search.designs();
  const auto less = [](const explored_design& a, const explored_design& b) {
    return std::pair(a.stage == design_stage::Unmeasured, a.violation) <
           std::pair(b.stage == design_stage::Unmeasured, b.violation);
  };
  const auto nearest = std::min_element(designs.begin(), designs.end(), less);
  if (nearest == designs.end() || nearest->fault.empty()) {
    std::cerr << fmt::format("weft: no design was simulated at full length; raise explore.budget, to {:.0f} or more\n",
                             std::max(e.limits.budget + 1, e.limits.most_cost * e.limits.replicates));
    return;
  }
  const bool by_constraint = nearest->stage == design_stage::Excluded || !e.goals.violated(nearest->known).empty();
  std::cerr << (by_constraint
                    ? "weft: no measured design keeps the constraints; loosen them, or raise explore.budget\n"
                    : "weft: no design has a run whose values can be used; change the load or the window, or raise "
                      "explore.budget\n")
            << fmt::format("weft: the nearest is {}: {}\n", printable(settings_text(nearest->point)),
                           printable(nearest->fault));
}

/// Prints how the search ended if it has no answer. Returns the exit status.
int end_of_exploration(const explored_space& e, const study& s, const study_question& question) {
  if (e.is_interrupted) {
    std::cerr << fmt::format("weft: interrupted; {} runs are stored in {}; run the same command again to continue\n",
                             s.done(), printable(question.store.string()));
    return 128 + signal_seen();
  }
  const std::vector<explored_design>& designs = e.search.designs();
  const auto infeasible = [](const explored_design& d) { return d.stage == design_stage::Infeasible; };
  if (!designs.empty() && std::all_of(designs.begin(), designs.end(), infeasible)) {
    std::vector<std::string> errors;
    for (const explored_design& d : designs) errors.push_back(d.fault);
    return report_infeasible(errors);
  }
  const auto died = [](const study_row& row) { return row.result.outcome == "failed"; };
  if (std::any_of(s.rows().begin(), s.rows().end(), died)) return Failed;
  if (!e.search.front().empty()) return Done;
  print_no_front(e);
  return Failed;
}

int run_explore(study& s, const study_question& question, const explore_options& options) {
  const search_goals goals = goals_of(question.base);
  const search_limits limits = limits_of(question, goals);
  const design_space space(question.design);
  const sweep_point requested =
      options.why.empty() ? sweep_point() : requested_design(options.why, question.design, space);
  const std::unique_ptr<output_file> csv = open_result(question.base, ".explore.csv");
  const std::unique_ptr<output_file> file = open_result(question.base, ".explore.json");
  const std::unique_ptr<output_file> svg = open_result(question.base, ".explore.svg");
  design_runs runs(s, options.study.in, goals, question.base.explore.saturation_width);
  const design_tools tools{
      [&](const sweep_point& point) { return estimate_network(options.study.in.load(point), goals); },
      [&](const std::vector<design_run>& list) {
        std::vector<design_result> results = runs.measure(list);
        require_statistics(question.base, goals, results);
        return results;
      },
      [] { return signal_seen() != 0; }};
  exploration search(space, goals, limits, tools);
  search.run();
  const explored_space e{question.base, space, goals, limits, search, signal_seen() != 0};
  const std::optional<explored_design> examined =
      requested.empty() || e.is_interrupted ? std::nullopt : std::optional(search.examine(requested));
  csv->write(explore_csv(e));
  csv->commit();
  const json result = explore_json(e, examined ? why_json(e, *examined) : json());
  file->write(to_text(result));
  file->commit();
  if (!options.study.quiet) {
    std::cout << explore_table(e);
    if (examined) std::cout << "\n" << why_text(e, *examined);
    std::cout << "\n" << written_line(csv->file()) << written_line(file->file());
  }
  draw_front(result, *svg, options.study.quiet);
  return end_of_exploration(e, s, question);
}

int do_explore(const explore_options& options, const rtl_provider& rtl) {
  const study_question question =
      question_without_points(options.study, {".explore.csv", ".explore.json", ".explore.svg"});
  if (keys_of(question.design).empty())
    fail(question.base.where("sweep"),
         "there are no designs to search; expected a section sweep with over or linked, or --over KEY=VALUES");
  limits_of(question, goals_of(question.base));
  const design_space space(question.design);
  if (!options.why.empty()) requested_design(options.why, question.design, space);
  const configuration& c = question.base;
  if (c.explore.method == explore_method::Nsga2) require_genetic_search(c.where("explore.method"));
  return with_study(options.study, rtl, question, [&](study& s) { return run_explore(s, question, options); });
}

}  // namespace

void add_explore(command_set& commands) {
  const auto options = std::make_shared<explore_options>();
  CLI::App& command = commands.add("explore", "Searches the points of a sweep for the best designs.", ExploreHelp,
                                   [options, &commands] { return do_explore(*options, commands.rtl()); });
  add_study_options(command, options->study);
  for (const char* const option : {"--sample", "--samples"}) command.get_option(option)->group("");  // rejected
  command
      .add_option("--why", options->why,
                  "print why the design with these values is not on the front; give a value for each parameter")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

}  // namespace weft::experiment
