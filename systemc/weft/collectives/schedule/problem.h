// SPDX-License-Identifier: Apache-2.0
/// The input of bounds, constructions and searches: which collective to carry out in how few steps.
#pragma once

#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

struct problem {
  const step_network& network;  ///< must outlive it
  collective requested;         ///< checked()
  path_rule paths = path_rule::Minimal;
  bool combining = false;  ///< a transfer may carry several messages
};

}  // namespace weft::schedule
