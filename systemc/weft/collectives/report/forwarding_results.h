// SPDX-License-Identifier: Apache-2.0
/// Text output of `weft forwarding`.
#pragma once

#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/solve.h"

namespace weft::experiment {

/// Two heading lines: the collective \p collective_text, such as "allgather, C 6", and the network.
std::string heading_of(const std::string& name, const std::string& collective_text,
                       const schedule::forwarding_problem& p);

/// The bound, the algorithm and its optimality, or the reason why there is no algorithm, and the methods that were
/// tried. \param interrupted whether a signal ended the search
std::string to_table(const schedule::forwarding_problem& p, const schedule::forwarding_question& q,
                     const schedule::forwarding_result& r, double seconds, bool interrupted);

/// The result of checking an algorithm and, if it is valid, its distance from the bound. \p control may end the
/// computation of the bound.
std::string check_text(const schedule::forwarding_problem& p, const schedule::forwarding_algorithm& a,
                       const std::vector<schedule::forwarding_violation>& violations,
                       const schedule::search_control& control);

/// A line for each point of \p frontier, and the cases without an answer. \param interrupted whether a signal ended the
/// search
std::string to_table(const schedule::forwarding_front& frontier, bool interrupted);

}  // namespace weft::experiment
