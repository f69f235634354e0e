// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/routing/ring_routing.h"

#include <algorithm>

namespace weft {

bool ring_line::goes_minus(std::uint32_t from, std::uint32_t to) const {
  return !one_way && is_shorter_down(from, to, size);
}

std::uint32_t ring_line::distance(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t up = hops_up(from, to, size);
  return one_way ? up : std::min(up, size - up);
}

bool ring_line::comes_to_joint(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t up = hops_up(from, joint, size);
  const std::uint32_t ahead = goes_minus(from, to) ? (size - up) % size : up;
  return ahead != 0 && ahead <= distance(from, to);
}

bool ring_line::second_class(std::uint32_t from, std::uint32_t to) const {
  return from == joint || (!comes_to_joint(from, to) && prefers_second(to));
}

void ring_table::add(node_id first, const ring_hop& hop) {
  if (!m_hops.empty() && m_hops.back() == hop) return;
  m_first.push_back(first);
  m_hops.push_back(hop);
}

table_rule ring_table::rule(std::uint32_t first_local, std::uint32_t ports, std::size_t destinations,
                            const network_options& o) const {
  const vc_set all = first_vcs(o.vcs), before = part_of_vcs(all, 0, 2), behind = part_of_vcs(all, 1, 2);
  // Row c · nic_ports + k is for packets that enter in class c by a port i with i mod nic_ports = k.
  table_rule table;
  for (const bool in_second : {false, true}) {
    for (unsigned k = 0; k < o.nic_ports; ++k) {
      std::vector<route> routes;
      for (const ring_hop& h : m_hops) {
        const auto port = static_cast<std::uint8_t>(h.local ? h.port + k : h.port);
        routes.push_back({port, h.local ? all : h.second_class || in_second ? behind : before});
      }
      table.add_row(m_first, routes, destinations);
    }
  }
  for (unsigned port = 0; port < ports; ++port) {
    for (unsigned vc = 0; vc < o.vcs; ++vc) {
      const bool in_second = port < first_local && (behind >> vc & 1) != 0;
      table.use_row(port, vc, (in_second ? o.nic_ports : 0) + port % o.nic_ports);
    }
  }
  return table;
}

}  // namespace weft
