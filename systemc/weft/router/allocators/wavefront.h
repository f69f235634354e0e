// SPDX-License-Identifier: Apache-2.0
/// Wavefront allocator. Requests are processed diagonal by diagonal of the request matrix: input i and output o are on
/// diagonal (i + o) mod n, where n is the larger number of inputs and outputs. The requests of a diagonal have no input
/// and no output in common, so hardware grants them at once. The state is one word, the number of the start diagonal.
/// After a cycle with a grant it is the next one; with the fair variant, the one after the first diagonal that gave a
/// grant. The requests with the highest priority, and among them those with the highest preference, are processed first
/// in a wavefront of their own, and then those with the next lower ones. The fair variant then starts past the first
/// diagonal with a grant of the first wavefront.
#pragma once

#include <cstdint>

#include "weft/core/round_robin.h"
#include "weft/router/allocation.h"
#include "weft/router/priorities.h"

namespace weft {

struct wavefront_allocator {
  static unsigned words() { return 1; }

  /// The diagonal of an input and an output.
  static unsigned diagonal_of(unsigned input, unsigned output, unsigned diagonals) {
    return input + output < diagonals ? input + output : input + output - diagonals;
  }

  template <unsigned Blocks, unsigned Members, typename State>
  static void allocate(const allocator_design& a, const State& state,
                       const allocation_requests<Blocks, Members>& requests, const equal_priorities& priorities,
                       allocation_grants<Blocks, Members>& grants) {
    std::uint32_t matched[Blocks];  // outputs with an input, by block
    for (unsigned block = 0; block < Blocks; ++block) matched[block] = 0;
    allocate_level(a, state, requests, priorities, 0, true, matched, grants);
  }

  /// The level of a request: its priority, and below it its preference.
  template <typename Priorities>
  static std::uint64_t level_of(const Priorities& priorities, unsigned in_block, unsigned member, unsigned output) {
    const std::uint64_t priority = priorities.of(in_block, member, output);
    return priority << 32 | priorities.preference(in_block, member, output);
  }

  /// One wavefront of the requests with the level \p level.
  /// \param is_first whether it is the first one
  template <unsigned Blocks, unsigned Members, typename State, typename Priorities>
  static void allocate_level(const allocator_design& a, const State& state,
                             const allocation_requests<Blocks, Members>& requests, const Priorities& priorities,
                             std::uint64_t level, bool is_first, std::uint32_t (&matched)[Blocks],
                             allocation_grants<Blocks, Members>& grants) {
    const unsigned count = a.diagonals;
    unsigned diagonal = state[a.first_word];
    for (unsigned step = 0; step < a.diagonals; ++step) {
      WEFT_FOR_MEMBERS(in_block, requests.blocks, a.blocks) {
        WEFT_FOR_MEMBERS(member, requests.inputs[in_block] & ~grants.inputs[in_block], a.inputs) {
          const unsigned output = round_robin_distance(diagonal, in_block * a.inputs + member, count);
          const unsigned block = requests.block[in_block][member];
          const unsigned choice = output - block * a.outputs;  // huge if the output belongs to an earlier block
          if (choice < a.outputs && ((requests.outputs[in_block][member] & ~matched[block]) >> choice & 1) != 0 &&
              level_of(priorities, in_block, member, output) == level) {
            add_grant(grants, in_block, member, block, choice, is_first);
            matched[block] |= 1U << choice;
          }
        }
      }
      diagonal = next_index(diagonal, count);
    }
  }

  /// The same for requests with different priorities.
  template <unsigned Blocks, unsigned Members, typename State, typename Priorities>
  static void allocate(const allocator_design& a, const State& state,
                       const allocation_requests<Blocks, Members>& requests, const Priorities& priorities,
                       allocation_grants<Blocks, Members>& grants) {
    std::uint32_t matched[Blocks];  // outputs with an input, by block
    for (unsigned block = 0; block < Blocks; ++block) matched[block] = 0;
    // Every wavefront grants a request, so there are no more wavefronts than inputs.
    for (unsigned wavefront = 0; wavefront < a.all_inputs; ++wavefront) {
      std::uint64_t level = 0;  // the highest level of the requests that can still be granted
      bool is_left = false;
      WEFT_FOR_MEMBERS(in_block, requests.blocks, a.blocks) {
        WEFT_FOR_MEMBERS(member, requests.inputs[in_block] & ~grants.inputs[in_block], a.inputs) {
          const unsigned block = requests.block[in_block][member];
          WEFT_FOR_MEMBERS(choice, requests.outputs[in_block][member] & ~matched[block], a.outputs) {
            const std::uint64_t other = level_of(priorities, in_block, member, block * a.outputs + choice);
            if (!is_left || other > level) level = other;
            is_left = true;
          }
        }
      }
      if (is_left) allocate_level(a, state, requests, priorities, level, wavefront == 0, matched, grants);
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
      WEFT_FOR_MEMBERS(member, grants.first[in_block], a.inputs) {
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
