// SPDX-License-Identifier: Apache-2.0
/// Input unit: the buffers of a router's input ports, one FIFO for each VC of each port. The FIFOs of a port have equal
/// parts of its buffer, or they are linked lists in a shared one.
///
/// Purpose    Receives flits from the channels, reports which VCs hold flits, and announces heads that need a route.
///            When the switch allocator grants a request, the input unit sends the flit to the crossbar and a credit
///            upstream.
/// Latency    A flit on flit_i in cycle t-1 is in its FIFO in cycle t: it "arrives in t". In cycle t, status_o reports
///            it, and head_o announces it if it is a head at the front of an idle VC. If it is granted the switch in t,
///            it is on flit_o and its credit is on credit_o in t+1. A head behind a tail that is granted in t is
///            announced in t+1. With store and forward, a head is announced in the first of these cycles in which its
///            tail is in the FIFO.
///            With an input speedup, a port may be granted the switch for several VCs. It then returns their credits
///            at once.
/// Handshake  flit_i: one flit per cycle and port while `valid` is set; the sender never sends more flits than it has
///            credits. grant_i depends combinationally on status_o of the same cycle.
#pragma once

#include <array>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/members.h"
#include "weft/core/parameters.h"
#include "weft/core/path_ids.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/router/router_signals.h"
#include "weft/pin/signals.h"
#include "weft/router/switch_inputs.h"

namespace weft::pin {

/// \tparam BufferFlits maximum capacity in flits of the buffers of all VCs of all ports together
template <unsigned PayloadBits, unsigned BufferFlits = MaxRouterFlits>
class input_unit : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_ports<flit_t> flit_i;
  in_port<switch_grants> grant_i{"grant_i"};
  out_ports<credit> credit_o;
  out_ports<head_announcement> head_o;  ///< indexed by input of the switch (switch_inputs)
  out_port<buffer_status> status_o{"status_o"};
  out_ports<buffer_backlog> backlog_o;  ///< exists, as one port, only if packets hold the switch
  out_ports<flit_t> flit_o;             ///< to the crossbar, indexed by output port

