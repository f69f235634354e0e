// SPDX-License-Identifier: Apache-2.0
/// Replaces a router of the pin level by a verilated weft_router.
///
/// Purpose    Replaces all or some routers of a network; the rest of the network does not change.
/// Latency    The latency of the RTL. Its outputs are registers, so it is evaluated only at clock edges and in reset.
/// Handshake  The same as for weft::pin::router.
///
/// The RTL does not carry simulation tags, so a table stores the tag of each flit. The index of the tag in this table
/// passes through the RTL as the user bits of the flit.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "weft/core/vc_classes.h"
#include "weft/cosim/router_wires.h"
#include "weft/cosim/verilated.h"
#include "weft/pin/check.h"
#include "weft/pin/router/router_interface.h"

namespace weft::tb {

/// \tparam Model verilated weft_router with the parameters of \p shape and a routing table with a row for each input
///         VC, compiled with tb/sv/public_router.vlt
template <unsigned PayloadBits, class Model>
class verilated_router : public pin::router_interface<PayloadBits> {
  using base = pin::router_interface<PayloadBits>;

 public:
  using flit_t = flit<PayloadBits>;
  using base::name;
  SC_HAS_PROCESS(verilated_router);

  /// \param shape         must have at least the ports, VCs, flits and destinations that the other parameters require
  /// \param rule          must not be adaptive
  /// \param path_id_count number of path ids from which sources select
  verilated_router(sc_core::sc_module_name module_name, const router_shape& shape, const router_parameters& parameters,
                   const route_rule& rule, const std::vector<unsigned>& output_depths,
                   const std::vector<unsigned>& phits, std::size_t nodes, unsigned path_id_count,
                   pin::clock_gate& clocks)
      : base(module_name, output_depths.size()),
        m_shape(shape),
        m_vcs(parameters.vcs),
        m_path_id_count(path_id_count),
        m_rtl(name(), 0),
        m_clock(clocks.make_gate()),
        m_ports(output_depths.size()) {
    for (unsigned port = 0; port < shape.ports; ++port)
      put_bits(m_rtl->depth_i, port * shape.depth_bits(), shape.depth_bits(),
               port < output_depths.size() ? output_depths[port] : 0);
    for (unsigned port = 0; port < shape.ports; ++port)
      put_bits(m_rtl->phits_i, port * PhitBits, PhitBits, port < phits.size() ? phits[port] : 1);
    put_table(m_rtl->rule_i, shape, static_cast<unsigned>(nodes), path_id_count,
              [&](unsigned port, unsigned vc, node_id n, unsigned path_id) {
                const bool there = port < output_depths.size() && vc < m_vcs;
                return there ? route_in_class(rule, {port, vc, n, path_id}, vcs_of_class(parameters)) : route();
              });
    m_clock.drives(*this);
    m_busy.enables_clock(m_clock);
    SC_METHOD(reset);
    this->sensitive << this->rst_ni.neg();
  }

  const char* kind() const override { return "verilated_router"; }

  void bind(unsigned port, const pin::port_wires<PayloadBits>& wires) override {
    this->bind_wires(port, wires);
    wires.flit_in->enables_clock(m_clock);
    wires.credit_out->enables_clock(m_clock);
    wires.flit_out->enables_clock(m_clock);
    wires.credit_in->enables_clock(m_clock);
  }

  void attach(pin::packet_table& packets) override { m_packets = &packets; }
  std::uint64_t sent(unsigned port) const override { return m_ports[port].sent; }
  unsigned credits(unsigned port, unsigned vc) const override {
    return static_cast<unsigned>(
        get_bits(m_rtl->rootp->weft_router__DOT__count, (port * m_shape.vcs + vc) * CountBits, CountBits));
  }
  unsigned crossing(unsigned port, unsigned vc) const override {
    return (has_switched(port) && switched_vc(port) == vc) + m_ports[port].crossing[vc];
  }
  /// Number of flits that have arrived and whose credit has not been returned, counted at the pins.
  unsigned buffered(unsigned port, unsigned vc) const override {
    return static_cast<unsigned>(m_ports[port].within[vc].size());
  }
  /// Always returns an empty string, because assertions in the RTL check the holders.
  std::string audit_holders() const override { return {}; }

  std::vector<blocked_packet> blocked() const override {
    using reason = blocked_packet::reason;
    const auto& root = *m_rtl->rootp;
    std::vector<blocked_packet> result;
    for (unsigned port = 0; port < m_ports.size(); ++port) {
      for (unsigned vc = 0; vc < m_vcs; ++vc) {
        const unsigned vc_index = port * m_shape.vcs + vc;
        if (m_ports[port].within[vc].empty()) continue;
        const std::uint32_t id = m_ports[port].within[vc].front();
        if (get_bits(root.weft_router__DOT__u_vc_allocator__DOT__waiting_q, vc_index, 1) != 0) {
          const auto to = static_cast<unsigned>(get_bits(root.weft_router__DOT__u_vc_allocator__DOT__port_q,
                                                         vc_index * m_shape.port_bits(), m_shape.port_bits()));
          const auto vcs = static_cast<vc_set>(
              get_bits(root.weft_router__DOT__u_vc_allocator__DOT__vcs_q, vc_index * m_shape.vcs, m_shape.vcs));
          result.push_back({0, port, vc, id, reason::OutputVc, to, vcs, 0, 0});
        } else if (get_bits(root.weft_router__DOT__u_vc_allocator__DOT__active_q, vc_index, 1) != 0) {
          const auto to = static_cast<unsigned>(
              get_bits(root.weft_router__DOT__assigned_port, vc_index * m_shape.port_bits(), m_shape.port_bits()));
          const auto by = static_cast<unsigned>(
              get_bits(root.weft_router__DOT__assigned_vc, vc_index * m_shape.vc_bits(), m_shape.vc_bits()));
          if (get_bits(root.weft_router__DOT__available, to * m_shape.vcs + by, 1) == 0)
            result.push_back({0, port, vc, id, reason::Credit, to, vc_set{1} << by, 0, 0});
        }
      }
    }
    return result;
  }

