// SPDX-License-Identifier: Apache-2.0
/// Parallel iterative matching (PIM): in each iteration every output selects one of the requesting inputs at random,
/// and every input accepts one of the selecting outputs at random. It is behavioral, as the random arbiter. Its state
/// is one word, which changes in every cycle with a grant.
#pragma once

#include "weft/router/arbiters/random.h"

#ifndef WEFT_SYNTHESIS

#include "weft/router/allocators/grant_and_accept.h"

namespace weft {

struct pim_allocator {
  static unsigned words() { return 1; }
  static unsigned initial_word() { return random_arbiter::initial_word(0); }

  /// Ranks that differ between iterations, between arbiters and between contenders.
  class ranks {
   public:
    explicit ranks(unsigned word) : m_word(word) {}
    unsigned of_input(unsigned iteration, unsigned output, unsigned input) const {
      return of(2 * iteration, output, input);
    }
    unsigned of_output(unsigned iteration, unsigned input, unsigned output) const {
      return of(2 * iteration + 1, input, output);
    }

   private:
    unsigned of(unsigned round, unsigned arbiter, unsigned contender) const {
      return random_rank(random_rank(m_word, round << 12 | arbiter) & 0xffff, contender);
    }
    const unsigned m_word;
  };

  template <unsigned Blocks, unsigned Members, typename State>
  static void allocate(const allocator_design& a, const State& state,
                       const allocation_requests<Blocks, Members>& requests,
                       allocation_grants<Blocks, Members>& grants) {
    grant_and_accept(ranks(state[a.first_word]), a, requests, equal_priorities(), grants);
  }
  template <typename State>
  static void advance(const allocator_design& a, State& state) {
    state[a.first_word] = next_random_word(state[a.first_word]);
  }
};

}  // namespace weft

#endif
