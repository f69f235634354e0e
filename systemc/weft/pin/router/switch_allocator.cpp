// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/switch_allocator.h"

namespace weft::pin {

switch_allocator::switch_allocator(sc_core::sc_module_name name, unsigned ports, const router_parameters& parameters,
                                   port_set narrow)
    : sc_module(name),
      assigned_i("assigned_i", ports),
      priority_i("priority_i", parameters.priority != priority_kind::None ? 1 : 0),
      speculative_i("speculative_i", parameters.speculation == speculation_kind::None ? 0 : ports),
      backlog_i("backlog_i", parameters.hold_switch ? 1 : 0),
      m_ports(ports),
      m_vcs(parameters.vcs),
      m_narrow(narrow),
      m_inputs(ports, parameters.input_speedup),
      m_speculation(parameters.speculation),
      m_has_priorities(parameters.priority != priority_kind::None),
      m_holds(parameters.hold_switch),
      m_is_plain(!m_holds && m_speculation == speculation_kind::None),
      m_design(make_switch_allocator(parameters.switch_allocator, ports, parameters.vcs, parameters.input_speedup)),
      m_second(make_second_allocator(parameters.switch_allocator, m_design)),
      m_first_hold(switch_words(m_design) + (m_speculation == speculation_kind::None ? 0 : m_second.words)),
      m_state_q("state_q", m_first_hold + (m_holds ? m_inputs.count : 0)) {
  SC_HAS_PROCESS(switch_allocator);
  SC_METHOD(combinational);
  sensitive << m_changed_q << status_i << credit_i;
  for (auto& word : m_state_q) sensitive << word;
  for (auto& port : assigned_i) sensitive << port;
  for (auto& port : speculative_i) sensitive << port;
  for (auto& port : priority_i) sensitive << port;
  for (auto& port : backlog_i) sensitive << port;
  WEFT_START_CLOCKED_PROCESS;
}

/// Returns the requests of this cycle.
switch_requests switch_allocator::requests() const {
  const buffer_status& status = status_i.read();
  const credit_status& credits = credit_i.read();
  switch_requests requests;
  port_set holding = 0;  // input ports that hold a flit
  for (unsigned port = 0; port < m_ports; ++port) holding |= static_cast<port_set>(status.occupied[port] != 0) << port;
  WEFT_FOR_MEMBERS(port, holding, m_ports) {
    WEFT_VALUE(vc_assignment, assigned, assigned_i[port].read());
    const vc_set waiting = status.occupied[port] & assigned.active;
    vc_set ready = 0;
    WEFT_FOR_MEMBERS(vc, waiting, m_vcs) {
      requests.output[m_inputs.input_of(port, vc)][vc] = assigned.port[vc];
      ready |= (accepting_vcs(credits, assigned.port[vc]) >> assigned.vc[vc] & 1U) << vc;
    }
    add_port(m_inputs, requests, port, waiting, ready);
  }
  return requests;
}

/// Returns the requests of heads that wait for an output VC. A head requests the switch if one of the VCs that it
/// requests accepts a flit.
switch_requests switch_allocator::heads() const {
  const credit_status& credits = credit_i.read();
  switch_requests requests;
  for (unsigned port = 0; port < m_ports; ++port) {
    WEFT_VALUE(speculative_requests, shown, speculative_i[port].read());
    vc_set ready = 0;
    WEFT_FOR_MEMBERS(vc, shown.heads, m_vcs) {
      requests.output[m_inputs.input_of(port, vc)][vc] = shown.port[vc];
      if ((shown.vcs[vc] & accepting_vcs(credits, shown.port[vc])) != 0) ready |= 1U << vc;
    }
    add_port(m_inputs, requests, port, shown.heads, ready);
  }
  return requests;
}

/// Returns the priorities of the input VCs.
vc_priorities switch_allocator::priorities() const {
  vc_priorities result;
  WEFT_VALUE(vc_priority_status, shown, priority_i[0].read());
  for (unsigned port = 0; port < m_ports; ++port)
    for (unsigned vc = 0; vc < m_vcs; ++vc) result.by_vc[m_inputs.input_of(port, vc)][vc] = shown.of[port][vc];
  return result;
}

/// Returns the grants of a cycle without speculation.
switch_matching switch_allocator::match(const switch_requests& all_requests) const {
  switch_matching matching;
  if (m_has_priorities) {
    const vc_priorities of_vcs = priorities();
    matching = allocate_switch(m_design, m_state_q, all_requests, of_vcs);
  } else {
    matching = allocate_switch(m_design, m_state_q, all_requests);
  }
  return matching;
}

/// Sets the grants of both allocators in a cycle with speculation.
void switch_allocator::match_both(const switch_requests& all_requests, const switch_requests& speculative,
                                  switch_matching& first, switch_matching& second) const {
  if (m_has_priorities) {
    const vc_priorities of_vcs = priorities();
    first = allocate_first(m_speculation, m_design, m_state_q, all_requests, speculative, of_vcs);
    second = allocate_second(m_speculation, m_second, m_state_q, speculative, of_vcs);
  } else {
    first = allocate_first(m_speculation, m_design, m_state_q, all_requests, speculative);
    second = allocate_second(m_speculation, m_second, m_state_q, speculative);
  }
}

/// Returns those of \p grants that are used: a head uses its grant if it got an output VC with a credit.
switch_matching switch_allocator::used(const switch_matching& grants, const switch_requests& speculative) const {
  const credit_status& credits = credit_i.read();
  switch_matching result = grants;
  WEFT_FOR_MEMBERS(input, result.inputs & speculative.inputs, m_inputs.count) {
    const unsigned vc = result.vc[input];
    if ((speculative.ready[input] >> vc & 1) != 0) {
      WEFT_VALUE(speculative_requests, shown, speculative_i[m_inputs.port_of[input]].read());
      const bool got_vc = (shown.granted >> vc & 1) != 0;
      if (!got_vc || (credits.available[shown.port[vc]] >> shown.out_vc[vc] & 1) == 0) result.inputs &= ~(1U << input);
    }
  }
  return result;
}

/// Enters \p matching into \p grants.
void switch_allocator::grant(switch_grants& grants, const switch_matching& matching) const {
  const buffer_status& status = status_i.read();
  grants.inputs = matching.inputs;
  WEFT_FOR_MEMBERS(input, matching.inputs, m_inputs.count) {
    const unsigned port = m_inputs.port_of[input];
    const std::uint8_t vc = matching.vc[input];
    const std::uint8_t out_port = matching.output[input];
    const std::uint8_t out_vc = assigned_i[port].read().vc[vc];
    grants.vc[input] = vc;
    grants.out_port[input] = out_port;
    grants.out_vc[input] = out_vc;
    grants.outputs |= 1U << out_port;
    if (status.tail[port] >> vc & 1) grants.tails |= 1U << input;
  }
}

/// Enters the output VCs that heads get in this cycle into \p grants.
void switch_allocator::enter_new_vcs(switch_grants& grants, const switch_requests& speculative) const {
  WEFT_FOR_MEMBERS(input, grants.inputs & speculative.inputs, m_inputs.count) {
    const std::uint8_t vc = grants.vc[input];
    if ((speculative.ready[input] >> vc & 1) != 0) {
      grants.out_vc[input] = speculative_i[m_inputs.port_of[input]].read().out_vc[vc];
    }
  }
}

/// Enters the grants to these requests, and the flits of the VCs that hold the switch.
void switch_allocator::grant_open(switch_grants& grants, const switch_requests& open,
                                  const switch_requests& speculative, const switch_holds& holds) const {
  switch_matching matching;
  if (m_speculation == speculation_kind::None) {
    if (open.inputs != 0) matching = match(open);
  } else if ((open.inputs | speculative.inputs) != 0) {
    switch_matching first, second;
    match_both(open, speculative, first, second);
    const port_set unmasked = unmasked_inputs(m_speculation, m_design, open, first, second);
    const switch_matching all = combined(m_design, first, second, unmasked);
    matching = used(all, speculative);
  }
  add_held(m_inputs.count, holds, matching);
  grant(grants, matching);
  if (m_speculation != speculation_kind::None) enter_new_vcs(grants, speculative);
}

/// Inputs with a VC that has a flit and an output VC, and does not hold the switch.
port_set switch_allocator::waiting_without(const switch_holds& holds) const {
  const buffer_status& status = status_i.read();
  port_set result = 0;
  for (unsigned input = 0; input < m_inputs.count; ++input) {
    const unsigned port = m_inputs.port_of[input];
    vc_set waiting = status.occupied[port] & assigned_i[port].read().active & m_inputs.vcs_of[input];
    if ((holds.inputs >> input & 1) != 0) waiting &= ~(1U << holds.vc[input]);
    if (waiting != 0) result |= 1U << input;
  }
  return result;
}

/// Sets the VCs that hold the switch, and the requests that may be granted: those of VCs with an output VC, and those
/// of heads.
void switch_allocator::find_requests(switch_holds& holds, switch_requests& open, switch_requests& speculative) const {
  open = requests();
  if (m_speculation != speculation_kind::None) speculative = heads();
  if (m_holds) {
    const switch_requests all_requests = open, all_heads = speculative;
    holds = holds_in(m_inputs.count, m_state_q, m_first_hold, all_requests);
    open = without_held(m_inputs.count, all_requests, holds, waiting_without(holds));
    speculative = without_held(m_inputs.count, all_heads, holds, all_heads.inputs);
  }
}

void switch_allocator::combinational() {
  switch_grants grants;
  if (!m_is_plain) {
    switch_holds holds;
    switch_requests open, speculative;
    find_requests(holds, open, speculative);
    grant_open(grants, open, speculative, holds);
  } else {
    const switch_requests all_requests = requests();
    if (all_requests.inputs != 0) {
      const switch_matching matching = match(all_requests);
      grant(grants, matching);
    }
  }
  grant_o.write(grants);
}

void switch_allocator::reset() {
  reset_switch(m_design, m_state_q);
  if (m_speculation != speculation_kind::None) reset_allocator(m_second, m_state_q);
  if (m_holds) {
    for (unsigned input = 0; input < m_inputs.count; ++input) m_state_q[m_first_hold + input] = 0;
  }
  m_changed_q.toggle();
}

/// Changes the states of the allocators.
void switch_allocator::step_open(const switch_requests& open, const switch_requests& speculative) {
  if (m_speculation != speculation_kind::None) {
    if ((open.inputs | speculative.inputs) != 0) {
      switch_matching first, second;
      match_both(open, speculative, first, second);
      const port_set unmasked = unmasked_inputs(m_speculation, m_design, open, first, second);
      advance_speculatively(m_speculation, m_design, m_second, m_state_q, first, second, unmasked);
    }
  } else if (open.inputs != 0) {
    const switch_matching matching = match(open);
    advance_switch(m_design, m_state_q, matching);
  }
}

/// The VCs that hold the switch in the next cycle are those that send a flit in this one, have another flit of the same
/// packet, and can send it in the next cycle, which a narrow channel prevents.
void switch_allocator::update_holds() {
  const switch_grants& grants = grant_o.read();
  WEFT_VALUE(buffer_backlog, backlog, backlog_i[0].read());
  const port_set goes_on = grants.inputs & ~grants.tails;
  for (unsigned input = 0; input < m_inputs.count; ++input) {
    const unsigned vc = grants.vc[input];
    const bool keeps = (goes_on >> input & 1) != 0 && (backlog.vcs[m_inputs.port_of[input]] >> vc & 1) != 0 &&
                       (m_narrow >> grants.out_port[input] & 1) == 0;
    m_state_q[m_first_hold + input] = static_cast<std::uint16_t>(keeps ? vc + 1 : 0);
  }
}

void switch_allocator::step() {
  if (m_is_plain && selects_with_arbiters(m_design.kind)) {
    const switch_grants& grants = grant_o.read();
    WEFT_FOR_MEMBERS(input, grants.inputs, m_inputs.count) {
      note_switch_grant(m_design, m_state_q, input, grants.vc[input], grants.out_port[input]);
    }
  } else {
    switch_holds holds;
    switch_requests open, speculative;
    find_requests(holds, open, speculative);
    step_open(open, speculative);
    if (m_holds) update_holds();
  }
  m_changed_q.toggle();
}

}  // namespace weft::pin
