// SPDX-License-Identifier: Apache-2.0
/// Vectors of 32-bit words, for passes over the VC sets of many routers. A vector has four words (on every x86-64
/// processor), eight words (AVX2) or sixteen words (AVX-512). A pass is a template. run_in_vectors() inlines it into
/// one function for each instruction set, and selects one of these functions at run time.
///
/// Source files with such passes are compiled with -Wno-psabi: the warning does not apply, because vectors are passed
/// only to inlined functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Clang uses vectors of four words only. It rejects vector operands of inline assembly in a template for all
// processors.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WEFT_HAS_X86_VARIANTS 1
#else
#define WEFT_HAS_X86_VARIANTS 0
#endif

/// Marks functions that run only on processors with AVX2 or AVX-512.
#define WEFT_FOR_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define WEFT_FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,bmi,bmi2,popcnt")))
#define WEFT_INLINE inline __attribute__((always_inline))

namespace weft::engine {

using four_words = std::uint32_t __attribute__((vector_size(16)));
using eight_words = std::uint32_t __attribute__((vector_size(32)));
using sixteen_words = std::uint32_t __attribute__((vector_size(64)));

/// Optimization barrier: returns `value` unchanged, but keeps the compiler from turning it into a branch or
/// rematerializing it as a constant.
template <typename T>
inline T opaque(T value) {
  asm("" : "+r"(value));
  return value;
}

/// Loads the words at \p from, regardless of the type stored there.
template <typename Words>
WEFT_INLINE Words load(const void* from) {
  Words w;
  std::memcpy(&w, from, sizeof w);
  return w;
}
template <typename Words>
WEFT_INLINE void store(void* to, const Words& w) {
  std::memcpy(to, &w, sizeof w);
}

/// Calls \p f(offset) for each vector with sets of \p routers.
template <typename Set, typename Words, typename F>
WEFT_INLINE void for_each_vector(std::uint64_t routers, F f) {
  constexpr std::size_t AtOnce = std::max<std::size_t>(1, sizeof(Words) / sizeof(Set));
  constexpr std::uint64_t All = (std::uint64_t{1} << AtOnce) - 1;
  while (routers != 0) {
    const std::size_t first = static_cast<std::size_t>(__builtin_ctzll(routers)) & ~(AtOnce - 1);
    routers &= ~(All << first);
    for (std::size_t i = 0; i < AtOnce * sizeof(Set); i += sizeof(Words)) f(first * sizeof(Set) + i);
  }
}

/// Gives access to the sets of an object at one vector position. The address of a set is this position in the object
/// plus a constant, so the compiler does not need a register for each member.
class vector_of {
 public:
  template <typename Object>
  WEFT_INLINE vector_of(Object& object, std::size_t offset)
      : m_object(reinterpret_cast<char*>(&object)), m_at(opaque(m_object + offset)) {}

  template <typename Sets>
  WEFT_INLINE char* operator()(Sets& member) const {
    return m_at + (reinterpret_cast<char*>(&member) - m_object);
  }

 private:
  char* m_object;
  char* m_at;
};

/// Returns a mask in which bit i is set if word i is not zero.
WEFT_INLINE std::uint32_t which_words(std::uint32_t word) { return word != 0; }
WEFT_INLINE std::uint32_t which_words(const four_words& w) {
#ifdef __SSE2__
  return static_cast<std::uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(w == 0))) ^ 15;
#else
  std::uint32_t which = 0;
  for (unsigned i = 0; i < 4; ++i) which |= std::uint32_t{w[i] != 0} << i;
  return which;
#endif
}
#if WEFT_HAS_X86_VARIANTS
// These functions are in assembly, because a function for all processors must not contain compiler intrinsics for these
// instructions.
WEFT_INLINE std::uint32_t which_words(const eight_words& w) {
  std::uint32_t zero;
  asm("vmovmskps %1, %0" : "=r"(zero) : "x"(w == 0));
  return zero ^ 0xff;
}
WEFT_INLINE std::uint32_t which_words(const sixteen_words& w) {
  std::uint32_t which;
  asm("vptestmd %1, %1, %%k1\n\tkmovw %%k1, %0" : "=r"(which) : "v"(w) : "k1");
  return which;
}
#endif

