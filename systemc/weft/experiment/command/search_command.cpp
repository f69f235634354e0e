// SPDX-License-Identifier: Apache-2.0
/// `weft saturation` and `weft curve`: search along the load.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/command/result_files.h"
#include "weft/experiment/command/session.h"
#include "weft/experiment/command/study_session.h"
#include "weft/experiment/study/search.h"
#include "weft/workload/request_reply.h"

namespace weft::experiment {

namespace {

constexpr const char* LoadKey = "workload.injection.load";

constexpr const char* SaturationHelp = R"(Examples:
  weft saturation examples/quickstart.yaml
  weft saturation examples/quickstart.yaml --over network.router.vcs=1,2,4 --width 0.005

Finds the highest load that the network carries. It simulates three loads at a time: those that saturate the network are
upper bounds, the others lower bounds, until the interval is as narrow as --width. The upper bound is then simulated
again in a longer window. With keys to sweep, it does so for each of their points. The result does not depend on --jobs.
Every load that was simulated is stored, as by `weft sweep`. Writes NAME.saturation.csv.

Exit status: as for `weft sweep`.)";

constexpr const char* CurveHelp = R"(Examples:
  weft curve examples/quickstart.yaml
  weft curve examples/quickstart.yaml --over network.router.vcs=1,2,4 --points 20

Finds the saturation load as `weft saturation` does, then simulates loads where the curve is steep. With keys to sweep,
there is a curve for each of their points. Every load that was simulated is stored, as by `weft sweep`. Writes
NAME.curve.csv, one row per load, and, where gnuplot is installed, NAME.curve.svg.

Exit status: as for `weft sweep`.)";

struct search_options {
  study_options study;
  double most = 1;
  double width = 0.01;
  std::size_t points = 16;
};

double cell_number(const study_row& row, const char* column) {
  const auto found = columns_of(row.result);
  const auto at = found.find(column);
  return at == found.end() ? 0 : parse_number<double>(at->second).value_or(0);
}

load_answer answer_of(double load, const study_row& row) {
  return {load, row.result.outcome == "complete", cell_number(row, "latency_mean"), row.result.outcome == "saturated"};
}

/// A search at one point of the other keys, and the loads that it has asked for.
template <class Search>
struct line_search {
  Search search;
  sweep_point point;
  std::map<double, std::size_t> asked{};  ///< numbers of their points in the study, by load
  std::map<double, std::size_t> asked_again{};
  std::vector<load_question> round{};

  std::size_t number_of(const load_question& q) const { return (q.again ? asked_again : asked).at(q.load); }
};

/// Settings for a window of twice as many cycles as that of \p saturated.
sweep_point longer_window(const point_result& saturated) {
  const json file = json::parse(saturated.json), &cycles = file.at("cycles");
  const auto window = cycles.at("window_end").get<cycle_t>() - cycles.at("window_first").get<cycle_t>();
  sweep_point settings;
  const auto set = [&settings](const char* key, const std::string& value) {
    settings.push_back({key, value, fmt::format("{} {}", key, value), PointLayer});
  };
  set("simulation.measure", std::to_string(2 * window));
  if (file.contains("precision")) set("simulation.until.relative_error", "none");
  return settings;
}

/// Searches that go on beside each other, each a round at a time.
template <class Search>
class searches {
 public:
  searches(study& s, const study_question& question, const Search& first) : m_study(s) {
    for (const sweep_point& point : question.points) m_all.push_back({first, point});
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
      sweep_point point{{LoadKey, text, fmt::format("{} {}", LoadKey, text)}};
      point.insert(point.end(), line.point.begin(), line.point.end());
      if (q.again) {
        const sweep_point more = longer_window(m_study.rows()[line.asked.at(q.load)].result);
        point.insert(point.end(), more.begin(), more.end());
      }
      const std::size_t number = m_study.add(point);
      (q.again ? line.asked_again : line.asked)[q.load] = number;
      m_owner[number] = i;
    }
  }

  bool has_answers(const line_search<Search>& line) const {
    return !line.round.empty() && std::all_of(line.round.begin(), line.round.end(), [&](const load_question& q) {
      return !m_study.rows()[line.number_of(q)].result.outcome.empty();
    });
  }

  void end_round(std::size_t i) {
    line_search<Search>& line = m_all[i];
    std::vector<load_answer> answers;
    for (const load_question& q : line.round) answers.push_back(answer_of(q.load, m_study.rows()[line.number_of(q)]));
    line.round.clear();
    line.search.take(answers);
    begin_round(i);
  }

  study& m_study;
  std::vector<line_search<Search>> m_all;
  std::map<std::size_t, std::size_t> m_owner;
};

/// Whether \p point has a load, or may have one: what is wrong with a point is told by who runs it.
bool has_load(const input& in, const sweep_point& point) {
  try {
    const workload_parameters w = in.load_unchecked(point).workload;
    return w.packet_list.empty() && !is_closed_loop(w);
  } catch (const configuration_error&) {
    return true;
  }
}

