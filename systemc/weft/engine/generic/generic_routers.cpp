// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/generic/generic_routers.h"

#include <algorithm>

#include "weft/core/members.h"
#include "weft/core/path_ids.h"
#include "weft/core/wait_accounts.h"
#include "weft/router/output_selection.h"

namespace weft::engine {

namespace {
/// The state of an allocator of one router.
std::uint16_t* state_of(std::vector<std::uint16_t>& states, std::size_t words, std::uint32_t router) {
  return states.data() + words * router;
}
}  // namespace

generic_routers::generic_routers(const topology& graph, const fabric_parameters& fabric, packet_pool& packets,
                                 bool records, channel_meters* meters)
    : m_fabric(fabric),
      m_ports(fabric.ports),
      m_vcs(fabric.vcs),
      m_ring(fabric.sharing.limit),
      m_switch_inputs(fabric.ports, fabric.input_speedup),
      m_packets(packets),
      m_routes(graph, fabric, packets),
      m_outlets(fabric.routers * fabric.ports),
      m_upstream(m_outlets.size()),
      m_occupied(m_outlets.size()),
      m_idle(m_outlets.size(), first_vcs(fabric.vcs)),
      m_waiting(m_outlets.size()),
      m_active(m_outlets.size()),
      m_free(m_outlets.size(), first_vcs(fabric.vcs)),
      m_credited(m_outlets.size(), first_vcs(fabric.vcs)),
      m_capacity(m_outlets.size(), fabric.sharing.limit),
      m_rooms(fabric.rules.shared_buffers ? m_outlets.size() : 0, empty_room(fabric.sharing)),
      m_sent(m_outlets.size()),
      m_idle_from(fabric.narrow ? m_outlets.size() : 0),
      m_inputs(m_outlets.size() * fabric.vcs),
      m_credit_counts(m_inputs.size(), fabric.sharing.limit),
      m_buffers(m_inputs.size() * fabric.sharing.limit),
      m_stamps(fabric.priority == priority_kind::None ? 0 : m_buffers.size()),
      m_holds(fabric.hold_switch ? m_outlets.size() * fabric.input_speedup : 0),
      m_occupied_ports(fabric.routers),
      m_busy((fabric.routers + 63) / 64),
      m_flits(fabric.reach()),
      m_credits(fabric.reach()),
      m_nic_flits(fabric.reach()),
      m_nic_credits(fabric.reach()),
      m_ejected(fabric.nic_ports),
      m_meters(meters) {
  for (std::uint32_t port = 0; port < m_outlets.size(); ++port) m_places.push_back({port / m_ports, port % m_ports});
  connect(graph);
  make_allocators(graph);
  if (records) m_recorder.emplace(m_outlets.size(), m_vcs, fabric.nic_ports, fabric.cycles_to_switch);
}

void generic_routers::connect(const topology& graph) {
  for (const channel& c : graph.channels) {
    const std::uint32_t from = c.from.router * m_ports + c.from.port, to = c.to.router * m_ports + c.to.port;
    m_outlets[from] = {to, static_cast<std::uint16_t>(c.cycles), false, static_cast<std::uint8_t>(c.phits)};
    m_upstream[to] = {from, static_cast<std::uint16_t>(c.cycles), false};
  }
  for (const node_attachment& node : graph.nodes) {
    for (const port_ref& local : node.ports) {
      const std::uint32_t port = local.router * m_ports + local.port;
      const auto nic = static_cast<std::uint32_t>(m_inlets.size());
      m_outlets[port] = m_upstream[port] = {nic, static_cast<std::uint16_t>(node.cycles), true};
      m_inlets.push_back(port);
      if (m_fabric.nodes_share) continue;  // as ports to routers
      m_capacity[port] = m_fabric.ejection_depth;
      std::fill_n(m_credit_counts.begin() + port * m_vcs, m_vcs, m_fabric.ejection_depth);
    }
  }
}

/// Makes the allocators for all numbers of ports, and resets the states of all routers.
void generic_routers::make_allocators(const topology& graph) {
  const bool speculates = m_fabric.speculation != speculation_kind::None;
  for (unsigned ports = 0; ports <= m_ports; ++ports) {
    const allocator_design of_switch =
        make_switch_allocator(m_fabric.switch_allocator, ports, m_vcs, m_fabric.input_speedup);
    const allocator_design of_heads = make_second_allocator(m_fabric.switch_allocator, of_switch);
    m_allocators.push_back({make_vc_allocator(m_fabric.vc_allocator, ports, m_vcs), of_switch, of_heads});
    m_vc_words = std::max<std::size_t>(m_vc_words, m_allocators.back().of_vcs.words);
    m_switch_words = std::max<std::size_t>(m_switch_words, switch_words(of_switch) + (speculates ? of_heads.words : 0));
  }
  m_vc_state.resize(m_fabric.routers * m_vc_words);
  m_switch_state.resize(m_fabric.routers * m_switch_words);
  for (std::uint32_t router = 0; router < m_fabric.routers; ++router) {
    m_ports_of.push_back(static_cast<std::uint8_t>(graph.routers[router].ports));
    const allocators& made = m_allocators[m_ports_of[router]];
    std::uint16_t* const of_vcs = state_of(m_vc_state, m_vc_words, router);
    std::uint16_t* const of_switch = state_of(m_switch_state, m_switch_words, router);
    reset_allocator(made.of_vcs, of_vcs);
    reset_switch(made.of_switch, of_switch);
    if (speculates) reset_allocator(made.of_heads, of_switch);
  }
}

void generic_routers::step(cycle_t now) {
  m_now = now;
  accept(now);
  for (std::size_t word = 0; word < m_busy.size(); ++word)
    for (std::uint64_t left = m_busy[word]; left != 0; left &= left - 1)
      step(static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(__builtin_ctzll(left))), now);
}

