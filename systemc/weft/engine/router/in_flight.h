// SPDX-License-Identifier: Apache-2.0
/// Flits and credits on channels, by the cycle in which they arrive.
#pragma once

#include <algorithm>

#include "weft/core/types.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/set_wheel.h"

namespace weft::engine {

template <unsigned RouterVcs>
struct in_flight {
  explicit in_flight(const fabric_parameters& fabric)
      : flits(fabric.reach(), 2 * fabric.first_nic), credits(fabric.reach(), 2 * fabric.first_nic) {}

  /// Records that credits may arrive in every cycle before \p cycle.
  void expect_credits_until(cycle_t cycle) { no_credits_from = std::max(no_credits_from, cycle); }

  set_wheel<RouterVcs> flits;    ///< flits in flight to input VCs and to NICs
  set_wheel<RouterVcs> credits;  ///< credits in flight to output VCs and to NICs
  cycle_t no_credits_from = 0;   ///< no credit is in flight from this cycle on
};

}  // namespace weft::engine
