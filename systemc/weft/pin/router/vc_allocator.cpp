// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/vc_allocator.h"

#include <algorithm>
#include <numeric>

namespace weft::pin {

vc_allocator::vc_allocator(sc_core::sc_module_name name, unsigned ports, const router_parameters& parameters,
                           bool same_cycle)
    : sc_module(name),
      route_i("route_i", ports),
      assigned_o("assigned_o", ports),
      m_ports(ports),
      m_vcs(parameters.vcs),
      m_depth(parameters.depth),
      m_flow(parameters.flow),
      m_same_cycle(same_cycle) {
  SC_HAS_PROCESS(vc_allocator);
  WEFT_START_CLOCKED_PROCESS;
  if (m_same_cycle) {
    SC_METHOD(combinational);
    sensitive << m_changed_q;
    for (auto& port : route_i) sensitive << port;
    sensitive << count_i;
  }
}

void vc_allocator::reset() {
  m_waiting_q.fill(0);
  m_assigned_q.fill(vc_assignment());
  m_free_q.fill(first_vcs(m_vcs));
  m_pointers_q = vc_pointers();
  busy_o.write(false);
  m_changed_q.write(!m_changed_q.read());  // S = 3: combinational() takes assigned_o back
  if (!m_same_cycle)
    for (auto& port : assigned_o) port.write(vc_assignment());
}

/// Of what a head asks for, a port and the admissible output VCs that are free and have room.
route vc_allocator::take_up(unsigned in_port, unsigned in_vc, const request& r) const {
  const bool cut_through = m_flow == flow_control::VirtualCutThrough;
  const std::uint32_t needed = cut_through ? r.flits : std::min(r.flits, m_depth);
  const auto available = [&](unsigned port, vc_set vcs, bool whole) {
    vcs &= m_free_q[port];
    if (!cut_through && !whole) return vcs;
    const auto& room = count_i.read().count[port];
    for_each_member(vcs, [&](unsigned vc) {
      if (room[vc] < needed) vcs &= ~(vc_set{1} << vc);
    });
    return vcs;
  };
  return weft::take_up(r.wanted, in_port + in_vc, m_depth, available, [&](unsigned port) {
    const auto& credits = count_i.read().count[port];
    return std::accumulate(credits.begin(), credits.begin() + m_vcs, 0U);
  });
}

/// The allocation of this cycle, among those in the queue and those that have just got their route.
vc_grants vc_allocator::decide() const {
  std::array<vc_set, MaxPorts> waiting = m_waiting_q;
  for (unsigned port = 0; port < m_ports; ++port) {
    const route_announcement& routes = route_i[port].read();
    for (unsigned i = 0; i < route_announcement::Slots; ++i)
      if (routes.valid[i]) waiting[port] |= vc_set{1} << routes.vc[i];
  }
  return allocate_vcs(m_ports, m_vcs, waiting, m_pointers_q, [&](unsigned port, unsigned vc) {
    request r = m_request_q[port][vc];
    const route_announcement& routes = route_i[port].read();
    for (unsigned i = 0; i < route_announcement::Slots; ++i)
      if (routes.valid[i] && routes.vc[i] == vc) r = {routes.wanted(i), routes.flits[i]};
    return take_up(port, vc, r);
  });
}

/// S = 3: what is held already, and what this cycle adds.
void vc_allocator::combinational() {
  std::array<vc_assignment, MaxPorts> assigned = m_assigned_q;
  const vc_grants grants = decide();
  for (unsigned i = 0; i < grants.count; ++i) {
    const vc_grant& g = grants.grant[i];
    assigned[g.in_port].active |= vc_set{1} << g.in_vc;
    assigned[g.in_port].port[g.in_vc] = g.out_port;
    assigned[g.in_port].vc[g.in_vc] = g.out_vc;
  }
  for (unsigned port = 0; port < m_ports; ++port) assigned_o[port].write(assigned[port]);
}

void vc_allocator::step() {
  const vc_grants grants = decide();

  for (unsigned port = 0; port < m_ports; ++port) {
    const route_announcement& routes = route_i[port].read();
    for (unsigned i = 0; i < route_announcement::Slots; ++i) {
      if (!routes.valid[i]) continue;
      m_waiting_q[port] |= vc_set{1} << routes.vc[i];
      m_request_q[port][routes.vc[i]] = {routes.wanted(i), routes.flits[i]};
    }
  }
  port_set changed = 0;
  for (unsigned i = 0; i < grants.count; ++i) {
    const vc_grant& g = grants.grant[i];
    const vc_set in_bit = vc_set{1} << g.in_vc;
    m_waiting_q[g.in_port] &= ~in_bit;
    m_assigned_q[g.in_port].active |= in_bit;
    m_assigned_q[g.in_port].port[g.in_vc] = g.out_port;
    m_assigned_q[g.in_port].vc[g.in_vc] = g.out_vc;
    m_free_q[g.out_port] &= ~(vc_set{1} << g.out_vc);
    advance(m_pointers_q, g, m_ports, m_vcs);
    changed |= port_set{1} << g.in_port;
  }
  // After the allocation: what a tail frees now takes part in the next one.
  const switch_grants& sent = grant_i.read();
  for_each_member(sent.tails, [&](unsigned port) {
    m_assigned_q[port].active &= ~(vc_set{1} << sent.vc[port]);
    m_free_q[sent.out_port[port]] |= vc_set{1} << sent.out_vc[port];
    changed |= port_set{1} << port;
  });

  vc_set waiting = 0;
  for (unsigned port = 0; port < m_ports; ++port) waiting |= m_waiting_q[port];
  busy_o.write(waiting != 0);
  if (m_same_cycle)
    m_changed_q.write(!m_changed_q.read());
  else
    for_each_member(changed, [&](unsigned port) { assigned_o[port].write(m_assigned_q[port]); });
}

}  // namespace weft::pin
