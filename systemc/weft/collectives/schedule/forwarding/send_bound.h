// SPDX-License-Identifier: Apache-2.0
/// Lower bound of the number of sends that cuts of the network require, and of the rounds that all limits together need
/// for them.
#pragma once

#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"

namespace weft::schedule {

/// The minimum T for which fractional numbers of sends on every link satisfy all limits in T rounds and these
/// requirements: each chunk crosses every cut that separates all its holders from a receiver; a sum over h holders for
/// r receivers needs at least h + r - 2 sends, h + r - 1 if no holder is a receiver. An allreduce over n nodes needs 2n
/// - 2 sends for each sum: n - 1 until some node has all of it, and one for each other node. The same holds for parts
/// of the network, each contracted to one node.
/// Solves a linear program with Clp; violated cuts are added on demand. The prices are rounded to integers and the
/// bound is computed from these, so rounding cannot make it too high. Returns no bound (0) if \p control is over before
/// the first solution.
forwarding_bound send_bound(const forwarding_problem& p, const search_control& control = {});

}  // namespace weft::schedule
