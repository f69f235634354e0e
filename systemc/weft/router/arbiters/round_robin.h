// SPDX-License-Identifier: Apache-2.0
/// Round-robin arbiter. Its state is one word, 0 after reset: the contender that wins against all others. After a grant
/// this is the contender behind the winner, so no requester waits for more than one grant to each of the others.
#pragma once

#include <cstdint>

#include "weft/core/round_robin.h"

namespace weft {

struct round_robin_arbiter {
  static unsigned words() { return 1; }

  template <typename State>
  static unsigned rank(const State& state, unsigned at, unsigned contender, unsigned contenders) {
    return round_robin_distance(contender, state[at], contenders);
  }
  template <typename State>
  static void grant(State& state, unsigned at, unsigned winner, unsigned contenders) {
    state[at] = static_cast<std::uint16_t>(next_index(winner, contenders));
  }
};

}  // namespace weft
