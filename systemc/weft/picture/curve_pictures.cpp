// SPDX-License-Identifier: Apache-2.0
/// Pictures of sweeps: metrics over load or over keys.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/suggest.h"
#include "weft/picture/chart.h"
#include "weft/picture/picture.h"
#include "weft/report/run_statistics.h"

namespace weft::experiment {

namespace {

constexpr const char* OfferedLabel = "offered load, flits/node/cycle";
constexpr const char* PayloadBits = "network.flit.payload_bits";

/// Converts the loads in \p stored to bits of payload.
stored_results in_bits(stored_results stored) {
  for (stored_table& table : stored.tables)
    for (result_point& point : table.points) {
      const std::optional<double> bits = point.number(PayloadBits);
      if (!bits)
        throw configuration_error({{"--bits", fmt::format("not every point has {}; tables have only the keys that were "
                                                          "swept, so draw from JSON or a store",
                                                          PayloadBits)}});
      for (const char* const load : {"offered", "accepted", "accepted_half_width"})
        if (const auto flits = point.number(load)) point.metrics[load] = fmt::format("{}", *flits * *bits);
    }
  return stored;
}

/// The axis label in the requested unit.
std::string load_label(std::string label, const picture_request& request) {
  const std::string unit = "flits/";
  if (const std::size_t at = label.find(unit); request.bits && at != std::string::npos)
    label.replace(at, unit.size(), "bits/");
  return label;
}

/// Whether some point has a number in the column or key \p name.
bool any_has(const stored_results& stored, const std::string& name) {
  for (const stored_table& table : stored.tables)
    for (const result_point& point : table.points)
      if (point.number(name)) return true;
  return false;
}

picture figure_over_load(const stored_results& stored, const picture_request& request, const curve_columns& columns,
                         const char* kind, const char* title, const char* y_label, const char* remedy) {
  if (!any_has(stored, columns.x))
    throw configuration_error(
        {{fmt::format("plot {}", kind),
          fmt::format("no point of these results has {}; expected runs or sweeps with an offered load", columns.x)}});
  std::vector<series> list = series_of(request.bits ? in_bits(stored) : stored, columns);
  const auto is_zero = [](const sample& s) { return s.y == 0; };
  const bool all_zero = std::all_of(list.begin(), list.end(), [&](const series& s) {
    return std::all_of(s.samples.begin(), s.samples.end(), is_zero);
  });
  if (all_zero)
    throw configuration_error({{fmt::format("plot {}", kind),
                                fmt::format("no point of these results has {} above 0; {}", columns.y, remedy)}});
  return to_picture(curve_chart{request.title.empty() ? title : request.title, load_label(OfferedLabel, request),
                                load_label(y_label, request), labelled(std::move(list), request)});
}

/// The columns and keys of all points.
std::vector<std::string> names_in(const stored_results& stored) {
  std::vector<std::string> names;
  for (const stored_table& table : stored.tables)
    for (const result_point& point : table.points)
      for (const auto* values : {&point.keys, &point.metrics})
        for (const auto& [name, text] : *values)
          if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

/// Checks that \p option names a column or key for which some point has a number. \throws configuration_error
void check_column(const stored_results& stored, const char* option, const std::string& name) {
  if (name.empty()) throw configuration_error({{"plot", fmt::format("this kind of picture needs {} COLUMN", option)}});
  if (any_has(stored, name)) return;
  const std::vector<std::string> names = names_in(stored);
  const std::string place = fmt::format("{} {}", option, name);
  if (names.empty()) throw configuration_error({{place, SweepOthers}});
  if (std::find(names.begin(), names.end(), name) != names.end())
    throw configuration_error({{place, "has no numeric value at any point of these results"}});
  const std::string hint = did_you_mean(name, names);
  throw configuration_error(
      {{place, "the results have no such column or key" +
                   (hint.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : hint)}});
}

/// The axis label of a column, as in "latency_p99, cycles".
std::string with_unit(const std::string& name) {
  for (const char* const of_saturation : {"saturation_low", "saturation_high", "accepted_most"})
    if (name == of_saturation) return name + ", flits/node/cycle";
  for (const statistic<run_summary>& s : run_statistics().statistics())
    for (const csv_column& column : s.columns)
      if (column.name == name) return s.unit.empty() ? name : fmt::format("{}, {}", name, s.unit);
  configuration c;
  for (const key& k : keys(c))
    if (k.path == name) return k.unit.empty() ? name : fmt::format("{}, {}", name, k.unit);
  return name;
}

/// The column of half widths for \p name, if these results have one.
std::string half_width_column(const std::string& name) {
  const std::string mean = "_mean";
  const bool is_mean = name.size() > mean.size() && name.compare(name.size() - mean.size(), mean.size(), mean) == 0;
  return (is_mean ? name.substr(0, name.size() - mean.size()) : name) + "_half_width";
}

/// The names of the columns in \p stored that begin with \p start and end with \p end, without both.
std::vector<std::string> names_between(const stored_results& stored, const std::string& start, const std::string& end) {
  std::vector<std::string> names;
  for (const std::string& column : names_in(stored)) {
    if (column.size() <= start.size() + end.size() || column.compare(0, start.size(), start) != 0 ||
        column.compare(column.size() - end.size(), end.size(), end) != 0)
      continue;
    names.push_back(column.substr(start.size(), column.size() - start.size() - end.size()));
  }
  return names;
}

/// The traffics in \p stored, as starts of columns. If there is only one traffic, the message classes.
std::vector<std::string> groups_of(const stored_results& stored) {
  std::vector<std::string> groups;
  for (const char* const kind : {"traffic_", "class_"}) {
    for (const std::string& name : names_between(stored, kind, "_packets")) groups.push_back(kind + name);
    if (!groups.empty()) break;
  }
  return groups;
}

bool is_latency(const std::string& column) { return column.find("latency") != std::string::npos; }

}  // namespace

picture latency_over_load(const stored_results& stored, const picture_request& request) {
  return figure_over_load(stored, request, {"offered", "latency_mean", "latency_half_width", true}, "latency-load",
                          "Latency over load", "mean packet latency, cycles",
                          "all are saturated or failed; run at lower loads");
}

picture accepted_over_offered(const stored_results& stored, const picture_request& request) {
  return figure_over_load(stored, request, {"offered", "accepted", "accepted_half_width", false}, "accepted-offered",
                          "Accepted over offered load", "accepted load, flits/node/cycle", "the runs failed");
}

picture compressed_over_load(const stored_results& stored, const picture_request& request) {
  return figure_over_load(stored, request, {"offered", "compressed_share", "", false}, "compressed-load",
                          "Packets compressed", "packets compressed, share of all",
                          "set nic.compression.mode and run again");
}

std::optional<picture> sweep_picture(const stored_table& table, const std::string& key) {
  stored_results stored;
  stored.tables = {table};
  const std::string x = key == LoadKey ? "offered" : key;
  const std::vector<series> accepted = series_of(stored, {x, "accepted", "accepted_half_width", false});
  if (accepted.empty()) return std::nullopt;
  // Series with only saturated points have no latency, but keep their index, and thus their style.
  const std::vector<series> settled = series_of(stored, {x, "latency_mean", "latency_half_width", true});
  std::vector<series> latency;
  for (const series& s : accepted) {
    const auto same = std::find_if(settled.begin(), settled.end(), [&](const series& l) { return l.label == s.label; });
    latency.push_back(same == settled.end() ? series{s.label, {}} : *same);
  }
  const std::string x_label = x == "offered" ? OfferedLabel : with_unit(x);
  std::vector<curve_chart> charts;
  if (!settled.empty()) charts.push_back({"Latency", x_label, "mean packet latency, cycles", latency});
  charts.push_back({"Accepted load", x_label, "accepted load, flits/node/cycle", accepted});
  return beside(table.label, charts);
}

picture any_over_any(const stored_results& stored, const picture_request& request) {
  check_column(stored, "--x", request.x);
  check_column(stored, "--y", request.y);
  std::vector<series> list =
      series_of(stored, {request.x, request.y, half_width_column(request.y), is_latency(request.y)});
  if (list.empty())
    throw configuration_error({{"--y " + request.y, "no point has both columns, or all points are saturated"}});
  curve_chart chart{request.title, with_unit(request.x), with_unit(request.y), labelled(std::move(list), request)};
  if (chart.title.empty()) chart.title = fmt::format("{} over {}", request.y, request.x);
  return to_picture(chart);
}

picture curve_of_traffics(const stored_results& stored, const picture_request& request) {
  const std::string x = request.x.empty() ? "offered" : request.x;
  const std::string y = request.y.empty() ? "latency_mean" : request.y;
  const std::vector<std::string> groups = groups_of(stored);
  if (groups.empty())
    throw configuration_error(
        {diagnostic{"plot traffics",
                    "these results have no statistics of several traffics or message classes; set "
                    "workload.traffics or network.router.classes"}});
  check_column(stored, "--x", x);
  if (!any_has(stored, groups.front() + "_" + y))
    throw configuration_error(
        {{"--y " + y, fmt::format("traffics have no such statistic; expected one of {}",
                                  fmt::join(names_between(stored, groups.front() + "_", ""), ", "))}});
  std::vector<series> list;
  for (const std::string& group : groups) {
    const std::string column = group + "_" + y, name = group.substr(group.find('_') + 1);
    for (series& s : series_of(stored, {x, column, half_width_column(column), is_latency(y)})) {
      const std::string label = group.front() == 'c' ? "class " + name : name;
      s.label = s.label.empty() ? label : fmt::format("{}, {}", label, s.label);
      list.push_back(std::move(s));
    }
  }
  if (list.empty()) throw configuration_error({diagnostic{"plot traffics", "all points are saturated or failed"}});
  curve_chart chart{request.title, x == "offered" ? OfferedLabel : with_unit(x),
                    y + " of each traffic" + with_unit(y).substr(y.size()), labelled(std::move(list), request)};
  if (chart.title.empty()) chart.title = "Traffics";
  return to_picture(chart);
}

picture pareto_front(const stored_results& stored, const picture_request& request) {
  check_column(stored, "--x", request.x);
  check_column(stored, "--y", request.y);
  front_chart chart{request.title, with_unit(request.x), with_unit(request.y), {}, {}};
  if (chart.title.empty()) chart.title = fmt::format("{} against {}", request.y, request.x);
  const auto tables = samples_of(stored, {request.x, request.y, "", is_latency(request.x) || is_latency(request.y)});
  std::vector<mark> all;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    series points{tables.size() > 1 ? stored.tables[i].label : "", {}};
    for (const named_sample& s : tables[i]) {
      points.samples.push_back(s.at);
      all.push_back({s.at.x, s.at.y, s.label});
    }
    if (!points.samples.empty()) chart.points.push_back(std::move(points));
  }
  if (all.empty())
    throw configuration_error({{"--y " + request.y, "no point has both columns, or all points are saturated"}});
  chart.points = labelled(std::move(chart.points), request);
  chart.front = front_of(std::move(all), request.larger_x, request.larger_y);
  return to_picture(chart);
}

}  // namespace weft::experiment
