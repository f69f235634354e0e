// SPDX-License-Identifier: Apache-2.0
/// The question that bounds, constructions and searches answer: in how few steps?
#pragma once

#include "weft/schedule/schedule.h"
#include "weft/schedule/step_network.h"

namespace weft::schedule {

struct problem {
  const step_network& network;  ///< outlives it
  collective asked;             ///< checked()
  path_rule paths = path_rule::Minimal;
  bool combining = false;  ///< a transfer may carry several messages
};

}  // namespace weft::schedule
