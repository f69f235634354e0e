// SPDX-License-Identifier: Apache-2.0
/// The scheduling problem: the input of bounds, constructions and searches.
#pragma once

#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

struct problem {
  const step_network& network;  ///< must outlive the problem
  collective requested;         ///< the result of checked()
  path_rule paths = path_rule::Minimal;
  bool combining = false;  ///< whether a transfer may carry several messages
};

}  // namespace weft::schedule
