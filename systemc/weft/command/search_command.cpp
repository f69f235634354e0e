// SPDX-License-Identifier: Apache-2.0
/// `weft saturation` and `weft curve`: searches over the load.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/result_files.h"
#include "weft/command/searched_loads.h"
#include "weft/command/session.h"
#include "weft/command/study_session.h"
#include "weft/report/csv_rows.h"
#include "weft/report/saturation_statistics.h"
#include "weft/report/statistic_views.h"
#include "weft/study/search.h"
#include "weft/study/table.h"

namespace weft::experiment {

namespace {

constexpr const char* SaturationHelp = R"(Examples:
  weft saturation examples/quickstart.yaml
  weft saturation examples/quickstart.yaml --over network.router.vcs=1,2,4 --width 0.005

Finds the highest load that the network carries. The command simulates three loads at a time. Loads that the network
does not carry are upper bounds, and the others are lower bounds. When the interval between the bounds is as narrow as
--width, the command simulates both again with a longer window, and prints them with their uncertainty. With keys to
sweep, it does this for each point of the sweep. The result does not depend on --jobs. Every load that was simulated is
stored, as by `weft sweep`. Writes NAME.saturation.csv and NAME.saturation.json.

Exit status: as for `weft sweep`.)";

constexpr const char* CurveHelp = R"(Examples:
  weft curve examples/quickstart.yaml
  weft curve examples/quickstart.yaml --over network.router.vcs=1,2,4 --points 20

Finds the saturation load as `weft saturation` does, and then simulates loads where the curve is steep. With keys to
sweep, there is a curve for each point of the sweep. Every load that was simulated is stored, as by `weft sweep`. Writes
NAME.curve.csv with one row per load and, if gnuplot is installed, NAME.curve.svg.

Exit status: as for `weft sweep`.)";

struct search_options {
  study_options study;
  double most = 1;
  double width = 0.01;
  std::size_t points = 16;
};

load_answer answer_of(const load_question& q, const study_row& row) {
  const bool settled = carries_load(row.result.outcome, boolean_of(cell_text(row, "stationary")));
  const bool repeatable = row.result.outcome == "saturated" || (!settled && row.result.outcome == "complete");
  return {q.load, settled, cell_number(row, "latency_mean"), repeatable, q.again};
}

/// The lengths of the second runs of a search, which simulate the bounds again in a longer window.
struct longer_time {
  std::uint64_t times = 0;  ///< multiple of the first warm-up; 0 if not determined yet
  cycle_t window = 0;       ///< minimum length of the window
};

/// The search at one combination of the other swept keys, and the loads that it has requested.
template <class Search>
struct line_search {
  Search search;
  sweep_point point;
  std::map<double, std::size_t> point_numbers{};   ///< number in the study of the first run at each load
  std::map<double, std::size_t> repeat_numbers{};  ///< number in the study of the second run at each load
  std::vector<load_question> round{};
  longer_time second{};  ///< lengths of the second runs

  std::size_t number_of(const load_question& q) const { return (q.again ? repeat_numbers : point_numbers).at(q.load); }
  /// The number of the last run at \p load: the second one, if there is one.
  std::size_t last_of(double load) const {
    const auto again = repeat_numbers.find(load);
    return again == repeat_numbers.end() ? point_numbers.at(load) : again->second;
  }
};

/// The load of the nodes that limit the network at the bound \p load, divided by the mean load of all nodes. These are
/// the nodes that fall behind in the run at this load or, if it identifies none, in a run at a higher load. The number
/// of all nodes if no run identifies any.
template <class Search>
double group_at(double load, const line_search<Search>& line, const std::vector<study_row>& rows) {
  double nodes = 0;
  for (auto at = line.point_numbers.lower_bound(load); at != line.point_numbers.end(); ++at) {
    const study_row& run = rows[at->second];
    const run_uncertainty known = run_uncertainty_of(run);
    if (known.growing > 0) return known.growing;
    nodes = std::max(nodes, static_cast<double>(known.nodes));
    if (run.result.outcome == "saturated") break;
  }
  return nodes;
}

