// SPDX-License-Identifier: Apache-2.0
/// Lengths of packets.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/random.h"
#include "weft/workload/parameters.h"

namespace weft {

/// A distribution of lengths, in flits.
class length_distribution {
 public:
  /// Throws std::invalid_argument for a length of 0, an empty range, or weights that are negative or all
  /// zero.
  explicit length_distribution(const length_parameters& parameters);

  /// Length of the next packet in flits, ≥ 1.
  std::uint32_t draw(random_stream& random) const { return m_is_fixed ? m_longest : draw_any(random); }

  /// Mean length in flits, of the parameters, not of a sample.
  double mean() const { return m_mean; }

  /// The longest possible packet, flits.
  std::uint32_t longest() const { return m_longest; }

 private:
  /// A range of lengths, all equally likely, chosen when a random number is below `limit` and not below that
  /// of the range before it. The last range takes all the rest: its limit is not used.
  struct range {
    std::uint32_t min;
    std::uint32_t max;
    std::uint64_t limit;
  };

  std::uint32_t draw_any(random_stream& random) const;

  std::vector<range> m_ranges;  ///< at least one
  bool m_is_fixed = false;      ///< there is one length only, and nothing to draw
  double m_mean = 0;
  std::uint32_t m_longest = 0;
};

}  // namespace weft
