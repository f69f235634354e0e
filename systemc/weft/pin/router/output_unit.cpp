// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/output_unit.h"

#include "weft/pin/check.h"
#include "weft/router/output_vc_rules.h"

namespace weft::pin {

output_unit::output_unit(sc_core::sc_module_name name, const router_parameters& parameters,
                         const std::vector<unsigned>& depths, bool adaptive)
    : sc_module(name),
      credit_i("credit_i", depths.size()),
      m_ports(static_cast<unsigned>(depths.size())),
      m_vcs(parameters.vcs),
      m_switch_inputs(m_ports * parameters.input_speedup),
      m_counts(output_vc_rules_of(parameters).count_credits() || adaptive),
      m_depths(depths) {
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
  }
  m_status_q = status;
  status_o.write(status);
  if (m_counts) count_o.write(counts);
}

void output_unit::consume_credit(unsigned port, unsigned vc) {
  if (m_depths.of[port] != output_depths::Unlimited) {
    WEFT_ASSERT(m_count_q.count[port][vc] != 0,
                "a flit was sent by port " << port << " VC " << vc << " without a credit");
    m_count_q.count[port][vc]--;
    if (m_count_q.count[port][vc] == 0) {
      m_status_changed = true;
      m_status_q.available[port] = static_cast<std::uint16_t>(m_status_q.available[port] & ~(1u << vc));
    }
  }
}

void output_unit::return_credit(unsigned port, unsigned vc) {
  WEFT_ASSERT(vc < m_vcs && m_count_q.count[port][vc] < m_depths.of[port],
              "excess credit for port " << port << " VC " << vc);
  m_count_q.count[port][vc]++;
  if (m_count_q.count[port][vc] == 1) {
    m_status_changed = true;
    m_status_q.available[port] = static_cast<std::uint16_t>(m_status_q.available[port] | 1u << vc);
  }
}

void output_unit::step() {
  m_status_changed = false;
  const switch_grants& grants = grant_i.read();
  WEFT_FOR_MEMBERS(input, grants.inputs, m_switch_inputs) consume_credit(grants.out_port[input], grants.out_vc[input]);
  WEFT_ASSERTED(returning, credit, credit_i, m_ports);
  WEFT_FOR_MEMBERS(port, returning, m_ports) {
    WEFT_VALUE(credit, returned, credit_i[port].read());
    WEFT_FOR_MEMBERS(vc, returned.vcs, MaxVcs) return_credit(port, vc);
  }
  if (m_status_changed) status_o.write(m_status_q);
  if (m_counts) count_o.write(m_count_q);
}

}  // namespace weft::pin
