// SPDX-License-Identifier: Apache-2.0
#include "weft/report/run_assessment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/report/format.h"
#include "weft/workload/traffic_loads.h"

namespace weft::experiment {

namespace {

/// Whether the network accepted significantly less than was offered: the difference over batches exceeds its 95 %
/// interval, and the flits in flight grew by more than one packet per node. Less growth also occurs in a network that
/// keeps up. False if the window is too short to decide whether the network is saturated.
bool falls_behind(const run_summary& r) {
  if (r.result.how != outcome::Complete || !r.config.workload.packet_list.empty() || r.result.window_needed > 0)
    return false;
  const rate growth = r.measured.growth();
  const auto window = static_cast<double>(r.measured.window_end() - r.measured.window_first());
  return growth.around.half_width && growth.mean > *growth.around.half_width &&
         growth.mean * window > r.measured.mean_length();
}

/// Whether latency is constant over the window; nothing if this cannot be assessed.
std::optional<bool> is_stationary(const run_summary& r) {
  if (r.result.how == outcome::Saturated) return false;
  if (r.result.how == outcome::Undecided) return std::nullopt;
  if (!r.config.workload.packet_list.empty() || r.measured.latency().count() < LeastValues) return std::nullopt;
  return !r.measured.latency_trend().significant && !falls_behind(r);
}

constexpr const char* Exact = "all packets of the list are measured: the mean is exact";

/// Whether all packets of a list are measured. Then the mean is exact and not an estimate, and packets after a burst
/// are not samples.
bool is_whole_list(const run_summary& r) {
  return !r.config.workload.packet_list.empty() && r.config.simulation.measure == 0;
}

/// Half width of the interval divided by the mean.
std::optional<double> relative_error(const run_summary& r) {
  const std::optional<double> half_width = latency_interval(r).half_width;
  if (!half_width || r.measured.latency().count() == 0) return std::nullopt;
  return *half_width / r.measured.latency().mean();
}

std::string saturation_text(const run_summary& r) {
  constexpr std::size_t Most = 8;
  const std::vector<node_id>& nodes = r.result.queues.nodes;
  const std::vector<node_id> some(nodes.begin(),
                                  nodes.begin() + static_cast<std::ptrdiff_t>(std::min(Most, nodes.size())));
  const std::string span =
      r.result.queues_until == 0
          ? "all through the window"
          : fmt::format("from the start of the window to cycle {}, after its end,", r.result.queues_until);
  if (nodes.empty()) return fmt::format("the flits under way in the whole network became more {}", span);
  return fmt::format("the source queue grew {} at {} of {} nodes: {}{}", span, nodes.size(), r.graph.nodes.size(),
                     fmt::join(some, ", "), nodes.size() > Most ? ", …" : "");
}

std::string falling_behind_text(const run_summary& r) {
  const rate growth = r.measured.growth();
  return fmt::format(
      "not stationary: the network accepted {:.4g} ± {:.2g} flits/node/cycle less than was offered, so it does not "
      "keep up; warm up or measure longer",
      growth.mean, growth.around.half_width.value_or(0));
}

std::string precision_text(const run_summary& r) {
  const std::optional<double> reached = relative_error(r);
  const double percent = 100 * *r.config.simulation.until;
  if (!reached) return fmt::format("the mean latency is not known to {:g} %: {}", percent, latency_interval(r).none);
  return fmt::format("the mean latency is known to {:.2g} %, not to {:g} %; raise simulation.until.at_most",
                     100 * *reached, percent);
}

json stationary_json(const run_summary& r) {
  const std::optional<bool> stationary = is_stationary(r);
  return stationary ? json(*stationary) : json();
}

json precision_json(const run_summary& r) {
  const std::optional<double> reached = relative_error(r);
  return {{"wanted", *r.config.simulation.until}, {"reached", reached ? json(*reached) : json()}};
}

}  // namespace

json add_interval(json j, const interval& around) {
  j["half_width"] = around.half_width ? json(*around.half_width) : json();
  if (around.none != nullptr) j["no_interval"] = around.none;
  return j;
}

std::string window_text(const run_summary& r) {
  if (r.result.window_needed == Never)
    return fmt::format(
        "the load is self-similar: no window is long enough to tell whether the network is saturated, and intervals of "
        "rates assume that means converge as slowly as the length of the window to the power {:g}; compare runs with "
        "several seeds",
        hurst_of(r.config.workload) - 1);
  return fmt::format(
      "the window is too short to tell whether the network is saturated; raise simulation.measure to {} or more",
      r.result.window_needed);
}

interval latency_interval(const run_summary& r) {
  if (is_whole_list(r)) return {std::nullopt, Exact};
  if (r.result.how == outcome::Saturated) return {std::nullopt, "the network is saturated"};
  if (r.result.how == outcome::Undecided) return {std::nullopt, "the network may be saturated"};
  if (r.measured.latency_trend().significant || falls_behind(r)) return {std::nullopt, "the run is not stationary"};
  return r.measured.latency_interval();
}

rate with_interval(const run_summary& r, rate measured) {
  if (is_whole_list(r)) measured.around = {std::nullopt, Exact};
  return measured;
}

interval network_latency_interval(const run_summary& r) {
  if (is_whole_list(r)) return {std::nullopt, Exact};
  if (r.measured.network_latency_trend().significant) return {std::nullopt, "network latency is not stationary"};
  return r.measured.network_latency_interval();
}

std::vector<std::string> warnings_of(const run_summary& r) {
  std::vector<std::string> list;
  if (r.result.window_needed > 0) list.push_back(window_text(r));
  if (r.result.queues.without_limit()) {
    list.push_back(saturation_text(r));
  } else if (is_stationary(r) == false && !r.measured.latency_trend().significant) {
    list.push_back(falling_behind_text(r));
  } else if (is_stationary(r) == false) {
    const trend t = r.measured.latency_trend();
    list.push_back(fmt::format(
        "not stationary: mean latency was {:.1f} cycles in the first quarter of the window and {:.1f} in the "
        "last; warm up or measure longer",
        t.first, t.last));
  } else if (const interval around = latency_interval(r);
             around.none != nullptr && r.config.workload.packet_list.empty() && r.result.how == outcome::Complete) {
    list.push_back(fmt::format("no 95 % interval of the mean latency: {}", around.none));
  }
  if (r.config.output.interval && r.result.series.empty())
    list.push_back(
        fmt::format("output.interval of {} cycles is longer than the {} to the end of the window: there is no "
                    "time series",
                    *r.config.output.interval, r.measured.window_end()));
  if (r.result.warmup && !r.result.warmup->settled)
    list.push_back(fmt::format("no end of the transient was found in the first {} cycles", r.measured.window_first()));
  if (r.config.simulation.until && r.result.how == outcome::Complete) {
    const std::optional<double> reached = relative_error(r);
    if (!reached || *reached > *r.config.simulation.until) list.push_back(precision_text(r));
  }
  return list;
}

void add_assessment(statistic_table<run_summary>& t) {
  t.add("stationary", "",
        "true if the mean latency has no trend in the window; false if it has one, if the network is saturated, or if "
        "the network accepts significantly less than is offered; null for a packet list, for too few packets and for "
        "an undecided run",
        stationary_json);
  t.add("warnings", "", "warnings about the metrics, one sentence each; they are also printed on the terminal",
        [](const run_summary& r) { return warnings_of(r); });
  t.add("warmup", "",
        "length of the `transient` in cycles, as determined by MSER-5, and whether the network had `settled`; present "
        "only if `simulation.warmup` is `auto`. The window begins at `cycles.window_first`",
        [](const run_summary& r) {
          return json{{"transient", r.result.warmup->transient}, {"settled", r.result.warmup->settled}};
        })
      .in_json_if([](const run_summary& r) { return r.result.warmup.has_value(); });
  t.add("precision", "",
        "the required (`wanted`) and the `reached` relative error of the mean latency; present only with "
        "`simulation.until`. `reached` is null if there is no interval",
        precision_json)
      .in_json_if([](const run_summary& r) { return r.config.simulation.until.has_value(); });
}

void add_assessment_column(statistic_table<run_summary>& t) {
  t.add("stationary_column", "", "`stationary` as a column: true, false, or empty", stationary_json)
      .in_csv("stationary")
      .not_in_json();
}

}  // namespace weft::experiment
