// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/length.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace weft {

namespace {

std::vector<length_choice> checked_choices(const std::vector<length_choice>& choices) {
  std::vector<length_choice> possible;
  for (const length_choice& choice : choices) {
    if (choice.flits == 0) {
      throw std::invalid_argument("packet length: a choice has 0 flits; expected at least 1");
    }
    if (!(choice.weight >= 0 && std::isfinite(choice.weight))) {
      throw std::invalid_argument(fmt::format("packet length: the weight of {} flits must be a number ≥ 0, not {}",
                                              choice.flits, choice.weight));
    }
    if (choice.weight > 0) possible.push_back(choice);
  }
  if (possible.empty()) {
    throw std::invalid_argument("packet length: weighted needs at least one choice with a weight above 0");
  }
  return possible;
}

}  // namespace

length_distribution::length_distribution(const length_parameters& parameters) {
  switch (parameters.kind) {
    case length_kind::Fixed:
      if (parameters.flits == 0) {
        throw std::invalid_argument("packet length: flits is 0; expected at least 1");
      }
      m_ranges = {{parameters.flits, parameters.flits, 0}};
      m_mean = parameters.flits;
      break;
    case length_kind::Uniform:
      if (parameters.min == 0) {
        throw std::invalid_argument("packet length: min is 0; expected at least 1");
      }
      if (parameters.min > parameters.max) {
        throw std::invalid_argument(
            fmt::format("packet length: min {} is above max {}; swap them", parameters.min, parameters.max));
      }
      m_ranges = {{parameters.min, parameters.max, 0}};
      m_mean = (static_cast<double>(parameters.min) + parameters.max) / 2;
      break;
    case length_kind::Weighted: {
      const std::vector<length_choice> choices = checked_choices(parameters.choices);
      double total = 0;
      double flits = 0;
      for (const length_choice& choice : choices) {
        total += choice.weight;
        flits += choice.weight * choice.flits;
      }
      if (!std::isfinite(flits)) {
        throw std::invalid_argument("packet length: the weights are too large; scale them down");
      }
      m_mean = flits / total;
      double before = 0;
      for (const length_choice& choice : choices) {
        before += choice.weight;
        const double share = before / total;
        m_ranges.push_back({choice.flits, choice.flits, share < 1 ? chance_limit(share) : 0});
      }
      break;
    }
  }
  for (const range& r : m_ranges) m_longest = std::max(m_longest, r.max);
  m_is_fixed = m_ranges.size() == 1 && m_ranges.front().min == m_longest;
}

std::uint32_t length_distribution::draw_any(random_stream& random) const {
  const range* chosen = &m_ranges.back();
  if (m_ranges.size() > 1) {
    const std::uint64_t number = random.next();
    chosen = std::find_if(m_ranges.data(), chosen, [number](const range& r) { return number < r.limit; });
  }
  return chosen->min == chosen->max ? chosen->min : chosen->min + random.below(chosen->max - chosen->min + 1);
}

}  // namespace weft
