// SPDX-License-Identifier: Apache-2.0
/// Bit strings that the codecs write and read, with a capacity fixed at compile time, and the basic operations that the
/// codecs' functions on single words consist of.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <ostream>

namespace weft {

/// A mask of the \p count lowest bits, count ≤ 64.
constexpr std::uint64_t low_bits(unsigned count) { return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1; }

// ---------------------------------------------------------------------------------------------------------------
// Building blocks of the word functions. They are templates over the word type: an unsigned integer to execute them,
// z3::expr to prove properties of them. z3 brings its own ite, shl and lshr.

/// If-then-else: returns \p yes if \p condition holds, otherwise \p no.
template <typename Value>
constexpr Value ite(bool condition, const Value& yes, const Value& no) {
  return condition ? yes : no;
}
template <typename Value>
constexpr Value shl(const Value& value, const Value& by) {
  return static_cast<Value>(value << by);
}
template <typename Value>
constexpr Value lshr(const Value& value, const Value& by) {
  return static_cast<Value>(value >> by);
}

/// Makes constants of the word type \p Value. Word types that are not built in need a specialization.
template <typename Value>
struct constant_of {
  static constexpr Value make([[maybe_unused]] const Value& like, std::uint64_t bits) {
    return static_cast<Value>(bits);
  }
};

/// Converts \p bits to the type and the width of \p like.
template <typename Value>
constexpr Value constant(const Value& like, std::uint64_t bits) {
  return constant_of<Value>::make(like, bits);
}

// ---------------------------------------------------------------------------------------------------------------
// Strings

/// A string of at most \p Capacity bits. Bit 0 is the oldest; bits at and above size() are 0.
template <unsigned Capacity>
class bit_string {
 public:
  static constexpr unsigned Words = (Capacity + 63) / 64;

  constexpr bit_string() : m_words() { clear(); }

  constexpr unsigned size() const { return m_size; }
  constexpr bool empty() const { return m_size == 0; }
  constexpr void clear() {
    for (unsigned i = 0; i < Words; ++i) m_words[i] = 0;
    m_size = 0;
  }

  /// Appends the \p count lowest bits of \p value, count ≤ 64. The string must have room for them.
  constexpr void append(std::uint64_t value, unsigned count) {
    assert(count <= 64 && m_size + count <= Capacity);
    if (count != 0) {
      value &= low_bits(count);
      const unsigned word = m_size / 64, shift = m_size % 64;
      m_words[word] |= value << shift;
      if (shift + count > 64) m_words[word + 1] |= value >> (64 - shift);
      m_size += count;
    }
  }

  /// Appends the \p count lowest bits of \p words, low word first.
  template <std::size_t N>
  constexpr void append(const std::uint64_t (&words)[N], unsigned count) {
    for (unsigned i = 0; 64 * i < count; ++i) append(words[i], count - 64 * i < 64 ? count - 64 * i : 64);
  }

  template <unsigned C>
  constexpr void append(const bit_string<C>& other) {
    unsigned count = other.size();
    for (unsigned i = 0; i < bit_string<C>::Words; ++i) {
      const std::uint64_t word = other.word(i);
      if (64 * i < count) append(word, count - 64 * i < 64 ? count - 64 * i : 64);
    }
  }

  /// Returns \p count ≤ 64 bits, starting at bit \p offset. Bits beyond size() are zero.
  constexpr std::uint64_t extract(unsigned offset, unsigned count) const {
    const unsigned word = offset / 64, shift = offset % 64;
    std::uint64_t value = 0;
    if (word < Words) {
      value = m_words[word] >> shift;
      if (shift != 0 && word + 1 < Words) value |= m_words[word + 1] << (64 - shift);
    }
    return value & low_bits(count);
  }

  /// Removes the \p count oldest bits, count ≤ size().
  constexpr void drop(unsigned count) {
    assert(count <= m_size);
    for (unsigned i = 0; i < Words; ++i) m_words[i] = extract(64 * i + count, 64);
    m_size -= count;
  }

  /// Whether a bit at or above \p offset is set.
  constexpr bool any_from(unsigned offset) const {
    bool any = false;
    for (unsigned i = 0; i < Words; ++i) {
      const unsigned below = offset <= 64 * i ? 0 : offset - 64 * i;
      if (below < 64 && m_words[i] >> below != 0) any = true;
    }
    return any;
  }

  /// Returns bits 64 i to 64 i + 63 of the string.
  constexpr std::uint64_t word(unsigned i) const { return m_words[i]; }
  using words_t = std::uint64_t[Words];
  constexpr const words_t& words() const { return m_words; }
  /// A reference to the size, for waveform tracing.
  const unsigned& traced_size() const { return m_size; }

  friend constexpr bool operator==(const bit_string& a, const bit_string& b) {
    if (a.m_size != b.m_size) return false;
    for (unsigned i = 0; i < Words; ++i)
      if (a.m_words[i] != b.m_words[i]) return false;
    return true;
  }
  friend constexpr bool operator!=(const bit_string& a, const bit_string& b) { return !(a == b); }

  /// Prints a SystemVerilog literal: 5'h1f.
  friend std::ostream& operator<<(std::ostream& out, const bit_string& s) {
    out << s.m_size << "'h";
    for (unsigned digit = s.m_size == 0 ? 1 : (s.m_size + 3) / 4; digit-- > 0;)
      out << "0123456789abcdef"[s.extract(4 * digit, 4)];
    return out;
  }

 private:
  std::uint64_t m_words[Words];
  unsigned m_size = 0;
};

// ---------------------------------------------------------------------------------------------------------------
// Groups: the code of one raw flit of K words

/// Maximum number of bits of a group, which codes one flit of \p words words. With one word per flit, the longest group
/// is a pair of LSB-cut. With more words, it is one of classic FPC: the end of a run of zeros (6 bits), then words that
/// do not compress (35 bits each).
constexpr unsigned chunk_bits(unsigned words) { return words == 1 ? 65 : 35 * words + 6; }

/// Number of bits in the window of a decoder: the longest group and one more flit, in which a group may end.
constexpr unsigned window_bits(unsigned words) { return chunk_bits(words) + 32 * words; }

template <unsigned K>
using chunk = bit_string<chunk_bits(K)>;
template <unsigned K>
using window = bit_string<window_bits(K)>;

/// The words of a flit or of a group: \p Count words of 32 bits, word 0 in the lowest bits.
template <unsigned Count>
struct word_row {
  std::uint32_t word[Count];

  constexpr word_row() : word() {
    for (unsigned i = 0; i < Count; ++i) word[i] = 0;
  }
  constexpr word_row(const std::uint32_t (&words)[Count]) : word() {
    for (unsigned i = 0; i < Count; ++i) word[i] = words[i];
  }

  friend bool operator==(const word_row& a, const word_row& b) { return std::equal(a.word, a.word + Count, b.word); }
  friend std::ostream& operator<<(std::ostream& out, const word_row& r) {
    for (unsigned i = Count; i-- > 0;)
      for (unsigned digit = 8; digit-- > 0;) out << "0123456789abcdef"[r.word[i] >> 4 * digit & 0xf];
    return out;
  }
};

/// What a decoder finds out about the next group before it decodes the group.
struct group_measure {
  unsigned size = 0;     ///< size of the group in bits
  bool fits = false;     ///< all its bits are available
  bool corrupt = false;  ///< no encoder produces this group; meaningful only if it fits

  friend constexpr bool operator==(const group_measure& a, const group_measure& b) {
    return a.size == b.size && a.fits == b.fits && a.corrupt == b.corrupt;
  }
};

}  // namespace weft
