// SPDX-License-Identifier: Apache-2.0
/// Injector: sends the packets of the send path as flits on virtual channels of the router.
///
/// Purpose    The last stage of the send path. It selects a VC and a path id for each packet and counts the credits of
///            the router's input port. A packet may be sent on a VC that still holds earlier packets; the packets of a
///            VC stay in order.
/// Latency    A flit accepted on flit_i in cycle t (valid and ready) is on flit_o in t+1.
/// Handshake  flit_i/ready_o: a flit is accepted at the end of a cycle in which it is valid and ready_o is set. A head
///            is accepted while any VC of its class has a credit; a body flit is accepted while its VC has a credit.
///            If VCs are reallocated after the credit of the tail, a head needs a VC all of whose credits are back. If
///            the VCs of the router share a buffer, it must also have room (router/buffer_sharing.h).
///            Among the VCs of the class that a head may use, the injector selects the next one in round-robin order,
///            starting after the last VC used. If there is one class, ready_o is a register. If there are several,
///            ready_o depends on the class of the offered head; without a head, it is the value for class 0.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/members.h"
#include "weft/core/parameters.h"
#include "weft/core/path_ids.h"
#include "weft/core/round_robin.h"
#include "weft/core/vc_classes.h"
#include "weft/pin/check.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/nic/path_id_memory.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"
#include "weft/router/buffer_sharing.h"

namespace weft::pin {

/// The part of an injector that is independent of the number of path ids. Derived classes select the path id of each
/// packet.
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

  /// Binds clk_i to \p clock and registers the module with it.
  virtual void bind_clock(gated_clock& clock) = 0;

#ifndef WEFT_SYNTHESIS
  /// Registers \p watch, which is called for every accepted flit at the end of the cycle. The field `vc` of the flit is
  /// already set.
  void attach(std::function<void(const flit_t&)> watch) { m_watch = std::move(watch); }
  unsigned credits(unsigned vc) const { return m_credits_q[vc]; }
  /// The VC on which the next flit would be sent.
  unsigned next_vc() const { return m_vc_q; }
  /// The VCs of which the next flit of a packet of \p message_class needs one, or 0 if it can be sent.
  vc_set awaited_vcs(unsigned message_class) const {
    const vc_set usable = m_within_packet_q.read() ? vc_set{1} << m_vc_q : block_of_class(message_class, m_class_vcs);
    return (m_available_q.read() & usable) != 0 ? 0 : usable;
  }
  /// Number of flits sent since reset.
  std::uint64_t sent() const { return m_sent; }
  /// Number of cycles since reset in which a flit was offered but had no credit.
  std::uint32_t stalled() const { return m_stalled; }
#endif

 protected:
  injector(sc_core::sc_module_name name, const router_parameters& router)
      : sc_module(name),
        m_vcs(router.vcs),
        m_sharing(sharing_of(router)),
        m_class_vcs(vcs_of_class(router)),
        m_after_tail_credit(router.reallocation == vc_reallocation::AfterTailCredit),
        m_recounts(m_after_tail_credit || shares_buffer(router)) {
    SC_HAS_PROCESS(injector);
    if (m_class_vcs < m_vcs) {
      SC_METHOD(welcome_class);
      sensitive << flit_i << m_available_q << m_within_packet_q << m_ready_q;
    }
  }

