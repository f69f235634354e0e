// SPDX-License-Identifier: Apache-2.0
/// Which node an address belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/tlm/parameters.h"

namespace weft::tlm2 {

/// First and last address.
struct address_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

class address_map {
 public:
  /// \throws std::invalid_argument for a region that is empty, ends above 2^64, overlaps another or lies at no node of
  /// \p nodes, naming the regions
  address_map(std::vector<region> regions, std::size_t nodes);

  /// The region of \p address; null if there is none.
  const region* find(std::uint64_t address) const;

  /// The greatest range around \p address, which has no region, in which nothing has one.
  address_range gap(std::uint64_t address) const;

  /// By base.
  const std::vector<region>& regions() const { return m_regions; }

 private:
  void divide();

  std::vector<region> m_regions;
  // From the first base to the last one the addresses are divided into equal parts, about two a region.
  unsigned m_part_bits = 0;            ///< a part has 1 << so many addresses
  std::vector<std::uint32_t> m_begun;  ///< regions that begin before each part, and before the end of the last
};

inline std::uint64_t last_of(const region& r) { return r.base + (r.size - 1); }

}  // namespace weft::tlm2
