// SPDX-License-Identifier: Apache-2.0
/// Counts of a window, from the counts at its two ends.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/core/network_model.h"

namespace weft::experiment {

/// \p after minus \p before. Channels that \p before lacks count from 0 on.
inline std::vector<channel_count> difference(std::vector<channel_count> after,
                                             const std::vector<channel_count>& before) {
  for (std::size_t i = 0; i < after.size() && i < before.size(); ++i) after[i].flits -= before[i].flits;
  return after;
}

}  // namespace weft::experiment
