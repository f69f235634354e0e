// SPDX-License-Identifier: Apache-2.0
/// Reads numbers from the bytes of a fuzzer's input, in order. After the end of the input it returns zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::fuzz {

class byte_source {
 public:
  byte_source(const std::uint8_t* data, std::size_t size) : m_data(data), m_size(size) {}

  bool empty() const { return m_at >= m_size; }

  /// Returns a number of \p bytes bytes, low byte first.
  std::uint64_t number(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
      if (m_at < m_size) value |= std::uint64_t{m_data[m_at++]} << (8 * i);
    return value;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  std::uint32_t word() { return static_cast<std::uint32_t>(number(4)); }

  /// Returns the next words, at most \p most. At the end of the input there are fewer, and an incomplete last word is
  /// filled with zeros.
  std::vector<std::uint32_t> words(std::size_t most) {
    std::vector<std::uint32_t> list;
    while (list.size() < most && !empty()) list.push_back(word());
    return list;
  }

 private:
  const std::uint8_t* m_data;
  std::size_t m_size, m_at = 0;
};

}  // namespace weft::fuzz
