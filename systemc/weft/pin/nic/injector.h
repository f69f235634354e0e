// SPDX-License-Identifier: Apache-2.0
/// Injector: turns the packets that come from the send path into flits on virtual channels of the router.
///
/// Purpose    The last stage of the send path: picks a VC and a way for each packet and keeps the credits of the
///            router's input port. A VC may still hold earlier packets; the packets of a VC stay in order.
/// Latency    A flit taken on flit_i in cycle t (valid and ready) is on flit_o in t+1.
/// Handshake  flit_i/ready_o: a flit is taken at the end of a cycle in which it is valid and ready_o is set. A head is
///            taken while any VC of its class has a credit, a body flit while its VC has one. VCs are picked round
///            robin from the last one used + 1, among those of the class with a credit. With one class ready_o comes
///            from a register; with more it depends on the head that is offered, and is that of class 0 where none is.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include <systemc>

#include "weft/core/allocation.h"
#include "weft/core/flit.h"
#include "weft/core/vc_classes.h"
#include "weft/core/ways.h"
#include "weft/pin/check.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/nic/way_memory.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// All but the choice of ways.
template <unsigned PayloadBits>
class injector : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<flit_t> flit_i{"flit_i"};  ///< packets, flit by flit, without a VC
  out_port<bool> ready_o{"ready_o"};
  out_port<flit_t> flit_o{"flit_o"};  ///< to the router
  in_port<credit> credit_i{"credit_i"};

  /// Binds clk_i to \p clock, which drives the module.
  virtual void bind_clock(gated_clock& clock) = 0;

#ifndef WEFT_SYNTHESIS
  /// \p watch is told of every flit at the end of the cycle in which it is taken, its VC set.
  void tell(std::function<void(const flit_t&)> watch) { m_watch = std::move(watch); }
  unsigned credits(unsigned vc) const { return m_credits_q[vc]; }
  /// VC that the next flit would travel on.
  unsigned next_vc() const { return m_vc_q; }
  /// Flits sent since reset.
  std::uint64_t sent() const { return m_sent; }
  /// Cycles since then in which a flit was there and had no credit.
  std::uint32_t stalled() const { return m_stalled; }
#endif

 protected:
  injector(sc_core::sc_module_name name, unsigned vcs, unsigned depth, unsigned classes)
      : sc_module(name), m_vcs(vcs), m_depth(depth), m_class_vcs(vcs / classes) {
    SC_HAS_PROCESS(injector);
    if (m_class_vcs < m_vcs) {
      SC_METHOD(welcome_class);
      sensitive << flit_i << m_available_q << m_within_packet_q << m_ready_q;
    }
  }

  void restart() {
    for (unsigned vc = 0; vc < MaxVcs; ++vc) m_credits_q[vc] = static_cast<std::uint16_t>(m_depth);
    m_available_q.write(first_vcs(m_vcs));
    m_within_packet_q.write(false);
    m_vc_q = 0;
    m_search_q = 0;
    const flit_t nothing;
    show(nothing, true);
#ifndef WEFT_SYNTHESIS
    m_sent = 0;
    m_stalled = 0;
#endif
  }

  /// The end of a cycle. \p way of the packet whose head is taken, if one is
  void move(std::uint64_t way) {
    vc_set available = m_available_q.read();
    bool within_packet = m_within_packet_q.read();
    flit_t out;
    if (flit_i.read().valid && ready()) {
      out = flit_i.read();
      if (out.head) m_vc_q = pick(out);
      WEFT_ASSERT(out.head == !within_packet, "the send path broke a packet: " << out);
      out.vc = m_vc_q;
      if (out.head) out.way = way;
      m_credits_q[m_vc_q]--;
      if (m_credits_q[m_vc_q] == 0) available &= ~(1U << m_vc_q);
      within_packet = !out.tail;
      m_search_q = static_cast<std::uint8_t>(after(m_vc_q, m_vcs));
#ifndef WEFT_SYNTHESIS
      m_sent++;
      if (m_watch) m_watch(out);
    } else {
      m_stalled += flit_i.read().valid;
#endif
    }
    if (credit_i.read().valid) {
      const unsigned vc = credit_i.read().vc;
      WEFT_ASSERT(vc < m_vcs && m_credits_q[vc] < m_depth, "a credit too many for VC " << vc);
      m_credits_q[vc]++;
      available |= 1U << vc;
    }
    // Between packets the VC is picked every cycle anew: it is the packet's own only when its head leaves. With
    // classes it is picked when a head is there.
    if (!within_packet && available != 0) m_vc_q = static_cast<std::uint8_t>(round_robin(available, m_search_q));
    m_available_q.write(available);
    m_within_packet_q.write(within_packet);
    show(out, (available >> m_vc_q & 1) != 0);
  }

  bool ready() const { return m_class_vcs == m_vcs || m_within_packet_q.read() ? m_ready_q.read() : candidates() != 0; }

 private:
  void show(const flit_t& out, bool ready) {
    m_ready_q.write(ready);
    if (m_class_vcs == m_vcs) ready_o.write(ready);
    flit_o.write(out);
  }

  /// VCs that the head on flit_i may have.
  vc_set candidates() const { return m_available_q.read() & block_of_class(flit_i.read().message_class, m_class_vcs); }

  std::uint8_t pick([[maybe_unused]] const flit_t& head) const {
    WEFT_ASSERT(m_class_vcs == m_vcs || head.message_class < m_vcs / m_class_vcs,
                "class " << unsigned(head.message_class) << " of " << m_vcs / m_class_vcs << ": " << head);
    return m_class_vcs == m_vcs ? m_vc_q : static_cast<std::uint8_t>(round_robin(candidates(), m_search_q));
  }

  void welcome_class() { ready_o.write(ready()); }

  const unsigned m_vcs;
  const unsigned m_depth;
  const unsigned m_class_vcs;  // VCs of a class
  std::array<std::uint16_t, MaxVcs> m_credits_q{};
  register_signal<vc_set> m_available_q{"available_q"};  // VCs with a credit
  register_signal<bool> m_within_packet_q{"within_packet_q"};
  register_signal<bool> m_ready_q{"ready_q"};
  std::uint8_t m_vc_q = 0;      // VC of the next flit
  std::uint8_t m_search_q = 0;  // where the search for the next packet's VC begins
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_sent = 0;
  std::uint32_t m_stalled = 0;
  std::function<void(const flit_t&)> m_watch;
