// SPDX-License-Identifier: Apache-2.0
/// CRC-32 of IEEE 802.3. Of recorded payload it was the largest part of what recording costs, so it is taken with the
/// processor's multiplication without carries, 64 or 256 bytes at a time, where there is one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// The checksum of \p count bytes behind those whose checksum is \p before.
std::uint32_t checksum(const void* bytes, std::size_t count, std::uint32_t before = 0);

}  // namespace weft
