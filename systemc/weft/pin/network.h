// SPDX-License-Identifier: Apache-2.0
/// Network: routers, NICs and terminals, connected as in a topology. Simulation only.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/pin/channel.h"
#include "weft/pin/channel_monitor.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/link.h"
#include "weft/pin/nic/nic.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/nic/window_timer.h"
#include "weft/pin/node_wires.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/ports.h"
#include "weft/pin/priority_unit.h"
#include "weft/pin/router/router.h"
#include "weft/pin/router/router_interface.h"
#include "weft/pin/router_surroundings.h"
#include "weft/pin/terminal.h"
#include "weft/pin/wait_recorder.h"
#include "weft/pin/waits_on_channel.h"
#include "weft/pin/wire.h"
#include "weft/topology/topology.h"

namespace weft::pin {

template <unsigned PayloadBits>
class network : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};

  network(sc_core::sc_module_name name, const topology& graph, const router_parameters& parameters,
          const nic_parameters& nics, const nic_stages<PayloadBits>& stages, bool clock_gating, packet_source& source,
          network_observer& observer, const std::shared_ptr<const external_routers>& routers = nullptr,
          const std::shared_ptr<const external_nics>& external_interfaces = nullptr)
      : sc_module(name),
        m_parameters(parameters),
        m_clocks("clock_gate", clock_gating),
        m_timer("window_timer", nics.window / nics.buckets),
        m_timer_clock(m_clocks.make_gate()) {
    m_clocks.clk_i(clk_i);
    m_clocks.rst_ni(rst_ni);
    m_timer_clock.hold();  // the timer counts every cycle
    drive(m_timer, m_timer_clock);
    m_timer.rst_ni(rst_ni);
    m_timer.tick_o(m_tick);

    make_routers(graph, nics, routers.get(), observer);
    for (const channel& c : graph.channels) make_channel(c);
    for (node_id n = 0; n < graph.nodes.size(); ++n)
      make_node(n, graph.nodes[n], nics, stages, external_interfaces.get(), source, observer);
    for (router_id r = 0; r < m_routers.size(); ++r)
      for (unsigned port = 0; port < m_routers[r]->ports(); ++port) bind_port(r, port);
#ifndef WEFT_SYNTHESIS
    if (observer.needs_activity()) make_monitors();
#endif
  }

  /// Destroys the parts in reverse order of construction. SystemC's registries search for a removed object from the
  /// end, so in another order the destruction of a large network would take longer than many simulations.
  ~network() override {
    const auto destroy_parts = [](auto& parts) {
      while (!parts.empty()) parts.pop_back();
    };
    while (!m_nics.empty()) {
      m_terminals.pop_back();
      m_nics.pop_back();
    }
    destroy_parts(m_node_wires);
    destroy_parts(m_accept);
    destroy_parts(m_received);
    destroy_parts(m_queue);
    destroy_parts(m_links);
    destroy_parts(m_owned_wires);
    destroy_parts(m_routers);
  }

  const clock_gate& clocks() const { return m_clocks; }
  const packet_table& packets() const { return m_packets; }
  const router_interface<PayloadBits>& router_at(router_id r) const { return *m_routers[r]; }
  std::size_t routers() const { return m_routers.size(); }
  std::size_t nodes() const { return m_nics.size(); }
  const nic_interface<PayloadBits>& nic_at(node_id n) const { return *m_nics[n]; }
  const terminal<PayloadBits>& terminal_of(node_id n) const { return *m_terminals[n]; }
  terminal<PayloadBits>& terminal_of(node_id n) { return *m_terminals[n]; }
  /// Number of flits that node \p n received in the last full window (N in COMPRESS, Algorithm 1).
  std::uint32_t received_in_window(node_id n) const { return m_received[n]->read(); }

