// SPDX-License-Identifier: Apache-2.0
#include "weft/report/saturation_statistics.h"

#include <algorithm>
#include <cmath>

namespace weft::experiment {

namespace {

using saturation_table = statistic_table<saturation_digest>;

json number_or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

saturation_table make_saturation_table() {
  saturation_table t;
  t.add("keys", "", "the swept keys and their values; in the CSV file, each key has a column with its name",
        [](const saturation_digest& d) {
          json keys = json::object();
          for (const auto& [key, value] : d.keys) keys[key] = value;
          return keys;
        });
  t.section("saturation", "flits/node/cycle", "bounds of the saturation load");
  t.add("saturation.low", "",
        "highest simulated load that the network [carries](sweeps.md#saturation), confirmed with a longer window; 0 if "
        "it carries none of them, null if no load was simulated",
        [](const saturation_digest& d) { return number_or_null(d.low); })
      .in_csv("saturation_low");
  t.add("saturation.high", "",
        "lowest simulated load that the network does not carry, confirmed with a longer window; null if it carries the "
        "load of `--most`, or if that load could not be simulated",
        [](const saturation_digest& d) { return number_or_null(d.high); })
      .in_csv("saturation_high");
  t.add("saturation.uncertainty", "",
        "how far the saturation load may lie below `low` or above `high`, with 95 % confidence; null if this cannot be "
        "estimated",
        [](const saturation_digest& d) { return number_or_null(d.uncertainty); })
      .in_csv("saturation_uncertainty");
  t.add("saturation.accepted_most", "", "the highest accepted throughput among all loads",
        [](const saturation_digest& d) { return number_or_null(d.accepted_most); })
      .in_csv("accepted_most");
  t.add("loads", "", "number of loads that were simulated", [](const saturation_digest& d) {
     return d.loads;
   }).in_csv("loads");
  t.add("outcome", "", "[how the search ended](sweeps.md#saturation)", [](const saturation_digest& d) {
     return d.outcome;
   }).in_csv("outcome");
  t.add("error", "", "the reason, if the outcome is not `found`", [](const saturation_digest& d) {
     return d.error;
   }).in_csv("error");
  return t;
}

}  // namespace

const statistic_table<saturation_digest>& saturation_statistics() {
  static const saturation_table all = make_saturation_table();
  return all;
}

std::optional<double> load_uncertainty(const run_uncertainty& run, double group) {
  if (!run.half_width || !run.growth_half_width || run.nodes == 0) return std::nullopt;
  const auto nodes = static_cast<double>(run.nodes);
  const double loads = group > 0 ? std::min(group, nodes) : 1;
  return 2 * std::max(*run.half_width, *run.growth_half_width) * std::sqrt(nodes / loads);
}

}  // namespace weft::experiment