#endif
};

/// \tparam WayEntries of the memory of ways
template <unsigned PayloadBits, unsigned WayEntries>
class injector_with_ways : public injector<PayloadBits> {
 public:
  injector_with_ways(sc_core::sc_module_name name, unsigned vcs, unsigned depth, const way_rule& ways, unsigned port,
                     unsigned ports, unsigned classes)
      : injector<PayloadBits>(name, vcs, depth, classes), m_ways(ways, port, ports) {
    SC_HAS_PROCESS(injector_with_ways);
    WEFT_START_CLOCKED_PROCESS;
  }

  void bind_clock(gated_clock& clock) override { drive(*this, clock); }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_number_q = m_ways.first();
    this->restart();
  }

  void step() {
    const flit<PayloadBits>& in = this->flit_i.read();
    std::uint64_t way = 0;
    if (in.valid && in.head && this->ready()) {
      way = m_ways.of(in.destination, m_number_q);
      m_number_q = m_ways.after(m_number_q);
    }
    this->move(way);
  }

  const way_memory<WayEntries> m_ways;
  std::uint64_t m_number_q = 0;  // of the next packet
};

/// An injector, with room for 1, 256, 4,096, … ways.
/// \param ways  how the way of a packet is chosen
/// \param port, ports which of the ports of the NIC this is; each draws numbers of its own
/// \param classes     of packets, each of which has a part of the VCs
/// \throws std::length_error for more than 2^28 ways
template <unsigned PayloadBits, unsigned WayEntries = 1>
std::unique_ptr<injector<PayloadBits>> make_injector(const char* name, unsigned vcs, unsigned depth,
                                                     const way_rule& ways = {}, unsigned port = 0, unsigned ports = 1,
                                                     unsigned classes = 1) {
  if (way_memory<WayEntries>::entries(ways, port) > WayEntries) {
    if constexpr (WayEntries < 1U << 28)
      return make_injector < PayloadBits,
             WayEntries == 1 ? 256 : 16 * WayEntries > (name, vcs, depth, ways, port, ports, classes);
    throw std::length_error("a NIC has at most 2^28 ways by destination, or in its programme");
  }
  return std::make_unique<injector_with_ways<PayloadBits, WayEntries>>(name, vcs, depth, ways, port, ports, classes);
}

}  // namespace weft::pin
