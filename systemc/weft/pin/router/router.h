// SPDX-License-Identifier: Apache-2.0
/// Router: connects input unit, route computation, VC allocator, switch allocator, crossbar and output unit.
///
/// Latency    In an idle router a head needs S cycles from its arrival (the start of the cycle in which it is in the
///            buffer) to the output register. The pipeline stages are RC, VA, SA, ST for S = 4, and RC, VA and SA, ST
///            for S = 3. For S > 4, stage ST takes S - 4 additional cycles. Lookahead routing saves RC, and speculation
///            lets VA and SA share a cycle (core/router_pipeline.h).
/// Handshake  Each port has flit_i with the credits credit_o back, and flit_o with the credits credit_i back. A sender
///            starts with `depth` credits for each VC. Ports without a channel are tied off.
///            docs/03_reference/router.md describes the order of events for S = 4, which agrees with that of another
///            simulator packet by packet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/parameters.h"
#include "weft/core/router_pipeline.h"
#include "weft/core/routing.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/router/crossbar.h"
#include "weft/pin/router/input_unit.h"
#include "weft/pin/router/output_depths.h"
#include "weft/pin/router/output_unit.h"
#include "weft/pin/router/route_computation.h"
#include "weft/pin/router/router_interface.h"
#include "weft/pin/router/router_signals.h"
#include "weft/pin/router/switch_allocator.h"
#include "weft/pin/router/vc_allocator.h"

namespace weft::pin {

/// \tparam BufferFlits maximum capacity of the input unit in flits
template <unsigned PayloadBits, unsigned BufferFlits = MaxRouterFlits>
class router : public router_interface<PayloadBits> {
  using base = router_interface<PayloadBits>;

 public:
  using base::credit_i;
  using base::credit_o;
  using base::flit_i;
  using base::flit_o;
  using base::rst_ni;

  /// \param output_depths for each output port, the buffer behind it; see output_depths
  /// \param clocks        root of the clock tree, which gives every module a gate of its own
  /// \param phits         for each output port, channel::phits; empty if no channel is narrow
  /// \param node_ports    ports that lead to nodes
  router(sc_core::sc_module_name name, const router_parameters& parameters, const route_rule& rule,
         const std::vector<unsigned>& output_depths, clock_gate& clocks, const std::vector<unsigned>& phits = {},
         port_set node_ports = 0)
      : base(name, output_depths.size()),
        m_ports(static_cast<unsigned>(output_depths.size())),
        m_vcs(parameters.vcs),
        m_inputs(m_ports, parameters.input_speedup),
        m_head("head", m_inputs.count),
        m_route("route", m_inputs.count),
        m_assigned("assigned", m_ports),
        m_priorities("priorities", parameters.priority == priority_kind::None ? 0 : 1),
        m_speculative("speculative", parameters.speculation == speculation_kind::None ? 0 : m_ports),
        m_backlog("backlog", parameters.hold_switch ? 1 : 0),
        m_held("held", shares_all(parameters.buffer) ? 1 : 0),
        m_channels_busy("channels_busy", narrow_ports(phits) != 0 ? 1 : 0),
        m_switched("switched", m_ports),
        m_input_unit("input_unit", m_ports, parameters, rule.consumes_path()),
        m_route_computation(make_route_computation("route_computation", m_ports, rule, vcs_of_class(parameters),
                                                   parameters.lookahead_routing, parameters.input_speedup)),
        m_vc_allocator("vc_allocator", parameters, output_depths, rule.choice(), node_ports),
        m_switch_allocator("switch_allocator", m_ports, parameters, narrow_ports(phits)),
        m_crossbar("crossbar", m_ports, router_pipeline(parameters).crossbar_cycles()),
        m_output_unit("output_unit", parameters, output_depths, rule.adaptive(), phits),
        m_input_clock(this->make_gate(clocks)),
        m_crossbar_clock(this->make_gate(clocks)),
        m_output_clock(this->make_gate(clocks)) {
    connect();
    connect_clocks(clocks, parameters);
  }

  void bind(unsigned port, const port_wires<PayloadBits>& wires) override {
    this->bind_wires(port, wires);
    wires.flit_in->enables_clock(m_input_clock);
    wires.credit_out->enables_clock(m_input_clock);
    wires.flit_out->enables_clock(m_crossbar_clock);
    wires.credit_in->enables_clock(m_output_clock);
  }

#ifndef WEFT_SYNTHESIS
  void attach(packet_table& packets) override { m_crossbar.attach(packets); }
  const input_unit<PayloadBits, BufferFlits>& input() const { return m_input_unit; }
  const output_unit& output() const { return m_output_unit; }
  const vc_allocator& allocator() const { return m_vc_allocator; }
  // The inputs and the decision of the switch allocator in this cycle
  const vc_assignment& assigned(unsigned port) const { return m_assigned[port].read(); }
  const sc_core::sc_vector<wire<speculative_requests>>& speculative() const { return m_speculative; }
  /// The wire that priority_unit drives; only if packets have priorities.
  wire<vc_priority_status>& priorities() { return m_priorities[0]; }
  vc_set occupied(unsigned port) const { return m_status.read().occupied[port]; }
  bool has_credit(unsigned port, unsigned vc) const { return (m_credits.read().available[port] >> vc & 1) != 0; }
  const switch_grants& grants() const { return m_grants.read(); }
  const switch_inputs& inputs_of_switch() const { return m_inputs; }
  std::uint64_t sent(unsigned port) const override { return m_crossbar.sent(port); }
  unsigned credits(unsigned port, unsigned vc) const override { return m_output_unit.credits(port, vc); }
  unsigned crossing(unsigned port, unsigned vc) const override {
    const auto& switched = m_switched[port].read();
    return (switched.valid && switched.vc == vc) + m_crossbar.inside(port, vc);
  }
  unsigned buffered(unsigned port, unsigned vc) const override { return m_input_unit.buffered(port, vc); }

