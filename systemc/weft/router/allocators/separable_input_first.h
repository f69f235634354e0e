// SPDX-License-Identifier: Apache-2.0
/// Separable, input-first allocator. The arbiter of every input selects one of the requested outputs; the arbiter of
/// every output selects one of the inputs that selected it. The arbiters change only with a grant, so with round-robin
/// or matrix arbiters no requester starves.
#pragma once

#include <array>
#include <cstdint>

#include "weft/router/allocators/arbiter_banks.h"
#include "weft/router/priorities.h"

namespace weft {

/// The output of block \p block, among \p candidates, that member \p member of input block \p in_block selects.
/// \p candidates is not empty.
template <typename State, typename Priorities>
unsigned preferred_output(const allocator_design& a, const State& state, unsigned in_block, unsigned member,
                          unsigned block, std::uint32_t candidates, const Priorities& priorities) {
  unsigned winner = lowest(candidates);
  if (candidates != 1U << winner) {
    std::uint32_t most = 0;
    unsigned least = ~0U;
    WEFT_FOR_MEMBERS(choice, candidates, a.outputs) {
      const unsigned output = block * a.outputs + choice;
      const unsigned rank = rank_of_output(a, state, in_block * a.inputs + member, output);
      const std::uint32_t preference = priorities.preference(in_block, member, output);
      if (precedes(preference, rank, most, least)) {
        winner = choice;
        most = preference;
        least = rank;
      }
    }
  }
  return winner;
}

/// The allocation if only one input waits, which is common at low load.
template <unsigned Blocks, unsigned Members, typename State, typename Priorities>
void allocate_single(const allocator_design& a, const State& state,
                     const allocation_requests<Blocks, Members>& requests, const Priorities& priorities,
                     allocation_grants<Blocks, Members>& grants) {
  const unsigned in_block = lowest(requests.blocks), member = lowest(requests.inputs[in_block]);
  const std::uint32_t candidates = requests.outputs[in_block][member];
  if (candidates != 0) {
    const unsigned block = requests.block[in_block][member];
    const unsigned output = preferred_output(a, state, in_block, member, block, candidates, priorities);
    add_grant(grants, in_block, member, block, output, true);
  }
}

/// The allocation for any requests.
template <unsigned Blocks, unsigned Members, typename State, typename Priorities>
void allocate_several(const allocator_design& a, const State& state,
                      const allocation_requests<Blocks, Members>& requests, const Priorities& priorities,
                      allocation_grants<Blocks, Members>& grants) {
  std::array<std::uint32_t, Blocks> selected;                      // selected outputs, by block
  std::array<std::uint8_t, Blocks * Members> block_of, member_of;  // by output: the best of the inputs so far
  for (unsigned block = 0; block < Blocks; ++block) selected[block] = 0;
  WEFT_FOR_MEMBERS(in_block, requests.blocks, a.blocks) {
    WEFT_FOR_MEMBERS(member, requests.inputs[in_block], a.inputs) {
      const std::uint32_t candidates = requests.outputs[in_block][member];
      if (candidates != 0) {
        const unsigned input = in_block * a.inputs + member;
        const unsigned block = requests.block[in_block][member];
        const unsigned choice = preferred_output(a, state, in_block, member, block, candidates, priorities);
        const unsigned output = block * a.outputs + choice;
        bool is_best = true;
        if ((selected[block] >> choice & 1) != 0) {
          const unsigned rival_block = block_of[output], rival_member = member_of[output];
          is_best = precedes(priorities.of(in_block, member, output), rank_of_input(a, state, output, input),
                             priorities.of(rival_block, rival_member, output),
                             rank_of_input(a, state, output, rival_block * a.inputs + rival_member));
        }
        if (is_best) {
          block_of[output] = static_cast<std::uint8_t>(in_block);
          member_of[output] = static_cast<std::uint8_t>(member);
        }
        selected[block] |= 1U << choice;
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

template <unsigned Blocks, unsigned Members, typename State, typename Priorities>
void allocate_input_first(const allocator_design& a, const State& state,
                          const allocation_requests<Blocks, Members>& requests, const Priorities& priorities,
                          allocation_grants<Blocks, Members>& grants) {
  if (is_single(requests.blocks) && is_single(requests.inputs[lowest(requests.blocks)]))
    allocate_single(a, state, requests, priorities, grants);
  else
    allocate_several(a, state, requests, priorities, grants);
}

}  // namespace weft
