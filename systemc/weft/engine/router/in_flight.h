// SPDX-License-Identifier: Apache-2.0
/// What is on channels: flits and credits, by the cycle in which they arrive.
#pragma once

#include <algorithm>

#include "weft/core/types.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/set_wheel.h"

namespace weft::engine {

template <unsigned Lanes>
struct in_flight {
  explicit in_flight(const fabric_parameters& fabric)
      : flits(fabric.reach(), 2 * fabric.first_nic), credits(fabric.reach(), 2 * fabric.first_nic) {}

  /// A credit may arrive up to the cycle before \p cycle.
  void expect_credits_until(cycle_t cycle) { no_credits_from = std::max(no_credits_from, cycle); }

  set_wheel<Lanes> flits;       ///< to input lanes, and to NICs
  set_wheel<Lanes> credits;     ///< to output lanes, and to NICs
  cycle_t no_credits_from = 0;  ///< from then on no credit is on its way
};

}  // namespace weft::engine
