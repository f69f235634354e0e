// SPDX-License-Identifier: Apache-2.0
/// Arbiters of any kind. An arbiter gives each contender a rank, and the requester with the smallest rank wins. Its
/// state changes with a grant only, so cycles without grants may be skipped.
///
/// The state of all arbiters of a router is one array of 16-bit words. State is any type with such words, for example
/// an array of registers; `at` is the number of the first word of an arbiter. `groups` is the number of groups of a
/// tree arbiter. To add a kind, write a file like arbiters/round_robin.h and extend the functions below.
#pragma once

#include <cstdint>

#include "weft/core/router_choices.h"
#include "weft/router/arbiters/matrix.h"
#include "weft/router/arbiters/random.h"
#include "weft/router/arbiters/round_robin.h"
#include "weft/router/arbiters/tree.h"

namespace weft {

/// Number of words of an arbiter.
inline unsigned arbiter_words(arbiter_kind kind, unsigned groups, unsigned contenders) {
  unsigned words = 0;
  switch (kind) {
    case arbiter_kind::RoundRobin:
      words = round_robin_arbiter::words();
      break;
    case arbiter_kind::Matrix:
      words = matrix_arbiter::words(contenders);
      break;
    case arbiter_kind::Tree:
      words = tree_arbiter::words(groups);
      break;
    case arbiter_kind::FixedPriority:
      break;
#ifndef WEFT_SYNTHESIS
    case arbiter_kind::Random:
      words = random_arbiter::words();
      break;
#endif
  }
  return words;
}

/// Sets the state of an arbiter to its value after reset.
/// \param words  its number of words
/// \param number a number in which it differs from other arbiters of the same allocator
template <typename State>
void reset_arbiter(arbiter_kind kind, [[maybe_unused]] unsigned contenders, unsigned words, State& state, unsigned at,
                   [[maybe_unused]] unsigned number) {
  for (unsigned word = 0; word < words; ++word) {
    unsigned value = 0;
    switch (kind) {
      case arbiter_kind::Matrix:
        value = matrix_arbiter::initial_word(word, contenders);
        break;
#ifndef WEFT_SYNTHESIS
      case arbiter_kind::Random:
        value = random_arbiter::initial_word(number);
        break;
#endif
      case arbiter_kind::RoundRobin:
      case arbiter_kind::Tree:
      case arbiter_kind::FixedPriority:
        break;
    }
    state[at + word] = static_cast<std::uint16_t>(value);
  }
}

/// The rank that an arbiter gives to \p contender. The requester with the smallest rank wins, and no two contenders
/// have the same rank.
template <typename State>
unsigned rank_of(arbiter_kind kind, unsigned groups, unsigned contenders, const State& state, unsigned at,
                 unsigned contender) {
  unsigned rank = contender;  // fixed priority
  switch (kind) {
    case arbiter_kind::RoundRobin:
      rank = round_robin_arbiter::rank(state, at, contender, contenders);
      break;
    case arbiter_kind::Matrix:
      rank = matrix_arbiter::rank(state, at, contender);
      break;
    case arbiter_kind::Tree:
      rank = tree_arbiter::rank(state, at, contender, contenders, groups);
      break;
    case arbiter_kind::FixedPriority:
      break;
#ifndef WEFT_SYNTHESIS
    case arbiter_kind::Random:
      rank = random_arbiter::rank(state, at, contender);
      break;
#endif
  }
  return rank;
}

/// Changes the state of an arbiter after a grant to \p winner.
template <typename State>
void note_grant(arbiter_kind kind, unsigned groups, unsigned contenders, State& state, unsigned at, unsigned winner) {
  switch (kind) {
    case arbiter_kind::RoundRobin:
      round_robin_arbiter::grant(state, at, winner, contenders);
      break;
    case arbiter_kind::Matrix:
      matrix_arbiter::grant(state, at, winner, contenders);
      break;
    case arbiter_kind::Tree:
      tree_arbiter::grant(state, at, winner, contenders, groups);
      break;
    case arbiter_kind::FixedPriority:
      break;
#ifndef WEFT_SYNTHESIS
    case arbiter_kind::Random:
      random_arbiter::grant(state, at);
      break;
#endif
  }
}

}  // namespace weft
