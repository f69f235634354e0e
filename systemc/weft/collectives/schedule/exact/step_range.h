// SPDX-License-Identifier: Apache-2.0
/// The numbers of steps that a method still has to examine.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// The range between the known lower bound and the best schedule found.
struct step_range {
  std::size_t low = 1;   ///< fewer steps are impossible
  std::size_t high = 0;  ///< this many steps or more are not searched; 0: no limit

  /// Whether the range is empty.
  bool closed() const { return high != 0 && low >= high; }
  /// All numbers from the low end; without a limit, numbers that double until every schedule fits.
  std::vector<std::size_t> candidates(const placement& p) const;
};

/// The range from the bound in \p control, or from the minimum that ports and unavoidable channels allow.
step_range first_range(const placement& p, const search_control& control);

}  // namespace weft::schedule
