// SPDX-License-Identifier: Apache-2.0
/// Speculative switch allocation: heads that wait for an output VC request the switch in the cycle of their VC
/// allocation. The result of VC allocation is available at the end of this cycle, and then decides whether a grant to a
/// head is used.
///
/// With speculation_kind::Prioritized one allocator serves all requests, in which heads have the lower priority.
/// Otherwise a second allocator serves the heads, and its grants are masked: an input that sends another flit
/// sends no head, and neither does an output port that is granted to another flit, or requested by one. Both allocators
/// share the VC pointers of the inputs. The allocators change even with grants that are masked or not used, since
/// the result is not available in time (Becker and Dally 2009).
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/router_choices.h"
#include "weft/router/switch_allocation.h"

namespace weft {

/// The second allocator. Its state follows that of \p first, the switch allocator.
inline allocator_design make_second_allocator(const allocator_parameters& parameters, const allocator_design& first) {
  return make_input_allocator(parameters, first.inputs, first.outputs, first.vcs, switch_words(first));
}

/// Adds \p requests to \p all, and their priorities, which are those of \p of_vcs with the bits \p above.
template <typename VcPriorities>
void add_requests([[maybe_unused]] const allocator_design& a, const switch_requests& requests,
                  const VcPriorities& of_vcs, std::uint32_t above, switch_requests& all, vc_priorities& priorities) {
  WEFT_FOR_MEMBERS(input, requests.inputs, a.inputs) {
    if ((all.inputs >> input & 1) == 0) all.ready[input] = 0;
    all.inputs |= 1U << input;
    all.ready[input] |= requests.ready[input];
    WEFT_FOR_MEMBERS(vc, requests.ready[input], a.vcs) {
      all.output[input][vc] = requests.output[input][vc];
      priorities.by_vc[input][vc] = of_vcs.of(input, vc) | above;
    }
  }
}

/// Inputs whose grant in \p second, the grants of the second allocator, is not masked. \p first: those of the
/// first one.
inline port_set unmasked_inputs(speculation_kind kind, [[maybe_unused]] const allocator_design& a,
                                const switch_requests& requests, const switch_matching& first,
                                const switch_matching& second) {
  port_set others = 0;  // output ports that send no head
  WEFT_FOR_MEMBERS(input, first.inputs, a.inputs) others |= 1U << first.output[input];
  if (kind == speculation_kind::MaskedByRequests) {
    WEFT_FOR_MEMBERS(input, requests.inputs, a.inputs) {
      WEFT_FOR_MEMBERS(vc, requests.ready[input], a.vcs) others |= 1U << requests.output[input][vc];
    }
  }
  port_set result = 0;
  WEFT_FOR_MEMBERS(input, second.inputs & ~first.inputs, a.inputs) {
    if ((others >> second.output[input] & 1) == 0) result |= 1U << input;
  }
  return result;
}

/// The grants of the switch allocator in one cycle.
/// \param requests those of VCs that hold an output VC
/// \param heads    those of heads that wait for one
/// \param of_vcs   the priorities of all of them, below 2^31
template <typename State, typename VcPriorities = equal_vc_priorities>
switch_matching allocate_first(speculation_kind kind, const allocator_design& first, const State& state,
                               const switch_requests& requests, const switch_requests& heads,
                               const VcPriorities& of_vcs = VcPriorities()) {
  switch_matching result;
  if (kind == speculation_kind::Prioritized) {
    switch_requests all;
    vc_priorities priorities;
    add_requests(first, requests, of_vcs, 1U << 31, all, priorities);
    add_requests(first, heads, of_vcs, 0, all, priorities);
    result = allocate_switch(first, state, all, priorities);
  } else {
    result = allocate_switch(first, state, requests, of_vcs);
  }
  return result;
}

/// The grants of the second allocator, if there is one, for the same requests.
template <typename State, typename VcPriorities = equal_vc_priorities>
switch_matching allocate_second(speculation_kind kind, const allocator_design& second, const State& state,
                                const switch_requests& heads, const VcPriorities& of_vcs = VcPriorities()) {
  switch_matching result;
  if (kind != speculation_kind::Prioritized) result = allocate_switch(second, state, heads, of_vcs);
  return result;
}

/// Changes the state after a cycle with requests of either kind, whose grants were \p of_first and \p of_second. Those
/// of the second allocator to the inputs \p unmasked were not masked.
template <typename State>
void advance_speculatively(speculation_kind kind, const allocator_design& first, const allocator_design& second,
                           State& state, const switch_matching& of_first, const switch_matching& of_second,
                           port_set unmasked) {
  advance_switch(first, state, of_first);
  if (kind != speculation_kind::Prioritized) {
    advance_pointers(second, state, of_second, unmasked);
    advance_ports(second, state, of_second);
  }
}

/// The grants of both allocators that are not masked. Those to heads still depend on the result of VC allocation.
inline switch_matching combined([[maybe_unused]] const allocator_design& a, const switch_matching& of_first,
                                const switch_matching& of_second, port_set unmasked) {
  switch_matching result = of_first;
  result.inputs |= unmasked;
  WEFT_FOR_MEMBERS(input, unmasked, a.inputs) {
    result.vc[input] = of_second.vc[input];
    result.output[input] = of_second.output[input];
  }
  return result;
}

}  // namespace weft