/// Processes the flits and credits that arrive in this cycle.
void generic_routers::accept(cycle_t now) {
  for (const returned_credit& c : m_credits.at(now)) accept_credit(c.port, c.vc);
  m_credits.clear(now);
  for (const arrival& a : m_flits.at(now)) {
    const std::uint32_t in = a.port * m_vcs + a.vc;
    input_vc& at = m_inputs[in];
    const std::uint32_t slot = at.first + at.flits;
    const std::size_t place = std::size_t{in} * m_ring + (slot < m_ring ? slot : slot - m_ring);
    m_buffers[place] = a.flit;
    if (has_priorities())
      m_stamps[place] = stamp_of(m_fabric.priority, a.from_node ? nullptr : &a.stamp,
                                 m_packets[a.flit.packet()].what.created, now, a.vc / m_fabric.class_vcs);
    if (at.flits++ == 0) at.front_since = now;
    if (a.flit.tail()) ++at.tails;
    m_occupied[a.port] |= vc_set{1} << a.vc;
    const port_place at_port = m_places[a.port];
    m_occupied_ports[at_port.router] |= port_set{1} << at_port.number;
    m_busy[at_port.router / 64] |= std::uint64_t{1} << at_port.router % 64;
    if (m_recorder) m_recorder->arrive(a.port, in, now);
  }
  m_flits.clear(now);
}

/// One cycle of a router. Both allocators select before anything moves, so a tail that leaves frees its VCs for the
/// next cycle. If both share a stage, a head that wins an output VC may request the switch in the same cycle; with
/// speculation, it requests the switch before the result is available.
void generic_routers::step(std::uint32_t router, cycle_t now) {
  const allocators& made = m_allocators[m_ports_of[router]];
  std::uint16_t* vc_state = state_of(m_vc_state, m_vc_words, router);
  const bool speculates = m_fabric.speculation != speculation_kind::None;
  if (m_fabric.routes_on_arrival) compute_routes(router);
  const vc_requests heads = vc_requests_of(router);
  vc_grants granted;
  if (heads.blocks != 0) {
    granted = orders_heads() ? allocate(made.of_vcs, vc_state, heads, head_priorities_of(router, heads))
                             : allocate(made.of_vcs, vc_state, heads);
    weft::advance(made.of_vcs, vc_state, granted);
  }
  if (m_fabric.same_cycle) grant_vcs(router, granted, now);
  switch_requests requests = switch_requests_of(router);
  const switch_matching matching = allocate_switch_of(router, heads, granted, requests, now);
  if (!m_fabric.same_cycle) grant_vcs(router, granted, speculates ? now : now + 1);
  if (!m_fabric.routes_on_arrival) compute_routes(router);
  send(router, requests, matching, now);
}

