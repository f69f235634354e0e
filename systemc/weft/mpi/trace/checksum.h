// SPDX-License-Identifier: Apache-2.0
/// CRC-32 of IEEE 802.3. The checksum used to be the largest cost of recording payload, so it uses the processor's
/// carry-less multiplication, 64 or 256 bytes at a time, if available.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// The checksum of \p count bytes that follow data with checksum \p before.
std::uint32_t checksum(const void* bytes, std::size_t count, std::uint32_t before = 0);

}  // namespace weft
