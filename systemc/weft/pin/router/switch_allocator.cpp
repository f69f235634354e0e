// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/switch_allocator.h"

namespace weft::pin {

switch_allocator::switch_allocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs)
    : sc_module(name), assigned_i("assigned_i", ports), m_ports(ports), m_vcs(vcs) {
  SC_HAS_PROCESS(switch_allocator);
  SC_METHOD(combinational);
  sensitive << m_pointers_q << m_changed_q << status_i << credit_i;
  for (auto& port : assigned_i) sensitive << port;
  WEFT_START_CLOCKED_PROCESS;
}

void switch_allocator::combinational() {
  const buffer_status& status = status_i.read();
  const credit_status& credits = credit_i.read();
  switch_requests requests;
  port_set holding = 0;  // input ports that hold a flit
  for (unsigned port = 0; port < m_ports; ++port) holding |= static_cast<port_set>(status.occupied[port] != 0) << port;
  WEFT_FOR_MEMBERS(port, holding, m_ports) {
    WEFT_VALUE(vc_assignment, assigned, assigned_i[port].read());
    vc_set ready = 0;
    WEFT_FOR_MEMBERS(vc, status.occupied[port] & assigned.active, m_vcs) {
      requests.output[port][vc] = assigned.port[vc];
      ready |= (credits.available[assigned.port[vc]] >> assigned.vc[vc] & 1U) << vc;
    }
    requests.ready[port] = ready;
    if (ready != 0) requests.ports |= 1U << port;
  }
  WEFT_VALUE(switch_pointers, pointers, m_pointers_q.read());
  const switch_matching matching = allocate_switch(m_ports, requests, pointers);

  switch_grants grants;
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
  grant_o.write(grants);
}

void switch_allocator::reset() {
  m_pointers_q.write(switch_pointers());
  m_changed_q.toggle();
}

void switch_allocator::step() {
  switch_pointers pointers = m_pointers_q.read();
  const switch_grants& grants = grant_o.read();
  switch_matching matching;
  matching.inputs = grants.inputs;
  WEFT_FOR_MEMBERS(port, grants.inputs, m_ports) {
    matching.vc[port] = grants.vc[port];
    matching.output[port] = grants.out_port[port];
  }
  advance(pointers, matching, m_ports, m_vcs);
  m_pointers_q.write(pointers);
  m_changed_q.toggle();
}

}  // namespace weft::pin
