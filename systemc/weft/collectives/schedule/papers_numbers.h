// SPDX-License-Identifier: Apache-2.0
/// Arithmetic for the formulas of RINGS, FATTREE and OCTAGON.
#pragma once

#include <algorithm>
#include <cstddef>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Returns the smallest e with base^e ≥ n, for \p base ≥ 2 and \p n ≥ 1.
constexpr std::size_t ceil_log(std::size_t base, std::size_t n) {
  std::size_t e = 0;
  for (std::size_t power = 1; power < n; power *= base) ++e;
  return e;
}

constexpr std::size_t ceil_log2(std::size_t n) { return ceil_log(2, n); }

/// Kinds of collectives for which the papers have formulas.
enum class pattern : std::uint8_t { OneToAll, AllToAll, ManyToMany };

inline pattern pattern_of(const collective& requested, std::size_t nodes) {
  if (requested.receivers.size() != nodes) return pattern::ManyToMany;
  if (requested.senders.size() == nodes) return pattern::AllToAll;
  return requested.senders.size() == 1 ? pattern::OneToAll : pattern::ManyToMany;
}

/// Returns k of the papers: for one-to-all, the number of ports of the source, otherwise the number of ports of the
/// receiver with the fewest ports.
inline unsigned ports_of(const problem& p) {
  if (p.requested.senders.size() == 1) return p.network.ports_out(p.requested.senders.front());
  unsigned least = ~0U;
  for (const node_id n : p.requested.receivers) least = std::min(least, p.network.ports_in(n));
  return least;
}

}  // namespace weft::schedule
