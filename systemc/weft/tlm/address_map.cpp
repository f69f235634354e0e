// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/address_map.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace weft::tlm2 {

namespace {

std::string shown(const mapped_range& r) {
  std::ostringstream text;
  text << std::hex << "region 0x" << r.base << " of 0x" << r.size << " bytes at node " << std::dec << r.node;
  return text.str();
}

}  // namespace

address_map::address_map(std::vector<mapped_range> mapped_ranges, std::size_t nodes)
    : m_mapped_ranges(std::move(mapped_ranges)) {
  for (const mapped_range& r : m_mapped_ranges) {
    if (r.size == 0) throw std::invalid_argument(shown(r) + " is empty; give it a size of at least 1");
    if (last_of(r) < r.base) throw std::invalid_argument(shown(r) + " ends above 2^64; make it smaller");
    if (r.node >= nodes)
      throw std::invalid_argument(shown(r) + " is outside the network; nodes are 0 to " + std::to_string(nodes - 1));
  }
  std::stable_sort(m_mapped_ranges.begin(), m_mapped_ranges.end(),
                   [](const mapped_range& a, const mapped_range& b) { return a.base < b.base; });
  for (std::size_t i = 1; i < m_mapped_ranges.size(); ++i)
    if (m_mapped_ranges[i].base <= last_of(m_mapped_ranges[i - 1]))
      throw std::invalid_argument(shown(m_mapped_ranges[i - 1]) + " overlaps " + shown(m_mapped_ranges[i]) +
                                  "; move one or make it smaller");
  if (!m_mapped_ranges.empty()) divide();
}

void address_map::divide() {
  const std::uint64_t first = m_mapped_ranges.front().base, length = m_mapped_ranges.back().base - first;
  while (length >> m_part_bits >= 2 * m_mapped_ranges.size()) ++m_part_bits;
  m_begun.resize((length >> m_part_bits) + 2);
  for (const mapped_range& r : m_mapped_ranges) ++m_begun[((r.base - first) >> m_part_bits) + 1];
  for (std::size_t i = 1; i < m_begun.size(); ++i) m_begun[i] += m_begun[i - 1];
}

const mapped_range* address_map::find(std::uint64_t address) const {
  if (m_mapped_ranges.empty() || address < m_mapped_ranges.front().base) return nullptr;
  const std::uint64_t part =
      std::min((address - m_mapped_ranges.front().base) >> m_part_bits, std::uint64_t{m_begun.size() - 2});
  // Among the ranges that begin in the part or before it, the last one that begins at or below the address.
  const auto above =
      std::upper_bound(m_mapped_ranges.begin() + m_begun[part], m_mapped_ranges.begin() + m_begun[part + 1], address,
                       [](std::uint64_t a, const mapped_range& r) { return a < r.base; });
  const mapped_range& r = *(above - 1);
  return address <= last_of(r) ? &r : nullptr;
}

address_range address_map::gap(std::uint64_t address) const {
  address_range range{0, ~std::uint64_t{0}};
  for (const mapped_range& r : m_mapped_ranges) {
    if (last_of(r) < address) range.first = std::max(range.first, last_of(r) + 1);
    if (r.base > address) range.last = std::min(range.last, r.base - 1);
  }
  return range;
}

}  // namespace weft::tlm2
