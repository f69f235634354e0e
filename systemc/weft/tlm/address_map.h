// SPDX-License-Identifier: Apache-2.0
/// Maps addresses to nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/tlm/parameters.h"

namespace weft::tlm2 {

/// A range of addresses, given by its first and its last address.
struct address_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

class address_map {
 public:
  /// \throws std::invalid_argument, with the ranges in its message, for a range that is empty, ends above 2^64,
  /// overlaps another, or belongs to a node that is not below \p nodes
  address_map(std::vector<mapped_range> mapped_ranges, std::size_t nodes);

  /// The range that contains \p address; null if there is none.
  const mapped_range* find(std::uint64_t address) const;

  /// The largest range that contains the unmapped \p address and no mapped address.
  address_range gap(std::uint64_t address) const;

  /// All ranges, in the order of their base addresses.
  const std::vector<mapped_range>& mapped_ranges() const { return m_mapped_ranges; }
  [[deprecated("use mapped_ranges()")]] const std::vector<mapped_range>& regions() const { return m_mapped_ranges; }

 private:
  void divide();

  std::vector<mapped_range> m_mapped_ranges;
  // The addresses between the first and the last base are divided into equal parts, about two per range.
  unsigned m_part_bits = 0;            ///< a part has 1 << m_part_bits addresses
  std::vector<std::uint32_t> m_begun;  ///< number of ranges that begin before each part, and before the end of the last
};

inline std::uint64_t last_of(const mapped_range& r) { return r.base + (r.size - 1); }

}  // namespace weft::tlm2
