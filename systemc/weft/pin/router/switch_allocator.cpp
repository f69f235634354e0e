// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/switch_allocator.h"

namespace weft::pin {

switch_allocator::switch_allocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs,
                                   const allocator_parameters& parameters)
    : sc_module(name),
      assigned_i("assigned_i", ports),
      m_ports(ports),
      m_vcs(vcs),
      m_design(make_switch_allocator(parameters, ports, vcs)),
      m_state_q("state_q", switch_words(m_design)) {
  SC_HAS_PROCESS(switch_allocator);
  SC_METHOD(combinational);
  sensitive << m_changed_q << status_i << credit_i;
  for (auto& word : m_state_q) sensitive << word;
  for (auto& port : assigned_i) sensitive << port;
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
      requests.output[port][vc] = assigned.port[vc];
      ready |= (credits.available[assigned.port[vc]] >> assigned.vc[vc] & 1U) << vc;
    }
    requests.ready[port] = ready;
    if (waiting != 0) requests.ports |= 1U << port;
  }
  return requests;
}

void switch_allocator::combinational() {
  const buffer_status& status = status_i.read();
  const switch_requests all_requests = requests();
  switch_grants grants;
  if (all_requests.ports != 0) {
    const switch_matching matching = allocate_switch(m_design, m_state_q, all_requests);
    grants.inputs = matching.inputs;
    WEFT_FOR_MEMBERS(port, matching.inputs, m_ports) {
      const std::uint8_t vc = matching.vc[port];
      const std::uint8_t out_port = matching.output[port];
      const std::uint8_t out_vc = assigned_i[port].read().vc[vc];
      grants.vc[port] = vc;
      grants.out_port[port] = out_port;
      grants.out_vc[port] = out_vc;
      grants.outputs |= 1U << out_port;
      grants.vc_of_output[out_port] = out_vc;
      if (status.tail[port] >> vc & 1) grants.tails |= 1U << port;
    }
  }
  grant_o.write(grants);
}

void switch_allocator::reset() {
  reset_switch(m_design, m_state_q);
  m_changed_q.toggle();
}

void switch_allocator::step() {
  if (selects_with_arbiters(m_design.kind)) {
    const switch_grants& grants = grant_o.read();
    WEFT_FOR_MEMBERS(port, grants.inputs, m_ports) {
      note_switch_grant(m_design, m_state_q, port, grants.vc[port], grants.out_port[port]);
    }
  } else {
    const switch_requests all_requests = requests();
    const switch_matching matching = allocate_switch(m_design, m_state_q, all_requests);
    if (all_requests.ports != 0) advance_switch(m_design, m_state_q, matching);
  }
  m_changed_q.toggle();
}

}  // namespace weft::pin
