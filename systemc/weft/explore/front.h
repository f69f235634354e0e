// SPDX-License-Identifier: Apache-2.0
/// How sure the front of a search is, and why a design is not on it.
#pragma once

#include <string>
#include <vector>

#include "weft/explore/exploration.h"

namespace weft::experiment {

/// How sure it is that a member of the front belongs to it.
enum class front_confidence : std::uint8_t {
  Firm,    ///< no measured design dominates it wherever in their 95 % intervals the values lie
  Noise,   ///< within the intervals, another design may dominate it
  Unknown  ///< an objective has no interval
};
const char* name_of(front_confidence confidence);

/// The confidence of design number \p member of \p designs.
front_confidence confidence_of(const std::vector<explored_design>& designs, std::size_t member,
                               const search_goals& goals);

/// How much better a member of the front is than a design, in one objective.
struct advantage {
  std::string metric;
  double of_member = 0, of_design = 0;
};

/// A member of the front that dominates a design.
struct dominance {
  std::size_t member = 0;  ///< number of the design on the front
  std::vector<advantage> in_objectives;
};

/// The members of \p front that dominate \p design; none if it is on the front, or beyond it. The member that is better
/// by the largest sum of relative differences comes first.
std::vector<dominance> dominators_of(const explored_design& design, const std::vector<explored_design>& designs,
                                     const std::vector<std::size_t>& front, const search_goals& goals);

}  // namespace weft::experiment
