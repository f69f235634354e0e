// SPDX-License-Identifier: Apache-2.0
/// Capacity of a set of links in a round if some links share limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/link_graph.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// A number of chunks per round, as a fraction. It is an upper bound of what the limits allow.
struct round_capacity {
  std::int64_t chunks = 0;
  std::int64_t per = 1;
  /// Returns the number of rounds that \p number chunks need. Returns 0 for 0 chunks, even if there are no links.
  std::size_t rounds_for(std::size_t number) const {
    if (number == 0) return 0;
    return static_cast<std::size_t>((static_cast<std::int64_t>(number) * per + chunks - 1) / chunks);
  }
};

/// Returns the maximum number of chunks that all of \p links together can carry in a round under \p limits, which must
/// come from limits_of(). The result is exact if no link is under two relevant shared limits. Otherwise it is the
/// optimum of a linear program, or an upper bound of this optimum if \p control is over.
round_capacity capacity_of(const std::vector<bandwidth_limit>& limits, std::vector<link_id> links,
                           const search_control& control = {});

/// Returns the capacity as a decimal number, such as "6" or "2.5".
std::string to_string(const round_capacity& capacity);

}  // namespace weft::schedule
