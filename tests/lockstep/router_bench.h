// SPDX-License-Identifier: Apache-2.0
/// A bench for the router, at the pin level and in RTL, with the same random packets. In every cycle it compares all
/// outputs of the routers and all signals between their modules. As long as nothing differs, the modules of both
/// routers have the same inputs, so this compares every output of every module in lockstep.
#pragma once

#include "lockstep/router_neighbours.h"
#include "support/random.h"
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/cosim/router_wires.h"
#include "weft/cosim/verilated.h"
#include "weft/pin/router/router.h"

namespace weft::lockstep {

/// Whether an RTL model has the signals between the modules of the router. A netlist with mutations (tb/mutation) does
/// not have them; in this case only the outputs of the router are compared.
template <class Model, typename = void>
inline constexpr bool ShowsInside = false;
template <class Model>
inline constexpr bool
    ShowsInside<Model, std::void_t<decltype(std::declval<Model&>().rootp->weft_router__DOT__occupied)>> = true;

/// Disables SystemC's warning about a zero-time step without activity; the bench uses such steps to settle wires.
inline void silence_start_warning() {
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

template <unsigned PayloadBits, class Model>
class router_bench : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;

  router_bench(sc_core::sc_module_name name, const tb::router_shape& shape, const router_parameters& parameters,
               const route_rule& rule, const router_traffic& traffic, bool gating, rng& random)
      : sc_module(name),
        m_shape(shape),
        m_ports(static_cast<unsigned>(traffic.depths.size())),
        m_vcs(parameters.vcs),
        m_traffic(traffic),
        m_random(random),
        m_clocks("clocks", gating),
        m_flit_in("flit_in", m_ports),
        m_credit_out("credit_out", m_ports),
        m_flit_out("flit_out", m_ports),
        m_credit_in("credit_in", m_ports),
        m_router("router", parameters, rule, traffic.depths, m_clocks, traffic.phits),
        m_rtl("rtl", static_cast<int>(random.between(1, 0x7fff'ffff))),
        m_counts(parameters.flow == flow_control::VirtualCutThrough),
        m_neighbours(shape, m_vcs, parameters.depth, m_traffic, random) {
    m_clocks.clk_i(m_clk);
    m_clocks.rst_ni(m_rst_n);
    m_router.rst_ni(m_rst_n);
    for (unsigned port = 0; port < m_ports; ++port)
      m_router.bind(port, {&m_flit_in[port], &m_credit_out[port], &m_flit_out[port], &m_credit_in[port]});
    silence_start_warning();
    for (unsigned port = m_ports; port < shape.ports; ++port) {
      tb::put_flit(m_rtl->flit_i, shape, port, flit_t(), 0);
      tb::put_credit(m_rtl->credit_i, shape, port, pin::credit());
    }
    for (unsigned port = 0; port < shape.ports; ++port)
      tb::put_bits(m_rtl->depth_i, port * shape.depth_bits(), shape.depth_bits(),
                   port < m_ports ? traffic.depths[port] : 0);
    for (unsigned port = 0; port < shape.ports; ++port)
      tb::put_bits(m_rtl->phits_i, port * tb::PhitBits, tb::PhitBits,
                   port < traffic.phits.size() ? traffic.phits[port] : 1);
  }

  Model& rtl() { return *m_rtl; }
  const router_traffic& traffic() const { return m_traffic; }

  /// Runs \p cycles cycles after a reset.
  /// \return the first difference, or an empty string
  std::string run(std::uint64_t cycles, double load, double drain) {
    try {
      reset();
      for (std::uint64_t i = 0; i < cycles && m_report.empty(); ++i) {
        offer(load, drain);
        cycle();
      }
    } catch (const sc_core::sc_report& report) {
      return where() + report.get_msg();
    }
    return m_report;
  }

 private:
  template <typename T>
  const T& inside(const std::string& wire_name) {
    auto* found = dynamic_cast<pin::wire<T>*>(sc_core::sc_find_object((m_router.name() + ("." + wire_name)).c_str()));
    if (found == nullptr) throw std::logic_error("the router has no wire " + wire_name);
    return found->read();
  }

  std::string where() const { return "cycle " + std::to_string(m_cycle) + ": "; }

  void reset() {
    // No input is driven during the reset. In half of the resets the clock runs.
    for (unsigned port = 0; port < m_ports; ++port) {
      m_flit_in[port].write(flit_t());
      m_credit_in[port].write(pin::credit());
    }
    m_rst_n.write(false);
    m_rtl->rst_ni = 0;
    put_inputs();
    m_rtl.settle();
    const bool clocked = m_traffic.synchronous_reset || m_random.chance(0.5);
    sc_core::sc_start((m_cycle == 0 ? 2.75 : 2) * m_period);
    if (clocked) m_rtl.edge();
    m_rst_n.write(true);
    m_rtl->rst_ni = 1;
    m_rtl.settle();
    m_neighbours.reset();
  }

  void offer(double load, double drain) {
    for (unsigned port = 0; port < m_ports; ++port) {
      m_flit_in[port].write(m_neighbours.flit_to(port, load));
      m_credit_in[port].write(m_neighbours.credit_to(port, drain));
    }
  }

  /// Simulates from the middle of a cycle to the middle of the next one. The values just written are its inputs.
  void cycle() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    put_inputs();
    m_rtl.settle();
    compare();
    account();
    m_rtl.edge();
    sc_core::sc_start(m_period);
    ++m_cycle;
  }

  /// Returns the bits of the tag that pass through the RTL as user bits.
  std::uint64_t user_of(const flit_t& f) const {
    return (std::uint64_t{f.tag.packet()} << 6 | (f.tag.sequence() & 0x3f)) &
           ((std::uint64_t{1} << m_shape.user_bits) - 1);
  }

  void put_inputs() {
    for (unsigned port = 0; port < m_ports; ++port) {
      const flit_t& f = m_flit_in[port].read();
      tb::put_flit(m_rtl->flit_i, m_shape, port, f, user_of(f));
      tb::put_credit(m_rtl->credit_i, m_shape, port, m_credit_in[port].read());
    }
  }

  /// Passes the outputs to the neighbors, which derive the next inputs from them, and counts what the routers did.
  void account() {
    const auto& status = inside<pin::buffer_status>("status");
    const auto& grants = inside<pin::switch_grants>("grants");
    for (unsigned port = 0; port < m_ports; ++port) {
      m_neighbours.see(port, m_credit_out[port].read(), m_flit_out[port].read());
      m_traffic.waits += m_router.allocator().waiting(port) != 0;
      m_traffic.stalls += (grants.inputs >> port & 1) == 0 && status.occupied[port] != 0;
    }
  }

  // -----------------------------------------------------------------------------------------------------------------

  template <typename A, typename B>
  void same(const std::string& what, const A& systemc, const B& rtl) {
    if (!m_report.empty() || systemc == static_cast<A>(rtl)) return;
    std::ostringstream text;
    text << where() << what << ": SystemC has " << +systemc << ", RTL has " << +rtl;
    m_report = text.str();
  }

  void same_flit(const std::string& what, const flit_t& systemc, bool there, const flit_t& rtl, std::uint64_t user) {
    same(what + ".valid", there, rtl.valid);
    if (!there) return;
    flit_t expected = systemc;
    expected.tag = rtl.tag;
    if (!(expected == rtl) && m_report.empty()) {
      std::ostringstream text;
      text << where() << what << ": SystemC has " << systemc << " to " << systemc.destination << " path id "
           << systemc.path_id << ", RTL has " << rtl << " to " << rtl.destination << " path id " << rtl.path_id;
      m_report = text.str();
    }
    if (m_shape.user_bits != 0) same(what + ".tag", user_of(systemc), user);
  }

  void compare() {
    if constexpr (ShowsInside<Model>) compare_inside();
    for (unsigned port = 0; port < m_ports; ++port) {
      const std::string of = " of port " + std::to_string(port);
      const pin::credit returned = tb::get_credit(m_rtl->credit_o, m_shape, port);
      same("input_unit.credit_o" + of, m_credit_out[port].read().vcs, returned.vcs);
      std::uint64_t user = 0;
      const flit_t leaving = tb::get_flit<PayloadBits>(m_rtl->flit_o, m_shape, port, user);
      same_flit("crossbar.flit_o" + of, m_flit_out[port].read(), m_flit_out[port].read().valid, leaving, user);
    }
  }

  /// Compares the signals between the modules of both routers.
  void compare_inside() {
    const auto& root = *m_rtl->rootp;
    const tb::router_shape& s = m_shape;
    const auto numbered = [](const char* name, unsigned port) { return name + ("_" + std::to_string(port)); };

    const auto& status = inside<pin::buffer_status>("status");
    const auto& credits = inside<pin::credit_status>("credits");
    const auto& counts = inside<pin::credit_counts>("credit_counts");
    const auto& grants = inside<pin::switch_grants>("grants");
    vc_set waiting = 0;
    for (unsigned port = 0; port < m_ports; ++port) {
      const std::string of = " of port " + std::to_string(port);
      // Input unit
      compare_heads(inside<pin::head_announcement>(numbered("head", port)), port, of);
      same("input_unit.status_occupied_o" + of, status.occupied[port],
           tb::get_bits(root.weft_router__DOT__occupied, port * s.vcs, s.vcs));
      same("input_unit.status_tail_o" + of, status.tail[port],
           tb::get_bits(root.weft_router__DOT__tail, port * s.vcs, s.vcs));
      std::uint64_t user = 0;
      const flit_t crossing = tb::get_flit<PayloadBits>(root.weft_router__DOT__switched, s, port, user);
      const auto& switched = inside<flit_t>(numbered("switched", port));
      same_flit("input_unit.flit_o" + of, switched, switched.valid, crossing, user);
      // Route computation
      compare_routes(inside<pin::route_announcement>(numbered("route", port)), port, of);
      // VC allocator
      const auto& assigned = inside<pin::vc_assignment>(numbered("assigned", port));
      same("vc_allocator.assigned_active_o" + of, assigned.active,
           tb::get_bits(root.weft_router__DOT__active, port * s.vcs, s.vcs));
      for_each_member(assigned.active, [&](unsigned vc) {
        const unsigned vc_index = port * s.vcs + vc;
        same("vc_allocator.assigned_port_o" + of, assigned.port[vc],
             tb::get_bits(root.weft_router__DOT__assigned_port, vc_index * s.port_bits(), s.port_bits()));
        same("vc_allocator.assigned_vc_o" + of, assigned.vc[vc],
             tb::get_bits(root.weft_router__DOT__assigned_vc, vc_index * s.vc_bits(), s.vc_bits()));
      });
      waiting |= m_router.allocator().waiting(port);
      // Switch allocator
      same("switch_allocator.grant_input_o" + of, grants.inputs >> port & 1,
           tb::get_bits(root.weft_router__DOT__grant_input, port, 1));
      same("switch_allocator.grant_tail_o" + of, grants.tails >> port & 1,
           tb::get_bits(root.weft_router__DOT__grant_tail, port, 1));
      if (grants.inputs >> port & 1) {
        same("switch_allocator.grant_vc_o" + of, std::uint64_t{1} << grants.vc[port],
             tb::get_bits(root.weft_router__DOT__grant_vc, port * s.vcs, s.vcs));
        same("switch_allocator.grant_output_o" + of, std::uint64_t{1} << grants.out_port[port],
             tb::get_bits(root.weft_router__DOT__grant_output, port * s.ports, s.ports));
        same("switch_allocator.grant_out_vc_o" + of, grants.out_vc[port],
             tb::get_bits(root.weft_router__DOT__grant_out_vc, port * s.vc_bits(), s.vc_bits()));
      }
      // Output unit
      const vc_set used = first_vcs(m_vcs);
      same("output_unit.status_available_o" + of, credits.available[port] & used,
           tb::get_bits(root.weft_router__DOT__available, port * s.vcs, s.vcs) & used);
      same("output_unit.status_busy_o" + of, credits.busy >> port & 1,
           tb::get_bits(root.weft_router__DOT__channel_busy, port, 1));
      for (unsigned vc = 0; m_counts && vc < m_vcs; ++vc)
        same("output_unit.count_o" + of, counts.count[port][vc],
             tb::get_bits(root.weft_router__DOT__count, (port * s.vcs + vc) * 16, 16));
    }
    same("vc_allocator.busy_o", waiting != 0, root.weft_router__DOT__allocator_busy);
    same("crossbar.busy_o", inside<bool>("crossbar_busy"), root.weft_router__DOT__crossbar_busy);
  }

  /// Returns the heads of a port in the order of their VCs, as the pin level has them.
  template <typename Slot, typename SlotOf>
  std::array<Slot, 2> slots(SlotOf slot_of) const {
    std::array<Slot, 2> both = {slot_of(0), slot_of(1)};
    if (both[1].valid && (!both[0].valid || both[1].vc < both[0].vc)) std::swap(both[0], both[1]);
    for (Slot& one : both)
      if (!one.valid) one = Slot();
    return both;
  }

  void compare_heads(const pin::head_announcement& systemc, unsigned port, const std::string& of) {
    struct slot {
      bool valid = false;
      std::uint8_t vc = 0;
      node_id destination = 0;
      std::uint32_t length = 0;
      std::uint64_t path_id = 0;
    };
    const tb::router_shape& s = m_shape;
    const unsigned bits = 1 + s.vc_bits() + 20 + s.length_bits() + s.path_id_bits;
    const auto rtl = slots<slot>([&](unsigned i) {
      unsigned at = (port * 2 + i) * bits;
      const auto next = [&](unsigned count) {
        at += count;
        return tb::get_bits(m_rtl->rootp->weft_router__DOT__head, at - count, count);
      };
      slot one;
      one.path_id = next(s.path_id_bits);
      one.length = static_cast<std::uint32_t>(next(s.length_bits()));
      one.destination = static_cast<node_id>(next(20));
      one.vc = static_cast<std::uint8_t>(next(s.vc_bits()));
      one.valid = next(1) != 0;
      return one;
    });
    for (unsigned i = 0; i < 2; ++i) {
      same("input_unit.head_o.valid" + of, systemc.valid[i], rtl[i].valid);
      same("input_unit.head_o.vc" + of, systemc.vc[i], rtl[i].vc);
      same("input_unit.head_o.destination" + of, systemc.destination[i], rtl[i].destination);
      same("input_unit.head_o.flits" + of, s.length(systemc.flits[i]), rtl[i].length);
      same("input_unit.head_o.way" + of, systemc.path_id[i], rtl[i].path_id);
    }
  }

  void compare_routes(const pin::route_announcement& systemc, unsigned port, const std::string& of) {
    struct slot {
      bool valid = false;
      std::uint8_t vc = 0;
      route requested_route;
      std::uint32_t length = 0;
    };
    const tb::router_shape& s = m_shape;
    const unsigned bits = 1 + s.vc_bits() + s.port_bits() + s.vcs + s.length_bits();
    const auto rtl = slots<slot>([&](unsigned i) {
      unsigned at = (port * 2 + i) * bits;
      const auto next = [&](unsigned count) {
        at += count;
        return tb::get_bits(m_rtl->rootp->weft_router__DOT__route, at - count, count);
      };
      slot one;
      one.length = static_cast<std::uint32_t>(next(s.length_bits()));
      one.requested_route.vcs = static_cast<vc_set>(next(s.vcs));
      one.requested_route.port = static_cast<std::uint8_t>(next(s.port_bits()));
      one.vc = static_cast<std::uint8_t>(next(s.vc_bits()));
      one.valid = next(1) != 0;
      return one;
    });
    for (unsigned i = 0; i < 2; ++i) {
      same("route_computation.route_o.valid" + of, systemc.valid[i], rtl[i].valid);
      same("route_computation.route_o.vc" + of, systemc.vc[i], rtl[i].vc);
      same("route_computation.route_o.port" + of, route_of(systemc, i).port, rtl[i].requested_route.port);
      same("route_computation.route_o.vcs" + of, route_of(systemc, i).vcs, rtl[i].requested_route.vcs);
      same("route_computation.route_o.flits" + of, s.length(systemc.flits[i]), rtl[i].length);
    }
  }

  const tb::router_shape m_shape;
  const unsigned m_ports, m_vcs;
  router_traffic m_traffic;
  rng& m_random;
  const sc_core::sc_time m_period{1, sc_core::SC_NS};
  sc_core::sc_clock m_clk{"clk", m_period, 0.5, m_period};
  sc_core::sc_signal<bool> m_rst_n{"rst_n"};
  pin::clock_gate m_clocks;
  sc_core::sc_vector<pin::wire<flit_t>> m_flit_in;
  sc_core::sc_vector<pin::wire<pin::credit>> m_credit_out;
  sc_core::sc_vector<pin::wire<flit_t>> m_flit_out;
  sc_core::sc_vector<pin::wire<pin::credit>> m_credit_in;
  pin::router<PayloadBits> m_router;
  tb::verilated<Model> m_rtl;
  const bool m_counts;
  router_neighbours<PayloadBits> m_neighbours;
  std::uint64_t m_cycle = 0;
  std::string m_report;
};

}  // namespace weft::lockstep
