// SPDX-License-Identifier: Apache-2.0
/// The statistics of `weft run`, each declared once.
#pragma once

#include <array>

#include "weft/report/statistic.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

/// A completed run, with all data that its statistics need.
struct run_summary {
  const configuration& config;
  const topology& graph;
  const measurement& measured;
  const run_result& result;
  double cycles_a_second = 0;  ///< simulated cycles per second of real time; 0: not reported
};

/// Percentiles reported for a distribution.
constexpr std::array<double, 5> Percentiles = {50, 90, 95, 99, 99.9};

const statistic_table<run_summary>& run_statistics();
/// The same statistics without the functions that compute them, as other_statistics.h has those of optional parts.
const statistic_declarations& run_declarations();

}  // namespace weft::experiment