/// Switch allocation. Adds the heads that got an output VC and a credit in this cycle to \p requests.
switch_matching generic_routers::allocate_switch_of(std::uint32_t router, const vc_requests& heads,
                                                    const vc_grants& granted, switch_requests& requests, cycle_t now) {
  const bool speculates = m_fabric.speculation != speculation_kind::None;
  const port_set busy = busy_outputs_of(router, now);
  if (busy != 0) drop_busy(router, busy, requests);
  switch_requests speculative = speculates ? speculative_requests_of(router, heads, busy) : switch_requests();
  if (!m_fabric.hold_switch) {
    if (!speculates) return match(router, requests);
    const switch_matching result = match_speculatively(router, granted, requests, speculative);
    add_winners(router, granted, requests);
    return result;
  }
  const unsigned inputs = m_ports_of[router] * m_fabric.input_speedup;
  const switch_holds holds = holds_in(inputs, m_holds, router * m_switch_inputs.count, requests);
  const switch_requests open = without_held(inputs, requests, holds, waiting_without(holds, requests, router));
  if (speculates) speculative = without_held(inputs, speculative, holds, speculative.inputs);
  switch_matching result = speculates ? match_speculatively(router, granted, open, speculative) : match(router, open);
  if (speculates) add_winners(router, granted, requests);
  add_held(inputs, holds, result);
  update_holds(router, result);
  return result;
}

/// Inputs of the switch with a VC that has a flit and an output VC, and does not hold the switch.
port_set generic_routers::waiting_without(const switch_holds& holds, const switch_requests& requests,
                                          std::uint32_t router) const {
  port_set result = 0;
  for_each_member(requests.inputs, [&](unsigned input) {
    const std::uint32_t in_port = router * m_ports + m_switch_inputs.port_of[input];
    const vc_set holder = (holds.inputs >> input & 1) != 0 ? vc_set{1} << holds.vc[input] : 0;
    const vc_set waiting = m_active[in_port] & m_occupied[in_port] & m_switch_inputs.vcs_of[input];
    if ((waiting & ~holder) != 0) result |= port_set{1} << input;
  });
  return result;
}

/// Enters the VCs that hold the switch in the next cycle, which are those that send a flit in this one, have another
/// flit of the same packet, and can send it in the next cycle, which a narrow channel prevents.
void generic_routers::update_holds(std::uint32_t router, const switch_matching& granted) {
  for (unsigned input = 0; input < m_ports_of[router] * m_fabric.input_speedup; ++input) {
    std::uint16_t& hold = m_holds[router * m_switch_inputs.count + input];
    hold = 0;
    if ((granted.inputs >> input & 1) == 0) continue;
    const std::uint32_t in = (router * m_ports + m_switch_inputs.port_of[input]) * m_vcs + granted.vc[input];
    if (m_outlets[router * m_ports + granted.output[input]].phits > 1) continue;
    if (m_inputs[in].flits > 1 && !front(in).tail()) hold = static_cast<std::uint16_t>(granted.vc[input] + 1);
  }
}

/// The grants of a cycle without speculation.
switch_matching generic_routers::match(std::uint32_t router, const switch_requests& requests) {
  if (requests.inputs == 0) return {};
  const allocator_design& design = m_allocators[m_ports_of[router]].of_switch;
  std::uint16_t* const state = state_of(m_switch_state, m_switch_words, router);
  const switch_matching result =
      has_priorities() ? allocate_switch(design, state, requests, vc_priorities_of(router, requests.inputs))
                       : allocate_switch(design, state, requests);
  advance_switch(design, state, result);
  return result;
}

/// Assigns output VCs to heads.
/// \param from first cycle in which they may request the switch
void generic_routers::grant_vcs(std::uint32_t router, const vc_grants& granted, cycle_t from) {
  for_each_member(granted.blocks, [&](unsigned port) {
    const std::uint32_t in_port = router * m_ports + port;
    m_waiting[in_port] &= ~granted.inputs[port];
    m_active[in_port] |= granted.inputs[port];
    for_each_member(granted.inputs[port], [&](unsigned vc) {
      const std::uint32_t in = in_port * m_vcs + vc;
      input_vc& at = m_inputs[in];
      at.out_port = granted.block[port][vc];
      at.out_vc = granted.output[port][vc];
      m_free[router * m_ports + at.out_port] &= ~(vc_set{1} << at.out_vc);
      if (m_recorder) m_recorder->begin(in, from);
      if (!m_routes.consumes_path()) return;
      std::uint64_t& path_id = m_packets[front(in).packet()].path_id;
      path_id = source_path::advance(path_id);
    });
  });
}

/// Idle VCs of \p in_port whose first packet may get a route: with store and forward, its tail must have arrived.
vc_set generic_routers::whole_packets(std::uint32_t in_port) const {
  if (!m_fabric.stores_packets) return first_vcs(m_vcs);
  vc_set result = 0;
  for (unsigned vc = 0; vc < m_vcs; ++vc) result |= vc_set{m_inputs[in_port * m_vcs + vc].tails != 0} << vc;
  return result;
}

