// SPDX-License-Identifier: Apache-2.0
#include "weft/explore/network_estimate.h"

#include <algorithm>
#include <memory>

#include "weft/configuration/network.h"
#include "weft/simulation/expected_traffic.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/workload/traffic_loads.h"

namespace weft::experiment {

namespace {

constexpr double Margin = 0.05;

bool is_among(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_cost(network_estimate& to, const network_cost& cost) {
  constexpr double SquareMillimetres = 1e-6;
  const double area = cost.routers().area + cost.nics().area + cost.links().area;
  to.exact["area"] = {area * SquareMillimetres, 0};
  to.exact["clock"] = {cost.reached_clock(), 0};
  to.exact["static_power"] = {cost.static_power(), 0};
}

/// mW divided by Gbit/s is pJ/bit.
void bound_energy(network_estimate& to, const configuration& c, const topology& graph, const network_cost& cost) {
  const double offered = c.workload.injection.load * static_cast<double>(graph.nodes.size()) *
                         static_cast<double>(c.flit.payload_bits) * cost.clock();
  if (offered > 0) to.within["energy_per_bit"].least = cost.static_power() / offered * (1 - Margin);
}

/// Adds what the loads of the channels determine. They take most of the time.
void add_traffic(network_estimate& to, const configuration& c, const topology& graph) {
  const expected_traffic expected = expect_traffic(c, graph, find_loads(graph));
  to.exact["ideal_throughput"] = {expected.ideal_throughput, 0};
  to.exact["zero_load_latency"] = {expected.zero_load.sum(), 0};
  // A compressor shortens packets, so that neither value is a bound.
  if (c.nic.compression.enabled()) return;
  to.within["saturation"] = {0, expected.ideal_throughput * (1 + Margin)};
  to.within["latency_mean"].least = expected.zero_load.sum() * (1 - Margin);
}

}  // namespace

network_estimate estimate_network(const configuration& c, const search_goals& goals) {
  network_estimate found;
  const std::vector<std::string> names = goals.metrics();
  const topology graph = build_network(c);
  const bool flows = !c.collective.algorithm && c.workload.trace.empty();
  if (const std::shared_ptr<const network_cost> cost = find_cost(c, graph)) {
    add_cost(found, *cost);
    if (flows && c.workload.traffics.empty() && has_load(c.workload)) bound_energy(found, c, graph, *cost);
  }
  const bool needs_loads = is_among(names, "ideal_throughput") || is_among(names, "zero_load_latency") ||
                           (c.explore.bounds && (is_among(names, "saturation") || is_among(names, "latency_mean")));
  if (needs_loads && flows && has_pattern(c)) add_traffic(found, c, graph);
  if (!c.explore.bounds) found.within.clear();
  for (const auto& [name, known] : found.exact) found.within[name] = {known.value, known.value};
  return found;
}

}  // namespace weft::experiment
