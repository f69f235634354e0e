// SPDX-License-Identifier: Apache-2.0
/// Speculative switch allocation: heads that wait for an output VC request the switch in the cycle of their VC
/// allocation. The result of VC allocation is available at the end of this cycle, and then decides whether a grant to a
/// head is used.
///
/// With speculation_kind::Prioritized one allocator serves all requests, in which heads have the lower priority.
/// Otherwise a second allocator serves the heads, and its grants are masked: an input port that sends another flit
/// sends no head, and neither does an output port that is granted to another flit, or requested by one. Both allocators
/// share the VC pointers of the input ports. The allocators change even with grants that are masked or not used, since
/// the result is not available in time (Becker and Dally 2009).
#pragma once

#include "weft/core/members.h"
#include "weft/core/router_choices.h"
#include "weft/router/switch_allocation.h"

namespace weft {

/// The second allocator. Its state follows that of \p first, the switch allocator.
inline allocator_design make_second_allocator(const allocator_parameters& parameters, const allocator_design& first) {
  allocation_size size;
  size.blocks = 1;
  size.inputs = first.inputs;
  size.outputs = first.outputs;
  allocator_design result = make_allocator(parameters, size, switch_words(first));
  result.vcs = first.vcs;
  return result;
}

/// The grants of one cycle.
struct speculative_matching {
  switch_matching first;   ///< of the switch allocator
  switch_matching second;  ///< of the second allocator
  port_set unmasked = 0;   ///< input ports with a grant of the second allocator that is not masked
};

/// All requests in one. Sets their \p priorities: those of \p of_vcs, and above them one bit for VCs that hold an
/// output VC.
template <typename VcPriorities>
switch_requests merged([[maybe_unused]] const allocator_design& a, const switch_requests& requests,
                       const switch_requests& heads, const VcPriorities& of_vcs, vc_priorities& priorities) {
  switch_requests all;
  all.ports = requests.ports | heads.ports;
  WEFT_FOR_MEMBERS(port, all.ports, a.inputs) all.ready[port] = 0;
  WEFT_FOR_MEMBERS(port, requests.ports, a.inputs) {
    all.ready[port] |= requests.ready[port];
    WEFT_FOR_MEMBERS(vc, requests.ready[port], a.vcs) {
      all.output[port][vc] = requests.output[port][vc];
      priorities.by_vc[port][vc] = of_vcs.of(port, vc) | 1U << 31;
    }
  }
  WEFT_FOR_MEMBERS(port, heads.ports, a.inputs) {
    all.ready[port] |= heads.ready[port];
    WEFT_FOR_MEMBERS(vc, heads.ready[port], a.vcs) {
      all.output[port][vc] = heads.output[port][vc];
      priorities.by_vc[port][vc] = of_vcs.of(port, vc);
    }
  }
  return all;
}

/// Input ports whose grant in \p m.second is not masked.
inline port_set unmasked_ports(speculation_kind kind, [[maybe_unused]] const allocator_design& a,
                               const switch_requests& requests, const speculative_matching& m) {
  port_set others = 0;  // output ports that send no head
  WEFT_FOR_MEMBERS(port, m.first.inputs, a.inputs) others |= 1U << m.first.output[port];
  if (kind == speculation_kind::MaskedByRequests) {
    WEFT_FOR_MEMBERS(port, requests.ports, a.inputs) {
      WEFT_FOR_MEMBERS(vc, requests.ready[port], a.vcs) others |= 1U << requests.output[port][vc];
    }
  }
  port_set result = 0;
  WEFT_FOR_MEMBERS(port, m.second.inputs & ~m.first.inputs, a.inputs) {
    if ((others >> m.second.output[port] & 1) == 0) result |= 1U << port;
  }
  return result;
}

/// One cycle of switch allocation.
/// \param requests those of VCs that hold an output VC
/// \param heads    those of heads that wait for one
/// \param of_vcs   the priorities of all of them, below 2^31
template <typename State, typename VcPriorities = equal_vc_priorities>
speculative_matching allocate_speculatively(speculation_kind kind, const allocator_design& first,
                                            const allocator_design& second, const State& state,
                                            const switch_requests& requests, const switch_requests& heads,
                                            const VcPriorities& of_vcs = VcPriorities()) {
  speculative_matching result;
  if (kind == speculation_kind::Prioritized) {
    vc_priorities priorities;
    const switch_requests all = merged(first, requests, heads, of_vcs, priorities);
    result.first = allocate_switch(first, state, all, priorities);
  } else {
    result.first = allocate_switch(first, state, requests, of_vcs);
    result.second = allocate_switch(second, state, heads, of_vcs);
    result.unmasked = unmasked_ports(kind, first, requests, result);
  }
  return result;
}

/// Changes the state after a cycle with requests of either kind whose grants were \p m.
template <typename State>
void advance_speculatively(speculation_kind kind, const allocator_design& first, const allocator_design& second,
                           State& state, const speculative_matching& m) {
  advance_switch(first, state, m.first);
  if (kind != speculation_kind::Prioritized) {
    advance_pointers(second, state, m.second, m.unmasked);
    advance_ports(second, state, m.second);
  }
}

/// The grants of both allocators that are not masked. Those to heads still depend on the result of VC allocation.
inline switch_matching combined([[maybe_unused]] const allocator_design& a, const speculative_matching& m) {
  switch_matching result = m.first;
  result.inputs |= m.unmasked;
  WEFT_FOR_MEMBERS(port, m.unmasked, a.inputs) {
    result.vc[port] = m.second.vc[port];
    result.output[port] = m.second.output[port];
  }
  return result;
}

}  // namespace weft
