// SPDX-License-Identifier: Apache-2.0
/// CRC-32 of IEEE 802.3, by zlib.
#pragma once

#include <cstddef>
#include <cstdint>

#include <zlib.h>

namespace weft {

/// The checksum of \p count bytes behind those whose checksum is \p before.
inline std::uint32_t checksum(const void* bytes, std::size_t count, std::uint32_t before = 0) {
  if (count == 0) return before;
  return static_cast<std::uint32_t>(crc32_z(before, static_cast<const Bytef*>(bytes), count));
}

}  // namespace weft
