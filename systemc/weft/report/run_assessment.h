// SPDX-License-Identifier: Apache-2.0
/// Assesses a run: whether its means represent a steady state, and how accurate they are.
#pragma once

#include <string>
#include <vector>

#include "weft/report/run_statistics.h"

namespace weft::experiment {

/// Adds the `half_width` of \p around to \p j and, if there is no interval, the reason as `no_interval`.
json add_interval(json j, const interval& around);

/// Interval of the mean packet latency. A network without steady state has none.
interval latency_interval(const run_summary& r);

/// Interval of the mean network latency, which also exists for a saturated network once its buffers are full.
interval network_latency_interval(const run_summary& r);

/// \p measured, but without an interval if the mean is exact and not an estimate.
rate with_interval(const run_summary& r, rate measured);

/// The message for a window that is too short to determine whether the network is saturated. It contains the required
/// length.
std::string window_text(const run_summary& r);

/// Warnings for readers of the results, one sentence each.
std::vector<std::string> warnings_of(const run_summary& r);

/// Adds the statistics of the assessment to \p t.
void add_assessment(statistic_table<run_summary>& t);
/// Adds the CSV column of the assessment, which comes after the columns of older statistics.
void add_assessment_column(statistic_table<run_summary>& t);

}  // namespace weft::experiment
