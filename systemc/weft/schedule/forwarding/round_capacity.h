// SPDX-License-Identifier: Apache-2.0
/// What links carry in a round under the limits that they share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/link_graph.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// A number of chunks in a round, as a fraction; no less than what the limits allow.
struct round_capacity {
  std::int64_t chunks = 0;
  std::int64_t per = 1;
  /// Rounds for \p number chunks; of none 0, also without links.
  std::size_t rounds_for(std::size_t number) const {
    if (number == 0) return 0;
    return static_cast<std::size_t>((static_cast<std::int64_t>(number) * per + chunks - 1) / chunks);
  }
};

/// What all of \p links carry in a round at most, under all of \p limits together, limits_of() a graph. Exact where no
/// link is under two shared limits that matter; else the optimum of a linear program, or more once \p control is over.
round_capacity capacity_of(const std::vector<bandwidth_limit>& limits, std::vector<link_id> links,
                           const search_control& control = {});

/// "6", "2.5".
std::string to_string(const round_capacity& capacity);

}  // namespace weft::schedule
