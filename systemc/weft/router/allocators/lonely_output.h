// SPDX-License-Identifier: Apache-2.0
/// Lonely output allocator. Every input selects the requested output with the fewest requests, because few others
/// compete for it; among equal outputs, the first at or after a pointer. Every output selects one of these inputs, the
/// first at or after a pointer. With each grant both pointers move by one position. The state consists of the pointers
/// of the inputs, followed by those of the outputs.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/round_robin.h"
#include "weft/router/allocation.h"

namespace weft {

struct lonely_output_allocator {
  static unsigned words(const allocator_design& a) { return a.all_inputs + a.all_outputs; }

  template <unsigned Blocks, unsigned Members, typename State>
  static void allocate(const allocator_design& a, const State& state,
                       const allocation_requests<Blocks, Members>& requests,
                       allocation_grants<Blocks, Members>& grants) {
    const unsigned inputs = a.all_inputs, outputs = a.all_outputs;
    std::array<std::uint16_t, Blocks * Members> requested;  // by output: number of requests
    for (unsigned output = 0; output < a.all_outputs; ++output) requested[output] = 0;
    WEFT_FOR_MEMBERS(in_block, requests.blocks, a.blocks) {
      WEFT_FOR_MEMBERS(member, requests.inputs[in_block], a.inputs) {
        const unsigned first = requests.block[in_block][member] * a.outputs;
        WEFT_FOR_MEMBERS(choice, requests.outputs[in_block][member], a.outputs) ++requested[first + choice];
      }
    }
    std::array<std::uint32_t, Blocks> selected;  // selected outputs, by block
    for (unsigned block = 0; block < Blocks; ++block) selected[block] = 0;
    std::array<std::uint8_t, Blocks * Members> block_of, member_of;  // by output: the best of the inputs so far
    std::array<unsigned, Blocks * Members> nearest;                  // by output: the distance of this input
    WEFT_FOR_MEMBERS(in_block, requests.blocks, a.blocks) {
      WEFT_FOR_MEMBERS(member, requests.inputs[in_block], a.inputs) {
        const unsigned input = in_block * a.inputs + member;
        const unsigned block = requests.block[in_block][member];
        unsigned lonely = 0, least = ~0U;
        WEFT_FOR_MEMBERS(choice, requests.outputs[in_block][member], a.outputs) {
          const unsigned output = block * a.outputs + choice;
          const unsigned rank =
              requested[output] * outputs + round_robin_distance(output, state[a.first_word + input], outputs);
          if (rank < least) {
            lonely = choice;
            least = rank;
          }
        }
        if (requests.outputs[in_block][member] != 0) {
          const unsigned output = block * a.outputs + lonely;
          const unsigned distance = round_robin_distance(input, state[a.first_word + inputs + output], inputs);
          if ((selected[block] >> lonely & 1) == 0 || distance < nearest[output]) {
            block_of[output] = static_cast<std::uint8_t>(in_block);
            member_of[output] = static_cast<std::uint8_t>(member);
            nearest[output] = distance;
          }
          selected[block] |= 1U << lonely;
        }
      }
    }
    for (unsigned block = 0; block < a.blocks; ++block) {
      WEFT_FOR_MEMBERS(choice, selected[block], a.outputs) {
        const unsigned output = block * a.outputs + choice;
        add_grant(grants, block_of[output], member_of[output], block, choice, true);
      }
    }
  }

  template <unsigned Blocks, unsigned Members, typename State>
  static void advance(const allocator_design& a, State& state, const allocation_grants<Blocks, Members>& grants) {
    const unsigned inputs = a.all_inputs, outputs = a.all_outputs;
    WEFT_FOR_MEMBERS(in_block, grants.blocks, a.blocks) {
      WEFT_FOR_MEMBERS(member, grants.inputs[in_block], a.inputs) {
        const unsigned input = a.first_word + in_block * a.inputs + member;
        const unsigned output =
            a.first_word + inputs + grants.block[in_block][member] * a.outputs + grants.output[in_block][member];
        state[input] = static_cast<std::uint16_t>(next_index(state[input], outputs));
        state[output] = static_cast<std::uint16_t>(next_index(state[output], inputs));
      }
    }
  }
};

}  // namespace weft
