// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/switch_allocator.h"

namespace weft::pin {

switch_allocator::switch_allocator(sc_core::sc_module_name name, unsigned ports, unsigned vcs)
    : sc_module(name), assigned_i("assigned_i", ports), m_ports(ports), m_vcs(vcs) {
  SC_HAS_PROCESS(switch_allocator);
  SC_METHOD(combinational);
  sensitive << m_pointers_q << status_i << credit_i;
  for (auto& port : assigned_i) sensitive << port;
  WEFT_START_CLOCKED_PROCESS;
}

void switch_allocator::combinational() {
  const buffer_status& status = status_i.read();
  const credit_status& credits = credit_i.read();
  std::array<vc_set, MaxPorts> ready;
  for (unsigned port = 0; port < m_ports; ++port) {
    ready[port] = 0;
    const vc_set occupied = status.occupied[port];
    if (occupied == 0) continue;
    const vc_assignment& assigned = assigned_i[port].read();
    for_each_member(occupied & assigned.active, [&](unsigned vc) {
      if (credits.available[assigned.port[vc]] >> assigned.vc[vc] & 1) ready[port] |= vc_set{1} << vc;
    });
  }
  const switch_matching matching =
      allocate_switch(m_ports, ready, m_pointers_q.read(),
                      [&](unsigned port, unsigned vc) { return assigned_i[port].read().port[vc]; });

  switch_grants grants;
  grants.inputs = matching.inputs;
  for_each_member(matching.inputs, [&](unsigned port) {
    const unsigned vc = matching.vc[port];
    const unsigned out_port = matching.output[port];
    const std::uint8_t out_vc = assigned_i[port].read().vc[vc];
    grants.by_input[port] = {static_cast<std::uint8_t>(vc), static_cast<std::uint8_t>(out_port), out_vc};
    grants.outputs |= port_set{1} << out_port;
    grants.vc_of_output[out_port] = out_vc;
    if (status.tail[port] >> vc & 1) grants.tails |= port_set{1} << port;
  });
  grant_o.write(grants);
}

void switch_allocator::reset() { m_pointers_q.write(switch_pointers()); }

void switch_allocator::step() {
  switch_pointers pointers = m_pointers_q.read();
  const switch_grants& grants = grant_o.read();
  switch_matching matching;
  matching.inputs = grants.inputs;
  for_each_member(grants.inputs, [&](unsigned port) {
    matching.vc[port] = grants.by_input[port].vc;
    matching.output[port] = grants.by_input[port].out_port;
  });
  advance(pointers, matching, m_ports, m_vcs);
  m_pointers_q.write(pointers);
}

}  // namespace weft::pin
