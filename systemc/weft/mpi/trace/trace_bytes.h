// SPDX-License-Identifier: Apache-2.0
/// Encodes the numbers of a trace as bytes. Fixed-size numbers are little endian. All other numbers have seven bits per
/// byte, the low bits first; the eighth bit is set in all bytes but the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

inline constexpr std::string_view TraceMagic = "WEFTMPI\n";
inline constexpr std::string_view TraceBlockMagic = "WBLK";
inline constexpr std::size_t TraceBlockHeader = 16;  ///< magic, length, checksum of the content, checksum of the header
inline constexpr std::uint32_t MostTraceBlock = 1U << 30;

/// The first byte of a record, which is its kind.
enum class trace_record : std::uint8_t {
  Communicator = 1,
  Element = 2,
  Send = 3,
  Receive = 4,
  Completion = 5,
  Collective = 6,
  Uncovered = 7,
  End = 8,
  Threads = 9,
};

// The bits in the flags of a call.
inline constexpr std::uint64_t TraceContinues = 1, TraceAnySource = 2, TraceAnyTag = 4;
inline constexpr unsigned TraceModeShift = 3;  ///< position of the send mode, which has two bits
inline constexpr std::uint64_t TraceFlags = 31;

inline void append_fixed(std::string& to, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to.push_back(static_cast<char>(value >> (8 * i)));
}

inline void append_number(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

/// Appends a signed number in zigzag coding: 0, -1, 1, -2, … become 0, 1, 2, 3, …
inline void append_signed(std::string& to, std::int64_t value) {
  append_number(to, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

inline std::uint64_t fixed_number(const char* at, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
  return value;
}

}  // namespace weft
