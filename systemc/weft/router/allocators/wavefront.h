// SPDX-License-Identifier: Apache-2.0
/// Wavefront allocator. Requests are processed diagonal by diagonal of the request matrix: input i and output o are on
/// diagonal (i + o) mod n, where n is the larger number of inputs and outputs. The requests of a diagonal have no input
/// and no output in common, so hardware grants them at once. The state is one word, the number of the start diagonal.
/// After a cycle with a grant it is the next one; with the fair variant, the one after the first diagonal that gave a
/// grant.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/round_robin.h"
#include "weft/router/allocation.h"

namespace weft {

struct wavefront_allocator {
  static unsigned words() { return 1; }

  /// The diagonal of an input and an output.
  static unsigned diagonal_of(unsigned input, unsigned output, unsigned diagonals) {
    return input + output < diagonals ? input + output : input + output - diagonals;
  }

  template <unsigned Blocks, unsigned Members, typename State>
  static void allocate(const allocator_design& a, const State& state,
                       const allocation_requests<Blocks, Members>& requests,
                       allocation_grants<Blocks, Members>& grants) {
    const unsigned count = a.diagonals;
    std::array<std::uint32_t, Blocks> matched;  // outputs with an input, by block
    for (unsigned block = 0; block < Blocks; ++block) matched[block] = 0;
    unsigned diagonal = state[a.first_word];
    for (unsigned step = 0; step < a.diagonals; ++step) {
      WEFT_FOR_MEMBERS(in_block, requests.blocks, a.blocks) {
        WEFT_FOR_MEMBERS(member, requests.inputs[in_block] & ~grants.inputs[in_block], a.inputs) {
          const unsigned output = round_robin_distance(diagonal, in_block * a.inputs + member, count);
          const unsigned block = requests.block[in_block][member];
          const unsigned choice = output - block * a.outputs;  // huge if the output belongs to an earlier block
          if (choice < a.outputs && (requests.outputs[in_block][member] & ~matched[block]) >> choice & 1) {
            add_grant(grants, in_block, member, block, choice, true);
            matched[block] |= 1U << choice;
          }
        }
      }
      diagonal = next_index(diagonal, count);
    }
  }

  /// \param fair whether the next cycle starts past the first diagonal with a grant
  template <unsigned Blocks, unsigned Members, typename State>
  static void advance(const allocator_design& a, State& state, const allocation_grants<Blocks, Members>& grants,
                      bool fair) {
    const unsigned count = a.diagonals;
    const unsigned start = state[a.first_word];
    unsigned first = count;  // distance of the first diagonal with a grant
    WEFT_FOR_MEMBERS(in_block, grants.blocks, a.blocks) {
      WEFT_FOR_MEMBERS(member, grants.inputs[in_block], a.inputs) {
        const unsigned output = grants.block[in_block][member] * a.outputs + grants.output[in_block][member];
        const unsigned diagonal = diagonal_of(in_block * a.inputs + member, output, count);
        const unsigned distance = round_robin_distance(diagonal, start, count);
        if (distance < first) first = distance;
      }
    }
    if (grants.blocks != 0) {
      const unsigned from = fair ? start + first : start;
      state[a.first_word] = static_cast<std::uint16_t>(next_index(from < count ? from : from - count, count));
    }
  }
};

}  // namespace weft