  void restart() {
    for (unsigned vc = 0; vc < MaxVcs; ++vc) m_credits_q[vc] = m_sharing.limit;
    m_room_q = empty_room(m_sharing);
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

  /// Performs the end of a cycle.
  /// \param path_id path id of the packet whose head is accepted, if any
  void move(std::uint64_t path_id) {
    vc_set available = m_available_q.read();
    bool within_packet = m_within_packet_q.read();
    flit_t out;
    if (flit_i.read().valid && ready()) {
      out = flit_i.read();
      if (out.head) m_vc_q = pick(out);
      WEFT_ASSERT(out.head == !within_packet, "head flit inside a packet, or body flit outside one: " << out);
      out.vc = m_vc_q;
      if (out.head) out.path_id = path_id;
      if (m_recounts) enter_flit(m_sharing, m_room_q, m_vc_q, flits_of(m_vc_q));
      m_credits_q[m_vc_q]--;
      if (m_credits_q[m_vc_q] == 0) available &= ~(1U << m_vc_q);
      within_packet = !out.tail;
      m_search_q = static_cast<std::uint8_t>(next_index(m_vc_q, m_vcs));
#ifndef WEFT_SYNTHESIS
      m_sent++;
      if (m_watch) m_watch(out);
    } else {
      m_stalled += flit_i.read().valid;
#endif
    }
    const credit& returned = credit_i.read();
    WEFT_FOR_MEMBERS(vc, returned.vcs, MaxVcs) {
      WEFT_ASSERT(vc < m_vcs && m_credits_q[vc] < m_sharing.limit, "excess credit for VC " << vc);
      m_credits_q[vc]++;
      available |= 1U << vc;
      if (m_recounts) remove_flit(m_sharing, m_room_q, vc, flits_of(vc), within_packet && vc == m_vc_q);
    }
    if (m_recounts) available = with_room(m_after_tail_credit && !within_packet);
    // Between packets the VC is selected again in every cycle. A packet holds the VC only from the cycle in which its
    // head leaves. If there are several classes, the VC is selected when a head is offered.
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

  /// Number of flits of a VC that are in the buffer of the router, or on the way there or back as a credit.
  unsigned flits_of(unsigned vc) const { return m_sharing.limit - m_credits_q[vc]; }

  /// VCs with room for a flit; if \p must_be_empty, only those without a flit.
  vc_set with_room(bool must_be_empty) const {
    vc_set result = 0;
    for (unsigned vc = 0; vc < m_vcs; ++vc)
      if (has_room(m_sharing, m_room_q, vc, flits_of(vc)) && (!must_be_empty || flits_of(vc) == 0)) result |= 1U << vc;
    return result;
  }

  /// VCs that the head on flit_i may use.
  vc_set candidates() const { return m_available_q.read() & block_of_class(flit_i.read().message_class, m_class_vcs); }

  std::uint8_t pick([[maybe_unused]] const flit_t& head) const {
    WEFT_ASSERT(m_class_vcs == m_vcs || head.message_class < m_vcs / m_class_vcs,
                "class " << unsigned(head.message_class) << " of " << m_vcs / m_class_vcs << ": " << head);
    return m_class_vcs == m_vcs ? m_vc_q : static_cast<std::uint8_t>(round_robin(candidates(), m_search_q));
  }

  void welcome_class() { ready_o.write(ready()); }

  const unsigned m_vcs;
  const buffer_sharing m_sharing;
  const unsigned m_class_vcs;      // VCs per class
  const bool m_after_tail_credit;  // whether a head needs a VC all of whose credits are back
  const bool m_recounts;           // whether a VC may have credits and be unavailable
  std::array<std::uint16_t, MaxVcs> m_credits_q{};
  shared_room m_room_q;                                  // changes only if m_recounts
  register_signal<vc_set> m_available_q{"available_q"};  // VCs that the next flit may use
  register_signal<bool> m_within_packet_q{"within_packet_q"};
  register_signal<bool> m_ready_q{"ready_q"};
  std::uint8_t m_vc_q = 0;      // VC of the next flit
  std::uint8_t m_search_q = 0;  // VC at which the search for the next packet's VC begins
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_sent = 0;
  std::uint32_t m_stalled = 0;
  std::function<void(const flit_t&)> m_watch;
#endif
};

/// An injector with a memory of path ids.
/// \tparam PathIdEntries number of entries in this memory
template <unsigned PayloadBits, unsigned PathIdEntries>
class injector_with_path_ids : public injector<PayloadBits> {
 public:
  injector_with_path_ids(sc_core::sc_module_name name, const router_parameters& router, const path_selector& path_ids,
                         unsigned port, unsigned ports)
      : injector<PayloadBits>(name, router), m_path_id_memory(path_ids, port, ports) {
    SC_HAS_PROCESS(injector_with_path_ids);
    WEFT_START_CLOCKED_PROCESS;
  }

  void bind_clock(gated_clock& clock) override { drive(*this, clock); }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_number_q = m_path_id_memory.first();
    this->restart();
  }

  void step() {
    const flit<PayloadBits>& in = this->flit_i.read();
    std::uint64_t path_id = 0;
    if (in.valid && in.head && this->ready()) {
      path_id = m_path_id_memory.of(in.destination, m_number_q);
      m_number_q = m_path_id_memory.next_number(m_number_q);
    }
    this->move(path_id);
  }

  const path_id_memory<PathIdEntries> m_path_id_memory;
  std::uint64_t m_number_q = 0;  // number of the next packet
};

/// Makes an injector. Its memory has the smallest of several sizes (1, 256, 4,096, … path ids) that suffices.
/// \param router   the router to which it sends, whose VCs, buffers and rules for VCs it follows
/// \param path_ids selects the path id of each packet
/// \param port     number of the injector's port in its NIC; each port draws its own random numbers
/// \param ports    number of ports of the NIC
/// \throws std::length_error if \p path_ids needs more than 2^28 entries
template <unsigned PayloadBits, unsigned PathIdEntries = 1>
std::unique_ptr<injector<PayloadBits>> make_injector(const char* name, const router_parameters& router,
                                                     const path_selector& path_ids = {}, unsigned port = 0,
                                                     unsigned ports = 1) {
  if (path_id_memory<PathIdEntries>::entries(path_ids, port) > PathIdEntries) {
    if constexpr (PathIdEntries < 1U << 28)
      return make_injector < PayloadBits,
             PathIdEntries == 1 ? 256 : 16 * PathIdEntries > (name, router, path_ids, port, ports);
    throw std::length_error("a NIC stores at most 2^28 path ids; use fewer destinations or a shorter send sequence");
  }
  return std::make_unique<injector_with_path_ids<PayloadBits, PathIdEntries>>(name, router, path_ids, port, ports);
}

}  // namespace weft::pin
