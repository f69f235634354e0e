// SPDX-License-Identifier: Apache-2.0
/// Assessment of a run: whether its means represent a steady state, and their accuracy.
#pragma once

#include <string>
#include <vector>

#include "weft/report/run_statistics.h"

namespace weft::experiment {

/// Adds `half_width` to \p j, or `no_interval` if there is none.
json add_interval(json j, const interval& around);

/// Interval of the mean packet latency. A network without steady state has none.
interval latency_interval(const run_summary& r);

/// Interval of the mean network latency, which also exists for a saturated network once its buffers are full.
interval network_latency_interval(const run_summary& r);

/// \p measured, without the interval if it is no valid estimate.
rate with_interval(const run_summary& r, rate measured);

/// If the window is too short to determine whether the network is saturated, a message with the required length.
std::string window_text(const run_summary& r);

/// Warnings for readers of the results, one sentence each.
std::vector<std::string> warnings_of(const run_summary& r);

/// Adds the statistics of the assessment.
void add_assessment(statistic_table<run_summary>& t);
/// Adds its CSV column, which comes after those of older statistics.
void add_assessment_column(statistic_table<run_summary>& t);

}  // namespace weft::experiment