/// Sets all words to \p number. opaque() hides the number from the compiler.
template <typename Words>
WEFT_INLINE void set_all(Words& w, std::uint32_t number) {
  w = Words{} + opaque(number);
}
#if WEFT_HAS_X86_VARIANTS
WEFT_INLINE void set_all(eight_words& w, std::uint32_t number) {
  asm("vmovd %1, %x0\n\tvpbroadcastd %x0, %0" : "=x"(w) : "r"(number));
}
WEFT_INLINE void set_all(sixteen_words& w, std::uint32_t number) { asm("vpbroadcastd %1, %0" : "=v"(w) : "r"(number)); }
#endif

/// Shifts those words of \p w to the left in which \p a and \p b have a common bit, each by the number of bits in the
/// same word of \p by.
template <typename Words>
WEFT_INLINE void shift_where(Words& w, const Words& a, const Words& b, const Words& by) {
  w <<= by & ~(Words)((a & b) == 0);
}
/// Sets those words of \p w to 0 in which \p a and \p b have no common bit.
template <typename Words>
WEFT_INLINE void keep_where(Words& w, const Words& a, const Words& b) {
  w &= ~(Words)((a & b) == 0);
}
/// A rotation of words by a number of bits, stored as the distances of a left shift and a right shift.
struct word_rotation {
  word_rotation() = default;
  explicit word_rotation(std::uint32_t bits) : left(bits % 32), right(-bits % 32) {}

  std::uint32_t left = 0, right = 0;
};
template <typename Words>
WEFT_INLINE void rotate(Words& w, const word_rotation& by) {
  w = w << by.left | w >> by.right;
}
#if WEFT_HAS_X86_VARIANTS
// Each of these functions is one or two instructions, which the compiler does not generate on its own.
WEFT_INLINE void shift_where(sixteen_words& w, const sixteen_words& a, const sixteen_words& b,
                             const sixteen_words& by) {
  asm("vptestmd %2, %1, %%k1\n\tvpsllvd %3, %0, %0%{%%k1%}" : "+v"(w) : "v"(a), "v"(b), "v"(by) : "k1");
}
WEFT_INLINE void keep_where(sixteen_words& w, const sixteen_words& a, const sixteen_words& b) {
  asm("vptestmd %2, %1, %%k1\n\tvmovdqa32 %0, %0%{%%k1%}%{z%}" : "+v"(w) : "v"(a), "v"(b) : "k1");
}
WEFT_INLINE void rotate(sixteen_words& w, const word_rotation& by) {
  asm("vprolvd %1%{1to16%}, %0, %0" : "+v"(w) : "m"(by.left));
}
#endif

/// The vector sizes that a processor supports.
enum class vectors { OfFour, OfEight, OfSixteen };

/// The largest vector size of this processor.
inline vectors best_vectors() {
#if WEFT_HAS_X86_VARIANTS
  static const vectors best = [] {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return vectors::OfFour;
    const bool has_sixteen = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                             __builtin_cpu_supports("avx512vbmi2");
    return has_sixteen ? vectors::OfSixteen : vectors::OfEight;
  }();
  return best;
#else
  return vectors::OfFour;
#endif
}

/// Represents a vector type as a function argument.
template <typename Words>
struct of {
  using type = Words;
};

// Each variant is marked for one instruction set, and everything that it inlines is compiled for this instruction set.
#if WEFT_HAS_X86_VARIANTS
template <typename Stage>
WEFT_FOR_AVX2 __attribute__((flatten, noinline)) auto run_with_avx2(const Stage& stage) {
  return stage(of<eight_words>());
}
template <typename Stage>
WEFT_FOR_AVX512 __attribute__((flatten, noinline)) auto run_with_avx512(const Stage& stage) {
  return stage(of<sixteen_words>());
}
#endif

/// Calls \p stage(of<Words>()), where Words is the vector type for the size \p use.
template <typename Stage>
inline auto run_in_vectors([[maybe_unused]] vectors use, const Stage& stage) {
#if WEFT_HAS_X86_VARIANTS
  if (use == vectors::OfSixteen) return run_with_avx512(stage);
  if (use == vectors::OfEight) return run_with_avx2(stage);
#endif
  return stage(of<four_words>());
}

/// Calls \p stage for code without vectors. There are two variants nevertheless, because processors with AVX2 have
/// faster bit instructions.
template <typename Stage>
inline auto run_on_bits([[maybe_unused]] vectors use, const Stage& stage) {
#if WEFT_HAS_X86_VARIANTS
  if (use != vectors::OfFour) return run_with_avx2(stage);
#endif
  return stage(of<four_words>());
}

}  // namespace weft::engine
