// SPDX-License-Identifier: Apache-2.0
/// Text output of `weft schedule`.
#pragma once

#include <string>
#include <vector>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/formulas.h"
#include "weft/collectives/schedule/solve.h"
#include "weft/configuration/configuration.h"

namespace weft::experiment {

/// Describes a collective on a network: "AAB, all-to-all broadcast, 16 nodes".
std::string describe(const schedule::collective& requested, const schedule::step_network& network);

/// Two heading lines: the request and the network.
std::string heading_of(const std::string& name, const schedule::problem& p);

/// Like the other heading_of(), but \p messages describes the contents of a transfer.
std::string heading_of(const std::string& name, const schedule::problem& p, const char* messages);

/// The bounds, the schedule and its optimality, the results of the methods, and the results printed in the papers.
/// \param interrupted whether the user ended the search
std::string to_table(const schedule::problem& p, const schedule::answer& a,
                     const std::vector<schedule::papers_formula>& printed, bool interrupted);

/// The result of checking a schedule for \p p and, if it is valid, its distance from the bound.
std::string check_text(const schedule::problem& p, const schedule::step_schedule& s,
                       const std::vector<schedule::violation>& violations);

/// All methods, one per line. If \p p is not null, the table also contains the reasons why methods do not fit this
/// problem.
std::string methods_table(const schedule::problem* p);

}  // namespace weft::experiment