#ifndef WEFT_SYNTHESIS
  /// See network_model::activity().
  std::vector<channel_activity> activity() const {
    std::vector<channel_activity> all;
    for (const auto& monitor : m_monitors) all.push_back(monitor->activity());
    return all;
  }

  /// Returns a description of the first violated conservation invariant, or an empty string. Must be called between
  /// clock edges.
  /// - Credits: for each VC of each channel, credits at the sender, flits in flight, flits in the receiver's buffer and
  ///   credits on their way back add up to the depth of the buffer, or to the limit of a VC in a shared buffer.
  /// - VCs: an output VC is either free or held by exactly one input VC.
  /// - Flits: all flits that injectors have sent and ejectors have not received are inside the network.
  ///
  /// \param at_rest also require that no flit and no credit is in flight and that all credits are at the senders
  std::string audit(bool at_rest) const {
    std::uint64_t inside = 0;
    for (const audited_channel<PayloadBits>& c : m_channels) {
      for (unsigned vc = 0; vc < m_parameters.vcs; ++vc) {
        const auto census = c.count(vc);
        const unsigned sum = census.at_sender + census.in_flight + census.buffered + census.returning;
        if (c.depth != 0 && (sum != c.depth || (at_rest && census.at_sender != c.depth)))
          return c.name + " VC " + std::to_string(vc) + ": " + std::to_string(census.at_sender) +
                 " credits at the sender, " + std::to_string(census.in_flight) + " flits on the way, " +
                 std::to_string(census.buffered) + " in the buffer, " + std::to_string(census.returning) +
                 " credits on their way back; the depth is " + std::to_string(c.depth);
        inside += census.in_flight + (c.to != nullptr ? census.buffered : 0);
      }
    }
    for (router_id r = 0; r < m_routers.size(); ++r) {
      const std::string broken = m_routers[r]->audit_holders();
      if (!broken.empty()) return numbered("router", r) + ": " + broken;
    }
    std::uint64_t injected = 0, ejected = 0;
    for (const audited_channel<PayloadBits>& c : m_channels) {
      if (c.from_node != nullptr) injected += c.from_node->sent(c.from_port);
      if (c.to_node != nullptr) ejected += c.to_node->received(c.to_port);
    }
    if (injected != ejected + inside || (at_rest && inside != 0))
      return std::to_string(injected) + " flits injected, " + std::to_string(ejected) + " ejected, " +
             std::to_string(inside) + " inside";
    return std::string();
  }
