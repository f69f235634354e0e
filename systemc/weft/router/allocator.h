// SPDX-License-Identifier: Apache-2.0
/// Allocators of all kinds. An allocator has requests, grants (allocation.h) and a state, which is an array of 16-bit
/// words that begin at some word of a larger array. Its state changes only in cycles in which an input waits, so other
/// cycles may be skipped.
///
/// VC allocation (vc_allocation.h) and switch allocation (switch_allocation.h) use the same kinds. To add a kind, write
/// a file like allocators/wavefront.h, extend the functions below, and add the kind to allocator_kinds.cpp.
#pragma once

#include "weft/core/router_choices.h"
#include "weft/router/allocation.h"
#include "weft/router/allocators/arbiter_banks.h"
#include "weft/router/allocators/grant_and_accept.h"
#include "weft/router/allocators/lonely_output.h"
#include "weft/router/allocators/maximum_matching.h"
#include "weft/router/allocators/pim.h"
#include "weft/router/allocators/separable_input_first.h"
#include "weft/router/allocators/wavefront.h"
#include "weft/router/priorities.h"

namespace weft {

/// Number of words of the state of \p a, whose other members are set.
inline unsigned allocator_words(const allocator_design& a) {
  unsigned words = 0;
  switch (a.kind) {
    case allocator_kind::SeparableInputFirst:
    case allocator_kind::SeparableOutputFirst:
    case allocator_kind::Islip:
      words = a.all_inputs * a.input_words + a.all_outputs * a.output_words;
      break;
    case allocator_kind::Wavefront:
    case allocator_kind::WavefrontFair:
      words = wavefront_allocator::words();
      break;
    case allocator_kind::LonelyOutput:
      words = lonely_output_allocator::words(a);
      break;
#ifndef WEFT_SYNTHESIS
    case allocator_kind::Pim:
      words = pim_allocator::words();
      break;
    case allocator_kind::MaximumMatching:
      words = maximum_matching_allocator::words();
      break;
#endif
  }
  return words;
}

/// The allocator with the given parameters and size whose state begins at word \p first_word.
inline allocator_design make_allocator(const allocator_parameters& parameters, const allocation_size& size,
                                       unsigned first_word) {
  allocator_design result;
  result.kind = parameters.kind;
  result.arbiter = selects_with_arbiters(parameters.kind) ? parameters.arbiter : arbiter_kind::RoundRobin;
  result.iterations = iterates(parameters.kind) ? parameters.iterations : 1;
  result.groups = parameters.groups;
  result.blocks = size.blocks;
  result.inputs = size.inputs;
  result.outputs = size.outputs;
  result.all_inputs = size.all_inputs();
  result.all_outputs = size.all_outputs();
  result.diagonals = result.all_inputs > result.all_outputs ? result.all_inputs : result.all_outputs;
  result.input_words = arbiter_words(result.arbiter, result.groups, result.all_outputs);
  result.output_words = arbiter_words(result.arbiter, result.groups, result.all_inputs);
  result.first_word = first_word;
  result.words = allocator_words(result);
  return result;
}

/// Whether the state of an allocator changes in cycles in which an input waits but no output is granted.
constexpr bool changes_without_grants([[maybe_unused]] allocator_kind kind) {
#ifdef WEFT_SYNTHESIS
  return false;
#else
  return kind == allocator_kind::MaximumMatching;
#endif
}

/// Sets the state of \p a to its value after reset.
template <typename State>
void reset_allocator(const allocator_design& a, State& state) {
  for (unsigned word = 0; word < a.words; ++word) state[a.first_word + word] = 0;
  if (has_arbiters(a.kind)) reset_arbiters(a, state);
#ifndef WEFT_SYNTHESIS
  if (a.kind == allocator_kind::Pim) state[a.first_word] = static_cast<std::uint16_t>(pim_allocator::initial_word());
#endif
}

/// One cycle of allocation: the grants for \p requests, which have \p priorities (priorities.h).
template <unsigned Blocks, unsigned Members, typename State, typename Priorities = equal_priorities>
allocation_grants<Blocks, Members> allocate(const allocator_design& a, const State& state,
                                            const allocation_requests<Blocks, Members>& requests,
                                            const Priorities& priorities = Priorities()) {
  allocation_grants<Blocks, Members> grants;
  const arbiter_ranks<State> ranks(a, state);
  switch (a.kind) {
    case allocator_kind::SeparableInputFirst:
      allocate_input_first(a, state, requests, priorities, grants);
      break;
    case allocator_kind::SeparableOutputFirst:
      grant_and_accept(ranks, a, requests, priorities, grants);
      break;
    case allocator_kind::Islip:
      grant_and_accept(ranks, a, requests, equal_priorities(), grants);
      break;
    case allocator_kind::Wavefront:
    case allocator_kind::WavefrontFair:
      wavefront_allocator::allocate(a, state, requests, priorities, grants);
      break;
    case allocator_kind::LonelyOutput:
      lonely_output_allocator::allocate(a, state, requests, grants);
      break;
#ifndef WEFT_SYNTHESIS
    case allocator_kind::Pim:
      pim_allocator::allocate(a, state, requests, grants);
      break;
    case allocator_kind::MaximumMatching:
      maximum_matching_allocator::allocate(a, state, requests, grants);
      break;
#endif
  }
  return grants;
}

/// Changes the state after a cycle in which an input waited and the grants were \p grants.
template <unsigned Blocks, unsigned Members, typename State>
void advance(const allocator_design& a, State& state, const allocation_grants<Blocks, Members>& grants) {
  switch (a.kind) {
    case allocator_kind::SeparableInputFirst:
    case allocator_kind::SeparableOutputFirst:
      note_grants(a, state, grants, grants.inputs);
      break;
    case allocator_kind::Islip:
      note_grants(a, state, grants, grants.first);
      break;
    case allocator_kind::Wavefront:
      wavefront_allocator::advance(a, state, grants, false);
      break;
    case allocator_kind::WavefrontFair:
      wavefront_allocator::advance(a, state, grants, true);
      break;
    case allocator_kind::LonelyOutput:
      lonely_output_allocator::advance(a, state, grants);
      break;
#ifndef WEFT_SYNTHESIS
    case allocator_kind::Pim:
      if (grants.blocks != 0) pim_allocator::advance(a, state);
      break;
    case allocator_kind::MaximumMatching:
      maximum_matching_allocator::advance(a, state);
      break;
#endif
  }
}

}  // namespace weft
