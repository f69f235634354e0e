// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/picture.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/suggest.h"
#include "weft/picture/choice.h"

namespace weft::experiment {

const std::vector<picture_kind>& picture_kinds() {
  using from = picture_source;
  static const std::vector<picture_kind> kinds = {
      {"latency-load", "mean packet latency over offered load, with 95 % intervals; no saturated points", from::Points,
       latency_over_load, false, true},
      {"accepted-offered", "accepted over offered load, with 95 % intervals", from::Points, accepted_over_offered,
       false, true},
      {"compressed-load", "share of packets compressed over offered load", from::Points, compressed_over_load},
      {"traffics", "mean latency of each traffic over offered load, or other columns (--x, --y)", from::Points,
       curve_of_traffics, true},
      {"curve", "any column or key (--y) over another one (--x)", from::Points, any_over_any, true},
      {"pareto", "points in the columns --x and --y, with their Pareto front", from::Points, pareto_front, true},
      {"breakdown", "packet latency by cause, one stacked bar per point", from::Points, latency_breakdown, false, false,
       false},
      {"energy", "energy by part of the network, one stacked bar per point", from::Points, energy_by_part, false, false,
       false},
      {"percentiles", "latency that 50, 90, 95, 99, 99.9 % of the packets do not exceed", from::Results,
       latency_percentiles},
      {"histogram", "distribution of packet latency", from::Results, latency_histogram},
      {"sources", "accepted load of each source", from::Results, accepted_of_sources},
      {"network", "utilization of links and routers (mean of their ports) on the network, for one result",
       from::OneResult, network_heat, false, false, false},
      {"matrix", "number of packets from each source to each destination in one run", from::OneResult, packet_matrix,
       false, false, false},
      {"matrix-latency", "mean latency from each source to each destination in one run", from::OneResult,
       latency_matrix, false, false, false},
      {"accepted-time", "accepted load over time", from::Results, accepted_over_time},
      {"latency-time", "mean packet latency over time", from::Results, latency_over_time},
      {"power-time", "mean power over time", from::Results, power_over_time},
      {"compressed-time", "share of packets compressed over time", from::Results, compressed_over_time},
      {"steps", "begin and end of the steps of one collective", from::OneResult, steps_of_collective, false, false,
       false},
      {"ranks", "time that each rank computed, waited for messages and sent in one replay", from::OneResult,
       time_of_ranks, false, false, false},
      {"deadlock", "the ring of packets that wait for each other in one run", from::OneResult, deadlock_ring, false,
       false, false},
  };
  return kinds;
}

const picture_kind& find_picture_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const picture_kind& kind : picture_kinds()) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  const std::string hint = did_you_mean(name, names);
  throw configuration_error(
      {{"plot " + name, "unknown kind of picture" +
                            (hint.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : hint)}});
}

std::vector<series> labelled(std::vector<series> list, const picture_request& request) {
  if (request.labels.empty()) return list;
  if (request.labels.size() != list.size())
    throw configuration_error({{fmt::format("--label {}", fmt::join(request.labels, " --label ")),
                                fmt::format("expected {} labels, one for each series of the picture, got {}",
                                            list.size(), request.labels.size())}});
  for (std::size_t i = 0; i < list.size(); ++i) list[i].label = request.labels[i];
  return list;
}

namespace {

/// Reports that there are too many results, and lists the keys by which some can be selected.
[[noreturn]] void reject_number(const stored_results& stored, const char* kind, const std::string& draws,
                                std::size_t number) {
  const std::string choices = choices_in(stored);
  throw configuration_error(
      {{fmt::format("plot {}", kind), fmt::format("draws {}, got {}; select {}", draws, number,
                                                  choices.empty() ? "fewer files" : "with --where from " + choices)}});
}

/// Marks unsettled runs in the legend, because their latency grows with time.
void mark_unsettled(const std::vector<result_point>& runs, std::vector<series>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!runs[i].settled()) list[i].label += (list[i].label.empty() ? "" : ", ") + runs[i].unsettled_text();
}

}  // namespace

void check_number_of_points(const stored_results& stored, const picture_kind& kind) {
  std::size_t points = 0;
  for (const stored_table& table : stored.tables) points += table.file.empty() ? 0 : table.points.size();
  if (kind.source == picture_source::OneResult && points > 1) reject_number(stored, kind.name, "one result", points);
  if (kind.source == picture_source::Results && points > MaxSeries)
    reject_number(stored, kind.name, fmt::format("at most {} results", MaxSeries), points);
}

std::vector<series> series_of_runs(const stored_results& stored, const picture_request& request, const char* kind,
                                   const samples_of_run& samples) {
  if (stored.runs.empty())
    throw configuration_error(
        {{fmt::format("plot {}", kind),
          fmt::format("needs complete results; expected NAME.json of `weft run`, or a store of `weft sweep`{}",
                      stored.results() > 0 ? fmt::format("; {}", SweepOthers) : "")}});
  if (stored.runs.size() > MaxSeries)
    reject_number(stored, kind, fmt::format("at most {} runs", MaxSeries), stored.runs.size());
  const std::vector<std::string> labels = point_labels({stored.tables.back()});
  std::vector<series> list;
  for (std::size_t i = 0; i < stored.runs.size(); ++i) list.push_back({labels[i], samples(stored.runs[i])});
  mark_unsettled(stored.tables.back().points, list);
  return labelled(std::move(list), request);
}

const stored_result& only_one(const std::vector<stored_result>& results, const stored_results& stored, const char* kind,
                              const char* what) {
  if (results.size() > 1) reject_number(stored, kind, fmt::format("one {}", what), results.size());
  if (results.empty())
    throw configuration_error(
        {{fmt::format("plot {}", kind),
          fmt::format("draws one {}; expected NAME.json, or a point of a store of `weft sweep`, got none", what)}});
  return results.front();
}

const stored_result& only_run(const stored_results& stored, const char* kind) {
  return only_one(stored.runs, stored, kind, "run");
}

}  // namespace weft::experiment
