// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/trace/checksum.h"

#include <zlib.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace weft {

namespace {

#ifdef __x86_64__

#define WEFT_FOLDING __attribute__((target("pclmul,sse4.1")))
#define WEFT_WIDE_FOLDING __attribute__((target("pclmul,sse4.1,avx512f,vpclmulqdq")))

// Constants for folding, after Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction,
// Intel, 2009. They are remainders of powers of x modulo the polynomial, with reflected bits. The low constant applies
// to the low half of a 128-bit word.
struct multipliers {
  std::uint64_t low, high;
};
constexpr multipliers By2048{0x011542778a, 0x01322d1430};      ///< x^(2048 + 32), x^(2048 - 32)
constexpr multipliers By512{0x0154442bd4, 0x01c6e41596};       ///< x^(512 + 32), x^(512 - 32)
constexpr multipliers By128{0x01751997d0, 0x00ccaa009e};       ///< x^(128 + 32), x^(128 - 32)
constexpr multipliers By64{0x0163cd6124, 0};                   ///< x^64
constexpr multipliers Polynomial{0x01db710641, 0x01f7011641};  ///< the polynomial, and x^64 divided by it

WEFT_FOLDING __m128i load(const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); }
WEFT_FOLDING __m128i load(const multipliers& m) { return load(static_cast<const void*>(&m)); }

/// Returns \p word, shifted by the distance of \p by, plus \p there.
WEFT_FOLDING __m128i fold(__m128i word, __m128i by, __m128i there) {
  const __m128i low = _mm_clmulepi64_si128(word, by, 0x00), high = _mm_clmulepi64_si128(word, by, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), there);
}

/// Returns the remainder of 128 bits followed by 32 zero bits.
WEFT_FOLDING std::uint32_t reduce(__m128i word) {
  const __m128i low_halves = _mm_setr_epi32(~0, 0, ~0, 0), polynomial = load(Polynomial);
  word = _mm_xor_si128(_mm_srli_si128(word, 8), _mm_clmulepi64_si128(word, load(By128), 0x10));
  word =
      _mm_xor_si128(_mm_srli_si128(word, 4), _mm_clmulepi64_si128(_mm_and_si128(word, low_halves), load(By64), 0x00));
  const __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(word, low_halves), polynomial, 0x10);
  const __m128i product = _mm_clmulepi64_si128(_mm_and_si128(quotient, low_halves), polynomial, 0x00);
  return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(word, product), 1));
}

WEFT_WIDE_FOLDING __m512i load_many(const multipliers& m) {
  const auto low = static_cast<long long>(m.low), high = static_cast<long long>(m.high);
  return _mm512_set4_epi64(high, low, high, low);
}

/// Folds four words at a time.
WEFT_WIDE_FOLDING __m512i fold(__m512i words, __m512i by, __m512i there) {
  const __m512i low = _mm512_clmulepi64_epi128(words, by, 0x00), high = _mm512_clmulepi64_epi128(words, by, 0x11);
  return _mm512_xor_si512(_mm512_xor_si512(low, high), there);
}

/// Folds \p words over the bytes from \p at to \p end. The number of bytes must be 192 plus a multiple of 256.
WEFT_WIDE_FOLDING void fold_many(__m128i* words, const char* at, const char* end) {
  const __m512i by_2048 = load_many(By2048), by_512 = load_many(By512);
  __m512i all[4] = {_mm512_loadu_si512(words)};
  for (int i = 1; i < 4; ++i, at += 64) all[i] = _mm512_loadu_si512(at);
  for (; at < end; at += 256)
    for (int i = 0; i < 4; ++i) all[i] = fold(all[i], by_2048, _mm512_loadu_si512(at + 64 * i));
  for (int i = 1; i < 4; ++i) all[i] = fold(all[i - 1], by_512, all[i]);
  _mm512_storeu_si512(words, all[3]);
}

bool can_fold_many() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq"); }

/// Returns the checksum of at least 64 bytes. \p count must be a multiple of 16.
WEFT_FOLDING std::uint32_t by_folding(const char* at, std::size_t count, std::uint32_t before) {
  static const bool folds_many = can_fold_many();
  const char* const end = at + count;
  __m128i word[4];
  for (int i = 0; i < 4; ++i) word[i] = load(at + 16 * i);
  word[0] = _mm_xor_si128(word[0], _mm_cvtsi32_si128(static_cast<int>(~before)));
  const __m128i by_512 = load(By512), by_128 = load(By128);
  at += 64;
  if (folds_many && end - at >= 192) {
    const char* const many = at + 192 + (end - at - 192) / 256 * 256;
    fold_many(word, at, many);
    at = many;
  }
  for (; end - at >= 64; at += 64)
    for (int i = 0; i < 4; ++i) word[i] = fold(word[i], by_512, load(at + 16 * i));
  for (int i = 1; i < 4; ++i) word[0] = fold(word[0], by_128, word[i]);
  for (; at < end; at += 16) word[0] = fold(word[0], by_128, load(at));
  return ~reduce(word[0]);
}

#undef WEFT_WIDE_FOLDING
#undef WEFT_FOLDING

bool can_fold() { return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"); }

#endif

}  // namespace

std::uint32_t checksum(const void* bytes, std::size_t count, std::uint32_t before) {
  if (count == 0) return before;
  const auto* rest = static_cast<const Bytef*>(bytes);
#ifdef __x86_64__
  static const bool folds = can_fold();
  if (folds && count >= 64) {
    const std::size_t most = count & ~std::size_t{15};
    before = by_folding(static_cast<const char*>(bytes), most, before);
    rest += most;
    count -= most;
  }
#endif
  return count == 0 ? before : static_cast<std::uint32_t>(crc32_z(before, rest, count));
}

}  // namespace weft