/// Computes the routes of heads that have reached the front of an idle VC. They wait for an output VC from the next
/// cycle on.
void generic_routers::compute_routes(std::uint32_t router) {
  for_each_member(m_occupied_ports[router], [&](unsigned port) {
    const std::uint32_t in_port = router * m_ports + port;
    const vc_set heads = m_idle[in_port] & m_occupied[in_port] & whole_packets(in_port);
    if (heads == 0) return;
    m_idle[in_port] &= ~heads;
    m_waiting[in_port] |= heads;
    for_each_member(heads, [&](unsigned vc) {
      const std::uint32_t in = in_port * m_vcs + vc;
      m_inputs[in].requested = m_routes.of(front(in), router, port, vc);
    });
  });
}

/// Sends the flits that were granted the switch.
void generic_routers::send(std::uint32_t router, const switch_requests& requests, const switch_matching& granted,
                           cycle_t now) {
  if (m_recorder)
    for_each_member(requests.inputs, [&](unsigned input) {
      const std::uint32_t in_port = router * m_ports + m_switch_inputs.port_of[input];
      const vc_set winner = (granted.inputs >> input & 1) != 0 ? vc_set{1} << granted.vc[input] : 0;
      for_each_member(requests.ready[input] & ~winner, [&](unsigned vc) { m_recorder->lose(in_port * m_vcs + vc); });
    });
  for_each_member(granted.inputs, [&](unsigned input) {
    const unsigned port = m_switch_inputs.port_of[input];
    const std::uint32_t in_port = router * m_ports + port;
    send(in_port, granted.vc[input], router * m_ports + granted.output[input], now);
    if (m_occupied[in_port] == 0) m_occupied_ports[router] &= ~(port_set{1} << port);
  });
  if (m_occupied_ports[router] == 0) m_busy[router / 64] &= ~(std::uint64_t{1} << router % 64);
}

/// Sends the first flit of VC \p vc of input port \p port through \p out_port.
void generic_routers::send(std::uint32_t port, unsigned vc, std::uint32_t out_port, cycle_t now) {
  const std::uint32_t in = port * m_vcs + vc;
  input_vc& at = m_inputs[in];
  stored_flit flit = front(in);
  const std::uint32_t stamp = has_priorities() ? m_stamps[std::size_t{in} * m_ring + at.first] : 0;
  at.first = at.first + 1 == m_ring ? 0 : at.first + 1;
  const vc_set bit = vc_set{1} << vc;
  at.front_since = now + 1;
  if (--at.flits == 0) m_occupied[port] &= ~bit;
  if (m_recorder) {
    const router_waits waits = m_recorder->grant(in, flit.head(), now);
    if (!m_outlets[out_port].is_nic)
      m_recorder->forward(m_outlets[out_port].port, waits);
    else if (flit.tail())
      m_recorder->leave(flit.packet(), waits);
  }
  const channel_end& back = m_upstream[port];
  if (back.is_nic)
    m_nic_credits.add(now + 1 + back.cycles, {back.port << nic_port_vc::VcBits | vc});
  else
    m_credits.add(now + 1 + back.cycles, {back.port, vc});
  const unsigned out_vc = at.out_vc;
  if (flit.tail()) {
    --at.tails;
    m_active[port] &= ~bit;
    m_idle[port] |= bit;
    m_free[out_port] |= vc_set{1} << out_vc;
  }
  flit.pass_router();
  leave(out_port, out_vc, flit, stamp, now);
}

/// Puts a flit with \p stamp on the way through the crossbar and the channel behind \p out_port.
void generic_routers::leave(std::uint32_t out_port, unsigned out_vc, stored_flit flit, std::uint32_t stamp,
                            cycle_t now) {
  ++m_sent[out_port];
  if (m_capacity[out_port] != 0) consume_credit(out_port, out_vc);
  const channel_end& to = m_outlets[out_port];
  if (to.phits > 1) m_idle_from[out_port] = now + to.phits;
  const unsigned last_part = to.phits - 1U;  // cycles from the first part of the flit to the last one
  const cycle_t arrives = now + 1 + m_fabric.stages + to.cycles + last_part;
  if (m_meters) {
    const port_place& place = m_places[out_port];
    m_meters->enter(m_meters->behind(place.router, place.number), out_vc, flit.packet(), flit.tail(),
                    arrives - to.cycles - last_part);
  }
  if (to.is_nic)
    m_nic_flits.add(arrives, {{to.port << nic_port_vc::VcBits | out_vc}, flit});
  else
    m_flits.add(arrives, {to.port, static_cast<std::uint16_t>(out_vc), false, stamp, flit});
}

}  // namespace weft::engine
