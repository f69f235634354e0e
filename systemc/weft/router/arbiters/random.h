// SPDX-License-Identifier: Apache-2.0
/// Random arbiter: every requester wins with the same probability. It is behavioral: hardware would use a shift
/// register with feedback, whose choices among few requesters are less uniform.
///
/// Its state is one word, from which the ranks of all contenders are computed. The word changes with every grant. All
/// levels compute the same ranks, so a run can be repeated.
#pragma once

#ifndef WEFT_SYNTHESIS

#include <cstdint>

namespace weft {

/// The word that follows \p word, which is not 0, in a sequence of all 65,535 words other than 0 (a xorshift generator
/// with the shifts 7, 9 and 8).
constexpr std::uint16_t next_random_word(std::uint16_t word) {
  unsigned x = word;
  x = (x ^ x << 7) & 0xffff;
  x ^= x >> 9;
  x = (x ^ x << 8) & 0xffff;
  return static_cast<std::uint16_t>(x);
}

/// A rank below 2^32 that depends on all bits of \p word and \p number, below 2^16. Ranks of different numbers differ.
constexpr unsigned random_rank(unsigned word, unsigned number) {
  std::uint32_t x = word << 16 | number;
  x = (x ^ x >> 16) * 0x7feb352dU;
  x = (x ^ x >> 15) * 0x846ca68bU;
  return x ^ x >> 16;
}

struct random_arbiter {
  static unsigned words() { return 1; }
  /// \param arbiter number of the arbiter in its allocator; arbiters with different numbers begin with different words
  static unsigned initial_word(unsigned arbiter) { return 1 + arbiter * 40'503U % 65'535U; }

  template <typename State>
  static unsigned rank(const State& state, unsigned at, unsigned contender) {
    return random_rank(state[at], contender);
  }
  template <typename State>
  static void grant(State& state, unsigned at) {
    state[at] = next_random_word(state[at]);
  }
};

}  // namespace weft

#endif
