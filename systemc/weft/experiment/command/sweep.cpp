// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/command/sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/experiment/command/quote.h"

namespace weft::experiment {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// At commas, but not within brackets: `[4,4],[8,8]` are two values.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c == ',' && depth == 0)
      values.emplace_back();
    else
      values.back() += c;
  }
  return values;
}

std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// `first:last:step` as numbers, or nothing if it is not of that form.
std::optional<std::vector<std::string>> range(const std::string& text, const std::string& place) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto first = number(parts[0]), last = number(parts[1]), step = number(parts[2]);
  if (!first || !last || !step) return std::nullopt;
  const double steps = std::floor((*last - *first) / *step + 1e-9);
  if (*step == 0 || steps < 0 || steps > 9999)
    throw configuration_error({{place, "a range is first:last:step, with at most 10000 values from first to last"}});
  std::vector<std::string> values;
  for (int i = 0; i <= static_cast<int>(steps); ++i) values.push_back(fmt::format("{:.10g}", *first + i * *step));
  return values;
}

/// The columns of a point's row, by name.
std::map<std::string, std::string> columns(const sweep_row& row) {
  const std::vector<std::string> lines = split(row.csv, '\n');
  std::map<std::string, std::string> by_name;
  if (lines.size() < 2) return by_name;
  const std::vector<std::string> names = split(lines[0], ','), values = split(lines[1], ',');
  // The name of the experiment comes first and may hold commas: what counts is counted from the end.
  for (std::size_t i = 0; i < names.size() && i < values.size(); ++i)
    by_name[names[names.size() - 1 - i]] = values[values.size() - 1 - i];
  return by_name;
}

