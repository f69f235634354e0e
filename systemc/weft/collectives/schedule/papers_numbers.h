// SPDX-License-Identifier: Apache-2.0
/// Arithmetic that the papers' formulas share.
#pragma once

#include <algorithm>
#include <cstddef>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// The smallest e with base^e ≥ n. \p base ≥ 2, \p n ≥ 1.
constexpr std::size_t ceil_log(std::size_t base, std::size_t n) {
  std::size_t e = 0;
  for (std::size_t power = 1; power < n; power *= base) ++e;
  return e;
}

constexpr std::size_t ceil_log2(std::size_t n) { return ceil_log(2, n); }

/// Kinds of collectives that the papers have formulas for.
enum class pattern : std::uint8_t { OneToAll, AllToAll, ManyToMany };

inline pattern pattern_of(const collective& requested, std::size_t nodes) {
  if (requested.receivers.size() != nodes) return pattern::ManyToMany;
  if (requested.senders.size() == nodes) return pattern::AllToAll;
  return requested.senders.size() == 1 ? pattern::OneToAll : pattern::ManyToMany;
}

/// k of the papers: ports of the source for one-to-all, otherwise of the node with the fewest ports.
inline unsigned ports_of(const problem& p) {
  if (p.requested.senders.size() == 1) return p.network.ports_out(p.requested.senders.front());
  unsigned least = ~0U;
  for (const node_id n : p.requested.receivers) least = std::min(least, p.network.ports_in(n));
  return least;
}

}  // namespace weft::schedule