  std::string audit_holders() const override {
    std::vector<vc_set> held(m_ports);
    std::string broken;
    for (unsigned port = 0; port < m_ports; ++port) {
      const vc_assignment& assigned = m_vc_allocator.assigned(port);
      for_each_member(assigned.active, [&](unsigned vc) {
        vc_set& of_port = held[assigned.port[vc]];
        const vc_set bit = vc_set{1} << assigned.vc[vc];
        if (of_port & bit)
          broken = "two input VCs hold VC " + std::to_string(assigned.vc[vc]) + " of output port " +
                   std::to_string(assigned.port[vc]);
        of_port |= bit;
      });
    }
    for (unsigned port = 0; port < m_ports && broken.empty(); ++port)
      if (m_vc_allocator.free(port) != (first_vcs(m_vcs) & ~held[port]))
        broken = "the free VCs of output port " + std::to_string(port) + " differ from those that no input VC holds";
    return broken;
  }

  std::vector<blocked_packet> blocked() const override {
    using reason = blocked_packet::reason;
    std::vector<blocked_packet> result;
    for (unsigned port = 0; port < m_ports; ++port) {
      const vc_assignment& held = m_vc_allocator.assigned(port);
      for (unsigned vc = 0; vc < m_vcs; ++vc) {
        const auto* front = m_input_unit.front(port, vc);
        if (front == nullptr) continue;
        if (m_vc_allocator.waiting(port) >> vc & 1) {
          const route& requested_route = m_vc_allocator.requested_route(port, vc);
          result.push_back({0, port, vc, front->tag.packet(), reason::OutputVc, requested_route.port,
                            requested_route.vcs, requested_route.choices, requested_route.choice_vcs});
        } else if ((held.active >> vc & 1) && !has_credit(held.port[vc], held.vc[vc])) {
          blocked_packet packet{
              0, port, vc, front->tag.packet(), reason::Credit, held.port[vc], vc_set{1} << held.vc[vc], 0, 0};
          if (m_output_unit.credits(held.port[vc], held.vc[vc]) != 0) {
            packet.why = reason::Room;
            packet.kept_vcs = m_output_unit.kept_vcs(held.port[vc]);
            packet.pool_vcs = m_output_unit.pool_vcs(held.port[vc]);
          }
          result.push_back(packet);
        }
      }
    }
    return result;
  }
#endif

 private:
  void connect() {
    for (unsigned port = 0; port < m_ports; ++port) {
      m_input_unit.flit_i[port](flit_i[port]);
      m_input_unit.credit_o[port](credit_o[port]);
      m_input_unit.flit_o[port](m_switched[port]);
      m_vc_allocator.assigned_o[port](m_assigned[port]);
      m_switch_allocator.assigned_i[port](m_assigned[port]);
      if (m_speculative.size() != 0) {
        m_vc_allocator.speculative_o[port](m_speculative[port]);
        m_switch_allocator.speculative_i[port](m_speculative[port]);
      }
      m_crossbar.flit_i[port](m_switched[port]);
      m_crossbar.flit_o[port](flit_o[port]);
      m_output_unit.credit_i[port](credit_i[port]);
    }
    for (unsigned input = 0; input < m_inputs.count; ++input) {
      m_input_unit.head_o[input](m_head[input]);
      m_route_computation->head_i[input](m_head[input]);
      m_route_computation->route_o[input](m_route[input]);
      m_vc_allocator.route_i[input](m_route[input]);
    }
    m_input_unit.rst_ni(rst_ni);
    m_input_unit.grant_i(m_grants);
    m_input_unit.status_o(m_status);
    m_route_computation->rst_ni(rst_ni);
    for (auto& backlog : m_backlog) {
      m_input_unit.backlog_o[0](backlog);
      m_switch_allocator.backlog_i[0](backlog);
    }
    for (auto& priorities : m_priorities) {
      m_vc_allocator.priority_i[0](priorities);
      m_switch_allocator.priority_i[0](priorities);
    }
    for (auto& status : m_vc_allocator.status_i) status(m_credits);
    for (auto& held : m_held) {
      m_vc_allocator.held_o[0](held);
      m_output_unit.held_i[0](held);
    }
    m_vc_allocator.rst_ni(rst_ni);
    m_vc_allocator.grant_i(m_grants);
    m_vc_allocator.count_i(m_credit_counts);
    m_vc_allocator.busy_o(m_allocator_busy);
    m_switch_allocator.rst_ni(rst_ni);
    m_switch_allocator.status_i(m_status);
    m_switch_allocator.credit_i(m_credits);
    m_switch_allocator.grant_o(m_grants);
    m_crossbar.rst_ni(rst_ni);
    m_crossbar.busy_o(m_crossbar_busy);
    m_output_unit.rst_ni(rst_ni);
    m_output_unit.grant_i(m_grants);
    m_output_unit.status_o(m_credits);
    m_output_unit.count_o(m_credit_counts);
    for (auto& busy : m_channels_busy) m_output_unit.busy_o[0](busy);
  }