  /// \param ports         number of ports, 1…MaxPorts; ports * vcs * depth ≤ BufferFlits
  /// \param consumes_path whether a head leaves with only the remaining part of its path (source routing)
  input_unit(sc_core::sc_module_name name, unsigned ports, const router_parameters& parameters,
             bool consumes_path = false)
      : sc_module(name),
        flit_i("flit_i", ports),
        credit_o("credit_o", ports),
        head_o("head_o", ports * parameters.input_speedup),
        backlog_o("backlog_o", parameters.hold_switch ? 1 : 0),
        flit_o("flit_o", ports),
        m_ports(ports),
        m_vcs(parameters.vcs),
        m_depth(parameters.depth),
        m_shares(shares_buffer(parameters)),
        m_consumes_path(consumes_path),
        m_stores_packets(parameters.flow == flow_control::StoreAndForward),
        m_reports_backlog(parameters.hold_switch),
        m_tracks(m_stores_packets || m_reports_backlog),
        m_inputs(ports, parameters.input_speedup) {
    SC_HAS_PROCESS(input_unit);
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// The flit at the front of a VC, or nullptr if its buffer is empty. Only reports use this function.
  const flit_t* front(unsigned port, unsigned vc) const {
    return (m_status_q.occupied[port] >> vc & 1) ? &m_buffer[m_first_q[index_of(port, vc)]] : nullptr;
  }
  /// Number of flits in the FIFO of a VC.
  unsigned buffered(unsigned port, unsigned vc) const { return m_count_q[index_of(port, vc)]; }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  unsigned index_of(unsigned port, unsigned vc) const { return port * m_vcs + vc; }
  void step() {
    m_status_changed = false;
    const switch_grants& grants = grant_i.read();
    if (grants.inputs != 0 || m_sent_q != 0) send(grants);
    port_set touched = grants.inputs | m_announced_q;
    WEFT_ASSERTED(arriving, flit_t, flit_i, m_ports);
    WEFT_FOR_MEMBERS(port, arriving, m_ports) {
      WEFT_VALUE(flit_t, flit, flit_i[port].read());
      accept(port, flit);
      touched |= 1U << m_inputs.input_of(port, flit.vc);
    }
    announce_heads(touched);
    if (m_status_changed) status_o.write(m_status_q);
    if (m_reports_backlog) backlog_o[0].write(m_backlog_q);
  }

  void reset() {
    for (unsigned vc_index = 0; vc_index < m_ports * m_vcs; ++vc_index) {
      m_first_q[vc_index] = static_cast<std::uint16_t>(vc_index * m_depth);
      m_last_q[vc_index] = 0;
      m_count_q[vc_index] = 0;
      m_tails_q[vc_index] = 0;
    }
    if (m_shares) link_free_cells();
    for (unsigned port = 0; port < m_ports; ++port) {
      m_claimed_q[port] = 0;
      m_whole_q[port] = m_stores_packets ? 0 : first_vcs(m_vcs);
      m_open_q[port] = 0;
      credit_o[port].write(credit());
      flit_o[port].write(flit_t());
    }
    for (unsigned input = 0; input < m_inputs.count; ++input) head_o[input].write(head_announcement());
    m_status_q = buffer_status();
    m_sent_q = 0;
    m_driven_q = 0;
    m_announced_q = 0;
    status_o.write(buffer_status());
    m_backlog_q = buffer_backlog();
    if (m_reports_backlog) backlog_o[0].write(m_backlog_q);
  }

  /// Sends the granted flits from their FIFOs to the crossbar, and credits for their slots upstream.
  void send(const switch_grants& grants) {
    port_set sending = 0;  // input ports
    credit returned;       // of the last of them
    WEFT_FOR_MEMBERS(input, grants.inputs, m_inputs.count) {
      const unsigned port = m_inputs.port_of[input];
      const unsigned vc = grants.vc[input];
      unsigned vc_index = index_of(port, vc);
      WEFT_ASSERT(m_count_q[vc_index] != 0,
                  "port " << port << " VC " << vc << " was granted the switch without a flit");
      flit_t out = m_buffer[m_first_q[vc_index]];
      out.vc = grants.out_vc[input];
      if (out.head && m_consumes_path) out.path_id = source_path::advance(out.path_id);
      flit_o[grants.out_port[input]].write(out);
      remove_first(port, vc_index);
      m_count_q[vc_index]--;
      if (out.tail) m_claimed_q[port] &= ~(1U << vc);
      if (m_tracks) track(port, vc, out.tail ? m_tails_q[vc_index] - 1U : m_tails_q[vc_index]);
      const bool occupied = m_count_q[vc_index] != 0;
      const unsigned first = m_first_q[vc_index];
      const bool ends = occupied && m_buffer[first].tail;
      show(port, vc, occupied, ends);
      if ((sending >> port & 1) == 0) returned.vcs = 0;
      returned.vcs |= 1U << vc;
      credit_o[port].write(returned);
      sending |= 1U << port;
    }
    WEFT_FOR_MEMBERS(port, m_sent_q & ~sending, m_ports) credit_o[port].write(credit());
    WEFT_FOR_MEMBERS(port, m_driven_q & ~grants.outputs, m_ports) flit_o[port].write(flit_t());
    m_sent_q = sending;
    m_driven_q = grants.outputs;
  }

  void accept(unsigned port, const flit_t& arriving) {
    const unsigned vc = arriving.vc;
    WEFT_ASSERT(vc < m_vcs, "port " << port << ": flit received on VC " << vc << ", but there are " << m_vcs
                                    << " VCs: " << arriving);
    const vc_set bit = 1U << vc;
    const unsigned vc_index = index_of(port, vc), count = m_count_q[vc_index];
    WEFT_ASSERT(m_shares ? m_free_q[port] != NoCell : count < m_depth,
                "port " << port << ": buffer overflow; the flit was sent without a credit: " << arriving);
    WEFT_ASSERT(arriving.head == !(m_open_q[port] & bit),
                "port " << port << ": head flit inside a packet, or body flit outside one: " << arriving);
    m_open_q[port] = arriving.tail ? m_open_q[port] & ~bit : m_open_q[port] | bit;
    check_order(port, arriving);
    unsigned cell = m_first_q[vc_index] + count;
    if (m_shares)
      cell = append_cell(port, vc_index);
    else if (cell >= (vc_index + 1) * m_depth)
      cell -= m_depth;
    m_buffer[cell] = arriving;
    m_count_q[vc_index] = static_cast<std::uint16_t>(count + 1);
    if (count == 0) show(port, vc, true, arriving.tail);
    if (m_tracks) track(port, vc, arriving.tail ? m_tails_q[vc_index] + 1U : m_tails_q[vc_index]);
  }

  /// Advances the FIFO of a VC past its first flit.
  void remove_first(unsigned port, unsigned vc_index) {
    const unsigned first = m_first_q[vc_index];
    if (m_shares) {
      m_first_q[vc_index] = m_next_q[first];
      m_next_q[first] = m_free_q[port];
      m_free_q[port] = static_cast<std::uint16_t>(first);
    } else {
      const unsigned next = first + 1;
      m_first_q[vc_index] = static_cast<std::uint16_t>(next == (vc_index + 1) * m_depth ? next - m_depth : next);
    }
  }

  // In a shared buffer, the cells of each VC form a linked list, and so do the free cells of each port.

  void link_free_cells() {
    const unsigned of_port = m_vcs * m_depth;
    for (unsigned port = 0; port < m_ports; ++port) {
      m_free_q[port] = static_cast<std::uint16_t>(port * of_port);
      for (unsigned i = 1; i < of_port; ++i)
        m_next_q[port * of_port + i - 1] = static_cast<std::uint16_t>(port * of_port + i);
      m_next_q[port * of_port + of_port - 1] = NoCell;
    }
  }

  /// Appends a free cell to the list of a VC, and returns its index.
  unsigned append_cell(unsigned port, unsigned vc_index) {
    const std::uint16_t cell = m_free_q[port];
    m_free_q[port] = m_next_q[cell];
    if (m_count_q[vc_index] == 0)
      m_first_q[vc_index] = cell;
    else
      m_next_q[m_last_q[vc_index]] = cell;
    m_last_q[vc_index] = cell;
    return cell;
  }

  /// For store and forward, and for packets that hold the switch: a flit of a VC has arrived or left.
  /// \param tails the number of tails in the VC
  void track(unsigned port, unsigned vc, unsigned tails) {
    const unsigned vc_index = index_of(port, vc);
    m_tails_q[vc_index] = static_cast<std::uint16_t>(tails);
    m_backlog_q.vcs[port] = with(m_backlog_q.vcs[port], vc, m_count_q[vc_index] > 1);
    if (m_stores_packets) {
      const vc_set bit = 1U << vc;
      m_whole_q[port] = tails != 0 ? m_whole_q[port] | bit : m_whole_q[port] & ~bit;
    }
  }

  /// Announces every head that has reached the front of a VC, either because the previous packet has left or because
  /// the VC was empty. Only VCs of the inputs in \p touched have changed.
  void announce_heads(port_set touched) {
    port_set announced = 0;
    WEFT_FOR_MEMBERS(input, touched, m_inputs.count) {
      const unsigned port = m_inputs.port_of[input];
      const vc_set new_heads =
          m_status_q.occupied[port] & ~m_claimed_q[port] & m_whole_q[port] & m_inputs.vcs_of[input];
      if (new_heads == 0 && (m_announced_q >> input & 1) == 0) continue;
      head_announcement heads;
      unsigned slot = 0;
      WEFT_FOR_MEMBERS(vc, new_heads, m_vcs) {
        unsigned vc_index = index_of(port, vc);
        const unsigned cell = m_first_q[vc_index];
        WEFT_ASSERT(m_buffer[cell].head,
                    "port " << port << " VC " << vc << " begins a packet without a head: " << m_buffer[cell]);
        heads.valid[slot] = true;
        heads.vc[slot] = static_cast<std::uint8_t>(vc);
        heads.destination[slot] = m_buffer[cell].destination;
        heads.flits[slot] = m_buffer[cell].flits;
        heads.path_id[slot] = m_buffer[cell].path_id;
        ++slot;
      }
      head_o[input].write(heads);
      m_claimed_q[port] |= new_heads;
      if (new_heads != 0) announced |= 1U << input;
    }
    m_announced_q = announced;
  }

  /// Updates status_o for a VC.
  /// \param occupied whether the VC holds a flit
  /// \param ends     whether its first flit is a tail
  void show(unsigned port, unsigned vc, bool occupied, bool ends) {
    const std::uint16_t with_flit = with(m_status_q.occupied[port], vc, occupied);
    const std::uint16_t with_tail = with(m_status_q.tail[port], vc, ends);
    if (with_flit != m_status_q.occupied[port] || with_tail != m_status_q.tail[port]) m_status_changed = true;
    m_status_q.occupied[port] = with_flit;
    m_status_q.tail[port] = with_tail;
  }

  /// Returns \p set with VC \p vc added or removed.
  static std::uint16_t with(std::uint16_t set, unsigned vc, bool member) {
    return static_cast<std::uint16_t>(member ? set | 1U << vc : set & ~(1U << vc));
  }

#ifndef WEFT_SYNTHESIS
  /// Checks the order of the flits of a packet. Only flits with a tag that follow a flit with a tag are checked.
  void check_order(unsigned port, const flit_t& arriving) {
    flit_tag& last = m_last_tag[index_of(port, arriving.vc)];
    const flit_tag due = arriving.head ? arriving.tag.of(0) : last.of(last.sequence() + 1);
    const bool comparable = arriving.tag.is_set() && due.is_set();
    WEFT_ASSERT(!comparable || arriving.tag == due, "port " << port << ": out of order, flit " << due.sequence()
                                                            << " of packet " << due.packet()
                                                            << " was expected: " << arriving);
    last = arriving.tag;
  }
  std::array<flit_tag, MaxPorts * MaxVcs> m_last_tag;
#else
  void check_order([[maybe_unused]] unsigned port, [[maybe_unused]] const flit_t& arriving) {}
#endif

  const unsigned m_ports;
  const unsigned m_vcs;
  const unsigned m_depth;
  const bool m_shares;  // whether the VCs of a port share its buffer
  const bool m_consumes_path;
  const bool m_stores_packets;
  const bool m_reports_backlog;
  const bool m_tracks;  // whether track() is called
  const switch_inputs m_inputs;
  // A VC index is port * VCs + VC.
  std::array<std::uint16_t, MaxPorts * MaxVcs> m_first_q;  // per VC, cell of m_buffer with the first flit
  std::array<std::uint16_t, MaxPorts * MaxVcs> m_count_q;  // per VC, number of flits
  std::array<std::uint16_t, MaxPorts * MaxVcs> m_tails_q;  // per VC, number of tails, only if m_tracks
  std::array<vc_set, MaxPorts> m_whole_q;                  // VCs whose first packet may be announced
  std::array<vc_set, MaxPorts> m_claimed_q;                // VCs with an announced packet that has not left
  std::array<vc_set, MaxPorts> m_open_q;                   // VCs at whose write side a packet is incomplete
  buffer_status m_status_q;
  buffer_backlog m_backlog_q;
  bool m_status_changed = false;             // status_o must be written at this edge
  port_set m_sent_q = 0;                     // ports whose credit_o is asserted and must be cleared
  port_set m_driven_q = 0;                   // output ports with a flit on flit_o that must be cleared
  port_set m_announced_q = 0;                // inputs of the switch whose head_o is asserted and must be cleared
  std::array<flit_t, BufferFlits> m_buffer;  // ordered by port, and by VC unless the VCs share the buffer
  // Only if the VCs share the buffer:
  static constexpr std::uint16_t NoCell = 0xffff;
  std::array<std::uint16_t, BufferFlits> m_next_q;        // per cell, the next cell of the same list
  std::array<std::uint16_t, MaxPorts * MaxVcs> m_last_q;  // per VC, cell with the last flit
  std::array<std::uint16_t, MaxPorts> m_free_q;           // per port, the first free cell
};

}  // namespace weft::pin
