// SPDX-License-Identifier: Apache-2.0
/// Declares statistics of `weft run`: latency, breakdowns by source, latency part, pair of nodes and time interval, and
/// values in physical units.
#pragma once

#include "weft/report/run_statistics.h"

namespace weft::experiment {

/// A distribution with the interval \p around of its mean.
json distribution_json(const histogram& h, const interval& around);

/// A rate with its interval.
json rate_json(const rate& r);

void add_latency(statistic_table<run_summary>& t);
void add_sources(statistic_table<run_summary>& t);
void add_breakdown(statistic_table<run_summary>& t);
void add_matrix(statistic_table<run_summary>& t);
void add_time_series(statistic_table<run_summary>& t);
void add_physical(statistic_table<run_summary>& t);

}  // namespace weft::experiment
