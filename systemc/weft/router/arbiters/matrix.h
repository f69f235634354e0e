// SPDX-License-Identifier: Apache-2.0
/// Matrix arbiter: the requester that was granted least recently wins.
///
/// Hardware stores one bit for each pair of contenders: whether the first of them precedes the second. These bits
/// always describe a total order. The state is this order: one word for each contender, its position, 0 for the first.
/// After reset the contender with the highest number is first, as in BookSim2.
#pragma once

#include <cstdint>

namespace weft {

struct matrix_arbiter {
  static unsigned words(unsigned contenders) { return contenders; }
  static unsigned initial_word(unsigned word, unsigned contenders) { return contenders - 1 - word; }

  template <typename State>
  static unsigned rank(const State& state, unsigned at, unsigned contender) {
    return state[at + contender];
  }
  /// The winner becomes the last; those behind it move up.
  template <typename State>
  static void grant(State& state, unsigned at, unsigned winner, unsigned contenders) {
    const unsigned left = state[at + winner];
    for (unsigned contender = 0; contender < contenders; ++contender) {
      const unsigned position = state[at + contender];
      if (contender == winner)
        state[at + contender] = static_cast<std::uint16_t>(contenders - 1);
      else if (position > left)
        state[at + contender] = static_cast<std::uint16_t>(position - 1);
    }
  }
};

}  // namespace weft
