// SPDX-License-Identifier: Apache-2.0
/// CRC-32 of IEEE 802.3. The checksum used to dominate the cost of recording payload. Therefore it uses the carry-less
/// multiplication of the processor, for 64 or 256 bytes at a time, if the processor has it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Returns the checksum of \p count bytes. \p before is the checksum of the data before these bytes.
std::uint32_t checksum(const void* bytes, std::size_t count, std::uint32_t before = 0);

}  // namespace weft
