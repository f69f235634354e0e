// SPDX-License-Identifier: Apache-2.0
/// Sets of the virtual channels on one side of a router.
///
/// The VCs of all ports are numbered: VC index = port * stride + VC. The stride is the number of VCs rounded up to a
/// power of two, so the VCs of a port are one bit field inside a machine word, and a shift gives the port of a VC
/// index. Indices that do not exist are in no set. Round-robin order over these indices is therefore the same as over
/// port * VCs + VC.
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

// The next functions use a word as a set of up to 64 numbers.

/// Returns the lowest member of \p which. The set must not be empty.
inline unsigned lowest_of(std::uint64_t which) { return static_cast<unsigned>(__builtin_ctzll(which)); }

/// Whether \p which has at most one member.
inline bool has_one_member(std::uint64_t which) { return (which & (which - 1)) == 0; }

/// Whether \p which has at most three members.
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

/// \tparam RouterVcs number of VC indices: 32, or a multiple of 64
template <unsigned RouterVcs>
struct router_vc_set {
  using word_t = std::conditional_t<RouterVcs <= 32, std::uint32_t, std::uint64_t>;
  static constexpr unsigned Bits = RouterVcs <= 32 ? 32 : 64, Words = RouterVcs / Bits;
  static_assert(RouterVcs % Bits == 0);

  std::array<word_t, Words> word{};

  bool any() const {
    word_t all = 0;
    for (const word_t w : word) all |= w;
    return all != 0;
  }
  bool contains(unsigned vc_index) const { return word[index(vc_index)] >> bit(vc_index) & 1; }
  void insert(unsigned vc_index) { word[index(vc_index)] |= word_t{1} << bit(vc_index); }
  void erase(unsigned vc_index) { word[index(vc_index)] &= ~(word_t{1} << bit(vc_index)); }
  void insert_if(bool condition, unsigned vc_index) { word[index(vc_index)] |= word_t{condition} << bit(vc_index); }

  /// Returns the members at the indices from \p first on, as bits: index \p first is bit 0. The result contains only
  /// bits of \p mask.
  vc_set field(unsigned first, vc_set mask) const {
    return static_cast<vc_set>(word[index(first)] >> bit(first)) & mask;
  }

  /// Returns the lowest member. The set must not be empty.
  unsigned lowest() const {
    unsigned w = 0;
    if constexpr (Words > 1)
      while (word[w] == 0) ++w;
    return Bits * w + lowest_of(word[w]);
  }
  /// Whether the set has at most one member.
  bool is_single() const {
    if constexpr (Words == 1) return has_one_member(word[0]);
    unsigned members = 0;
    for (const word_t w : word) members += static_cast<unsigned>(__builtin_popcountll(w));
    return members <= 1;
  }

  friend router_vc_set operator|(router_vc_set a, const router_vc_set& b) {
    for (unsigned w = 0; w < Words; ++w) a.word[w] |= b.word[w];
    return a;
  }
  friend router_vc_set operator&(router_vc_set a, const router_vc_set& b) {
    for (unsigned w = 0; w < Words; ++w) a.word[w] &= b.word[w];
    return a;
  }

  friend router_vc_set operator^(router_vc_set a, const router_vc_set& b) {
    for (unsigned w = 0; w < Words; ++w) a.word[w] ^= b.word[w];
    return a;
  }

 private:
  static constexpr unsigned index(unsigned vc_index) { return Words == 1 ? 0 : vc_index / Bits; }
  static constexpr unsigned bit(unsigned vc_index) { return Words == 1 ? vc_index : vc_index % Bits; }
};

/// Calls \p f(vc_index) for every member, lowest first. \p f may change the original set.
template <unsigned RouterVcs, typename F>
inline void for_each_vc(const router_vc_set<RouterVcs>& set, F f) {
  for (unsigned w = 0; w < router_vc_set<RouterVcs>::Words; ++w)
    for (auto left = set.word[w]; left != 0; left &= left - 1) f(router_vc_set<RouterVcs>::Bits * w + lowest_of(left));
}

/// Returns 64 consecutive bits, from bit 64 * \p k on, of consecutive sets that are regarded as one bit string.
template <unsigned RouterVcs>
inline std::uint64_t vcs_at(const router_vc_set<RouterVcs>* sets, std::size_t k) {
  if constexpr (RouterVcs == 32) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    std::uint64_t router_vcs;
    std::memcpy(&router_vcs, &sets[2 * k], sizeof router_vcs);
    return router_vcs;
#else
    return sets[2 * k].word[0] | std::uint64_t{sets[2 * k + 1].word[0]} << 32;
#endif
  } else {
    return sets[64 * k / RouterVcs].word[k % router_vc_set<RouterVcs>::Words];
  }
}

/// Returns a mask of 64 sets, with bit i set if set i has a member.
template <unsigned RouterVcs>
__attribute__((always_inline)) inline std::uint64_t which_have_any(const router_vc_set<RouterVcs>* sets) {
  std::uint64_t result = 0;
#ifdef __SSE2__
  if constexpr (RouterVcs == 32) {  // four sets per vector, 16 sets per iteration
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
