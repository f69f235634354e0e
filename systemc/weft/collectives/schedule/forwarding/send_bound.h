// SPDX-License-Identifier: Apache-2.0
/// A lower bound of the rounds. It bounds the number of sends by cuts of the network, and then the rounds that these
/// sends need under all limits together.
#pragma once

#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"

namespace weft::schedule {

/// Returns the minimum T for which fractional numbers of sends on every link satisfy all limits in T rounds and the
/// following requirements:
/// - Each chunk crosses every cut that separates all its holders from a receiver.
/// - A sum over h holders for r receivers needs at least h + r - 1 sends, or h + r - 2 if a holder is also a receiver.
/// For example, an allreduce over n nodes needs 2n - 2 sends for each sum: n - 1 until some node has the whole sum, and
/// one for each other node.
/// - The requirement for sums also holds between parts of the network, each of which counts as one node. The parts are
///   what remains connected after the links of a shared limit, or all links up to a certain bandwidth, are removed.
/// The function solves a linear program with Clp and adds violated cuts on demand. It rounds the prices to integers and
/// computes the bound from the integers, so rounding cannot make the bound too high. Returns no bound (0) if \p control
/// is over before the first solution.
forwarding_bound send_bound(const forwarding_problem& p, const search_control& control = {});

}  // namespace weft::schedule
