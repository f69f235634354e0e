// SPDX-License-Identifier: Apache-2.0
/// Sets of lanes: the virtual channels of one side of a router, numbered port by port.
///
/// Lane = port * stride + VC, where the stride is the number of VCs rounded up to a power of two: then the VCs of a
/// port are one field of bits that no machine word cuts, and a shift gives the port of a lane. Lanes that do not exist
/// are in no set, so round robin over these numbers meets the lanes in the same order as over port * VCs + VC.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "weft/core/types.h"

namespace weft::engine {

// Words as sets of up to 64 numbers.

/// The lowest member of \p which, which is not empty.
inline unsigned lowest_of(std::uint64_t which) { return static_cast<unsigned>(__builtin_ctzll(which)); }

/// \p which has one member at most.
inline bool has_one_member(std::uint64_t which) { return (which & (which - 1)) == 0; }

/// \p which has three members at most.
inline bool has_few_members(std::uint64_t which) {
  which &= which - 1;
  which &= which - 1;
  return has_one_member(which);
}

/// Calls \p f(i) for every member of \p which, lowest first.
template <typename F>
inline void for_each_of(std::uint64_t which, F f) {
  for (; which != 0; which &= which - 1) f(lowest_of(which));
}

/// \tparam Lanes 32, or a multiple of 64
template <unsigned Lanes>
struct lane_set {
  using word_t = std::conditional_t<Lanes <= 32, std::uint32_t, std::uint64_t>;
  static constexpr unsigned Bits = Lanes <= 32 ? 32 : 64, Words = Lanes / Bits;
  static_assert(Lanes % Bits == 0);

  std::array<word_t, Words> word{};

  bool any() const {
    word_t all = 0;
    for (const word_t w : word) all |= w;
    return all != 0;
  }
  bool contains(unsigned lane) const { return word[index(lane)] >> bit(lane) & 1; }
  void insert(unsigned lane) { word[index(lane)] |= word_t{1} << bit(lane); }
  void erase(unsigned lane) { word[index(lane)] &= ~(word_t{1} << bit(lane)); }
  void insert_if(bool condition, unsigned lane) { word[index(lane)] |= word_t{condition} << bit(lane); }

  /// The members first, first + 1, …, as many as \p mask has bits.
  vc_set field(unsigned first, vc_set mask) const {
    return static_cast<vc_set>(word[index(first)] >> bit(first)) & mask;
  }

  /// The lowest member. The set must not be empty.
  unsigned lowest() const {
    unsigned w = 0;
    if constexpr (Words > 1)
      while (word[w] == 0) ++w;
    return Bits * w + lowest_of(word[w]);
  }
  /// The set has one member at most.
  bool is_single() const {
    if constexpr (Words == 1) return has_one_member(word[0]);
    unsigned members = 0;
    for (const word_t w : word) members += static_cast<unsigned>(__builtin_popcountll(w));
    return members <= 1;
  }

  friend lane_set operator|(lane_set a, const lane_set& b) {
    for (unsigned w = 0; w < Words; ++w) a.word[w] |= b.word[w];
    return a;
  }
  friend lane_set operator&(lane_set a, const lane_set& b) {
    for (unsigned w = 0; w < Words; ++w) a.word[w] &= b.word[w];
    return a;
  }

  friend lane_set operator^(lane_set a, const lane_set& b) {
    for (unsigned w = 0; w < Words; ++w) a.word[w] ^= b.word[w];
    return a;
  }

 private:
  static constexpr unsigned index(unsigned lane) { return Words == 1 ? 0 : lane / Bits; }
  static constexpr unsigned bit(unsigned lane) { return Words == 1 ? lane : lane % Bits; }
};

/// Calls \p f(lane) for every member, lowest first. \p f may change the set it came from.
template <unsigned Lanes, typename F>
inline void for_each_lane(const lane_set<Lanes>& set, F f) {
  for (unsigned w = 0; w < lane_set<Lanes>::Words; ++w)
    for (auto left = set.word[w]; left != 0; left &= left - 1) f(lane_set<Lanes>::Bits * w + lowest_of(left));
}

/// 64 lanes of sets that follow on each other: those from 64 * \p k on, all sets numbered through.
template <unsigned Lanes>
inline std::uint64_t lanes_at(const lane_set<Lanes>* sets, std::size_t k) {
  if constexpr (Lanes == 32) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    std::uint64_t lanes;
    std::memcpy(&lanes, &sets[2 * k], sizeof lanes);
    return lanes;
#else
    return sets[2 * k].word[0] | std::uint64_t{sets[2 * k + 1].word[0]} << 32;
#endif
  } else {
    return sets[64 * k / Lanes].word[k % lane_set<Lanes>::Words];
  }
}

/// Which of 64 sets have a member.
template <unsigned Lanes>
__attribute__((always_inline)) inline std::uint64_t which_have_any(const lane_set<Lanes>* sets) {
  std::uint64_t result = 0;
#ifdef __SSE2__
  if constexpr (Lanes == 32) {  // four sets a vector, 16 in one step
    const auto empty = [&](unsigned i) {
      const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&sets[i]));
      return _mm_cmpeq_epi32(four, _mm_setzero_si128());
    };
    for (unsigned i = 0; i < 64; i += 16) {
      const __m128i low = _mm_packs_epi32(empty(i), empty(i + 4));
      const __m128i high = _mm_packs_epi32(empty(i + 8), empty(i + 12));
      const auto bits = static_cast<std::uint16_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
      result |= std::uint64_t{bits} << i;
    }
    return ~result;
  }
#endif
  for (unsigned i = 0; i < 64; ++i) result |= std::uint64_t{sets[i].any()} << i;
  return result;
}

}  // namespace weft::engine
