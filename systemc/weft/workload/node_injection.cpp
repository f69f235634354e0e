// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/node_injection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "weft/workload/markov_chain.h"

namespace weft {

namespace {

/// \p value with six significant digits, not rounded up.
std::string rounded_down(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 5);
  return fmt::format("{:.6g}", std::floor(value / unit * (1 + 1e-12)) * unit);
}

node_id busiest(const traffic_pattern& pattern, std::uint32_t nodes) {
  node_id found = 0;
  for (node_id n = 0; n < nodes; ++n)
    if (pattern.active(n) && pattern.relative_load(n) > pattern.relative_load(found)) found = n;
  return found;
}

/// The highest load of a node.
double highest_load(const injection_parameters& p, double mean_length) {
  if (p.kind == injection_kind::Mmpp) return mean_length / markov_chain(p).highest_factor();
  return has_periods(p.kind) ? std::min(p.peak, mean_length) : mean_length;
}

/// Throws if the busiest node exceeds the highest load. The message gives the mean load at which it does not.
void check_busiest(const injection_parameters& p, double mean_length, const traffic_pattern& pattern,
                   std::uint32_t nodes) {
  constexpr double Rounding = 1e-9;
  const node_id node = busiest(pattern, nodes);
  const double load = pattern.load_of(node, p.load);
  if (!(load > highest_load(p, mean_length) * (1 + Rounding))) return;
  const bool absolute = pattern.has_absolute_loads();
  const std::string at = absolute ? "" : fmt::format(" at a load of {:g}", p.load);
  const std::string remedy = fmt::format(
      absolute ? "lower the sum of its rates to at most {}" : "lower load to at most {}",
      rounded_down(absolute ? highest_load(p, mean_length) : highest_mean_load(p, mean_length, pattern, nodes)));
  if (has_periods(p.kind) && load > p.peak) {
    throw std::invalid_argument(
        fmt::format("injection {}: peak ({:g}) must be at least the load of every node, but node {} has a load of "
                    "{:g}{}; raise peak, or {}",
                    name_of(p.kind), p.peak, node, load, at, remedy));
  }
  if (p.kind == injection_kind::Mmpp && load <= mean_length) {
    throw std::invalid_argument(fmt::format(
        "injection mmpp: node {} has a load of {:g} flits per cycle{}, and in one of its states {:g}; with packets of "
        "{:g} flits on average, it then needs {:g} packets per cycle, but a node creates at most one; {}, or send "
        "longer "
        "packets",
        node, load, at, load * markov_chain(p).highest_factor(), mean_length,
        load * markov_chain(p).highest_factor() / mean_length, remedy));
  }
  throw std::invalid_argument(
      fmt::format("injection: node {} has a load of {:g} flits per cycle{}; with packets of {:g} flits on average, it "
                  "needs {:g} packets per cycle, but a node creates at most one; {}, or send longer packets",
                  node, load, at, mean_length, load / mean_length, remedy));
}

}  // namespace

injection_parameters parameters_of_node(injection_parameters parameters, const traffic_pattern& pattern, node_id node) {
  parameters.load = pattern.load_of(node, parameters.load);
  return parameters;
}

double highest_mean_load(const injection_parameters& parameters, double mean_length, const traffic_pattern& pattern,
                         std::uint32_t nodes) {
  if (!pattern.has_node_loads() || pattern.has_absolute_loads()) return std::numeric_limits<double>::infinity();
  return highest_load(parameters, mean_length) / pattern.relative_load(busiest(pattern, nodes));
}

double correlation_time(const injection_parameters& parameters, const traffic_pattern& pattern, std::uint32_t nodes) {
  double longest = 0;
  for (node_id n = 0; n < nodes; ++n)
    if (pattern.active(n)) longest = std::max(longest, correlation_time(parameters_of_node(parameters, pattern, n)));
  return longest;
}

node_injection::node_injection(const injection_parameters& parameters, double mean_length,
                               const traffic_pattern& pattern, std::uint32_t nodes)
    : m_processes(nodes) {
  if (pattern.has_node_loads()) check_busiest(parameters, mean_length, pattern, nodes);
  for (node_id n = 0; n < nodes; ++n) {
    if (!pattern.active(n)) continue;
    injection_parameters of_node = parameters_of_node(parameters, pattern, n);
    if (pattern.has_node_loads()) of_node.load = std::min(of_node.load, highest_load(parameters, mean_length));
    const auto at = m_by_load.try_emplace(of_node.load, of_node, mean_length).first;
    m_processes[n] = &at->second;
  }
}

}  // namespace weft
