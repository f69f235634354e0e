// SPDX-License-Identifier: Apache-2.0
/// Distribution of packet lengths.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/random.h"
#include "weft/workload/parameters.h"

namespace weft {

/// A distribution of packet lengths, in flits.
class length_distribution {
 public:
  /// Throws std::invalid_argument for a length of 0, an empty range, or weights that are negative or all
  /// zero.
  explicit length_distribution(const length_parameters& parameters);

  /// Length of the next packet in flits, ≥ 1.
  std::uint32_t draw(random_stream& random) const { return m_is_fixed ? m_longest : draw_any(random); }

  /// Expected length in flits, computed from the parameters.
  double mean() const { return m_mean; }

  /// Length of the longest possible packet in flits.
  std::uint32_t longest() const { return m_longest; }

 private:
  /// A range of equally likely lengths. A random number selects this range if it is below `limit` but not below the
  /// limit of the previous range. The last range takes all remaining numbers; its limit is unused.
  struct range {
    std::uint32_t min;
    std::uint32_t max;
    std::uint64_t limit;
  };

  std::uint32_t draw_any(random_stream& random) const;

  std::vector<range> m_ranges;  ///< at least one
  bool m_is_fixed = false;      ///< there is a single length, so nothing is drawn
  double m_mean = 0;
  std::uint32_t m_longest = 0;
};

}  // namespace weft