#endif

 private:
  /// \throws std::invalid_argument if \p observer needs waits, which are read from wires inside the routers, and a
  ///         router is external
  void make_routers(const topology& graph, const nic_parameters& nics, const external_routers* external,
                    network_observer& observer) {
    const std::vector<router_surroundings> surroundings = surroundings_of(graph, m_parameters, nics);
    const bool needs_waits = observer.needs_waits();
    for (router_id r = 0; r < graph.routers.size(); ++r) {
      const std::string name = numbered("router", r);
      if (external != nullptr && external->at(r)) {
        if (needs_waits)
          throw std::invalid_argument(
              name + " is an external module, which does not report wait times; set output.breakdown: false");
        m_routers.push_back(std::get<router_maker<PayloadBits>>(external->make)(
            name.c_str(), m_parameters, graph.routing[r], surroundings[r].depths, surroundings[r].phits,
            graph.nodes.size(), m_clocks));
      } else {
        auto own =
            std::make_unique<router<PayloadBits>>(name.c_str(), m_parameters, graph.routing[r], surroundings[r].depths,
                                                  m_clocks, surroundings[r].phits, surroundings[r].node_ports);
#ifndef WEFT_SYNTHESIS
        if (needs_waits)
          m_recorders.push_back(
              std::make_unique<wait_recorder<PayloadBits>>(*own, m_parameters, m_clocks, m_packets, observer));
        if (m_parameters.priority != priority_kind::None)
          m_priorities.push_back(std::make_unique<priority_unit<PayloadBits>>(*own, m_parameters, m_clocks, m_packets));
#endif
        m_routers.push_back(std::move(own));
      }
#ifndef WEFT_SYNTHESIS
      m_routers.back()->attach(m_packets);
#endif
      m_routers.back()->rst_ni(rst_ni);
      m_wires.emplace_back(graph.routers[r].ports);
    }
  }

  /// Makes a directed channel, which carries flits forward and credits back. A channel longer than one cycle or
  /// narrower than a flit gets a link.
  void make_channel(const channel& c) {
    const port_ref from = c.from, to = c.to;
    const std::string name = "channel_" + std::to_string(from.router) + "_" + std::to_string(from.port);
    const channel_wires<PayloadBits> w = make_wires(name, c.cycles, c.phits);
#ifndef WEFT_SYNTHESIS
    audited_channel<PayloadBits>& audited = add_audited(name, w, most_flits_of_vc(m_parameters));
    audited.from = m_routers[from.router].get();
    audited.from_port = from.port;
    audited.to = m_routers[to.router].get();
    audited.to_port = to.port;
    if (!m_recorders.empty()) m_recorders[from.router]->lead(from.port, m_recorders[to.router]->inlet(to.port));
    if (!m_priorities.empty()) m_priorities[from.router]->lead(from.port, m_priorities[to.router]->inlet(to.port));
#endif
    m_wires[from.router][from.port].flit_out = w.flit_near;
    m_wires[from.router][from.port].credit_in = w.credit_near;
    m_wires[to.router][to.port].flit_in = w.flit_far;
    m_wires[to.router][to.port].credit_out = w.credit_far;
  }

  /// \throws std::invalid_argument if the observer needs waits, which are read from wires inside the NIC, and the NIC
  ///         is external
  void make_nic(node_id n, const node_attachment& at, const nic_parameters& nics, const nic_stages<PayloadBits>& stages,
                const external_nics* external, bool needs_waits) {
    const std::string name = numbered("nic", n);
    const auto ports = static_cast<unsigned>(at.ports.size());
    if (external == nullptr || !external->at(n)) {
      m_nics.push_back(std::make_unique<nic<PayloadBits>>(name.c_str(), n, ports, at.path_ids, m_parameters, nics,
                                                          stages, m_clocks));
      return;
    }
    if (needs_waits)
      throw std::invalid_argument(
          name + " is an external module, which does not report wait times; set output.breakdown: false");
    m_nics.push_back(std::get<nic_maker<PayloadBits>>(external->make)(name.c_str(), n, ports, at.path_ids, m_parameters,
                                                                      nics, m_clocks));
  }

  void make_node(node_id n, const node_attachment& at, const nic_parameters& nics,
                 const nic_stages<PayloadBits>& stages, const external_nics* external, packet_source& source,
                 network_observer& observer) {
    const unsigned ports = static_cast<unsigned>(at.ports.size());
    // The NIC is created before the terminal. Gates open in order of creation, so an observer is notified that a flit
    // left the network before it is notified that the node received it.
    make_nic(n, at, nics, stages, external, observer.needs_waits());
    m_terminals.push_back(std::make_unique<terminal<PayloadBits>>(
        numbered("terminal", n).c_str(), n, ports, at.path_ids, nics, nics.queue_count(m_parameters.classes), source,
        observer, m_clocks, m_packets));
    terminal<PayloadBits>& node = *m_terminals.back();
    nic_interface<PayloadBits>& interface = *m_nics.back();
    node.rst_ni(rst_ni);
    interface.rst_ni(rst_ni);
    interface.bind_tick(m_tick);
    m_queue.push_back(std::make_unique<wire<std::uint32_t>>(numbered("queue", n).c_str()));
    m_received.push_back(std::make_unique<wire<std::uint32_t>>(numbered("received", n).c_str()));
    node.queue_o(*m_queue.back());
    interface.queue_i(*m_queue.back());
    interface.received_o(*m_received.back());
    if (nics.accepts_by_class) connect_acceptance(n);
#ifndef WEFT_SYNTHESIS
    std::vector<waits_on_channel*> waits;
    if (!m_recorders.empty())
      for (const port_ref& to : at.ports) waits.push_back(&m_recorders[to.router]->inlet(to.port));
    interface.attach(observer, m_clocks, m_packets, waits);
#endif

    for (unsigned port = 0; port < ports; ++port) {
      const std::string suffix = "_" + std::to_string(n) + "_" + std::to_string(port);
      m_node_wires.push_back(std::make_unique<node_wires<PayloadBits>>(suffix));
      node_wires<PayloadBits>& w = *m_node_wires.back();
      node.bind(port, w.send, w.send_ready, w.receive, w.receive_ready);
      interface.bind_node(port, w.send, w.send_ready, w.receive, w.receive_ready);

      const port_ref& router_port = at.ports[port];
      port_wires<PayloadBits>& local = m_wires[router_port.router][router_port.port];
      const channel_wires<PayloadBits> in = make_wires("injection" + suffix, at.cycles);
      const channel_wires<PayloadBits> out = make_wires("ejection" + suffix, at.cycles);
      local.flit_in = in.flit_far;
      local.credit_out = in.credit_far;
      local.flit_out = out.flit_near;
      local.credit_in = out.credit_near;
      interface.bind_router(port, *in.flit_near, *in.credit_near, *out.flit_far, *out.credit_far);
#ifndef WEFT_SYNTHESIS
      audited_channel<PayloadBits>& injection = add_audited("injection" + suffix, in, most_flits_of_vc(m_parameters));
      injection.from_node = &interface;
      injection.from_port = port;
      injection.to = m_routers[router_port.router].get();
      injection.to_port = router_port.port;
      audited_channel<PayloadBits>& ejection = add_audited(
          "ejection" + suffix, out,
          shares_credits_of_node(m_parameters, nics) ? most_flits_of_vc(m_parameters) : nics.credits_for_router());
      ejection.from = m_routers[router_port.router].get();
      ejection.from_port = router_port.port;
      ejection.to_node = &interface;
      ejection.to_port = port;
#endif
    }
  }

  /// Connects the wire by which node \p n selects the ejection VCs from which it accepts packets.
  void connect_acceptance(node_id n) {
    m_accept.push_back(std::make_unique<wire<vc_set>>(numbered("accept", n).c_str()));
    m_terminals[n]->accept_o[0](*m_accept.back());
    m_nics[n]->accept_i[0](*m_accept.back());
  }

  void bind_port(router_id r, unsigned port) {
    port_wires<PayloadBits>& w = m_wires[r][port];
    const std::string name = "unconnected_" + std::to_string(r) + "_" + std::to_string(port);
    if (w.flit_in == nullptr) {
      w.flit_in = make_wire<flit_t>(name + "_flit_in");
      w.credit_out = make_wire<credit>(name + "_credit_out");
    }
    if (w.flit_out == nullptr) {
      w.flit_out = make_wire<flit_t>(name + "_flit_out");
      w.credit_in = make_wire<credit>(name + "_credit_in");
    }
    m_routers[r]->bind(port, w);
#ifndef WEFT_SYNTHESIS
    if (!m_recorders.empty()) m_recorders[r]->attach(port, *w.flit_in);
    if (!m_priorities.empty()) m_priorities[r]->attach(port, *w.flit_in);
#endif
  }

