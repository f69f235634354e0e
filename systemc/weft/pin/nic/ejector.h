// SPDX-License-Identifier: Apache-2.0
/// Ejector: receives flits from the router and passes them to the receive path.
///
/// Purpose    The first stage of the receive path. Packets on different VCs arrive interleaved.
///            Pass-through (depth 0): every flit is passed on immediately, with its VC, so packets stay interleaved.
///            The receiver must accept one flit per cycle. The router needs no credits for the port, or gets each
///            credit back in the cycle after the flit was passed on.
///            Buffered (depth > 0): each VC has a FIFO. Packets are passed on one after the other, at the speed of the
///            receiver. The router sends with credits. VCs are served in round-robin order, one packet each. If the
///            node accepts some message classes and not others, only VCs in accept_i begin a packet.
/// Latency    A flit on flit_i in cycle t is on flit_o in t+1, or later if other flits precede it.
/// Handshake  flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and ready_i is set.
#pragma once

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/members.h"
#include "weft/core/round_robin.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// \tparam BufferFlits maximum capacity of the buffer in flits
template <unsigned PayloadBits, unsigned BufferFlits = MaxBufferFlits>
class ejector : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<flit_t> flit_i{"flit_i"};  ///< from the router
  out_port<credit> credit_o{"credit_o"};
  out_port<flit_t> flit_o{"flit_o"};  ///< to the receive path
  in_port<bool> ready_i{"ready_i"};
  in_ports<vc_set> accept_i;        ///< exists, as one port, only if the node may accept some classes and not others
  out_port<bool> busy_o{"busy_o"};  ///< requests the clock: flits are buffered

  /// \param depth           flits in the buffer of each VC, where vcs * depth ≤ BufferFlits; 0 = pass-through
  /// \param returns_credits whether credits are returned in pass-through
  /// \param accepts_by_class whether accept_i exists; requires a buffer
  ejector(sc_core::sc_module_name name, unsigned vcs, unsigned depth, bool returns_credits = false,
          bool accepts_by_class = false)
      : sc_module(name),
        accept_i("accept_i", accepts_by_class ? 1 : 0),
        m_vcs(vcs),
        m_depth(depth),
        m_returns_credits(returns_credits),
        m_accepts_by_class(accepts_by_class) {
    SC_HAS_PROCESS(ejector);
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Registers \p watch, which is called for every flit at the end of the cycle in which the receive path accepts it.
  void attach(std::function<void(const flit_t&)> watch) { m_watch = std::move(watch); }
  /// Number of flits of a VC in the ejector whose credits have not been returned.
  unsigned buffered(unsigned vc) const {
    return m_count_q[vc] + (m_returns_credits && m_out_q.valid && m_out_q.vc == vc ? 1 : 0);
  }
  /// Number of flits received since reset.
  std::uint64_t received() const { return m_received; }
  /// The first flits of the VCs that hold a packet that the node does not accept.
  std::vector<flit_t> rejected() const {
    std::vector<flit_t> flits;
    const vc_set waiting = m_within_packet_q ? m_occupied_q & ~(1U << m_vc_q) : m_occupied_q;
    WEFT_FOR_MEMBERS(vc, waiting & ~accepted(), MaxVcs) {
      flits.push_back(m_buffer[vc * m_depth + m_read_q[vc]]);
    }
    return flits;
  }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    for (unsigned vc = 0; vc < MaxVcs; ++vc) {
      m_read_q[vc] = 0;
      m_count_q[vc] = 0;
    }
    m_open_q = 0;
    m_occupied_q = 0;
    m_within_packet_q = false;
    m_vc_q = 0;
    m_search_q = 0;
    m_out_q = flit_t();
    credit_o.write(credit());
    busy_o.write(false);
    flit_o.write(flit_t());
#ifndef WEFT_SYNTHESIS
    m_received = 0;
#endif
  }

  void step() {
    check_framing(flit_i.read());
#ifndef WEFT_SYNTHESIS
    if (m_watch && m_out_q.valid && ready_i.read()) m_watch(m_out_q);
#endif
    if (m_depth == 0) {
      WEFT_ASSERT(!m_out_q.valid || ready_i.read(),
                  "the receiver stalls, but the ejector has no buffer (depth 0): " << m_out_q);
      if (m_returns_credits) {
        credit returned;
        if (m_out_q.valid) returned.vcs = 1U << m_out_q.vc;
        credit_o.write(returned);
      }
      m_out_q = flit_i.read();
      m_out_q.path_id = 0;
    } else {
      buffer(flit_i.read());
      credit returned;
      if (!m_out_q.valid || ready_i.read()) returned = next();
      credit_o.write(returned);
      busy_o.write(m_occupied_q != 0);
    }
    flit_o.write(m_out_q);
  }

  /// Checks that packets on a VC are not interleaved: after a head come its other flits up to the tail.
  void check_framing(const flit_t& f) {
    if (f.valid) {
      WEFT_ASSERT(f.vc < m_vcs, "flit received on VC " << unsigned(f.vc) << ", but there are " << m_vcs << " VCs");
      const vc_set bit = 1U << f.vc;
      WEFT_ASSERT(f.head == !(m_open_q & bit), "head flit inside a packet, or body flit outside one: " << f);
      m_open_q = f.tail ? m_open_q & ~bit : m_open_q | bit;
#ifndef WEFT_SYNTHESIS
      m_received++;
#endif
    }
  }

  void buffer(const flit_t& f) {
    if (f.valid) {
      WEFT_ASSERT(m_count_q[f.vc] < m_depth, "buffer overflow; the flit was sent without a credit: " << f);
      const unsigned slot = m_read_q[f.vc] + m_count_q[f.vc];
      m_buffer[f.vc * m_depth + (slot < m_depth ? slot : slot - m_depth)] = f;
      m_count_q[f.vc]++;
      m_occupied_q |= 1U << f.vc;
    }
  }

  /// Outputs the next flit of the current packet or of the next VC in round-robin order, and returns its credit.
  credit next() {
    m_out_q = flit_t();
    const vc_set candidates = m_occupied_q & (m_within_packet_q ? 1U << m_vc_q : accepted());
    credit returned;
    if (candidates != 0) {
      m_vc_q = static_cast<std::uint8_t>(round_robin(candidates, m_search_q));
      m_out_q = m_buffer[m_vc_q * m_depth + m_read_q[m_vc_q]];
      m_out_q.path_id = 0;
      m_read_q[m_vc_q] = static_cast<std::uint16_t>(next_index(m_read_q[m_vc_q], m_depth));
      m_count_q[m_vc_q]--;
      if (m_count_q[m_vc_q] == 0) m_occupied_q &= ~(1U << m_vc_q);
      m_within_packet_q = !m_out_q.tail;
      m_search_q = static_cast<std::uint8_t>(next_index(m_vc_q, m_vcs));
      returned.vcs = 1U << m_vc_q;
    }
    return returned;
  }

  /// VCs that may begin a packet.
  vc_set accepted() const { return m_accepts_by_class ? accept_i[0].read() : first_vcs(m_vcs); }

  const unsigned m_vcs;
  const unsigned m_depth;
  const bool m_returns_credits;
  const bool m_accepts_by_class;
  std::array<flit_t, BufferFlits> m_buffer;       // VC v has slots v * depth to (v + 1) * depth - 1; unused in
                                                  // pass-through
  std::array<std::uint16_t, MaxVcs> m_read_q{};   // slot of the first flit, per VC
  std::array<std::uint16_t, MaxVcs> m_count_q{};  // number of flits stored, per VC
  vc_set m_open_q = 0;                            // VCs that are inside a packet, between head and tail
  vc_set m_occupied_q = 0;                        // VCs that store a flit
  bool m_within_packet_q = false;                 // the output is inside a packet, between head and tail
  std::uint8_t m_vc_q = 0;                        // VC whose packet is on the output
  std::uint8_t m_search_q = 0;                    // VC at which the search for the next packet begins
  flit_t m_out_q;
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_received = 0;
  std::function<void(const flit_t&)> m_watch;
#endif
};

}  // namespace weft::pin
