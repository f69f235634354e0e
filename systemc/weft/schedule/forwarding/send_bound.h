// SPDX-License-Identifier: Apache-2.0
/// How many sends cuts of the network require, and in how many rounds all limits together let them through.
#pragma once

#include "weft/schedule/forwarding/forwarding_bounds.h"

namespace weft::schedule {

/// The least T such that the sends of every link, as numbers that need not be whole, keep all limits in T rounds and
/// meet these requirements: each chunk crosses a cut that all its holders are on one side of, and a receiver on the
/// other; a sum over h holders for r receivers takes h + r - 2 sends at least, h + r - 1 if no holder is a receiver.
/// An allreduce over n nodes takes 2n - 2 sends for each sum: n - 1 until some node has all of it, and one more for
/// each other node. The same holds of parts of the network, each taken as one node.
///
/// A linear program for Clp; cuts are added as its solution breaks them. Its prices are rounded to whole numbers, and
/// the bound is counted from these, so that no rounding makes it too high. No bound (0) where \p control is over
/// before the first solution.
forwarding_bound send_bound(const forwarding_problem& p, const search_control& control = {});

}  // namespace weft::schedule