std::string last_name(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// The point's values on all axes but the first, for the legend.
std::string series_of(const sweep_point& point) {
  std::vector<std::string> parts;
  for (std::size_t i = 1; i < point.size(); ++i)
    parts.push_back(fmt::format("{} = {}", last_name(point[i].key), point[i].value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

sweep_axis parse_axis(const std::string& text) {
  const std::string place = "--over " + text;
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw configuration_error({{place, "expected KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP"}});
  const std::string values = text.substr(equals + 1);
  sweep_axis axis{text.substr(0, equals), {}};
  if (const auto numbers = range(values, place))
    axis.values = *numbers;
  else
    axis.values = split_values(values);
  return axis;
}

void check_axes(const std::vector<sweep_axis>& axes) {
  std::set<std::string> keys;
  for (const sweep_axis& axis : axes) {
    const std::string place = "--over " + axis.key;
    if (!keys.insert(axis.key).second) throw configuration_error({{place, "is swept twice"}});
    if (axis.key.rfind("output", 0) == 0)
      throw configuration_error({{place, "a sweep has one output for all its points; use --set"}});
  }
}

void check_sweepable(const configuration& c) {
  const auto refuse = [&c](const char* key, bool asked) {
    if (asked)
      throw configuration_error({{c.where(key), fmt::format("{} is written by `weft run` only, not for the points of a "
                                                            "sweep",
                                                            key)}});
  };
  refuse("output.event_log", c.output.event_log);
  refuse("output.answers", c.output.answers);
  refuse("output.vcd", !c.output.vcd.empty());
}

std::vector<sweep_point> points_of(const std::vector<sweep_axis>& axes) {
  std::vector<sweep_point> points{{}};
  for (const sweep_axis& axis : axes) {
    std::vector<sweep_point> longer;
    for (const sweep_point& point : points) {
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back({axis.key, value, fmt::format("--over {}={}", axis.key, value)});
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::string sweep_csv(const std::vector<sweep_axis>& axes, const std::vector<sweep_point>& points,
                      const std::vector<sweep_row>& rows) {
  std::string table;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<std::string> lines = split(rows[i].csv, '\n');
    if (lines.size() < 2) continue;
    if (table.empty()) {
      for (const sweep_axis& axis : axes) table += axis.key + ",";
      table += lines[0] + "\n";
    }
    for (const setting& s : points[i])
      table += (s.value.find_first_of(",\"") == std::string::npos ? s.value : "\"" + s.value + "\"") + ",";
    table += lines[1] + "\n";
  }
  return table;
}

std::string sweep_table(const std::vector<sweep_axis>& axes, const std::vector<sweep_point>& points,
                        const std::vector<sweep_row>& rows) {
  std::string table;
  for (const sweep_axis& axis : axes) table += fmt::format("  {:>14}", last_name(axis.key));
  table += fmt::format("  {:>9}  {:>9}  {:>9}  {:>9}  {}\n", "offered", "accepted", "latency", "p99", "outcome");
  const auto rounded = [](const std::string& text, int digits) {
    const auto value = number(text);
    return value ? fmt::format("{:.{}f}", *value, digits) : std::string("-");
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto found = columns(rows[i]);
    for (const setting& s : points[i]) table += fmt::format("  {:>14}", s.value);
    table += fmt::format("  {:>9}  {:>9}  {:>9}  {:>9}  {}\n", rounded(found["offered"], 4),
                         rounded(found["accepted"], 4), rounded(found["latency_mean"], 2),
                         rounded(found["latency_p99"], 0), found["outcome"].empty() ? "no result" : found["outcome"]);
  }
  return table;
}

std::string settings_text(const sweep_point& point) {
  std::vector<std::string> parts;
  for (const setting& s : point) parts.push_back(fmt::format("{}={}", s.key, s.value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string sweep_plot(const std::string& title, const std::vector<sweep_axis>& axes,
                       const std::vector<sweep_point>& points, const std::vector<sweep_row>& rows,
                       const std::string& svg) {
  struct mark {
    std::string x, latency, accepted;
  };
  std::vector<std::string> order;
  std::map<std::string, std::vector<mark>> series;
  bool has_latency = false;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!number(points[i].front().value)) return "";
    const auto found = columns(rows[i]);
    if (found.empty()) continue;
    const std::string name = series_of(points[i]);
    if (series.find(name) == series.end()) order.push_back(name);
    // A saturated network has no latency to speak of: it grows as long as one looks.
    const bool settled = found.at("outcome") == "complete" && !found.at("latency_mean").empty();
    has_latency |= settled;
    series[name].push_back({points[i].front().value, settled ? found.at("latency_mean") : "NaN", found.at("accepted")});
  }
  if (order.empty()) return "";
  std::string script = fmt::format(
      "set terminal svg size 900,420 font 'sans,12' background rgb 'white'\nset output {}\n"
      "set multiplot layout 1,{} title {} noenhanced\nset grid\nset key top left\nset xlabel {} noenhanced\n",
      quoted(svg), has_latency ? 2 : 1, quoted(title), quoted(axes.front().key));
  std::vector<std::string> latency, accepted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    script += fmt::format("$series{} << EOD\n", i);
    for (const mark& m : series[order[i]]) script += fmt::format("{} {} {}\n", m.x, m.latency, m.accepted);
    script += "EOD\n";
    const std::string label = order[i].empty() ? "notitle" : fmt::format("title {} noenhanced", quoted(order[i]));
    latency.push_back(fmt::format("$series{} using 1:2 with linespoints lw 2 {}", i, label));
    accepted.push_back(fmt::format("$series{} using 1:3 with linespoints lw 2 {}", i, label));
  }
  script += "set yrange [0:*]\n";
  if (has_latency)  // gnuplot refuses to draw nothing
    script += fmt::format("set ylabel 'mean packet latency, cycles'\nplot {}\n", fmt::join(latency, ", "));
  script +=
      fmt::format("set ylabel 'accepted, flits/node/cycle'\nplot {}\nunset multiplot\n", fmt::join(accepted, ", "));
  return script;
}

}  // namespace weft::experiment
