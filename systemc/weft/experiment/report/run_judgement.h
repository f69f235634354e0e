// SPDX-License-Identifier: Apache-2.0
/// What to think of a run: whether its means stand for a steady state, and how well they are known.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/report/run_statistics.h"

namespace weft::experiment {

/// `half_width` behind what \p j has, and `no_interval` where there is none.
json add_interval(json j, const interval& around);

/// Of the mean packet latency. A network without steady state has none.
interval latency_interval(const report& r);

/// Of the mean network latency, which a saturated network has once it is full.
interval network_latency_interval(const report& r);

/// \p measured, without an interval where it is no estimate.
rate with_interval(const report& r, rate measured);

/// That the window is too short to tell whether the network is saturated, where it is, and how long it has to be.
std::string window_text(const report& r);

/// What a reader of the results must know, a sentence each.
std::vector<std::string> warnings_of(const report& r);

/// The statistics that say so.
void add_judgement(statistic_table<report>& t);
/// The column that does: it is younger than those of other statistics.
void add_judgement_column(statistic_table<report>& t);

}  // namespace weft::experiment
