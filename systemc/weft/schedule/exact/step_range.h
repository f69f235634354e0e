// SPDX-License-Identifier: Apache-2.0
/// Which numbers of steps a method still has to try.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/schedule/exact/placement.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// Between what is known to be impossible and what is found.
struct step_range {
  std::size_t low = 1;   ///< fewer are impossible
  std::size_t high = 0;  ///< so many are not looked for; 0: no limit

  /// Nothing is left between them.
  bool closed() const { return high != 0 && low >= high; }
  /// All from the low end; without a limit in steps that double, until no schedule can need more.
  std::vector<std::size_t> candidates(const placement& p) const;
};

/// From the bound that \p control gives, or what ports and channels that no path does without allow.
step_range first_range(const placement& p, const search_control& control);

}  // namespace weft::schedule
