#include "weft/pin/route_computation.h"

namespace weft::pin {

route_computation::route_computation(sc_core::sc_module_name name, unsigned ports, const route_rule& rule)
    : sc_module(name), head_i("head_i", ports), route_o("route_o", ports), m_ports(ports), m_rule(rule) {
  SC_HAS_PROCESS(route_computation);
  SC_METHOD(clocked);
  sensitive << clk_i.pos() << rst_ni.neg();
}

void route_computation::clocked() {
  for (unsigned port = 0; port < m_ports; ++port) {
    route_announcement routes;
    if (rst_ni.read()) {
      const head_announcement& heads = head_i[port].read();
      for (unsigned i = 0; i < head_announcement::Lanes; ++i) {
        const head_announcement::lane& head = heads.lanes[i];
        if (head.valid) routes.lanes[i] = {true, head.vc, m_rule({port, head.vc, head.destination}), head.flits};
      }
    }
    route_o[port].write(routes);
  }
}

}  // namespace weft::pin
