// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/traffic_loads.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace weft {

bool has_load(const traffic_parameters& t) {
  return t.injection.kind != injection_kind::RequestReply && t.pattern.rates != matrix_rates::Absolute;
}

bool has_load(const workload_parameters& w) {
  if (!w.packet_list.empty() || !w.flows.file.empty()) return false;
  if (w.traffics.empty()) return has_load(static_cast<const traffic_parameters&>(w));
  return std::any_of(w.traffics.begin(), w.traffics.end(),
                     [](const traffic_parameters& t) { return has_load(t) && t.injection.load > 0; });
}

double sum_of_loads(const workload_parameters& w, std::uint32_t nodes) {
  double sum = 0;
  for (const named_traffic& t : w.traffics)
    if (has_load(t)) sum += t.injection.load * (t.sources.empty() ? 1 : static_cast<double>(t.sources.size()) / nodes);
  return sum;
}

double hurst_of(const workload_parameters& w) {
  constexpr double ShortMemory = 0.5;
  const auto hurst = [](const traffic_parameters& t) {
    return t.injection.kind == injection_kind::SelfSimilar ? t.injection.hurst : ShortMemory;
  };
  if (!w.packet_list.empty()) return ShortMemory;
  double highest = w.traffics.empty() ? hurst(w) : ShortMemory;
  for (const named_traffic& t : w.traffics) highest = std::max(highest, hurst(t));
  return highest;
}

std::vector<named_traffic> scaled_traffics(const workload_parameters& w, std::uint32_t nodes) {
  const double sum = sum_of_loads(w, nodes);
  std::vector<named_traffic> scaled = w.traffics;
  if (sum == w.injection.load || sum == 0) return scaled;
  for (named_traffic& t : scaled)
    if (has_load(t)) t.injection.load *= w.injection.load / sum;
  return scaled;
}

std::vector<bool> source_flags(const traffic_parameters& t, std::uint32_t nodes) {
  if (t.sources.empty()) return std::vector<bool>(nodes, true);
  std::vector<bool> flags(nodes);
  for (const node_id node : t.sources) {
    if (node >= nodes)
      throw std::invalid_argument(fmt::format("sources: expected nodes from 0 to {}, got {}", nodes - 1, node));
    if (flags[node])
      throw std::invalid_argument(fmt::format("sources: node {} is listed twice; list each node once", node));
    flags[node] = true;
  }
  return flags;
}

}  // namespace weft