  void connect_clocks(clock_gate& clocks, [[maybe_unused]] const router_parameters& parameters) {
    gated_clock& route_clock = this->make_gate(clocks);
    gated_clock& vc_clock = this->make_gate(clocks);
    gated_clock& switch_clock = this->make_gate(clocks);
    m_route_computation->bind_clock(route_clock);
    drive(m_input_unit, m_input_clock);
    drive(m_vc_allocator, vc_clock);
    drive(m_switch_allocator, switch_clock);
    drive(m_crossbar, m_crossbar_clock);
    drive(m_output_unit, m_output_clock);
    for (unsigned input = 0; input < m_inputs.count; ++input) {
      m_head[input].enables_clock(m_input_clock);
      m_head[input].enables_clock(route_clock);
      m_route[input].enables_clock(route_clock);
      m_route[input].enables_clock(vc_clock);
    }
    for (unsigned port = 0; port < m_ports; ++port) {
      m_switched[port].enables_clock(m_input_clock);
      m_switched[port].enables_clock(m_crossbar_clock);
    }
    dependent_process& switch_process = this->make_dependent_process(clocks);
    m_switch_allocator.run_as(switch_process);
    m_status.triggers(switch_process);
    m_credits.triggers(switch_process);
    for (unsigned port = 0; port < m_ports; ++port) m_assigned[port].triggers(switch_process);
    for (auto& requests : m_speculative) requests.triggers(switch_process);
    for (auto& priorities : m_priorities) priorities.triggers(switch_process);
    m_grants.enables_clock(m_input_clock, switch_grants::AnyInput);
    m_grants.enables_clock(switch_clock, switch_grants::AnyInput);
#ifndef WEFT_SYNTHESIS
    if (changes_without_grants(parameters.switch_allocator.kind) || m_speculative.size() != 0 || m_backlog.size() != 0)
      switch_clock.hold();
#endif
    m_grants.enables_clock(m_output_clock, switch_grants::AnyInput);
    for (auto& busy : m_channels_busy) busy.enables_clock(m_output_clock);
    m_grants.enables_clock(vc_clock, switch_grants::AnyTail);
    m_allocator_busy.enables_clock(vc_clock);
    m_crossbar_busy.enables_clock(m_crossbar_clock);
  }

  const unsigned m_ports;
  const unsigned m_vcs;
  const switch_inputs m_inputs;
  sc_core::sc_vector<wire<head_announcement>> m_head;    ///< indexed by input of the switch
  sc_core::sc_vector<wire<route_announcement>> m_route;  ///< likewise
  sc_core::sc_vector<wire<vc_assignment>> m_assigned;
  sc_core::sc_vector<wire<vc_priority_status>> m_priorities;     ///< empty without priorities
  sc_core::sc_vector<wire<speculative_requests>> m_speculative;  ///< empty without speculation
  sc_core::sc_vector<wire<buffer_backlog>> m_backlog;            ///< empty unless packets hold the switch
  sc_core::sc_vector<wire<held_output_vcs>> m_held;              ///< empty unless VCs keep slots
  sc_core::sc_vector<wire<bool>> m_channels_busy;                ///< empty unless a channel is narrow
  sc_core::sc_vector<wire<flit<PayloadBits>>> m_switched;
  wire<buffer_status> m_status{"status"};
  wire<switch_grants> m_grants{"grants"};
  wire<credit_status> m_credits{"credits"};
  wire<credit_counts> m_credit_counts{"credit_counts"};
  wire<bool> m_allocator_busy{"allocator_busy"};
  wire<bool> m_crossbar_busy{"crossbar_busy"};

  input_unit<PayloadBits, BufferFlits> m_input_unit;
  const std::unique_ptr<route_computation> m_route_computation;
  vc_allocator m_vc_allocator;
  switch_allocator m_switch_allocator;
  crossbar<PayloadBits> m_crossbar;
  output_unit m_output_unit;

  gated_clock& m_input_clock;
  gated_clock& m_crossbar_clock;
  gated_clock& m_output_clock;
};

}  // namespace weft::pin