cycle_t window_of(const point_result& run) {
  const json file = json::parse(run.json), &cycles = file.at("cycles");
  return cycles.at("window_end").get<cycle_t>() - cycles.at("window_first").get<cycle_t>();
}

/// The lengths of a second run at which the uncertainty of a bound is at most \p width. \param bound first run at this
/// bound \param group load of the nodes that limit the network, see group_at()
longer_time longer_for(const study_row& bound, double group, double width) {
  constexpr double Least = 2, Most = 16;
  const std::optional<double> uncertainty = load_uncertainty(run_uncertainty_of(bound), group);
  const double ratio = uncertainty ? *uncertainty / width : Most;
  const auto times = static_cast<std::uint64_t>(std::clamp(std::ceil(ratio * ratio), Least, Most));
  return {times, times * window_of(bound.result)};
}

/// The settings for a second run with the lengths in \p time. Its window is never shorter than the window of the first
/// run, \p run, which may be long enough already if `simulation.until` is set.
sweep_point longer_window(const point_result& run, const longer_time& time) {
  const json file = json::parse(run.json);
  const auto first = file.at("cycles").at("window_first").get<cycle_t>();
  sweep_point settings;
  const auto set = [&settings](const char* key, const std::string& value) {
    settings.push_back({key, value, fmt::format("{} {}", key, value), PointLayer});
  };
  if (!file.contains("warmup")) set("simulation.warmup", std::to_string(time.times * first));
  set("simulation.measure", std::to_string(std::max(time.window, window_of(run))));
  if (file.contains("precision")) set("simulation.until.relative_error", "none");
  return settings;
}

std::optional<double> high_of(const saturation_search& s) { return s.high(); }
std::optional<double> high_of(const curve_search& s) { return s.saturation().high(); }

/// Runs several searches in parallel. Each search has one round at a time.
template <class Search>
class searches {
 public:
  /// \param make makes the search at a point
  template <class Make>
  searches(study& s, const study_question& question, double width, Make make) : m_study(s), m_width(width) {
    for (const sweep_point& point : question.points) m_all.push_back({make(point), point});
  }

  void run() {
    for (std::size_t i = 0; i < m_all.size(); ++i) begin_round(i);
    m_study.run([this](std::size_t number) {
      const std::size_t i = m_owner.at(number);
      if (has_answers(m_all[i])) end_round(i);
    });
  }

  const std::vector<line_search<Search>>& all() const { return m_all; }

 private:
  void begin_round(std::size_t i) {
    line_search<Search>& line = m_all[i];
    line.round = line.search.next();
    for (const load_question& q : line.round) {
      const std::string text = fmt::format("{:.10g}", q.load);
      sweep_point point{{LoadKey, text, fmt::format("{} {}", LoadKey, text), PointLayer}};
      point.insert(point.end(), line.point.begin(), line.point.end());
      if (q.again) {
        const point_result& first = m_study.rows()[line.point_numbers.at(q.load)].result;
        if (line.second.times == 0) line.second = longer_of(line, q.load);
        const sweep_point more = longer_window(first, line.second);
        point.insert(point.end(), more.begin(), more.end());
      }
      const std::size_t number = m_study.add(point);
      (q.again ? line.repeat_numbers : line.point_numbers)[q.load] = number;
      m_owner[number] = i;
    }
  }

  /// The lengths of the second runs, from the run at the upper bound, or at \p load if it is missing or failed.
  longer_time longer_of(const line_search<Search>& line, double load) const {
    const auto run_at = [&](double at) -> const study_row& { return m_study.rows()[line.point_numbers.at(at)]; };
    const double high = high_of(line.search).value_or(load), bound = run_at(high).result.json.empty() ? load : high;
    return longer_for(run_at(bound), group_at(bound, line, m_study.rows()), m_width);
  }

