// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/output_unit.h"

#include "weft/pin/check.h"
#include "weft/router/output_vc_rules.h"

namespace weft::pin {

output_unit::output_unit(sc_core::sc_module_name name, const router_parameters& parameters,
                         const std::vector<unsigned>& depths, bool adaptive, const std::vector<unsigned>& phits)
    : sc_module(name),
      credit_i("credit_i", depths.size()),
      held_i("held_i", shares_all(parameters.buffer) ? 1 : 0),
      busy_o("busy_o", narrow_ports(phits) != 0 ? 1 : 0),
      m_ports(static_cast<unsigned>(depths.size())),
      m_vcs(parameters.vcs),
      m_switch_inputs(m_ports * parameters.input_speedup),
      m_keeps_slots(shares_all(parameters.buffer)),
      m_counts(output_vc_rules_of(parameters).count_credits() || adaptive),
      m_sharing(sharing_of(parameters)),
      m_depths(depths, m_sharing),
      m_narrow(narrow_ports(phits)) {
  for (unsigned port = 0; port < MaxPorts; ++port)
    m_phits[port] = static_cast<std::uint8_t>(port < phits.size() ? phits[port] : 1);
  SC_HAS_PROCESS(output_unit);
  WEFT_START_CLOCKED_PROCESS;
}

void output_unit::reset() {
  credit_counts counts;
  credit_status status;
  for (unsigned port = 0; port < m_ports; ++port) {
    const std::uint16_t all = m_depths.of[port] == output_depths::Unlimited ? PlentyOfCredits : m_depths.of[port];
    for (unsigned vc = 0; vc < MaxVcs; ++vc) {
      counts.count[port][vc] = all;
      m_count_q.count[port][vc] = all;
    }
    status.available[port] = static_cast<std::uint16_t>(first_vcs(m_vcs));
    m_room_q[port] = empty_room(m_sharing);
    m_busy_cycles_q[port] = 0;
  }
  m_status_q = status;
  status_o.write(status);
  if (m_counts) count_o.write(counts);
  if (m_narrow != 0) busy_o[0].write(false);
}

void output_unit::consume_credit(unsigned port, unsigned vc) {
  if (m_depths.of[port] != output_depths::Unlimited) {
    WEFT_ASSERT(m_count_q.count[port][vc] != 0,
                "a flit was sent by port " << port << " VC " << vc << " without a credit");
    m_count_q.count[port][vc]--;
    if (is_shared(port)) {
      shared_room room = m_room_q[port];
      enter_flit(m_sharing, room, vc, flits_of(port, vc) - 1);
      m_room_q[port] = room;
      find_available(port);
    } else if (m_count_q.count[port][vc] == 0) {
      m_status_changed = true;
      m_status_q.available[port] = static_cast<std::uint16_t>(m_status_q.available[port] & ~(1u << vc));
    }
  }
}

/// \param held VCs of the port that packets hold
void output_unit::return_credit(unsigned port, unsigned vc, vc_set held) {
  WEFT_ASSERT(vc < m_vcs && m_count_q.count[port][vc] < m_depths.of[port],
              "excess credit for port " << port << " VC " << vc);
  m_count_q.count[port][vc]++;
  if (is_shared(port)) {
    shared_room room = m_room_q[port];
    remove_flit(m_sharing, room, vc, flits_of(port, vc), (held >> vc & 1) != 0);
    m_room_q[port] = room;
    find_available(port);
  } else if (m_count_q.count[port][vc] == 1) {
    m_status_changed = true;
    m_status_q.available[port] = static_cast<std::uint16_t>(m_status_q.available[port] | 1u << vc);
  }
}

/// Finds the VCs of a shared buffer with room for a flit.
void output_unit::find_available(unsigned port) {
  WEFT_VALUE(shared_room, room, m_room_q[port]);
  vc_set available = 0;
  for (unsigned vc = 0; vc < m_vcs; ++vc)
    if (has_room(m_sharing, room, vc, flits_of(port, vc))) available |= 1U << vc;
  if (available != m_status_q.available[port]) m_status_changed = true;
  m_status_q.available[port] = static_cast<std::uint16_t>(available);
}

/// Counts the cycles for which flits occupy narrow channels. A flit that is granted in this cycle occupies its channel,
/// as later flits find it, in the next phits - 1 cycles.
void output_unit::occupy_channels(const switch_grants& grants) {
  WEFT_FOR_MEMBERS(busy_port, m_status_q.busy, m_ports) --m_busy_cycles_q[busy_port];
  WEFT_FOR_MEMBERS(input, grants.inputs, m_switch_inputs) {
    const unsigned port = grants.out_port[input];
    WEFT_ASSERT((m_status_q.busy >> port & 1) == 0,
                "a flit was sent by port " << port << " while the channel carried an earlier one");
    m_busy_cycles_q[port] = static_cast<std::uint8_t>(m_phits[port] - 1);
  }
  port_set busy = 0;
  WEFT_FOR_MEMBERS(port, m_narrow, m_ports) busy |= static_cast<port_set>(m_busy_cycles_q[port] != 0) << port;
  if (busy != m_status_q.busy) m_status_changed = true;
  m_status_q.busy = busy;
  busy_o[0].write(busy != 0);
}

/// The VCs of a port that packets hold at the end of the cycle: those with a packet whose tail is not among \p grants.
vc_set output_unit::held_vcs(unsigned port, const switch_grants& grants) const {
  vc_set held = held_i[0].read().of[port];
  WEFT_FOR_MEMBERS(input, grants.tails, m_switch_inputs) {
    if (grants.out_port[input] == port) held &= ~(1U << grants.out_vc[input]);
  }
  return held;
}

void output_unit::step() {
  m_status_changed = false;
  const switch_grants& grants = grant_i.read();
  WEFT_FOR_MEMBERS(input, grants.inputs, m_switch_inputs) consume_credit(grants.out_port[input], grants.out_vc[input]);
  WEFT_ASSERTED(returning, credit, credit_i, m_ports);
  WEFT_FOR_MEMBERS(port, returning, m_ports) {
    WEFT_VALUE(credit, returned, credit_i[port].read());
    const vc_set held = m_keeps_slots ? held_vcs(port, grants) : 0;
    WEFT_FOR_MEMBERS(vc, returned.vcs, MaxVcs) return_credit(port, vc, held);
  }
  if (m_narrow != 0) occupy_channels(grants);
  if (m_status_changed) status_o.write(m_status_q);
  if (m_counts) count_o.write(m_count_q);
}

}  // namespace weft::pin
