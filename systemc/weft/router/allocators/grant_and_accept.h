// SPDX-License-Identifier: Apache-2.0
/// Output-first matching in one or several iterations. In each iteration every output without an input selects one of
/// the requesting inputs without an output, and every input accepts one of the outputs that selected it.
#pragma once

#include <array>
#include <cstdint>

#include "weft/router/allocation.h"
#include "weft/router/allocators/arbiter_banks.h"
#include "weft/router/priorities.h"

namespace weft {

/// Adds a grant for every input in \p selected, by block: to the output \p accepted of this input.
template <unsigned Blocks, unsigned Members>
void add_accepted(const allocator_design& a, const allocation_requests<Blocks, Members>& requests,
                  const std::uint32_t (&selected)[Blocks], const std::uint8_t (&accepted)[Blocks * Members],
                  bool is_first, std::uint32_t (&matched)[Blocks], allocation_grants<Blocks, Members>& grants) {
  for (unsigned in_block = 0; in_block < a.blocks; ++in_block) {
    WEFT_FOR_MEMBERS(member, selected[in_block], a.inputs) {
      const unsigned block = requests.block[in_block][member];
      const unsigned choice = accepted[in_block * a.inputs + member];
      add_grant(grants, in_block, member, block, choice, is_first);
      matched[block] |= 1U << choice;
    }
  }
}

/// \param ranks has the functions of_input(iteration, output, input), with which an output selects an input, and
///              of_output(iteration, input, output), with which an input accepts an output; the smallest rank wins
template <unsigned Blocks, unsigned Members, typename Ranks, typename Priorities>
void grant_and_accept(const Ranks& ranks, const allocator_design& a,
                      const allocation_requests<Blocks, Members>& requests, const Priorities& priorities,
                      allocation_grants<Blocks, Members>& grants) {
  std::uint32_t matched[Blocks];  // outputs with an input, by block
  for (unsigned block = 0; block < Blocks; ++block) matched[block] = 0;
  for (unsigned iteration = 0; iteration < a.iterations; ++iteration) {
    // Every output selects an input.
    std::array<std::uint32_t, Blocks> selecting;  // outputs with requests, by block
    for (unsigned block = 0; block < Blocks; ++block) selecting[block] = 0;
    std::array<std::uint8_t, Blocks * Members> block_of, member_of;  // by output: the best of the inputs so far
    std::array<unsigned, Blocks * Members> least;                    // by output: the rank of this input
    std::array<std::uint32_t, Blocks * Members> most;                // by output: its priority
    WEFT_FOR_MEMBERS(in_block, requests.blocks, a.blocks) {
      WEFT_FOR_MEMBERS(member, requests.inputs[in_block] & ~grants.inputs[in_block], a.inputs) {
        const unsigned block = requests.block[in_block][member];
        WEFT_FOR_MEMBERS(choice, requests.outputs[in_block][member] & ~matched[block], a.outputs) {
          const unsigned output = block * a.outputs + choice;
          const unsigned rank = ranks.of_input(iteration, output, in_block * a.inputs + member);
          const std::uint32_t priority = priorities.of(in_block, member, output);
          if ((selecting[block] >> choice & 1) == 0 || precedes(priority, rank, most[output], least[output])) {
            block_of[output] = static_cast<std::uint8_t>(in_block);
            member_of[output] = static_cast<std::uint8_t>(member);
            least[output] = rank;
            most[output] = priority;
          }
          selecting[block] |= 1U << choice;
        }
      }
    }
    // Every input accepts an output.
    std::uint32_t selected[Blocks];  // inputs that an output selected, by block
    for (unsigned block = 0; block < Blocks; ++block) selected[block] = 0;
    std::uint8_t accepted[Blocks * Members];              // by input: the best of the outputs so far
    std::array<unsigned, Blocks * Members> lowest_rank;   // by input: the rank of this output
    std::array<std::uint32_t, Blocks * Members> highest;  // by input: its preference for this output
    for (unsigned block = 0; block < a.blocks; ++block) {
      WEFT_FOR_MEMBERS(choice, selecting[block], a.outputs) {
        const unsigned output = block * a.outputs + choice;
        const unsigned in_block = block_of[output], member = member_of[output];
        const unsigned input = in_block * a.inputs + member;
        const unsigned rank = ranks.of_output(iteration, input, output);
        const std::uint32_t preference = priorities.preference(in_block, member, output);
        if ((selected[in_block] >> member & 1) == 0 || precedes(preference, rank, highest[input], lowest_rank[input])) {
          accepted[input] = static_cast<std::uint8_t>(choice);
          lowest_rank[input] = rank;
          highest[input] = preference;
        }
        selected[in_block] |= 1U << member;
      }
    }
    add_accepted(a, requests, selected, accepted, iteration == 0, matched, grants);
  }
}

/// The ranks of arbiters whose state does not change between iterations.
template <typename State>
struct arbiter_ranks {
  const allocator_design& design;
  const State& state;

  arbiter_ranks(const allocator_design& of, const State& with) : design(of), state(with) {}
  unsigned of_input([[maybe_unused]] unsigned iteration, unsigned output, unsigned input) const {
    return rank_of_input(design, state, output, input);
  }
  unsigned of_output([[maybe_unused]] unsigned iteration, unsigned input, unsigned output) const {
    return rank_of_output(design, state, input, output);
  }
};

}  // namespace weft
