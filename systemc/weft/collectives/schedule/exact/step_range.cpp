// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/step_range.h"

#include <algorithm>

namespace weft::schedule {

std::vector<std::size_t> step_range::candidates(const placement& p) const {
  std::vector<std::size_t> steps;
  if (high != 0) {
    for (std::size_t s = low; s < high; ++s) steps.push_back(s);
    return steps;
  }
  const std::size_t one_by_one = std::max(low, demands_of(p.question().requested).size());
  for (std::size_t more = 0; low + more < one_by_one; more = more == 0 ? 1 : 2 * more) steps.push_back(low + more);
  steps.push_back(one_by_one);
  return steps;
}

step_range first_range(const placement& p, const search_control& control) {
  step_range range{std::max<std::size_t>(1, control.enough), control.less_than};
  while (!p.may_fit(range.low)) ++range.low;
  return range;
}

}  // namespace weft::schedule