 private:
  friend class pin::gated_clock;  // runs clocked() at its edges

  static constexpr unsigned CountBits = 16;  // weft_pkg::CreditCountBits

  /// The state of one port, observed at its pins.
  struct port_state {
    std::uint64_t sent = 0;
    bool flit_shown = false, credit_shown = false;
    std::array<std::deque<std::uint32_t>, MaxVcs> within;  // per input VC: packets to which the stored flits belong
    std::array<std::uint8_t, MaxVcs> crossing = {};        // per output VC: number of flits in the crossbar
  };

  void reset() {
    put_inputs(false);
    m_rtl.reset();
    m_rtl->rst_ni = 1;
    for (unsigned port = 0; port < m_ports.size(); ++port) {
      m_ports[port] = port_state();
      this->flit_o[port].write(flit_t());
      this->credit_o[port].write(pin::credit());
    }
    m_tags.clear();
    m_unused.clear();
    m_busy.write(false);
  }

  void clocked() {
    put_inputs(true);
    m_rtl.settle();  // otherwise assertions would compare new inputs with results of the old inputs
    for (unsigned port = 0; port < m_ports.size(); ++port)
      if (has_switched(port)) m_ports[port].crossing[switched_vc(port)]++;
    m_rtl.edge();
    get_outputs();
    m_busy.write(m_unused.size() != m_tags.size());
  }

  /// Whether a flit for output port \p port enters the crossbar at the next edge.
  bool has_switched(unsigned port) const {
    return get_bits(m_rtl->rootp->weft_router__DOT__switched, (port + 1) * m_shape.flit_bits() - 1, 1) != 0;
  }
  unsigned switched_vc(unsigned port) const {
    const flit_layout flit = m_shape.layout();
    const unsigned at = port * flit.flit_bits() + flit.data_bits() + flit.path_id_bits;
    return static_cast<unsigned>(get_bits(m_rtl->rootp->weft_router__DOT__switched, at, flit.vc_bits));
  }

  /// \param sampled whether an edge follows at which the RTL samples the inputs
  void put_inputs(bool sampled) {
    for (unsigned port = 0; port < m_ports.size(); ++port) {
      const flit_t& f = this->flit_i[port].read();
      const pin::credit& c = this->credit_i[port].read();
      const bool comes = sampled && f.valid, returns = sampled && c.vcs != 0;
      if (comes) check(port, f);
      put_flit(m_rtl->flit_i, m_shape, port, comes ? f : flit_t(), comes ? keep(f.tag) : 0);
      put_credit(m_rtl->credit_i, m_shape, port, returns ? c : pin::credit());
      if (comes) m_ports[port].within[f.vc].push_back(f.tag.packet());
    }
  }

  void check(unsigned port, const flit_t& f) const {
    WEFT_ASSERT(f.vc < m_vcs,
                "port " << port << ": flit received on VC " << unsigned(f.vc) << ", but there are " << m_vcs << " VCs");
    WEFT_ASSERT(f.path_id < m_path_id_count,
                "path id " << f.path_id << ", but there are " << m_path_id_count << " path ids: " << f);
    WEFT_ASSERT(fits(f) && (m_shape.code || code_of(f) == xor_code()),
                "the header or the code does not fit the flit format of this RTL (weft_pkg): " << f);
  }

  void get_outputs() {
    for (unsigned port = 0; port < m_ports.size(); ++port) {
      port_state& own = m_ports[port];
      const pin::credit c = get_credit(m_rtl->credit_o, m_shape, port);
      for_each_member(c.vcs, [&](unsigned vc) { own.within[vc].pop_front(); });
      if (c.vcs != 0 || own.credit_shown) this->credit_o[port].write(c);
      own.credit_shown = c.vcs != 0;

      std::uint64_t place = 0;
      flit_t f = get_flit<PayloadBits>(m_rtl->flit_o, m_shape, port, place);
      if (f.valid) {
        f.tag = m_tags[place];
        if (f.tail && m_packets != nullptr) m_packets->pass(f.tag);
        m_unused.push_back(static_cast<std::uint32_t>(place));
        --own.crossing[f.vc];
        ++own.sent;
      }
      if (f.valid || own.flit_shown) this->flit_o[port].write(f);
      own.flit_shown = f.valid;
    }
  }

  /// Stores \p tag until its flit leaves.
  /// \return the index of the tag in the table
  std::uint64_t keep(const flit_tag& tag) {
    if (m_unused.empty()) {
      m_unused.push_back(static_cast<std::uint32_t>(m_tags.size()));
      m_tags.emplace_back();
    }
    const std::uint32_t place = m_unused.back();
    m_unused.pop_back();
    m_tags[place] = tag;
    return place;
  }

  const router_shape m_shape;
  const unsigned m_vcs;
  const unsigned m_path_id_count;
  verilated<Model> m_rtl;
  pin::gated_clock& m_clock;
  pin::wire<bool> m_busy{"busy"};
  std::vector<port_state> m_ports;
  pin::packet_table* m_packets = nullptr;
  std::vector<flit_tag> m_tags;
  std::vector<std::uint32_t> m_unused;  // indices of m_tags that are not in use
};

}  // namespace weft::tb
