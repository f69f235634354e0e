// SPDX-License-Identifier: Apache-2.0
/// The priorities of requests in generic_routers, and its switch allocation with speculation.
#include "weft/core/members.h"
#include "weft/engine/generic/generic_routers.h"

namespace weft::engine {

/// The priority of an input VC, which is not empty.
std::uint32_t generic_routers::priority_at(std::uint32_t vc) const {
  const input_vc& at = m_inputs[vc];
  return priority_of(m_fabric.priority, m_stamps[std::size_t{vc} * m_ring + at.first], at.flits,
                     m_fabric.starvation_guard, m_now - at.front_since);
}

head_priorities generic_routers::head_priorities_of(std::uint32_t router, const vc_requests& heads) const {
  head_priorities result;
  for_each_member(heads.blocks, [&](unsigned port) {
    for_each_member(heads.inputs[port], [&](unsigned vc) {
      result.by_vc[port][vc] = has_priorities() ? priority_at((router * m_ports + port) * m_vcs + vc) : 0;
    });
  });
  for (unsigned port = 0; port < m_ports; ++port) {
    const std::uint32_t out_port = router * m_ports + port;
    for (unsigned vc = 0; vc < m_vcs; ++vc)
      result.preferred[port * m_vcs + vc] =
          m_fabric.rules.prefer_empty && credits(out_port, vc) >= m_capacity[out_port];
  }
  return result;
}

/// The priorities of all VCs with flits that the inputs \p inputs of the switch serve.
vc_priorities generic_routers::vc_priorities_of(std::uint32_t router, port_set inputs) const {
  vc_priorities result;
  for_each_member(inputs, [&](unsigned input) {
    const std::uint32_t in_port = router * m_ports + m_switch_inputs.port_of[input];
    for_each_member(m_occupied[in_port] & m_switch_inputs.vcs_of[input],
                    [&](unsigned vc) { result.by_vc[input][vc] = priority_at(in_port * m_vcs + vc); });
  });
  return result;
}

/// The speculative requests of the heads that wait for an output VC. A head requests the switch if one of the VCs that
/// it requests has a credit and the channel of its output port is not \p busy.
switch_requests generic_routers::speculative_requests_of(std::uint32_t router, const vc_requests& heads,
                                                         port_set busy) const {
  switch_requests requests;
  for_each_member(heads.blocks, [&](unsigned port) {
    vc_set ready = 0;
    for_each_member(heads.inputs[port], [&](unsigned vc) {
      const unsigned out_port = heads.block[port][vc];
      requests.output[m_switch_inputs.input_of(port, vc)][vc] = static_cast<std::uint8_t>(out_port);
      if ((busy >> out_port & 1) != 0) return;
      if ((heads.outputs[port][vc] & m_credited[router * m_ports + out_port]) != 0) ready |= vc_set{1} << vc;
    });
    add_port(m_switch_inputs, requests, port, heads.inputs[port], ready);
  });
  return requests;
}

/// The grants of a cycle with speculation. A grant to a head is used if the head won an output VC with a credit.
switch_matching generic_routers::match_speculatively(std::uint32_t router, const vc_grants& granted,
                                                     const switch_requests& requests,
                                                     const switch_requests& speculative) {
  if ((requests.inputs | speculative.inputs) == 0) return {};
  const allocators& made = m_allocators[m_ports_of[router]];
  std::uint16_t* const state = m_switch_state.data() + m_switch_words * router;
  switch_matching first, second;
  if (has_priorities()) {
    const vc_priorities of_vcs = vc_priorities_of(router, requests.inputs | speculative.inputs);
    first = allocate_first(m_fabric.speculation, made.of_switch, state, requests, speculative, of_vcs);
    second = allocate_second(m_fabric.speculation, made.of_heads, state, speculative, of_vcs);
  } else {
    first = allocate_first(m_fabric.speculation, made.of_switch, state, requests, speculative);
    second = allocate_second(m_fabric.speculation, made.of_heads, state, speculative);
  }
  const port_set unmasked = unmasked_inputs(m_fabric.speculation, made.of_switch, requests, first, second);
  advance_speculatively(m_fabric.speculation, made.of_switch, made.of_heads, state, first, second, unmasked);
  switch_matching result = combined(made.of_switch, first, second, unmasked);
  for_each_member(result.inputs & speculative.inputs, [&](unsigned input) {
    const vc_set sent = vc_set{1} << result.vc[input];
    const vc_set winners = winners_of(router, m_switch_inputs.port_of[input], granted);
    if ((sent & speculative.ready[input] & ~winners) != 0) result.inputs &= ~(port_set{1} << input);
  });
  return result;
}

/// The heads of an input port that won an output VC with a credit.
vc_set generic_routers::winners_of(std::uint32_t router, unsigned port, const vc_grants& granted) const {
  vc_set result = 0;
  for_each_member(granted.inputs[port], [&](unsigned vc) {
    if (has_credit(router * m_ports + granted.block[port][vc], granted.output[port][vc])) result |= vc_set{1} << vc;
  });
  return result;
}

/// Adds the heads that won an output VC with a credit to \p requests.
void generic_routers::add_winners(std::uint32_t router, const vc_grants& granted, switch_requests& requests) const {
  for_each_member(granted.blocks, [&](unsigned port) {
    const vc_set winners = winners_of(router, port, granted);
    for (unsigned i = 0; i < m_switch_inputs.speedup; ++i) {
      const unsigned input = m_switch_inputs.input_at(port, i);
      if ((requests.inputs >> input & 1) == 0) requests.ready[input] = 0;
      requests.inputs |= port_set{1} << input;
      requests.ready[input] |= winners & m_switch_inputs.vcs_of[input];
    }
  });
}

}  // namespace weft::engine
