// SPDX-License-Identifier: Apache-2.0
/// Tree arbiter: the contenders are divided into groups of equal size, the last of which may be smaller. A round-robin
/// arbiter selects among the groups with requests, and another one within the group. Its state is the pointer among the
/// groups, followed by the pointers within the groups. Only the pointers that led to the winner move.
#pragma once

#include <cstdint>

#include "weft/core/division.h"
#include "weft/core/round_robin.h"

namespace weft {

struct tree_arbiter {
  static unsigned words(unsigned groups) { return 1 + groups; }

  /// Number of contenders in a group.
  static unsigned size(unsigned contenders, unsigned groups) { return divide<13>(contenders + groups - 1, groups); }

  template <typename State>
  static unsigned rank(const State& state, unsigned at, unsigned contender, unsigned contenders, unsigned groups) {
    const unsigned members = size(contenders, groups);
    const unsigned group = divide<13>(contender, members), member = modulo<13>(contender, members);
    return round_robin_distance(group, state[at], groups) * members +
           round_robin_distance(member, state[at + 1 + group], members);
  }
  template <typename State>
  static void grant(State& state, unsigned at, unsigned winner, unsigned contenders, unsigned groups) {
    const unsigned members = size(contenders, groups);
    const unsigned group = divide<13>(winner, members), member = modulo<13>(winner, members);
    state[at] = static_cast<std::uint16_t>(next_index(group, groups));
    state[at + 1 + group] = static_cast<std::uint16_t>(next_index(member, members));
  }
};

}  // namespace weft
