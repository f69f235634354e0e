/// Input unit: the buffers of one input port, one FIFO a VC.
///
/// Purpose    Takes flits from the channel, shows which VCs hold one, announces heads that want a route, and on a grant
///            of the switch allocator sends the flit to the crossbar and a credit upstream.
/// Latency    A flit on flit_i in cycle t-1 is in its FIFO, shown on status_o and (a head at the front of an idle VC)
///            announced on head_o in cycle t: it "arrives in t". A grant in t puts the flit on flit_o and its credit on
///            credit_o in t+1. A head behind a tail granted in t is announced in t+1.
/// Handshake  flit_i: one flit each cycle while valid; never more than credits were given. grant_i: combinational of the
///            same cycle.
#pragma once

#include <systemc>

#include <array>

#include "weft/core/flit.h"
#include "weft/pin/check.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class input_unit : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<flit_t> flit_i{"flit_i"};
  sc_core::sc_in<switch_grants> grant_i{"grant_i"};
  sc_core::sc_out<credit> credit_o{"credit_o"};
  sc_core::sc_out<head_announcement> head_o{"head_o"};
  sc_core::sc_out<buffer_status> status_o{"status_o"};
  sc_core::sc_out<switched_flit<PayloadBits>> flit_o{"flit_o"};

  /// \param port  which input port of the router this is; its lane of grant_i
  /// \param vcs   1…MaxVcs
  /// \param depth flits a VC can hold; vcs * depth ≤ MaxBufferFlits
  input_unit(sc_core::sc_module_name name, unsigned port, unsigned vcs, unsigned depth)
      : sc_module(name), m_port(port), m_vcs(vcs), m_depth(depth) {
    SC_HAS_PROCESS(input_unit);
    SC_METHOD(clocked);
    sensitive << clk_i.pos() << rst_ni.neg();
  }

#ifndef WEFT_SYNTHESIS
  /// The flit at the front of a VC that holds a packet; nullptr if the buffer is empty. For reports.
  const flit_t* front(unsigned vc) const { return (m_status_q.occupied >> vc & 1) ? &at_front(vc) : nullptr; }
#endif

 private:
  void clocked() {
    if (!rst_ni.read()) {
      reset();
      return;
    }
    send(grant_i.read());
    take(flit_i.read());
    announce_heads();
    status_o.write(m_status_q);
  }

  void reset() {
    m_read_q.fill(0);
    m_count_q.fill(0);
    m_status_q = buffer_status();
    m_claimed_q = 0;
    m_open_q = 0;
    credit_o.write(credit());
    head_o.write(head_announcement());
    status_o.write(buffer_status());
    flit_o.write(switched_flit<PayloadBits>());
  }

  /// The granted flit leaves its FIFO for the crossbar, its slot is given back upstream.
  void send(const switch_grants& grants) {
    switched_flit<PayloadBits> out;
    credit returned;
    if (grants.inputs >> m_port & 1) {
      const switch_grants::lane& grant = grants.by_input[m_port];
      WEFT_ASSERT(m_count_q[grant.vc] != 0, "VC " << unsigned(grant.vc) << " was granted the switch without a flit");
      out.flit = at_front(grant.vc);
      out.out_port = grant.out_port;
      m_read_q[grant.vc] = static_cast<std::uint16_t>(next_slot(m_read_q[grant.vc]));
      m_count_q[grant.vc]--;
      if (out.flit.tail) m_claimed_q &= ~(vc_set{1} << grant.vc);
      update_status(grant.vc);
      out.flit.vc = grant.out_vc;
      returned = {true, grant.vc};
    }
    flit_o.write(out);
    credit_o.write(returned);
  }

  void take(const flit_t& arriving) {
    if (!arriving.valid) return;
    const unsigned vc = arriving.vc;
    const vc_set bit = vc_set{1} << vc;
    WEFT_ASSERT(vc < m_vcs, "a flit came in on VC " << vc << " of " << m_vcs << ": " << arriving);
    WEFT_ASSERT(m_count_q[vc] < m_depth, "buffer overflow, sent without credit: " << arriving);
    WEFT_ASSERT(arriving.head == !(m_open_q & bit), "a head within a packet, or a body flit outside: " << arriving);
    m_open_q = arriving.tail ? m_open_q & ~bit : m_open_q | bit;
    check_order(arriving);
    const unsigned slot = m_read_q[vc] + m_count_q[vc];
    m_buffer[vc * m_depth + (slot < m_depth ? slot : slot - m_depth)] = arriving;
    m_count_q[vc]++;
    update_status(vc);
  }

  /// A VC whose packet has left, or that had none, and that now has a head at its front.
  void announce_heads() {
    head_announcement heads;
    unsigned lane = 0;
    for_each_member(m_status_q.occupied & ~m_claimed_q, [&](unsigned vc) {
      const flit_t& head = at_front(vc);
      WEFT_ASSERT(head.head, "VC " << vc << " begins a packet with " << head);
      heads.lanes[lane++] = {true, static_cast<std::uint8_t>(vc), head.header.destination, head.header.flits};
    });
    m_claimed_q |= m_status_q.occupied;
    head_o.write(heads);
  }

  void update_status(unsigned vc) {
    const vc_set bit = vc_set{1} << vc;
    const bool occupied = m_count_q[vc] != 0;
    m_status_q.occupied = occupied ? m_status_q.occupied | bit : m_status_q.occupied & ~bit;
    m_status_q.tail = occupied && at_front(vc).tail ? m_status_q.tail | bit : m_status_q.tail & ~bit;
  }

  const flit_t& at_front(unsigned vc) const { return m_buffer[vc * m_depth + m_read_q[vc]]; }
  unsigned next_slot(unsigned slot) const { return slot + 1 == m_depth ? 0 : slot + 1; }

#ifndef WEFT_SYNTHESIS
  void check_order(const flit_t& arriving) {
    const std::uint32_t expected = arriving.head ? 0 : m_last_tag[arriving.vc].sequence + 1;
    WEFT_ASSERT(arriving.tag.sequence == expected &&
                    (arriving.head || arriving.tag.id == m_last_tag[arriving.vc].id),
                "out of order, flit " << expected << " of packet " << m_last_tag[arriving.vc].id
                                      << " was due: " << arriving);
    m_last_tag[arriving.vc] = arriving.tag;
  }
  std::array<flit_tag, MaxVcs> m_last_tag;
#else
  void check_order(const flit_t&) {}
#endif

  const unsigned m_port;
  const unsigned m_vcs;
  const unsigned m_depth;
  std::array<flit_t, MaxBufferFlits> m_buffer;       // VC v in slots v * depth …
  std::array<std::uint16_t, MaxVcs> m_read_q{};      // slot of the first flit
  std::array<std::uint16_t, MaxVcs> m_count_q{};     // flits held
  buffer_status m_status_q;
  vc_set m_claimed_q = 0;                            // VCs whose packet has been announced and has not left
  vc_set m_open_q = 0;                               // VCs between head and tail at the write side
};

}  // namespace weft::pin
