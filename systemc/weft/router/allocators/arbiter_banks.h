// SPDX-License-Identifier: Apache-2.0
/// The arbiters of an allocator: one for each input, and one for each output. The words of the inputs' arbiters come
/// first.
#pragma once

#include <cstdint>

#include "weft/router/allocation.h"
#include "weft/router/arbiter.h"

namespace weft {

/// Number of the first word of the arbiter of an input.
inline unsigned input_arbiter(const allocator_design& a, unsigned input) {
  return a.first_word + input * a.input_words;
}
/// Number of the first word of the arbiter of an output.
inline unsigned output_arbiter(const allocator_design& a, unsigned output) {
  return a.first_word + a.all_inputs * a.input_words + output * a.output_words;
}

/// The rank of \p output in the arbiter of \p input; the smallest wins.
template <typename State>
unsigned rank_of_output(const allocator_design& a, const State& state, unsigned input, unsigned output) {
  return rank_of(a.arbiter, a.groups, a.all_outputs, state, input_arbiter(a, input), output);
}
/// The rank of \p input in the arbiter of \p output; the smallest wins.
template <typename State>
unsigned rank_of_input(const allocator_design& a, const State& state, unsigned output, unsigned input) {
  return rank_of(a.arbiter, a.groups, a.all_inputs, state, output_arbiter(a, output), input);
}

/// Changes the state of both arbiters that selected a grant.
template <typename State>
void note_grant(const allocator_design& a, State& state, unsigned input, unsigned output) {
  if (a.arbiter == arbiter_kind::RoundRobin) {  // the default, without a case distinction for each arbiter
    round_robin_arbiter::grant(state, a.first_word + input, output, a.all_outputs);
    round_robin_arbiter::grant(state, a.first_word + a.all_inputs + output, input, a.all_inputs);
  } else {
    note_grant(a.arbiter, a.groups, a.all_outputs, state, input_arbiter(a, input), output);
    note_grant(a.arbiter, a.groups, a.all_inputs, state, output_arbiter(a, output), input);
  }
}

/// Sets the state of all arbiters to its value after reset.
template <typename State>
void reset_arbiters(const allocator_design& a, State& state) {
  for (unsigned input = 0; input < a.all_inputs; ++input)
    reset_arbiter(a.arbiter, a.all_outputs, a.input_words, state, input_arbiter(a, input), input);
  for (unsigned output = 0; output < a.all_outputs; ++output)
    reset_arbiter(a.arbiter, a.all_inputs, a.output_words, state, output_arbiter(a, output), a.all_inputs + output);
}

/// Changes the state of all arbiters that selected one of the grants \p moving, which are inputs by block.
template <unsigned Blocks, unsigned Members, typename State>
void note_grants(const allocator_design& a, State& state, const allocation_grants<Blocks, Members>& grants,
                 const std::uint32_t (&moving)[Blocks]) {
  WEFT_FOR_MEMBERS(block, grants.blocks, a.blocks) {
    WEFT_FOR_MEMBERS(member, moving[block], a.inputs) {
      const unsigned output = grants.block[block][member] * a.outputs + grants.output[block][member];
      note_grant(a, state, block * a.inputs + member, output);
    }
  }
}

}  // namespace weft
