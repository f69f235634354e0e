// SPDX-License-Identifier: Apache-2.0
/// The strongest lower bound for scatter that does not consider individual steps. It is the optimum of a linear program
/// of multicommodity flow.
#pragma once

#include <optional>
#include <string>

#include "weft/collectives/schedule/bounds/bounds.h"
#include "weft/collectives/schedule/bounds/load.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

struct flow_bound {
  std::size_t steps = 0;  ///< the bound; never exceeds the true minimum, because it is computed from integer weights
  double value = 0;       ///< the bound before it is rounded up
  double above = 0;       ///< an upper bound of the optimum of the linear program
  channel_weights weights;
  std::string text;

  bound as_bound() const { return {argument::Flow, steps, text}; }
};

/// Finds the minimum T such that divisible flows of one unit from each sender to each of its receivers fit into
/// capacity T of every channel. With journey::Relayed, no schedule has fewer steps than T, and no combining schedule
/// has a lower TCO. With the other two journeys, T only bounds schedules whose messages travel directly from origin to
/// receiver, on any path or on a shortest path. T is at least as great as the bounds by ports, by cuts and by loads.
///
/// By duality, T is the maximum, over all channel weights, of the minimum cost of all messages divided by the cost of
/// all channels in a step. Column generation (Dantzig and Wolfe 1960) finds the flows. A small linear program over all
/// flows so far yields weights, and the cheapest paths under these weights yield further flows and a bound. The flows
/// from one origin form one column. Channels that color refinement cannot distinguish have the same weight, and one
/// origin represents all equivalent origins (Grohe et al. 2014). The final weights are rounded to integers and the
/// bound is computed from the integers, so floating-point errors cannot make it too high.
///
/// The function ends when T is known up to rounding. If \p control is over first, it returns the best bound so far. It
/// reports its progress.
/// \return nothing if time is over before there is a bound, and for a broadcast, because in all networks of the papers
/// the bounds by ports and growth are equally strong
/// \throws std::invalid_argument if a receiver cannot be reached
std::optional<flow_bound> find_flow_bound(const problem& p, const search_control& control = {},
                                          journey how = journey::Relayed);

}  // namespace weft::schedule
