// SPDX-License-Identifier: Apache-2.0
/// CRC-32 of IEEE 802.3, eight bytes at a time (M. Kounavis, F. Berry: "Novel table lookup-based algorithms for
/// high-performance CRC generation", IEEE Transactions on Computers 57, 2008). Here because the recorder, which is
/// loaded into other people's programs, links no library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

namespace detail {

using crc_tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr crc_tables make_crc_tables() {
  crc_tables t{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (unsigned bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320U : 0U);
    t[0][byte] = value;
  }
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t k = 1; k < t.size(); ++k) t[k][byte] = (t[k - 1][byte] >> 8) ^ t[0][t[k - 1][byte] & 0xff];
  return t;
}

inline constexpr crc_tables CrcTables = make_crc_tables();

}  // namespace detail

/// The checksum of \p count bytes behind those whose checksum is \p before.
inline std::uint32_t checksum(const void* bytes, std::size_t count, std::uint32_t before = 0) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  const auto& t = detail::CrcTables;
  std::uint32_t crc = ~before;
  for (; count >= 8; count -= 8, at += 8) {
    crc ^= at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24;
    crc = t[7][crc & 0xff] ^ t[6][(crc >> 8) & 0xff] ^ t[5][(crc >> 16) & 0xff] ^ t[4][crc >> 24] ^ t[3][at[4]] ^
          t[2][at[5]] ^ t[1][at[6]] ^ t[0][at[7]];
  }
  for (; count > 0; --count, ++at) crc = (crc >> 8) ^ t[0][(crc ^ *at) & 0xff];
  return ~crc;
}

}  // namespace weft
