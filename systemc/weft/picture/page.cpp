// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/page.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/picture/page_text.h"
#include "weft/picture/page_view.h"
#include "weft/picture/picture.h"
#include "weft/picture/search_pictures.h"
#include "weft/report/format.h"
#include "weft/report/group_statistics.h"
#include "weft/report/run_statistics.h"
#include "weft/report/statistic_views.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

namespace {

constexpr std::size_t MostRuns = 24;       ///< number of runs with a section of their own
constexpr std::size_t MostRouters = 1024;  ///< routers of the largest network that is drawn
constexpr std::size_t MostBars = 24;       ///< number of bars in one picture
using kind_names = std::vector<const char*>;

const kind_names OfSweeps = {"latency-load", "traffics", "accepted-offered", "compressed-load"};
const kind_names OfRunsTogether = {"latency-load", "accepted-offered", "breakdown",     "energy",
                                   "percentiles",  "histogram",        "accepted-time", "latency-time"};
const kind_names OfOneRun = {"breakdown",    "energy",     "percentiles",    "histogram",      "sources",
                             "network",      "matrix",     "deadlock",       "matrix-latency", "accepted-time",
                             "latency-time", "power-time", "compressed-time"};

/// A picture, or the reason why it cannot be made.
struct attempt {
  std::optional<picture> made;
  std::string why;
};

attempt try_to_make(const picture_kind& kind, const stored_results& stored) {
  try {
    return {kind.make(stored, {}), ""};
  } catch (const configuration_error& e) {
    return {std::nullopt, e.found().front().message};
  } catch (const json::exception& e) {
    return {std::nullopt, std::string("a result is damaged: ") + e.what()};
  }
}

/// Keeps only the runs of \p stored that have the data for \p kind.
stored_results with_data(const picture_kind& kind, const stored_results& stored) {
  stored_results kept;
  kept.tables.emplace_back();
  for (std::size_t i = 0; i < stored.runs.size(); ++i) {
    stored_results alone;
    alone.runs = {stored.runs[i]};
    alone.tables = {stored_table{{}, "", {stored.tables.back().points[i]}}};
    if (!try_to_make(kind, alone).made) continue;
    kept.runs.push_back(stored.runs[i]);
    kept.tables.back().points.push_back(stored.tables.back().points[i]);
  }
  return kept;
}

/// The pictures of all \p kinds for which \p stored has the data, and a list of the missing data for the others.
std::string pictures_of(const stored_results& stored, const kind_names& kinds, const std::string& id) {
  std::string pictures;
  std::vector<std::string> missing;
  for (const char* name : kinds) {
    const picture_kind& kind = find_picture_kind(name);
    const std::string figure_id = fmt::format("{}-{}", id, name);
    attempt tried = try_to_make(kind, stored);
    if (!tried.made && stored.runs.size() > 1) tried.made = try_to_make(kind, with_data(kind, stored)).made;
    if (tried.made)
      pictures += html_figure(figure_id, draw(*tried.made, picture_format::Svg, figure_id), kind.description);
    else
      missing.push_back(fmt::format("{}: {}", name, tried.why));
  }
  std::string text = fmt::format("<div class=\"pictures\">\n{}</div>\n", pictures);
  if (missing.empty()) return text;
  text += "<details class=\"missing\"><summary>Pictures without data</summary>\n<ul class=\"explanation\">\n";
  for (const std::string& line : missing) text += fmt::format("<li>{}</li>\n", html(line));
  return text + "</ul></details>\n";
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables

/// A metric as text, as in "39.36 ± 0.20"; a dash if it was not measured.
std::string metric_text(const result_point& point, const std::string& column, const std::string& half_width,
                        int digits) {
  const auto value = point.number(column);
  return value ? plus_minus(*value, half_width.empty() ? std::nullopt : point.number(half_width), digits) : "–";
}

std::string text_in(const result_point& point, const char* column) {
  const auto found = point.metrics.find(column);
  return found == point.metrics.end() || found->second.empty() ? "–" : html(found->second);
}

std::string outcome_cell(const result_point& point) {
  const std::string how = text_in(point, "outcome");
  return has_whole_window(how) ? how : fmt::format("<span class=\"bad\">{}</span>", how);
}

/// The table cell with the name of a point, its label number \p i or else its own name, as a link if \p links is not
/// empty.
std::string name_cell(const result_point& point, std::size_t i, const std::vector<std::string>& labels,
                      const std::vector<std::string>& links) {
  const std::string label = html(labels[i].empty() ? point.name : labels[i]);
  return i < links.size() ? fmt::format("<a href=\"#{}\">{}</a>", links[i], label) : label;
}

/// A table of all points in \p tables. \param labels labels of the points \param links links to the details of the
/// points, or empty
std::string table_of_points(const std::vector<stored_table>& tables, const std::vector<std::string>& labels,
                            const std::vector<std::string>& links) {
  std::vector<std::vector<std::string>> rows;
  for (const stored_table& table : tables)
    for (const result_point& point : table.points)
      rows.push_back({name_cell(point, rows.size(), labels, links), outcome_cell(point), text_in(point, "seed"),
                      metric_text(point, "offered", "", 4), metric_text(point, "accepted", "accepted_half_width", 4),
                      metric_text(point, "latency_mean", "latency_half_width", 2),
                      metric_text(point, "latency_p99", "", 0)});
  return html_table({"", "outcome", "seed", "offered<br>flits/node/cycle", "accepted<br>flits/node/cycle",
                     "packet latency, mean<br>cycles", "99 %<br>cycles"},
                    rows, 2);
}

/// A table of all points in \p tables, which must be collectives. \param labels labels of the points
std::string table_of_collectives(const std::vector<stored_table>& tables, const std::vector<std::string>& labels) {
  std::vector<std::vector<std::string>> rows;
  for (const stored_table& table : tables)
    for (const result_point& point : table.points)
      rows.push_back({name_cell(point, rows.size(), labels, {}), outcome_cell(point), text_in(point, "cycles"),
                      text_in(point, "cycles_bound"), text_in(point, "messages"), text_in(point, "hops")});
  return html_table({"", "outcome", "cycles", "cycles<br>at least", "messages", "hops"}, rows, 2);
}

/// A table of all points in \p tables, which must be replays. \param labels labels of the points
std::string table_of_replays(const std::vector<stored_table>& tables, const std::vector<std::string>& labels) {
  std::vector<std::vector<std::string>> rows;
  for (const stored_table& table : tables)
    for (const result_point& point : table.points)
      rows.push_back({name_cell(point, rows.size(), labels, {}), outcome_cell(point), text_in(point, "program"),
                      text_in(point, "makespan"), text_in(point, "path_computing"), text_in(point, "path_network"),
                      text_in(point, "path_messages"), text_in(point, "flits"), text_in(point, "flit_hops")});
  return html_table({"", "outcome", "program", "makespan<br>cycles", "critical path:<br>computing, cycles",
                     "in the network,<br>cycles", "messages", "flits", "flit hops"},
                    rows, 3);
}

/// A table of the ranks of a replay.
std::string table_of_ranks(const json& ranks) {
  std::vector<std::vector<std::string>> rows;
  for (const json& rank : ranks) {
    rows.push_back({std::to_string(rows.size())});
    for (const char* key : {"node", "computing", "receiving", "sending", "end", "messages", "bytes"})
      rows.back().push_back(rank.at(key).is_null() ? "–" : html(compact_text(rank.at(key))));
  }
  return html_table({"rank", "node", "computing<br>cycles", "waiting for messages<br>cycles", "sending<br>cycles",
                     "end<br>cycle", "messages", "bytes"},
                    rows, 0);
}

/// A table of all metrics of a run that are columns of its CSV file.
std::string metrics_table(const result_point& point) {
  std::vector<std::vector<std::string>> rows;
  for (const statistic<run_summary>& s : run_statistics().statistics())
    for (const csv_column& column : s.columns) {
      const auto found = point.metrics.find(column.name);
      if (found == point.metrics.end() || found->second.empty()) continue;
      rows.push_back({html(column.name), html(found->second), html(s.unit), html(s.description)});
    }
  return html_table({"figure", "value", "unit", "meaning"}, rows, 4);
}

/// A table of the traffics and message classes of a run; empty if it has none.
std::string table_of_groups(const json& content) {
  std::vector<std::vector<std::string>> rows;
  for (const char* const list : {"traffics", "classes"}) {
    for (const json& group : content.value(list, json::array())) {
      rows.push_back({html(name_of_group(group))});
      for (const char* const place : {"/offered/mean", "/accepted/mean", "/latency/mean", "/latency/percentiles/50",
                                      "/latency/percentiles/99", "/latency/max"}) {
        const json::json_pointer pointer(place);
        const bool has = group.contains(pointer) && !group.at(pointer).is_null();
        rows.back().push_back(has ? html(fmt::format("{:.5g}", group.at(pointer).get<double>())) : "–");
      }
    }
  }
  if (rows.empty()) return "";
  return html_table({"packets of", "offered<br>flits/node/cycle", "accepted<br>flits/node/cycle",
                     "mean latency<br>cycles", "50 %<br>cycles", "99 %<br>cycles", "longest<br>cycles"},
                    rows, 0);
}

/// The warnings of a run, and the reason if it did not complete.
std::string explanation_of(const json& content) {
  std::string lines;
  for (const char* list : {"warnings", "explanation"})
    for (const json& line : content.value(list, json::array()))
      lines += fmt::format("<li>{}</li>\n", html(line.get<std::string>()));
  return lines.empty() ? "" : fmt::format("<ul class=\"explanation\">\n{}</ul>\n", lines);
}

std::string configuration_of(const json& content) {
  std::string text;
  for (const auto& [key, value] : flat_keys(content.at("configuration"))) text += fmt::format("{}: {}\n", key, value);
  return "<details><summary>Configuration</summary>\n<pre>" + html(text) + "</pre></details>\n";
}

// ---------------------------------------------------------------------------------------------------------------------
// Sections

/// The kind of a point. A store may contain all kinds.
enum class study { Traffic, Collective, Replay };

study study_of(const result_point& point) {
  return point.metrics.count("cycles_bound") > 0 ? study::Collective
         : point.metrics.count("makespan") > 0   ? study::Replay
                                                 : study::Traffic;
}

/// The points of those sweeps in \p stored that are of kind \p what.
std::vector<stored_table> sweeps_of(const stored_results& stored, study what) {
  std::vector<stored_table> sweeps;
  for (const stored_table& table : stored.tables) {
    if (table.file.empty()) continue;  // single runs
    stored_table some{table.file, table.label, {}};
    for (const result_point& point : table.points)
      if (study_of(point) == what) some.points.push_back(point);
    if (!some.points.empty()) sweeps.push_back(std::move(some));
  }
  return sweeps;
}

std::string sweeps_section(const stored_results& stored) {
  stored_results sweeps;
  sweeps.tables = sweeps_of(stored, study::Traffic);
  const std::vector<stored_table> collectives = sweeps_of(stored, study::Collective),
                                  replays = sweeps_of(stored, study::Replay);
  if (sweeps.tables.empty() && collectives.empty() && replays.empty()) return "";
  std::string text = "<h2 id=\"sweeps\">Sweeps</h2>\n";
  if (!sweeps.tables.empty())
    text += pictures_of(sweeps, OfSweeps, "sweeps") + "<details><summary>All points</summary>\n" +
            table_of_points(sweeps.tables, point_labels(sweeps.tables), {}) + "</details>\n";
  if (!collectives.empty())
    text += "<h3>Collectives</h3>\n" + table_of_collectives(collectives, point_labels(collectives));
  if (!replays.empty()) text += "<h3>Replays</h3>\n" + table_of_replays(replays, point_labels(replays));
  return text;
}

std::string search_id(std::size_t i) { return fmt::format("search-{}", i + 1); }

std::string run_id(std::size_t i) { return fmt::format("run-{}", i + 1); }

std::string runs_section(const stored_results& stored) {
  if (stored.runs.empty()) return "";
  stored_results runs;
  runs.runs = stored.runs;
  runs.tables = {stored.tables.back()};
  std::vector<std::string> links, labels;
  for (const result_point& point : runs.tables.front().points) {
    if (links.size() < MostRuns) links.push_back(run_id(links.size()));
    labels.push_back(point.name);
  }
  std::string text = "<h2 id=\"runs\">Runs</h2>\n" + table_of_points(runs.tables, labels, links);
  if (stored.runs.size() > MostRuns)
    text += fmt::format("<p class=\"soft\">Details of the first {} follow below.</p>\n", MostRuns);
  if (stored.runs.size() > 1 && stored.runs.size() <= MostBars)
    text += "<h3>Together</h3>\n" + pictures_of(runs, OfRunsTogether, "runs");
  return text;
}

std::string view_of(const stored_result& run) {
  std::optional<network_map> map;
  try {
    map = map_of(run);
  } catch (const configuration_error& e) {
    return fmt::format("<p class=\"bad\">The network cannot be drawn: {}</p>\n", html(e.found().front().message));
  }
  if (map->graph.routers.size() > MostRouters)
    return fmt::format("<p class=\"soft\">A network of more than {} routers is not drawn here.</p>\n", MostRouters);
  return network_view(run, *map);
}

std::string run_section(const stored_result& run, const result_point& point, std::size_t i) {
  stored_results alone;
  alone.runs = {run};
  alone.tables = {stored_table{{}, "", {point}}};
  std::string text =
      fmt::format("<h2 id=\"{}\">{}</h2>\n<p>outcome: {}</p>\n", run_id(i), html(point.name), outcome_cell(point));
  text += explanation_of(run.content) + table_of_groups(run.content) + "<h3>Network</h3>\n" + view_of(run);
  text += "<h3>Pictures</h3>\n" + pictures_of(alone, OfOneRun, run_id(i));
  text += "<details><summary>Figures</summary>\n" + metrics_table(point) + "</details>\n";
  return text + configuration_of(run.content);
}

std::string collective_section(const stored_result& collective, std::size_t i) {
  stored_results alone;
  alone.collectives = {collective};
  const std::string id = fmt::format("collective-{}", i + 1);
  return fmt::format("<h2 id=\"{}\">{}</h2>\n<p>outcome: {}, {} cycles</p>\n", id,
                     html(collective.content.value("name", "collective")),
                     html(collective.content.value("outcome", "unknown")),
                     html(compact_text(collective.content.at("cycles").at("execution")))) +
         explanation_of(collective.content) + pictures_of(alone, {"steps"}, id) + configuration_of(collective.content);
}

std::string replay_section(const stored_result& replay, std::size_t i) {
  stored_results alone;
  alone.replays = {replay};
  const result_point point = point_of(replay.content);
  const std::string id = fmt::format("replay-{}", i + 1);
  return fmt::format("<h2 id=\"{}\">{}</h2>\n", id, html(point.name)) +
         table_of_replays({stored_table{{}, "", {point}}}, {""}) + explanation_of(replay.content) +
         pictures_of(alone, {"ranks", "network"}, id) + "<details><summary>Ranks</summary>\n" +
         table_of_ranks(replay.content.at("ranks")) + "</details>\n" + configuration_of(replay.content);
}

std::string navigation(const stored_results& stored) {
  std::string text = "<nav>\n";
  const auto add = [&text](const std::string& id, const std::string& words) {
    text += fmt::format("<a href=\"#{}\">{}</a>\n", id, html(words));
  };
  for (std::size_t i = 0; i < stored.searches.size(); ++i)
    add(search_id(i), "Search " + stored.searches[i].content.value("name", ""));
  if (stored.tables.size() > (stored.runs.empty() ? 0 : 1)) add("sweeps", "Sweeps");
  if (!stored.runs.empty()) add("runs", "Runs");
  for (std::size_t i = 0; i < std::min(stored.runs.size(), MostRuns); ++i)
    add(run_id(i), stored.tables.back().points[i].name);
  for (std::size_t i = 0; i < stored.collectives.size(); ++i)
    add(fmt::format("collective-{}", i + 1), stored.collectives[i].content.value("name", "collective"));
  for (std::size_t i = 0; i < stored.replays.size(); ++i)
    add(fmt::format("replay-{}", i + 1), stored.replays[i].content.value("name", "replay"));
  return text + "</nav>\n";
}

/// Calls \p make to make the section of \p result. If it fails, the section contains the error, so that the other
/// sections are not affected.
template <class Make>
std::string section_of(const stored_result& result, const std::string& id, std::vector<std::string>& damaged,
                       Make make) {
  try {
    return read_from(result, make);
  } catch (const configuration_error& e) {
    damaged.emplace_back(e.what());
    return fmt::format("<h2 id=\"{}\">{}</h2>\n<p class=\"bad\">{}</p>\n", id, html(result.file), html(e.what()));
  }
}

std::string list_of(const std::vector<std::string>& damaged) {
  std::string lines;
  for (const std::string& line : damaged) lines += fmt::format("<li class=\"bad\">{}</li>\n", html(line));
  return lines.empty() ? "" : fmt::format("<ul class=\"explanation\">\n{}</ul>\n", lines);
}

}  // namespace

std::string to_page(const stored_results& stored, const std::string& title, std::vector<std::string>& damaged) {
  damaged.insert(damaged.end(), stored.damaged.begin(), stored.damaged.end());
  std::string body = fmt::format("<h1>{}</h1>\n<p class=\"soft\">Weft {}</p>\n", html(title), version());
  body += list_of(stored.damaged) + navigation(stored);
  for (std::size_t i = 0; i < stored.searches.size(); ++i)
    body += section_of(stored.searches[i], search_id(i), damaged,
                       [&] { return search_section(stored.searches[i].content, search_id(i)); });
  body += sweeps_section(stored) + runs_section(stored);
  for (std::size_t i = 0; i < std::min(stored.runs.size(), MostRuns); ++i)
    body += section_of(stored.runs[i], run_id(i), damaged,
                       [&] { return run_section(stored.runs[i], stored.tables.back().points[i], i); });
  for (std::size_t i = 0; i < stored.collectives.size(); ++i)
    body += section_of(stored.collectives[i], fmt::format("collective-{}", i + 1), damaged,
                       [&] { return collective_section(stored.collectives[i], i); });
  for (std::size_t i = 0; i < stored.replays.size(); ++i)
    body += section_of(stored.replays[i], fmt::format("replay-{}", i + 1), damaged,
                       [&] { return replay_section(stored.replays[i], i); });
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n{}"
      "<script type=\"application/json\" id=\"heat-colours\">{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
      html(title), PageStyle, body, script_json(json(heat_colours())), PageScript);
}

}  // namespace weft::experiment