  bool has_answers(const line_search<Search>& line) const {
    return !line.round.empty() && std::all_of(line.round.begin(), line.round.end(), [&](const load_question& q) {
      return !m_study.rows()[line.number_of(q)].result.outcome.empty();
    });
  }

  void end_round(std::size_t i) {
    line_search<Search>& line = m_all[i];
    std::vector<load_answer> answers;
    for (const load_question& q : line.round) answers.push_back(answer_of(q, m_study.rows()[line.number_of(q)]));
    line.round.clear();
    line.search.take(answers);
    begin_round(i);
  }

  study& m_study;
  double m_width;
  std::vector<line_search<Search>> m_all;
  std::map<std::size_t, std::size_t> m_owner;
};

study_question question_of_search(const search_options& options, const std::vector<std::string>& tables) {
  study_question question = question_of(options.study, tables);
  require_flowing_traffic(question.base);
  for (const std::string& key : keys_of(question.design))
    if (key == LoadKey) fail(LoadKey, "is the key that the search varies, so it cannot be swept");
  const auto has = [&](const sweep_point& point) { return has_load(options.study.in, point); };
  if (std::none_of(question.points.begin(), question.points.end(), has))
    fail(options.study.in.file,
         "this experiment has no load to search, because packets follow a packet list, flows have rates of their own, "
         "requests wait for replies, or a "
         "matrix has absolute rates; set the `rates` of the pattern to relative to scale a matrix, or use `weft sweep` "
         "to vary other keys, such as the `window` of requests");
  return question;
}

/// The larger uncertainty of the two bounds, from the last run at each.
std::optional<double> uncertainty_of(const line_search<saturation_search>& line, const std::vector<study_row>& rows) {
  const std::optional<double> high = line.search.high();
  const double low = line.search.low();
  if (!high || !line.search.next().empty()) return std::nullopt;
  const study_row& above = rows[line.last_of(*high)];
  const double group = std::max(run_uncertainty_of(above).growing, group_at(*high, line, rows));
  std::optional<double> uncertainty = load_uncertainty(run_uncertainty_of(above), group);
  if (low == 0 || !uncertainty) return uncertainty;
  const std::optional<double> below = load_uncertainty(run_uncertainty_of(rows[line.last_of(low)]), group);
  return below ? std::optional(std::max(*below, *uncertainty)) : std::nullopt;
}

/// The summary of a search. A bound has a value only if it was measured.
saturation_digest digest_of(const line_search<saturation_search>& line, const std::vector<study_row>& rows) {
  saturation_digest d;
  for (const setting& s : line.point) d.keys.emplace_back(s.key, s.value);
  double accepted = 0;
  bool all_infeasible = true;
  for (const auto& [load, index] : line.point_numbers) {
    accepted = std::max(accepted, cell_number(rows[index], "accepted"));
    all_infeasible &= rows[index].result.outcome == "infeasible";
    d.loads += rows[index].result.csv.empty() ? 0 : 1;
  }
  if (d.loads > 0) d.low = line.search.low();
  if (d.loads > 0) d.accepted_most = accepted;
  const std::optional<double> high = line.search.high();
  const bool ended = line.search.next().empty();
  d.outcome = !ended ? "interrupted" : high ? "found" : "none";
  if (!high) return d;
  const point_result& above = rows[line.last_of(*high)].result;
  if (!above.csv.empty()) d.high = *high;
  d.uncertainty = uncertainty_of(line, rows);
  // The run at the upper bound may have failed for another reason than saturation. Then the search has no result.
  if (ended && above.outcome != "saturated" && above.outcome != "complete") {
    d.outcome = above.outcome;
    d.uncertainty.reset();
    d.error = fmt::format("load {:.10g} is {}{}{}", *high, d.outcome, above.error.empty() ? "" : ": ", above.error);
  }
  if (all_infeasible) d.error = above.error;
  return d;
}

