// SPDX-License-Identifier: Apache-2.0
/// Pictures of runs: the parts of latency, its distribution, and traffic between sources and destinations.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "weft/picture/chart.h"
#include "weft/picture/picture.h"
#include "weft/report/run_statistics.h"
#include "weft/report/statistic_views.h"

namespace weft::experiment {

namespace {

/// The value at \p name, such as "latency.breakdown", in \p run. \throws configuration_error with \p remedy if the
/// value is missing
const json& needed(const stored_result& run, const std::string& name, const char* remedy) {
  const json::json_pointer place = pointer_to(name);
  if (!run.content.contains(place) || run.content.at(place).empty()) reject_without(run, name, remedy);
  return run.content.at(place);
}

/// The columns of the parts of the statistic \p name.
std::vector<std::string> columns_of(const std::string& name) {
  std::vector<std::string> columns;
  for (const statistic<run_summary>& s : run_statistics().statistics())
    if (s.name == name)
      for (const csv_column& column : s.columns) columns.push_back(column.name);
  return columns;
}

/// A column in words: "VC allocation" for "vc_allocation", without \p prefix.
std::string words_of(const std::string& column, const std::string& prefix) {
  std::string words = column.substr(prefix.size());
  std::replace(words.begin(), words.end(), '_', ' ');
  if (words.substr(0, 3) == "vc ") words.replace(0, 2, "VC");
  return words;
}

/// Adds a stacked bar with the parts in \p columns to \p chart for each point that has all of them.
void stack_parts(bar_chart& chart, const stored_results& stored, const std::vector<std::string>& columns,
                 const std::string& prefix) {
  const std::vector<std::string> labels = point_labels(stored.tables);
  for (const std::string& column : columns) chart.parts.push_back(words_of(column, prefix));
  std::size_t next = 0;
  for (const stored_table& table : stored.tables)
    for (const result_point& point : table.points) {
      const std::string& label = labels[next++];
      std::vector<double> heights;
      for (const std::string& column : columns)
        if (const auto value = point.number(column)) heights.push_back(*value);
      if (heights.size() != columns.size()) continue;
      chart.bars.push_back((label.empty() ? point.name : label) +
                           (point.settled() ? "" : ", " + point.unsettled_text()));
      chart.heights.push_back(std::move(heights));
    }
}

/// Whether some run was configured to record a breakdown. CSV tables do not contain this information.
bool any_run_requests_breakdown(const stored_results& stored) {
  for (const stored_table& table : stored.tables)
    for (const result_point& point : table.points)
      if (const auto breakdown = point.keys.find("output.breakdown");
          breakdown != point.keys.end() && breakdown->second == "true")
        return true;
  return false;
}

constexpr const char* RunAgain = "no packet was measured, or the result is of an older version; run it again";

std::string title_or(const picture_request& request, const char* otherwise) {
  return request.title.empty() ? otherwise : request.title;
}

/// The axis position of a percentile. The distance is the same for each halving of the share of packets that are
/// slower.
double place_of_percentile(double percent) { return -std::log10(1 - percent / 100); }

std::vector<sample> percentile_samples(const stored_result& run) {
  std::vector<sample> samples;
  for (const auto& [percent, value] : needed(run, "latency.packet.percentiles", RunAgain).items())
    if (value.is_number())
      samples.push_back({place_of_percentile(std::stod(percent)), value.get<double>(), std::nullopt});
  if (samples.empty()) reject_without(run, "latency.packet.percentiles", RunAgain);
  return samples;
}

/// The share of packets per cycle of latency in each bin, so that bins of different widths are comparable.
std::vector<sample> histogram_samples(const stored_result& run) {
  const json& histogram = needed(run, "latency.histogram", RunAgain);
  const json &edges = histogram.at("edges"), &counts = histogram.at("counts");
  double all = 0;
  for (const json& count : counts) all += count.get<double>();
  std::vector<sample> samples;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto low = edges.at(i).get<double>(), high = edges.at(i + 1).get<double>();
    samples.push_back({low, 100 * counts[i].get<double>() / all / (high - low), std::nullopt});
  }
  samples.push_back({edges.back().get<double>(), 0, std::nullopt});
  return samples;
}

picture node_matrix(const stored_results& stored, const picture_request& request, const char* kind, const char* table,
                    const char* title, const char* value_label) {
  const json& rows =
      needed(only_run(stored, kind), table, "set output.matrix: true in its configuration and run it again");
  matrix_chart chart{title_or(request, title), "destination, node", "source, node", value_label, {}};
  for (const json& row : rows) {
    chart.rows.emplace_back();
    for (const json& value : row)
      chart.rows.back().push_back(value.is_null() ? std::nullopt : std::optional<double>(value.get<double>()));
  }
  return to_picture(chart);
}

}  // namespace

picture latency_breakdown(const stored_results& stored, const picture_request& request) {
  bar_chart chart{title_or(request, "Where latency comes from"), "mean cycles of a packet", {}, {}, {}};
  stack_parts(chart, stored, columns_of("latency.breakdown"), "");
  if (chart.bars.empty())
    throw configuration_error(
        {diagnostic{"plot breakdown", std::string("no point has a latency breakdown; ") +
                                          (any_run_requests_breakdown(stored)
                                               ? "no measured packet arrived where output.breakdown is true"
                                               : "set output.breakdown: true in its configuration and run it again")}});
  return to_picture(chart);
}

picture energy_by_part(const stored_results& stored, const picture_request& request) {
  bar_chart chart{title_or(request, "Where energy goes"), "energy, nJ", {}, {}, {}};
  stack_parts(chart, stored, columns_of("energy.parts"), "energy_");
  if (chart.bars.empty())
    throw configuration_error({diagnostic{
        "plot energy", "no point has energies; set output.energy: TECHNOLOGY in its configuration and run it again"}});
  return to_picture(chart);
}

picture latency_percentiles(const stored_results& stored, const picture_request& request) {
  curve_chart chart{title_or(request, "Percentiles of latency"), "packets that are at least as fast, %",
                    "packet latency, cycles", series_of_runs(stored, request, "percentiles", percentile_samples)};
  for (const double percent : {50.0, 90.0, 95.0, 99.0, 99.9})
    chart.x_ticks.emplace_back(place_of_percentile(percent), fmt::format("{:g}", percent));
  return to_picture(chart);
}

picture latency_histogram(const stored_results& stored, const picture_request& request) {
  curve_chart chart{title_or(request, "Distribution of latency"), "packet latency, cycles",
                    "packets, % for each cycle of latency",
                    series_of_runs(stored, request, "histogram", histogram_samples)};
  chart.steps = true;
  return to_picture(chart);
}

picture accepted_of_sources(const stored_results& stored, const picture_request& request) {
  curve_chart chart{title_or(request, "Accepted load of each source"), "source, node",
                    "accepted load, flits/node/cycle",
                    series_of_runs(stored, request, "sources", [](const stored_result& run) {
                      std::vector<sample> samples;
                      for (const json& value : needed(run, "sources.per_node", RunAgain))
                        samples.push_back({static_cast<double>(samples.size()), value.get<double>(), std::nullopt});
                      return samples;
                    })};
  return to_picture(chart);
}

picture packet_matrix(const stored_results& stored, const picture_request& request) {
  return node_matrix(stored, request, "matrix", "matrix.packets", "Packets from source to destination", "packets");
}

picture latency_matrix(const stored_results& stored, const picture_request& request) {
  return node_matrix(stored, request, "matrix-latency", "matrix.latency", "Latency from source to destination",
                     "mean packet latency, cycles");
}

}  // namespace weft::experiment
