// SPDX-License-Identifier: Apache-2.0
#include "weft/command/searched_loads.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <vector>

#include "weft/report/statistic_views.h"
#include "weft/workload/length.h"
#include "weft/workload/node_injection.h"
#include "weft/workload/traffic_loads.h"

namespace weft::experiment {

double cell_number(const study_row& row, const char* column) {
  const auto found = columns_of(row.result);
  const auto at = found.find(column);
  return at == found.end() ? 0 : parse_number<double>(at->second).value_or(0);
}

std::string cell_text(const study_row& row, const std::string& column) {
  const auto found = columns_of(row.result);
  const auto at = found.find(column);
  return at == found.end() ? "" : at->second;
}

namespace {

/// The load of the nodes whose source queue grows, divided by the mean load of all nodes.
double growing_load(const json& file) {
  const json& sources = file.at("sources");
  const auto growing = sources.at("growing").get<std::vector<node_id>>();
  const json& workload = file.at("configuration").at("workload");
  const bool is_matrix = workload.value(json::json_pointer("/pattern/kind"), "") == "matrix";
  if (!is_matrix && !workload.contains("traffics")) return static_cast<double>(growing.size());
  const auto loads = sources.at("per_node").get<std::vector<double>>();
  double all = 0, some = 0;
  for (const double load : loads) all += load;
  for (const node_id node : growing) some += loads.at(node);
  return all > 0 ? some * static_cast<double>(loads.size()) / all : 0;
}

}  // namespace

run_uncertainty run_uncertainty_of(const study_row& row) {
  run_uncertainty known;
  if (row.result.json.empty()) return known;
  const json file = json::parse(row.result.json);
  const json& sources = file.at("sources");
  const auto half_width_of = [&file](const char* rate) {
    const json half_width = file.at("throughput").value(rate, json::object()).value("half_width", json());
    return half_width.is_number() ? std::optional(half_width.get<double>()) : std::nullopt;
  };
  known.half_width = half_width_of("offered");
  known.growth_half_width = half_width_of("growth");
  known.nodes = sources.at("per_node").size();
  known.growing = growing_load(file);
  return known;
}

bool has_load(const input& in, const sweep_point& point) {
  try {
    return weft::has_load(in.load_unchecked(point).workload);
  } catch (const configuration_error&) {
    return true;
  }
}

double highest_load_to_try(const input& in, const sweep_point& point, double most) {
  try {
    const configuration c = in.load_unchecked(point);
    const workload_parameters& w = c.workload;
    if (w.traffics.empty() && !w.pattern.kind->by_place && has_load(in, point)) {
      const auto nodes = static_cast<std::uint32_t>(c.nodes());
      const double highest = highest_mean_load(w.injection, length_distribution(w.length).mean(),
                                               traffic_pattern(w.pattern, nodes, {}), nodes);
      const double rounded = std::floor(std::min(most, highest) * 1e6) / 1e6;  // a load has six decimal places
      if (highest < most && rounded > 0) return rounded;
    }
  } catch (const std::exception&) {  // reported when the point is run
  }
  return most;
}

}  // namespace weft::experiment
