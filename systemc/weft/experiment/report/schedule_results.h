// SPDX-License-Identifier: Apache-2.0
/// What `weft schedule` says of its answer.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/configuration/configuration.h"
#include "weft/schedule/check.h"
#include "weft/schedule/formulas.h"
#include "weft/schedule/solve.h"

namespace weft::experiment {

/// "AAB, all-to-all broadcast, 16 nodes".
std::string describe(const schedule::collective& asked, const schedule::step_network& network);

/// Two lines: what is asked of which network.
std::string heading_of(const std::string& name, const schedule::problem& p);

/// The same with other words on what a transfer carries.
std::string heading_of(const std::string& name, const schedule::problem& p, const char* messages);

/// Bounds, schedule, whether it is optimal, what the methods did, and what the papers print. \p interrupted: the user
/// ended the search.
std::string to_table(const schedule::problem& p, const schedule::answer& a,
                     const std::vector<schedule::papers_formula>& printed, bool interrupted);

/// What there is to be said of a schedule that was judged by \p p; how far it is from the bound if it is right.
std::string judgement(const schedule::problem& p, const schedule::step_schedule& s,
                      const std::vector<schedule::fault>& faults);

/// All methods, a line each; with a problem also why one does not fit it.
std::string methods_table(const schedule::problem* p);

}  // namespace weft::experiment
