// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/route_computation.h"

namespace weft::pin {

route_computation::route_computation(sc_core::sc_module_name name, unsigned ports, const route_rule& rule,
                                     unsigned class_vcs)
    : sc_module(name),
      head_i("head_i", ports),
      route_o("route_o", ports),
      m_ports(ports),
      m_rule(rule),
      m_class_vcs(class_vcs) {
  SC_HAS_PROCESS(route_computation);
  WEFT_START_CLOCKED_PROCESS;
}

void route_computation::reset() {
  m_announced_q = 0;
  for (unsigned port = 0; port < m_ports; ++port) route_o[port].write(route_announcement());
}

void route_computation::step() {
  for (unsigned port = 0; port < m_ports; ++port) {
    const port_set bit = 1U << port;
    const head_announcement& heads = head_i[port].read();
    if (asserted(heads) == 0 && (m_announced_q & bit) == 0) continue;
    route_announcement routes;
    for (unsigned i = 0; i < head_announcement::Slots; ++i) {
      if (heads.valid[i]) {
        route_query query;
        query.in_port = port;
        query.in_vc = heads.vc[i];
        query.destination = heads.destination[i];
        query.way = heads.way[i];
        routes.valid[i] = true;
        routes.vc[i] = heads.vc[i];
        routes.want(i, route_in_class(m_rule, query, m_class_vcs));
        routes.flits[i] = heads.flits[i];
      }
    }
    route_o[port].write(routes);
    m_announced_q = asserted(heads) != 0 ? m_announced_q | bit : m_announced_q & ~bit;
  }
}

}  // namespace weft::pin
