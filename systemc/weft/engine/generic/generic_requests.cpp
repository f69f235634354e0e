// SPDX-License-Identifier: Apache-2.0
/// The requests that the input VCs of generic_routers make: for output VCs, and for the switch.

#include "weft/core/members.h"
#include "weft/engine/generic/generic_routers.h"
#include "weft/router/output_selection.h"

namespace weft::engine {

/// The requests of the heads that wait for an output VC.
vc_requests generic_routers::vc_requests_of(std::uint32_t router) const {
  vc_requests requests;
  for_each_member(m_occupied_ports[router], [&](unsigned port) {
    const std::uint32_t in_port = router * m_ports + port;
    if (m_waiting[in_port] == 0) return;
    requests.blocks |= 1U << port;
    requests.inputs[port] = m_waiting[in_port];
    for_each_member(m_waiting[in_port], [&](unsigned vc) {
      const route selected = selected_output(router, port, vc);
      requests.block[port][vc] = selected.port;
      requests.outputs[port][vc] = selected.vcs;
    });
  });
  return requests;
}

/// The output port that a head requests in this cycle, and its available VCs.
route generic_routers::selected_output(std::uint32_t router, unsigned in_port, unsigned in_vc) const {
  const std::uint32_t in = (router * m_ports + in_port) * m_vcs + in_vc;
  const input_vc& at = m_inputs[in];
  const stored_flit head = front(in);
  const std::uint32_t first = router * m_ports;
  const std::uint32_t packet = needs_lengths() ? m_packets[head.packet()].travels : 0;
  route selected = at.requested;
  selected.vcs = available(first + selected.port, selected.vcs, packet, false);
  const output_choice& choice = m_routes.choice();
  if (!choice.exists) return selected;
  route_offers offers;
  offers.sure = selected.vcs;
  const bool whole = must_fit(choice, at.requested);
  const vc_set counted = counted_vcs(choice, at.requested, first_vcs(m_vcs));
  for_each_member(at.requested.choices, [&](unsigned port) {
    offers.choice_vcs[port] = available(first + port, at.requested.choice_vcs, packet, whole);
    offers.credits[port] = credits_of(first + port, counted);
  });
  if (!choice.detours) {
    if (m_routes.is_node_port(router, in_port)) leave_channel_to_network(at.requested, m_ports, offers);
    route best =
        select_output(choice, at.requested, m_ports, in_port + in_vc, m_fabric.depth, m_fabric.depth * m_vcs, offers);
    std::uint16_t of_vcs[MaxVcs];
    for (unsigned vc = 0; vc < m_vcs; ++vc) of_vcs[vc] = static_cast<std::uint16_t>(credits(first + best.port, vc));
    best.vcs = emptiest_vcs(best.vcs, of_vcs, m_vcs);
    return best;
  }
  offers.sure_credits = credits_of(first + selected.port, at.requested.vcs);
  return select_detour(at.requested, choice.threshold, m_capacity[first + selected.port], offers);
}

/// The requests of the VCs that hold an output VC.
switch_requests generic_routers::switch_requests_of(std::uint32_t router) const {
  switch_requests requests;
  for_each_member(m_occupied_ports[router], [&](unsigned port) {
    const std::uint32_t in_port = router * m_ports + port;
    const vc_set holding = m_active[in_port] & m_occupied[in_port];
    if (holding == 0) return;
    vc_set ready = 0;
    for_each_member(holding, [&](unsigned vc) {
      const input_vc& at = m_inputs[in_port * m_vcs + vc];
      requests.output[m_switch_inputs.input_of(port, vc)][vc] = at.out_port;
      ready |= vc_set{has_credit(router * m_ports + at.out_port, at.out_vc)} << vc;
    });
    add_port(m_switch_inputs, requests, port, holding, ready);
  });
  return requests;
}

/// The output ports whose narrow channel carries an earlier flit.
port_set generic_routers::busy_outputs_of(std::uint32_t router, cycle_t now) const {
  port_set busy = 0;
  if (m_idle_from.empty()) return busy;
  for (unsigned port = 0; port < m_ports_of[router]; ++port)
    busy |= port_set{m_idle_from[router * m_ports + port] > now} << port;
  return busy;
}

/// Removes the requests for the output ports \p busy. Their flits have a credit, so they wait for the switch.
void generic_routers::drop_busy(std::uint32_t router, port_set busy, switch_requests& requests) {
  for_each_member(requests.inputs, [&](unsigned input) {
    const std::uint32_t first = (router * m_ports + m_switch_inputs.port_of[input]) * m_vcs;
    for_each_member(requests.ready[input], [&](unsigned vc) {
      if ((busy >> requests.output[input][vc] & 1) == 0) return;
      requests.ready[input] &= ~(vc_set{1} << vc);
      if (m_recorder) m_recorder->lose(first + vc);
    });
  });
}

}  // namespace weft::engine
