// SPDX-License-Identifier: Apache-2.0
#include "weft/explore/front.h"

#include <algorithm>
#include <cmath>

namespace weft::experiment {

namespace {

/// The costs of \p design if all values lie at the better (\p sign -1) or worse (\p sign 1) ends of their intervals.
costs at_ends(const explored_design& design, const search_goals& goals, double sign) {
  costs all = design.cost;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] += sign * design.known.at(goals.objectives[i].metric).half_width.value_or(0);
  return all;
}

double relative_gain(const dominance& d) {
  double sum = 0;
  for (const advantage& a : d.in_objectives)
    sum += std::abs(a.of_member - a.of_design) / std::max(std::abs(a.of_design), 1e-12);
  return sum;
}

}  // namespace

const char* name_of(front_confidence confidence) {
  constexpr const char* Names[] = {"firm", "within_noise", "unknown"};
  return Names[static_cast<std::size_t>(confidence)];
}

front_confidence confidence_of(const std::vector<explored_design>& designs, std::size_t member,
                               const search_goals& goals) {
  for (const objective& o : goals.objectives)
    if (!designs[member].known.at(o.metric).half_width) return front_confidence::Unknown;
  const costs worst = at_ends(designs[member], goals, 1);
  for (std::size_t i = 0; i < designs.size(); ++i)
    if (i != member && designs[i].competes() && dominates(at_ends(designs[i], goals, -1), worst))
      return front_confidence::Noise;
  return front_confidence::Firm;
}

std::vector<dominance> dominators_of(const explored_design& design, const std::vector<explored_design>& designs,
                                     const std::vector<std::size_t>& front, const search_goals& goals) {
  std::vector<dominance> found;
  if (design.cost.empty()) return found;
  for (const std::size_t member : front) {
    if (!dominates(designs[member].cost, design.cost)) continue;
    dominance d{member, {}};
    for (const objective& o : goals.objectives)
      d.in_objectives.push_back({o.metric, designs[member].known.at(o.metric).value, design.known.at(o.metric).value});
    found.push_back(std::move(d));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const dominance& a, const dominance& b) { return relative_gain(a) > relative_gain(b); });
  return found;
}

}  // namespace weft::experiment
