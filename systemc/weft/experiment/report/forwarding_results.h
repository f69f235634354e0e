// SPDX-License-Identifier: Apache-2.0
/// What `weft forwarding` says of its answer.
#pragma once

#include <string>
#include <vector>

#include "weft/schedule/forwarding/solve.h"

namespace weft::experiment {

/// Two lines: what is \p asked, such as "allgather, C 6", of which network.
std::string heading_of(const std::string& name, const std::string& asked, const schedule::forwarding_problem& p);

/// Bound, algorithm, whether it is optimal, or why there is none; what was tried. \p interrupted: a signal ended the
/// search.
std::string to_table(const schedule::forwarding_problem& p, const schedule::forwarding_question& q,
                     const schedule::forwarding_result& r, double seconds, bool interrupted);

/// What there is to be said of an algorithm that was judged; how far it is from the bound if it is right. \p control
/// may end the search for the bound.
std::string judgement(const schedule::forwarding_problem& p, const schedule::forwarding_algorithm& a,
                      const std::vector<schedule::forwarding_fault>& faults, const schedule::search_control& control);

/// A line for each point; what was not answered. \p interrupted: a signal ended the search.
std::string to_table(const schedule::forwarding_front& frontier, bool interrupted);

}  // namespace weft::experiment
