// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/router/vc_allocator.h"

#include "weft/core/router_pipeline.h"

namespace weft::pin {

vc_allocator::vc_allocator(sc_core::sc_module_name name, const router_parameters& parameters,
                           const std::vector<unsigned>& depths, const output_choice& choice, port_set node_ports)
    : sc_module(name),
      route_i("route_i", depths.size() * parameters.input_speedup),
      status_i("status_i", parameters.busy_when_full ? 1 : 0),
      priority_i("priority_i", parameters.priority == priority_kind::None ? 0 : 1),
      assigned_o("assigned_o", depths.size()),
      speculative_o("speculative_o", parameters.speculation == speculation_kind::None ? 0 : depths.size()),
      held_o("held_o", shares_all(parameters.buffer) ? 1 : 0),
      m_ports(static_cast<unsigned>(depths.size())),
      m_vcs(parameters.vcs),
      m_inputs(m_ports, parameters.input_speedup),
      m_depth(parameters.depth),
      m_depths(depths, sharing_of(parameters)),
      m_rules(output_vc_rules_of(parameters)),
      m_same_cycle(router_pipeline(parameters).sa_follows_va_in_a_cycle()),
      m_speculates(parameters.speculation != speculation_kind::None),
      m_shows_held(shares_all(parameters.buffer)),
      m_is_combinational(m_same_cycle || m_speculates || m_shows_held),
      m_has_priorities(parameters.priority != priority_kind::None),
      m_choice(choice),
      m_node_ports(node_ports),
      m_design(make_vc_allocator(parameters.vc_allocator, m_ports, parameters.vcs)),
      m_waiting_q("waiting_q", m_ports),
      m_requested_q("requested_q", m_ports * parameters.vcs),
      m_flits_q("flits_q", m_ports * parameters.vcs),
      m_assigned_q("assigned_q", m_ports),
      m_free_q("free_q", m_ports),
      m_state_q("state_q", m_design.words) {
  SC_HAS_PROCESS(vc_allocator);
  WEFT_START_CLOCKED_PROCESS;
  if (m_is_combinational) {
    SC_METHOD(combinational);
    sensitive << m_changed_q << count_i;
    for (auto& port : route_i) sensitive << port;
    for (auto& port : status_i) sensitive << port;
    for (auto& port : priority_i) sensitive << port;
    for (auto& waiting : m_waiting_q) sensitive << waiting;
    for (auto& requested : m_requested_q) sensitive << requested;
    for (auto& flits : m_flits_q) sensitive << flits;
    for (auto& assigned : m_assigned_q) sensitive << assigned;
    for (auto& free : m_free_q) sensitive << free;
    for (auto& word : m_state_q) sensitive << word;
  }
}

void vc_allocator::reset() {
  for (unsigned port = 0; port < m_ports; ++port) {
    m_waiting_q[port].write(0);
    m_assigned_q[port].write(vc_assignment());
    m_free_q[port].write(first_vcs(m_vcs));
    if (!m_same_cycle) assigned_o[port].write(vc_assignment());
  }
  for (unsigned vc_index = 0; vc_index < m_ports * m_vcs; ++vc_index) {
    m_requested_q[vc_index].write(route());
    m_flits_q[vc_index].write(0);
  }
  reset_allocator(m_design, m_state_q);
  busy_o.write(false);
  m_changed_q.toggle();  // combinational() clears its outputs
}

/// Returns the VCs of an output port that are free and that a head may request.
vc_set vc_allocator::available(unsigned port, vc_set vcs, std::uint32_t flits, bool whole) const {
  vc_set free = vcs & m_free_q[port].read();
  if (m_rules.busy_when_full) free &= status_i[0].read().available[port];
  vc_set narrow = 0;  // VCs without enough credits
  if (whole || m_rules.count_credits()) {
    const std::uint32_t needed = needed_credits(m_rules, whole, flits, m_depths.of[port]);
    WEFT_VALUE(credit_counts, credits, count_i.read());
    WEFT_FOR_MEMBERS(vc, free, m_vcs) {
      if (credits.count[port][vc] < needed) narrow |= 1U << vc;
    }
  }
  return free & ~narrow;
}

std::uint32_t vc_allocator::credits(unsigned port, vc_set vcs) const {
  WEFT_VALUE(credit_counts, credits, count_i.read());
  std::uint32_t sum = 0;
  WEFT_FOR_MEMBERS(vc, vcs, m_vcs) sum += credits.count[port][vc];
  return sum;
}

/// Selects the output that a head with several possible outputs requests in this cycle.
/// \param port, vc the input VC
/// \param sure admissible VCs of the port of the route's sure offer
route vc_allocator::choose(const route& requested, unsigned port, unsigned vc, std::uint32_t flits, vc_set sure) const {
  route_offers offers;
  offers.sure = sure;
  const bool whole = must_fit(m_choice, requested);
  const vc_set counted = counted_vcs(m_choice, requested, first_vcs(m_vcs));
  WEFT_FOR_MEMBERS(choice, requested.choices, m_ports) {
    offers.choice_vcs[choice] = available(choice, requested.choice_vcs, flits, whole);
    offers.credits[choice] = credits(choice, counted);
  }
  route selected;
  if (m_choice.detours) {
    offers.sure_credits = credits(requested.port, requested.vcs);
    selected = select_detour(requested, m_choice.threshold, m_depths.of[requested.port], offers);
  } else {
    if ((m_node_ports >> port & 1) != 0) leave_channel_to_network(requested, m_ports, offers);
    selected = select_output(m_choice, requested, m_ports, port + vc, m_depth, m_depth * m_vcs, offers);
    WEFT_VALUE(credit_counts, credits, count_i.read());
    selected.vcs = emptiest_vcs(selected.vcs, credits.count[selected.port], m_vcs);
  }
  return selected;
}

/// Adds the request of the head at an input VC: an output port, and its admissible output VCs that are free and have
/// enough credits.
void vc_allocator::enter(vc_requests& requests, unsigned port, unsigned vc, const route& requested,
                         std::uint32_t flits) const {
  route selected;
  selected.port = requested.port;
  selected.vcs = available(requested.port, requested.vcs, flits, false);
  if (m_choice.exists) selected = choose(requested, port, vc, flits, selected.vcs);
  requests.blocks |= 1U << port;
  requests.inputs[port] |= 1U << vc;
  requests.block[port][vc] = selected.port;
  requests.outputs[port][vc] = selected.vcs;
}

/// The ports to which the inputs \p inputs of the switch belong.
port_set vc_allocator::ports_of(port_set inputs) const {
  port_set ports = inputs;
  if (m_inputs.speedup != 1) {
    ports = 0;
    WEFT_FOR_MEMBERS(input, inputs, m_inputs.count) ports |= 1U << m_inputs.port_of[input];
  }
  return ports;
}

/// Returns the requests of the VCs in the queue and of those whose route has just arrived.
vc_requests vc_allocator::requests() const {
  vc_requests requests;
  WEFT_ASSERTED(announcing, route_announcement, route_i, m_inputs.count);
  port_set requesting = ports_of(announcing);
  for (unsigned port = 0; port < m_ports; ++port)
    requesting |= static_cast<port_set>(m_waiting_q[port].read() != 0) << port;
  WEFT_FOR_MEMBERS(port, requesting, m_ports) {
    requests.inputs[port] = 0;
    WEFT_FOR_MEMBERS(vc, m_waiting_q[port].read(), m_vcs) {
      const unsigned vc_index = port * m_vcs + vc;
      const route requested = m_requested_q[vc_index].read();
      enter(requests, port, vc, requested, m_flits_q[vc_index].read());
    }
    for (unsigned number = 0; number < m_inputs.speedup; ++number) {
      WEFT_VALUE(route_announcement, routes, route_i[m_inputs.input_at(port, number)].read());
      for (unsigned i = 0; i < route_announcement::Slots; ++i)
        if (routes.valid[i]) {
          const route requested = route_of(routes, i);
          enter(requests, port, routes.vc[i], requested, routes.flits[i]);
        }
    }
  }
  return requests;
}

/// Returns the priorities of heads, and the output VCs with an empty buffer if heads prefer them.
head_priorities vc_allocator::priorities() const {
  head_priorities result;
  WEFT_VALUE(credit_counts, credits, count_i.read());
  for (unsigned port = 0; port < m_ports; ++port) {
    for (unsigned vc = 0; vc < m_vcs; ++vc) {
      result.by_vc[port][vc] = m_has_priorities ? priority_i[0].read().of[port][vc] : 0;
      result.preferred[port * m_vcs + vc] = m_rules.prefer_empty && credits.count[port][vc] >= m_depths.of[port];
    }
  }
  return result;
}

/// Sets the grants of this cycle.
void vc_allocator::match(const vc_requests& all_requests, vc_grants& granted) const {
  if (m_has_priorities || m_rules.prefer_empty) {
    const head_priorities of_heads = priorities();
    granted = allocate(m_design, m_state_q, all_requests, of_heads);
  } else {
    granted = allocate(m_design, m_state_q, all_requests);
  }
}

/// Returns the output VCs that the VCs of an input port hold, including those granted in this cycle.
vc_assignment vc_allocator::assignment(unsigned port, const vc_grants& granted) const {
  vc_assignment assigned = m_assigned_q[port].read();
  assigned.active |= granted.inputs[port];
  WEFT_FOR_MEMBERS(vc, granted.inputs[port], m_vcs) {
    assigned.port[vc] = granted.block[port][vc];
    assigned.vc[vc] = granted.output[port][vc];
  }
  return assigned;
}

/// Outputs the winners in the cycle of their allocation. It runs only if VC and switch allocation share a cycle, and if
/// the output unit needs the VCs that packets hold.
void vc_allocator::combinational() {
  const vc_requests all_requests = requests();
  vc_grants granted;
  match(all_requests, granted);
  for (unsigned port = 0; port < m_ports; ++port) {
    if (m_speculates) show(port, all_requests, granted);
    if (m_same_cycle) {
      const vc_assignment assigned = assignment(port, granted);
      assigned_o[port].write(assigned);
    }
  }
  if (m_shows_held) show_held(granted);
}

/// Outputs the output VCs that packets hold, including those granted in this cycle.
void vc_allocator::show_held(const vc_grants& granted) {
  held_output_vcs held;
  for (unsigned port = 0; port < m_ports; ++port)
    held.of[port] = static_cast<std::uint16_t>(first_vcs(m_vcs) & ~m_free_q[port].read());
  WEFT_FOR_MEMBERS(port, granted.blocks, m_ports) {
    WEFT_FOR_MEMBERS(vc, granted.inputs[port], m_vcs) {
      const unsigned out_port = granted.block[port][vc];
      held.of[out_port] = static_cast<std::uint16_t>(held.of[out_port] | 1U << granted.output[port][vc]);
    }
  }
  held_o[0].write(held);
}

/// For speculation only: outputs the heads that wait at an input port, and the winners among them.
void vc_allocator::show(unsigned port, const vc_requests& all_requests, const vc_grants& granted) {
  speculative_requests shown;
  if ((all_requests.blocks >> port & 1) != 0) {
    shown.heads = all_requests.inputs[port];
    shown.granted = granted.inputs[port];
    WEFT_FOR_MEMBERS(vc, shown.heads, m_vcs) {
      shown.port[vc] = all_requests.block[port][vc];
      shown.vcs[vc] = all_requests.outputs[port][vc];
    }
    WEFT_FOR_MEMBERS(vc, shown.granted, m_vcs) shown.out_vc[vc] = granted.output[port][vc];
  }
  speculative_o[port].write(shown);
}

/// Updates the queue of an input port. \p waiting: VCs that stay in the queue, including those whose route has just
/// arrived.
void vc_allocator::queue(unsigned port, vc_set waiting) {
  m_waiting_q[port].write(waiting);
  for (unsigned number = 0; number < m_inputs.speedup; ++number) {
    WEFT_VALUE(route_announcement, routes, route_i[m_inputs.input_at(port, number)].read());
    for (unsigned i = 0; i < route_announcement::Slots; ++i) {
      if (routes.valid[i] && (waiting >> routes.vc[i] & 1) != 0) {
        const unsigned vc_index = port * m_vcs + routes.vc[i];
        const route requested = route_of(routes, i);
        m_requested_q[vc_index].write(requested);
        m_flits_q[vc_index].write(routes.flits[i]);
      }
    }
  }
}

void vc_allocator::step() {
  const vc_requests all_requests = requests();
  vc_grants granted;
  if (all_requests.blocks != 0) {
    match(all_requests, granted);
    advance(m_design, m_state_q, granted);
  }

  vc_set waiting = 0;  // VCs that wait, at any input port
  WEFT_FOR_MEMBERS(port, all_requests.blocks, m_ports) {
    const vc_set left = all_requests.inputs[port] & ~granted.inputs[port];
    queue(port, left);
    waiting |= left;
  }
  busy_o.write(waiting != 0);

  const switch_grants& sent = grant_i.read();
  std::array<vc_set, MaxPorts> free;
  for (unsigned port = 0; port < m_ports; ++port) free[port] = m_free_q[port].read();
  const port_set ending = ports_of(sent.tails);
  WEFT_FOR_MEMBERS(port, granted.blocks | ending, m_ports) {
    vc_assignment assigned = assignment(port, granted);
    WEFT_FOR_MEMBERS(vc, granted.inputs[port], m_vcs)
      free[granted.block[port][vc]] &= ~(1U << granted.output[port][vc]);
    // This happens after the allocation: a VC that a tail frees now is available from the next allocation on.
    if ((ending >> port & 1) != 0) {
      for (unsigned number = 0; number < m_inputs.speedup; ++number) {
        const unsigned input = m_inputs.input_at(port, number);
        if ((sent.tails >> input & 1) != 0) {
          assigned.active &= ~(1U << sent.vc[input]);
          free[sent.out_port[input]] |= 1U << sent.out_vc[input];
        }
      }
    }
    m_assigned_q[port].write(assigned);
    if (!m_same_cycle) assigned_o[port].write(assigned);
  }
  for (unsigned port = 0; port < m_ports; ++port) m_free_q[port].write(free[port]);
  if (m_is_combinational) m_changed_q.toggle();
}

}  // namespace weft::pin
