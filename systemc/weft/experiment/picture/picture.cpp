// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/picture/picture.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/suggest.h"

namespace weft::experiment {

const std::vector<picture_kind>& picture_kinds() {
  static const std::vector<picture_kind> kinds = {
      {"latency-load", "mean packet latency over offered load, with 95 % intervals; no saturated points",
       latency_over_load, false, true},
      {"accepted-offered", "accepted over offered load, with 95 % intervals", accepted_over_offered, false, true},
      {"compressed-load", "share of packets compressed over offered load", compressed_over_load},
      {"curve", "any column or key over any other: --x, --y", any_over_any, true},
      {"pareto", "points of --x and --y, and those that no other beats in both", pareto_front, true},
      {"breakdown", "where packets spend their latency, a stacked bar a point", latency_breakdown, false, false, false},
      {"percentiles", "latency that 50, 90, 95, 99, 99.9 % of the packets do not exceed", latency_percentiles},
      {"histogram", "distribution of packet latency", latency_histogram},
      {"sources", "accepted load of each source", accepted_of_sources},
      {"network", "utilisation of links and routers (mean of their ports) on the network, one run", network_heat, false,
       false, false},
      {"matrix", "packets from each source to each destination, one run", packet_matrix, false, false, false},
      {"matrix-latency", "mean latency from each source to each destination, one run", latency_matrix, false, false,
       false},
      {"accepted-time", "accepted load over time", accepted_over_time},
      {"latency-time", "mean packet latency over time", latency_over_time},
      {"compressed-time", "share of packets compressed over time", compressed_over_time},
      {"steps", "when the steps of a collective begin and end, one collective", steps_of_collective, false, false,
       false},
      {"deadlock", "the ring of packets that wait for each other, one run", deadlock_ring, false, false, false},
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

std::vector<series> labelled(std::vector<series> list, const picture_request& asked) {
  if (asked.labels.empty()) return list;
  if (asked.labels.size() != list.size())
    throw configuration_error({{fmt::format("--label {}", fmt::join(asked.labels, " --label ")),
                                fmt::format("the picture has {} series; expected as many labels, got {}", list.size(),
                                            asked.labels.size())}});
  for (std::size_t i = 0; i < list.size(); ++i) list[i].label = asked.labels[i];
  return list;
}

std::vector<std::string> run_labels(const stored_results& stored, const char* kind) {
  if (stored.runs.empty())
    throw configuration_error(
        {{fmt::format("plot {}", kind), "needs results in JSON, NAME.json of `weft run`; expected at least one"}});
  return point_labels({stored.tables.back()});
}

/// Says in the legend which runs did not settle: their latency goes on growing.
void mark_unsettled(const std::vector<result_point>& runs, std::vector<series>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!runs[i].settled()) list[i].label += (list[i].label.empty() ? "" : ", ") + runs[i].figures.at("outcome");
}

std::vector<series> series_of_runs(const stored_results& stored, const picture_request& asked, const char* kind,
                                   const samples_of_run& samples) {
  const std::vector<std::string> labels = run_labels(stored, kind);
  std::vector<series> list;
  for (std::size_t i = 0; i < stored.runs.size(); ++i) list.push_back({labels[i], samples(stored.runs[i])});
  mark_unsettled(stored.tables.back().points, list);
  return labelled(std::move(list), asked);
}

const stored_result& only_run(const stored_results& stored, const char* kind) {
  if (stored.runs.size() != 1)
    throw configuration_error(
        {{fmt::format("plot {}", kind),
          fmt::format("draws one run; expected one NAME.json of `weft run`, got {}", stored.runs.size())}});
  return stored.runs.front();
}

}  // namespace weft::experiment