study_question question_of_search(const search_options& options, const std::vector<std::string>& tables) {
  study_question question = question_of(options.study, tables);
  require_flowing_traffic(question.base);
  for (const std::string& key : keys_of(question.design))
    if (key == LoadKey) fail(LoadKey, "is what is searched, so it cannot be swept");
  const auto has = [&](const sweep_point& point) { return has_load(options.study.in, point); };
  if (std::none_of(question.points.begin(), question.points.end(), has))
    fail(options.study.in.file,
         "has no load to search: packets of a list come when it says, and requests when replies have arrived; `weft "
         "sweep` varies other keys, such as workload.injection.window");
  return question;
}

/// The row of a search in the table of saturation loads. A bound that was not measured is empty.
csv_table::cells saturation_cells(const line_search<saturation_search>& line, const std::vector<study_row>& rows) {
  const auto number = [](bool measured, double value) { return measured ? fmt::format("{:.10g}", value) : ""; };
  csv_table::cells cells;
  for (const setting& s : line.point) cells.emplace_back(s.key, s.value);
  double accepted = 0;
  std::size_t simulated = 0;
  bool all_infeasible = true;
  for (const auto& [load, index] : line.asked) {
    accepted = std::max(accepted, cell_number(rows[index], "accepted"));
    all_infeasible &= rows[index].result.outcome == "infeasible";
    simulated += rows[index].result.csv.empty() ? 0 : 1;
  }
  const std::optional<double> high = line.search.high();
  const bool ended = line.search.next().empty();
  std::string outcome = !ended ? "interrupted" : high ? "found" : "none", error;
  bool measured_high = false;
  if (high) {
    // The load above may not settle for another reason than saturation: then nothing was found.
    const point_result& above = rows[line.asked.at(*high)].result;
    measured_high = !above.csv.empty();
    if (ended && above.outcome != "saturated") {
      outcome = above.outcome;
      error = fmt::format("load {:.10g} is {}{}{}", *high, outcome, above.error.empty() ? "" : ": ", above.error);
    }
    if (all_infeasible) error = above.error;
  }
  cells.emplace_back("saturation_low", number(simulated > 0, line.search.low()));
  cells.emplace_back("saturation_high", number(measured_high, high.value_or(0)));
  cells.emplace_back("accepted_most", number(simulated > 0, accepted));
  cells.emplace_back("loads", std::to_string(simulated));
  cells.emplace_back("outcome", outcome);
  cells.emplace_back("error", error);
  return cells;
}

/// For the terminal; `error` is told on standard error.
std::string table_of_cells(const std::vector<csv_table::cells>& rows) {
  std::string text;
  const auto line = [&text](const csv_table::cells& row, bool titles) {
    for (const auto& [column, value] : row)
      if (column != "error")
        text += fmt::format("  {:>16}", titles ? column.substr(column.rfind('.') + 1) : value.empty() ? "-" : value);
    text += "\n";
  };
  if (!rows.empty()) line(rows.front(), true);
  for (const csv_table::cells& row : rows) line(row, false);
  return text;
}

int run_saturation(study& s, const study_question& question, const search_options& options) {
  const std::unique_ptr<output_file> csv = open_result(question.base, ".saturation.csv");
  searches<saturation_search> all(s, question, saturation_search(options.most, options.width));
  all.run();
  const int status = end_of_study(s, question);
  if (status == Wrong) return status;
  csv_table table;
  std::vector<csv_table::cells> rows;
  for (const line_search<saturation_search>& line : all.all()) {
    rows.push_back(saturation_cells(line, s.rows()));
    table.add(rows.back());
  }
  csv->write(table.text());
  csv->commit();
  if (!options.study.quiet) std::cout << table_of_cells(rows) << fmt::format("\n  wrote {}\n", csv->file().string());
  return status;
}

int run_curve(study& s, const study_question& question, const search_options& options) {
  const std::unique_ptr<output_file> csv = open_result(question.base, ".curve.csv");
  const std::unique_ptr<output_file> svg = open_result(question.base, ".curve.svg");
  searches<curve_search> all(s, question, curve_search(options.most, options.width, options.points));
  all.run();
  const int status = end_of_study(s, question);
  std::vector<study_row> rows;
  for (const line_search<curve_search>& line : all.all())
    for (const auto& [load, index] : line.asked)
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
  command.add_option("--most", options->most, "the highest load to try, flits/node/cycle; default 1")
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
             "Finds the highest load that a network carries.", SaturationHelp, {".saturation.csv"}, run_saturation);
}

void add_curve(command_set& commands) {
  const auto options = std::make_shared<search_options>();
  CLI::App& command =
      add_search(commands, options, "curve", "Plots latency over load, with more points where the curve bends.",
                 CurveHelp, {".curve.csv", ".curve.svg"}, run_curve);
  command.add_option("--points", options->points, "points of a curve below its saturation load; default 16")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{3}, std::size_t{1000}));
}

}  // namespace weft::experiment
