// SPDX-License-Identifier: Apache-2.0
/// What generic_routers reports: counts of flits, and packets that cannot move.
#include <numeric>

#include "weft/engine/generic/generic_routers.h"

namespace weft::engine {

std::vector<channel_count> generic_routers::channel_counts(const topology& graph, cycle_t now) const {
  std::vector<std::uint64_t> sent = m_sent;  // counted at the switch, before flits are on their channel
  m_flits.for_each(now, [&](cycle_t arrives, const arrival& a) {
    const channel_end& back = m_upstream[a.port];
    if (!back.is_nic && arrives - back.cycles - (m_outlets[back.port].phits - 1U) > now) --sent[back.port];
  });
  m_nic_flits.for_each(now, [&](cycle_t arrives, const moving_flit& moving) {
    const std::uint32_t port = m_inlets[moving.nic.port()];
    if (arrives - m_outlets[port].cycles > now) --sent[port];
  });
  std::vector<channel_count> counts;
  for (router_id r = 0; r < graph.routers.size(); ++r)
    for (unsigned port = 0; port < graph.routers[r].ports; ++port)
      counts.push_back({r, port, sent[r * m_ports + port]});
  return counts;
}

std::vector<std::uint32_t> generic_routers::buffered(const topology& graph, cycle_t now) const {
  std::vector<std::uint32_t> in_vc(m_inputs.size());
  for (std::size_t vc = 0; vc < in_vc.size(); ++vc) in_vc[vc] = m_inputs[vc].flits;
  for (const arrival& a : m_flits.at(now)) ++in_vc[a.port * m_vcs + a.vc];
  std::vector<std::uint32_t> counts;
  for (router_id r = 0; r < graph.routers.size(); ++r) {
    const auto first = in_vc.begin() + static_cast<std::ptrdiff_t>(std::size_t{r} * m_ports * m_vcs);
    counts.insert(counts.end(), first,
                  first + static_cast<std::ptrdiff_t>(std::size_t{graph.routers[r].ports} * m_vcs));
  }
  return counts;
}

std::uint64_t generic_routers::hops() const { return std::accumulate(m_sent.begin(), m_sent.end(), std::uint64_t{0}); }

std::vector<blocked_packet> generic_routers::blocked() const {
  std::vector<blocked_packet> result;
  for (std::uint32_t vc = 0; vc < m_inputs.size(); ++vc)
    if (m_inputs[vc].flits != 0) report_if_blocked(vc, result);
  return result;
}

void generic_routers::report_if_blocked(std::uint32_t vc, std::vector<blocked_packet>& result) const {
  const std::uint32_t in_port = vc / m_vcs, router = in_port / m_ports;
  const unsigned port = in_port % m_ports, in_vc = vc % m_vcs;
  const input_vc& at = m_inputs[vc];
  const packet_id id = m_packets[front(vc).packet()].what.id;
  if ((m_waiting[in_port] >> in_vc & 1) != 0) {
    const route& requested = at.requested;
    result.push_back({router, port, in_vc, id, blocked_packet::reason::OutputVc, requested.port, requested.vcs,
                      requested.choices, requested.choice_vcs});
  } else if ((m_active[in_port] >> in_vc & 1) != 0 && !has_credit(router * m_ports + at.out_port, at.out_vc)) {
    const std::uint32_t out_port = router * m_ports + at.out_port;
    blocked_packet packet{router, port, in_vc, id, blocked_packet::reason::Credit, at.out_port, vc_set{1} << at.out_vc,
                          0,      0};
    if (credits(out_port, at.out_vc) != 0) {
      packet.why = blocked_packet::reason::Room;
      packet.kept_vcs = m_rooms[out_port].kept;
      for (unsigned v = 0; v < m_vcs; ++v)
        packet.pool_vcs |= vc_set{m_capacity[out_port] - credits(out_port, v) > m_fabric.sharing.reserved} << v;
    }
    result.push_back(packet);
  }
}

}  // namespace weft::engine