#ifndef WEFT_SYNTHESIS
  void make_monitors() {
    const auto add = [this](wire<flit_t>& flits) {
      m_monitors.push_back(std::make_unique<channel_monitor<PayloadBits>>(flits, m_clocks));
    };
    for (const std::vector<port_wires<PayloadBits>>& of_router : m_wires)
      for (const port_wires<PayloadBits>& w : of_router) add(*w.flit_out);
    for (const audited_channel<PayloadBits>& c : m_channels)
      if (c.from_node != nullptr) add(*c.wires.flit_near);
  }

  audited_channel<PayloadBits>& add_audited(const std::string& name, const channel_wires<PayloadBits>& wires,
                                            unsigned depth) {
    m_channels.emplace_back();
    m_channels.back().name = name;
    m_channels.back().wires = wires;
    m_channels.back().depth = depth;
    return m_channels.back();
  }
#endif

  channel_wires<PayloadBits> make_wires(const std::string& name, unsigned cycles, unsigned phits = 1) {
    channel_wires<PayloadBits> w;
    w.flit_near = make_wire<flit_t>(name + "_flit");
    w.credit_near = make_wire<credit>(name + "_credit");
    w.flit_far = w.flit_near;
    w.credit_far = w.credit_near;
    if (cycles == 1 && phits == 1) return w;

    w.flit_far = make_wire<flit_t>(name + "_flit_far");
    if (cycles != 1) w.credit_far = make_wire<credit>(name + "_credit_far");
    wire<bool>* busy = make_wire<bool>(name + "_busy");
    m_links.push_back(std::make_unique<link<PayloadBits>>((name + "_link").c_str(), cycles - 1, phits));
    link<PayloadBits>& l = *m_links.back();
    w.repeaters = &l;
    gated_clock& clock = m_clocks.make_gate();
    drive(l, clock);
    l.rst_ni(rst_ni);
    l.flit_i(*w.flit_near);
    l.flit_o(*w.flit_far);
    l.busy_o(*busy);
    w.flit_near->enables_clock(clock);
    w.flit_far->enables_clock(clock);
    if (cycles != 1) {
      l.credit_i[0](*w.credit_far);
      l.credit_o[0](*w.credit_near);
      w.credit_near->enables_clock(clock);
      w.credit_far->enables_clock(clock);
    }
    busy->enables_clock(clock);
    return w;
  }

  template <typename T>
  wire<T>* make_wire(const std::string& name) {
    auto owned = std::make_unique<wire<T>>(name.c_str());
    wire<T>* raw = owned.get();
    m_owned_wires.push_back(std::move(owned));
    return raw;
  }

  const router_parameters m_parameters;
  clock_gate m_clocks;
  packet_table m_packets;
  window_timer m_timer;
  gated_clock& m_timer_clock;
  wire<bool> m_tick{"tick"};
  std::vector<std::unique_ptr<traceable>> m_owned_wires;
  std::vector<std::vector<port_wires<PayloadBits>>> m_wires;  // per router and port
  std::vector<std::unique_ptr<router_interface<PayloadBits>>> m_routers;
  std::vector<std::unique_ptr<link<PayloadBits>>> m_links;
  std::vector<std::unique_ptr<node_wires<PayloadBits>>> m_node_wires;
  std::vector<std::unique_ptr<wire<std::uint32_t>>> m_queue;
  std::vector<std::unique_ptr<wire<std::uint32_t>>> m_received;
  std::vector<std::unique_ptr<wire<vc_set>>> m_accept;  // per node; empty if nodes accept all classes
  std::vector<std::unique_ptr<nic_interface<PayloadBits>>> m_nics;
  std::vector<std::unique_ptr<terminal<PayloadBits>>> m_terminals;
#ifndef WEFT_SYNTHESIS
  std::vector<audited_channel<PayloadBits>> m_channels;
  std::vector<std::unique_ptr<wait_recorder<PayloadBits>>> m_recorders;   // per router; empty if waits are not recorded
  std::vector<std::unique_ptr<priority_unit<PayloadBits>>> m_priorities;  // per router; empty without priorities
  std::vector<std::unique_ptr<channel_monitor<PayloadBits>>> m_monitors;  // see activity(); empty if not requested
#endif
};

}  // namespace weft::pin