/// The row of a search in the table of results.
csv_table::cells cells_of(const saturation_digest& d) {
  csv_table::cells cells;
  for (const auto& [key, value] : d.keys) cells.emplace_back(key, value);
  const std::vector<csv_row> rows = rows_of_csv(csv_of(saturation_statistics(), d));
  for (std::size_t i = 0; i < rows.at(0).fields.size(); ++i)
    cells.emplace_back(rows.at(0).fields[i], rows.at(1).fields.at(i));
  return cells;
}

int run_saturation(study& s, const study_question& question, const search_options& options) {
  const std::unique_ptr<output_file> csv = open_result(question.base, ".saturation.csv");
  const std::unique_ptr<output_file> file = open_result(question.base, ".saturation.json");
  searches<saturation_search> all(s, question, options.width, [&options](const sweep_point& point) {
    return saturation_search(highest_load_to_try(options.study.in, point, options.most), options.width);
  });
  all.run();
  const int status = end_of_study(s, question);
  if (status == Wrong) return status;
  csv_table table;
  std::vector<csv_table::cells> rows;
  json list = json::array();
  for (const line_search<saturation_search>& line : all.all()) {
    const saturation_digest digest = digest_of(line, s.rows());
    rows.push_back(cells_of(digest));
    table.add(rows.back());
    list.push_back(json_of(saturation_statistics(), digest));
  }
  csv->write(table.text());
  csv->commit();
  file->write(to_text({{"weft", version()}, {"name", question.base.output.name}, {"searches", std::move(list)}}));
  file->commit();
  if (!options.study.quiet)
    std::cout << cells_table(rows) << "\n" << written_line(csv->file()) << written_line(file->file());
  return status;
}

int run_curve(study& s, const study_question& question, const search_options& options) {
  const std::unique_ptr<output_file> csv = open_result(question.base, ".curve.csv");
  const std::unique_ptr<output_file> svg = open_result(question.base, ".curve.svg");
  searches<curve_search> all(s, question, options.width, [&options](const sweep_point& point) {
    return curve_search(highest_load_to_try(options.study.in, point, options.most), options.width, options.points);
  });
  all.run();
  const int status = end_of_study(s, question);
  std::vector<study_row> rows;
  for (const line_search<curve_search>& line : all.all())
    for (const auto& [load, index] : line.point_numbers)
      if (!s.rows()[index].result.outcome.empty()) rows.push_back(s.rows()[index]);
  if (rows.empty() || status == Wrong) return status;
  show_points(question.base.output.name, rows, *csv, *svg, options.study.quiet);
  return status;
}

using search_use = int (*)(study&, const study_question&, const search_options&);

CLI::App& add_search(command_set& commands, const std::shared_ptr<search_options>& options, const char* name,
                     const char* description, const char* help, const std::vector<std::string>& tables,
                     search_use use) {
  CLI::App& command = commands.add(name, description, help, [options, &commands, tables, use] {
    const study_question question = question_of_search(*options, tables);
    return with_study(options->study, commands.rtl(), question, [&](study& s) { return use(s, question, *options); });
  });
  add_study_options(command, options->study);
  command.add_option("--most", options->most, "the highest load to try, in flits/node/cycle; default 1")
      ->type_name("LOAD")
      ->check(number_between(0.001, 16));
  command.add_option("--width", options->width, "width of the interval of the saturation load; default 0.01")
      ->type_name("LOAD")
      ->check(number_between(0.0001, 1));
  return command;
}

}  // namespace

void add_saturation(command_set& commands) {
  add_search(commands, std::make_shared<search_options>(), "saturation",
             "Finds the highest load that a network carries.", SaturationHelp, {".saturation.csv", ".saturation.json"},
             run_saturation);
}

void add_curve(command_set& commands) {
  const auto options = std::make_shared<search_options>();
  CLI::App& command =
      add_search(commands, options, "curve", "Plots latency over load, with more points where the curve bends.",
                 CurveHelp, {".curve.csv", ".curve.svg"}, run_curve);
  command.add_option("--points", options->points, "number of points of a curve below its saturation load; default 16")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{3}, std::size_t{1000}));
}

}  // namespace weft::experiment
