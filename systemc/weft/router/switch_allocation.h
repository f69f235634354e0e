// SPDX-License-Identifier: Apache-2.0
/// Switch allocation: selects the input VCs that send a flit across the switch.
///
/// Each input of the switch (switch_inputs.h) has a round-robin pointer. For each output port that VCs of the input
/// request, it selects one of them. An allocator then matches inputs with output ports. The pointer moves past the VC
/// that sends.
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/round_robin.h"
#include "weft/core/types.h"
#include "weft/router/allocator.h"
#include "weft/router/priorities.h"
#include "weft/router/switch_inputs.h"

namespace weft {

/// The input VCs that may send, and their output ports.
struct switch_requests {
  port_set inputs = 0;                           ///< inputs of the switch with such VCs
  vc_set ready[MaxSwitchInputs];                 ///< of each of them, the VCs with a flit, an output VC and a credit
  std::uint8_t output[MaxSwitchInputs][MaxVcs];  ///< of each of these VCs, the output port
};

/// Adds the VCs of input port \p port. The caller has already set requests.output for them.
/// \param waiting VCs with a flit and an output VC
/// \param ready   those of them with a credit
inline void add_port([[maybe_unused]] const switch_inputs& of, switch_requests& requests, unsigned port, vc_set waiting,
                     vc_set ready) {
  if (of.speedup == 1) {
    requests.ready[port] = ready;
    if (waiting != 0) requests.inputs |= 1U << port;
  } else {
    for (unsigned i = 0; i < of.speedup; ++i) {
      const unsigned input = of.input_at(port, i);
      const vc_set own = of.vcs_of[input];
      requests.ready[input] = ready & own;
      if ((waiting & own) != 0) requests.inputs |= 1U << input;
    }
  }
}

/// The requests of inputs of the switch for output ports.
using port_requests = allocation_requests<1, MaxSwitchInputs>;
using port_grants = allocation_grants<1, MaxSwitchInputs>;

/// For each input of the switch and each output port that it requests, the VC that would send.
struct selected_vcs {
  std::uint8_t vc[MaxSwitchInputs][MaxPorts];
};

/// The grants of one cycle: an input of the switch sends from at most one VC, and an output port serves at most one
/// input.
struct switch_matching {
  port_set inputs = 0;                   ///< inputs that send a flit
  port_set first = 0;                    ///< those of them that were matched in the first iteration of the allocator
  std::uint8_t vc[MaxSwitchInputs];      ///< of each of them, the VC that sends
  std::uint8_t output[MaxSwitchInputs];  ///< of each of them, the output port
};

/// An allocator that matches inputs of the switch with output ports. Its state begins at word \p first_word.
inline allocator_design make_input_allocator(const allocator_parameters& parameters, unsigned inputs, unsigned outputs,
                                             unsigned vcs, unsigned first_word) {
  allocation_size size;
  size.blocks = 1;
  size.inputs = inputs;
  size.outputs = outputs;
  allocator_design result = make_allocator(parameters, size, first_word);
  result.vcs = vcs;
  return result;
}

/// The switch allocator of a router. Its state is an array of 16-bit words: the VC pointers of the inputs, followed by
/// the state of the allocator.
inline allocator_design make_switch_allocator(const allocator_parameters& parameters, unsigned ports, unsigned vcs,
                                              unsigned speedup = 1) {
  return make_input_allocator(parameters, ports * speedup, ports, vcs, ports * speedup);
}

/// Number of words of the state of a switch allocator.
inline unsigned switch_words(const allocator_design& a) { return a.inputs + a.words; }

template <typename State>
void reset_switch(const allocator_design& a, State& state) {
  for (unsigned input = 0; input < a.inputs; ++input) state[input] = 0;
  reset_allocator(a, state);
}

/// The requests of the inputs, in which VCs have the priorities \p of_vcs. Sets \p selected and \p priorities.
template <typename State, typename VcPriorities>
port_requests select_vcs(const allocator_design& a, const State& state, const switch_requests& requests,
                         const VcPriorities& of_vcs, selected_vcs& selected,
                         typename VcPriorities::of_ports& priorities) {
  port_requests result;
  result.inputs[0] = requests.inputs;
  if (requests.inputs != 0) result.blocks = 1;
  WEFT_FOR_MEMBERS(input, requests.inputs, a.inputs) {
    const unsigned pointer = state[input];
    port_set outputs = 0;
    WEFT_FOR_MEMBERS(vc, requests.ready[input], a.vcs) {
      const unsigned output = requests.output[input][vc];
      const std::uint32_t priority = of_vcs.of(input, vc);
      if ((outputs >> output & 1) == 0 ||
          precedes(priority, round_robin_distance(vc, pointer, a.vcs), priorities.of(0, input, output),
                   round_robin_distance(selected.vc[input][output], pointer, a.vcs))) {
        selected.vc[input][output] = static_cast<std::uint8_t>(vc);
        priorities.set(input, output, priority);
      }
      outputs |= 1U << output;
    }
    result.block[0][input] = 0;
    result.outputs[0][input] = outputs;
  }
  return result;
}

/// Grants all requests if no two of them compete, as an allocator of any kind does. This is common at low load.
/// \return whether no requests compete; otherwise \p granted has no meaning
[[gnu::always_inline]] inline bool grant_without_conflicts([[maybe_unused]] const allocator_design& a,
                                                           const switch_requests& requests, switch_matching& granted) {
  bool alone = true;
  port_set outputs = 0;
  WEFT_FOR_MEMBERS(input, requests.inputs, a.inputs) {
    const vc_set ready = requests.ready[input];
    if (ready != 0) {
      const unsigned vc = lowest(ready), output = requests.output[input][vc];
      alone = alone && is_single(ready) && (outputs >> output & 1) == 0;
      outputs |= 1U << output;
      granted.inputs |= 1U << input;
      granted.vc[input] = static_cast<std::uint8_t>(vc);
      granted.output[input] = static_cast<std::uint8_t>(output);
    }
  }
  granted.first = granted.inputs;
  return alone;
}

/// The grants for any requests.
template <typename State, typename VcPriorities>
switch_matching resolve_conflicts(const allocator_design& a, const State& state, const switch_requests& requests,
                                  const VcPriorities& of_vcs) {
  selected_vcs selected;
  typename VcPriorities::of_ports priorities;
  const port_requests ports = select_vcs(a, state, requests, of_vcs, selected, priorities);
  const port_grants grants = allocate(a, state, ports, priorities);
  switch_matching result;
  result.inputs = grants.inputs[0];
  result.first = grants.first[0];
  WEFT_FOR_MEMBERS(input, result.inputs, a.inputs) {
    result.output[input] = grants.output[0][input];
    result.vc[input] = selected.vc[input][result.output[input]];
  }
  return result;
}

/// One cycle of switch allocation, in which input VCs have the priorities \p of_vcs. The compiler inlines the part for
/// requests that do not compete, which a router executes in most cycles. With priorities, also such requests are
/// granted one level after the other, because the state may depend on this order.
template <typename State, typename VcPriorities = equal_vc_priorities>
[[gnu::always_inline]] inline switch_matching allocate_switch(const allocator_design& a, const State& state,
                                                              const switch_requests& requests,
                                                              const VcPriorities& of_vcs = VcPriorities()) {
  switch_matching result;
  if (!VcPriorities::AreEqual || !grant_without_conflicts(a, requests, result))
    result = resolve_conflicts(a, state, requests, of_vcs);
  return result;
}

/// Changes the state after the grant of output port \p output to VC \p vc of input \p input, for allocators with
/// arbiters.
template <typename State>
void note_switch_grant(const allocator_design& a, State& state, unsigned input, unsigned vc, unsigned output) {
  state[input] = static_cast<std::uint16_t>(next_index(vc, a.vcs));
  note_grant(a, state, input, output);
}

/// Moves the VC pointers of \p inputs past the VCs that \p m selected.
template <typename State>
void advance_pointers(const allocator_design& a, State& state, const switch_matching& m, port_set inputs) {
  WEFT_FOR_MEMBERS(input, inputs, a.inputs) state[input] = static_cast<std::uint16_t>(next_index(m.vc[input], a.vcs));
}

/// Changes the state of the allocator alone.
template <typename State>
void advance_ports(const allocator_design& a, State& state, const switch_matching& m) {
  port_grants grants;
  if (m.inputs != 0) grants.blocks = 1;
  grants.inputs[0] = m.inputs;
  grants.first[0] = m.first;
  WEFT_FOR_MEMBERS(input, m.inputs, a.inputs) {
    grants.block[0][input] = 0;
    grants.output[0][input] = m.output[input];
  }
  advance(a, state, grants);
}

/// Changes the state after a cycle in which an input VC with an output VC held a flit and the grants were \p m.
template <typename State>
void advance_switch(const allocator_design& a, State& state, const switch_matching& m) {
  advance_pointers(a, state, m, m.inputs);
  advance_ports(a, state, m);
}

}  // namespace weft
