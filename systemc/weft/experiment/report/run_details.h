// SPDX-License-Identifier: Apache-2.0
/// Statistics of `weft run`: latency; by source, part of the latency, pair of nodes, interval of time; in physical
/// units.
#pragma once

#include "weft/experiment/report/run_statistics.h"

namespace weft::experiment {

void add_latency(statistic_table<report>& t);
void add_sources(statistic_table<report>& t);
void add_breakdown(statistic_table<report>& t);
void add_matrix(statistic_table<report>& t);
void add_time_series(statistic_table<report>& t);
void add_physical(statistic_table<report>& t);

}  // namespace weft::experiment
