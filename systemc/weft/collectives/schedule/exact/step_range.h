// SPDX-License-Identifier: Apache-2.0
/// Keeps track of the numbers of steps that an exact method still has to examine.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// The numbers of steps between the known lower bound and the best schedule found.
struct step_range {
  std::size_t low = 1;   ///< fewer steps are impossible
  std::size_t high = 0;  ///< numbers of steps from this on are not examined; 0: no limit

  /// Whether no number of steps is left.
  bool closed() const { return high != 0 && low >= high; }
  /// Returns all numbers of steps in the range, in ascending order. If the range has no limit, the numbers double until
  /// every schedule fits.
  std::vector<std::size_t> candidates(const placement& p) const;
};

/// Returns a range that begins at the bound in \p control, or at the minimum that ports and unavoidable channels allow.
step_range first_range(const placement& p, const search_control& control);

}  // namespace weft::schedule
