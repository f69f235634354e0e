// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/wiring.h"

namespace weft {

wiring::wiring(const topology& t) {
  m_first.reserve(t.routers.size() + 1);
  m_first.push_back(0);
  for (const router_info& r : t.routers) m_first.push_back(m_first.back() + r.ports);
  m_outputs.resize(m_first.back());
  m_inputs.resize(m_first.back());

  const auto slot = [this](port_ref port) { return m_first[port.router] + port.port; };
  for (std::uint32_t i = 0; i < t.channels.size(); ++i) {
    m_outputs[slot(t.channels[i].from)] = {port_end::kind::Channel, i};
    m_inputs[slot(t.channels[i].to)] = {port_end::kind::Channel, i};
  }
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    for (const port_ref port : t.nodes[n].ports) {
      m_outputs[slot(port)] = m_inputs[slot(port)] = {port_end::kind::Node, n};
    }
  }
}

std::vector<link_line> lines_between(const topology& t) {
  std::vector<link_line> lines;
  const wiring wires(t);
  for (std::uint32_t i = 0; i < t.channels.size(); ++i) {
    const channel& c = t.channels[i];
    const port_end back = wires.output(c.to);
    const bool paired = back.what == port_end::kind::Channel && back.index != i &&
                        t.channels[back.index].to == c.from && t.channels[back.index].cycles == c.cycles &&
                        t.channels[back.index].phits == c.phits;
    if (!paired || back.index > i) lines.push_back({i, paired});
  }
  return lines;
}

}  // namespace weft
