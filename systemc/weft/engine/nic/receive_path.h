// SPDX-License-Identifier: Apache-2.0
/// The receive paths of all NICs: ejector, optional decompressor and XOR decoder, and delivery to the node.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/members.h"
#include "weft/core/network_model.h"
#include "weft/engine/base/index_set.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/decompressor.h"
#include "weft/engine/nic/ejector.h"
#include "weft/engine/nic/nic_context.h"
#include "weft/engine/nic/node_changes.h"
#include "weft/engine/nic/xor_decoder.h"

namespace weft::engine {

/// \tparam Routers routers, or another class with ejected() and return_credit()
template <typename Routers>
class receive_path {
 public:
  receive_path(nic_context& nics, const router_parameters& router, const nic_parameters& nic, Routers& routers)
      : m_nics(nics),
        m_routers(routers),
        m_watches_flits(nics.event_interest.contains(network_event::Ejected) ||
                        nics.event_interest.contains(network_event::Received)),
        m_ejecting(nics.channels.size()),
        m_returns_credits(nic.ejection_credits != 0) {
    const std::size_t ports = nics.channels.size();
    if (nic.ejection_depth > 0) m_ejectors.assign(ports, ejector(router.vcs));
    if (nic.coding.enabled)
      m_decoders.assign(
          ports, xor_decoder(nic.coding, nics.words, nics.packets, nics.forms, nics.contents, nics.needs_payload));
    if (nic.compression.in_hardware())
      m_decompressors.assign(ports, decompressor(nics.words, nics.packets, nics.forms));
  }

  /// Whether there are ejection buffers, so that nodes may stop accepting flits.
  bool has_buffers() const { return !m_ejectors.empty(); }

  /// Sets whether \p node accepts flits from cycle \p from on, or the VCs from which it accepts packets. Calls of one
  /// function must be in the order of \p from.
  void set_ready(node_id node, bool ready, cycle_t from) { m_ready_changes.add(node, ready, from); }
  void set_accepted(node_id node, vc_set vcs, cycle_t from) { m_accepted_changes.add(node, vcs, from); }
  // What a node will accept when all changes have taken effect.
  bool will_be_ready(node_id node) const { return m_ready_changes.last(node, m_nics.nodes[node].ready); }
  vc_set will_accept(node_id node) const { return m_accepted_changes.last(node, m_nics.nodes[node].accepted); }

  /// The packets in ejection buffers whose class their node does not accept; see network_model::blocked_in_nics().
  void add_rejected(std::vector<blocked_packet>& blocked) const {
    for (nic_port port = 0; port < m_ejectors.size(); ++port) {
      const node_id node = m_nics.channels[port].node;
      for_each_member(m_ejectors[port].rejected(will_accept(node)), [&](unsigned vc) {
        const packet& p = m_nics.packets[m_ejectors[port].front(vc).packet()].what;
        blocked_packet b{0, port - m_nics.nodes[node].first, vc, p.id, blocked_packet::reason::Acceptance};
        b.node = node;
        b.message_class = p.message_class;
        blocked.push_back(b);
      });
    }
  }

  /// Updates the state for a packet that arrived at \p nic and was accepted by its node, but was not simulated.
  void note_passed(nic_port_vc nic) {
    if (has_buffers()) m_ejectors[nic.port()].note_passed(nic.vc());
  }

  /// Performs a cycle of all ports that hold flits or receive flits.
  void advance() {
    if (has_buffers())
      advance_buffered();
    else
      advance_unbuffered();
  }

 private:
  void advance_unbuffered() {
    if constexpr (Routers::SupportsEjectionCredits)
      if (m_returns_credits) return_credits();
    for (const moving_flit& moving : m_routers.ejected()) {
      if (m_nics.needs_waits && moving.flit.tail()) note_end(moving);
      if (m_watches_flits) {
        const nic_port port = moving.nic.port();
        receive(port, leave_network(port, moving.nic.vc(), moving.flit));
      } else if (moving.flit.tail()) {
        if (m_nics.needs_waits) notify_waits(moving.flit);
        deliver(moving.flit.packet(), moving.flit.routers());
      }
    }
  }

  /// Not inlined, so that the compiler inlines into advance_unbuffered() what happens to every flit.
  [[gnu::noinline]] void advance_buffered() {
    m_ready_changes.apply(m_nics.now, [this](node_id node, bool ready) { m_nics.nodes[node].ready = ready; });
    m_accepted_changes.apply(m_nics.now, [this](node_id node, vc_set vcs) { m_nics.nodes[node].accepted = vcs; });
    for (const moving_flit& moving : m_routers.ejected()) {
      const nic_port port = moving.nic.port();
      if (m_nics.needs_waits && moving.flit.tail()) note_end(moving);
      m_ejectors[port].store(moving.nic.vc(), moving.flit);
      m_nics.busy += m_ejecting.insert(port);
    }
    m_ejecting.filter([this](std::size_t number) {
      const auto port = static_cast<nic_port>(number);
      const bool more = m_decompressors.empty() && m_decoders.empty() ? eject_buffered(port) : eject_by_stage(port);
      m_nics.busy -= !more;
      return more;
    });
  }

  bool is_ready(nic_port port) const { return m_nics.nodes[m_nics.channels[port].node].ready; }

  /// Performs a cycle of a buffered ejector. Returns whether it may have work in the next cycle.
  bool eject_buffered(nic_port port) {
    ejector& from = m_ejectors[port];
    if (!from.valid() && !next_of(port)) return !from.idle();
    if (!is_ready(port)) return true;
    receive(port, leave_network(port, from.vc(), from.out()));
    from.clear();
    return true;
  }

  /// Does the same as eject_buffered() if a decompressor, an XOR decoder or both follow the ejector.
  bool eject_by_stage(nic_port port) {
    ejector& from = m_ejectors[port];
    if (!from.valid()) next_of(port);
    nic_flit in;
    if (from.valid()) {
      const packet_record& p = m_nics.packets[from.out().packet()];
      in = {from.out().packet(), p.ejected, from.vc(), from.out().tail()};
    }
    // The stages are processed from the node back to the ejector: first whether a flit is accepted, then what follows
    // from it.
    const bool ready = is_ready(port);
    const nic_flit raw = m_decompressors.empty() ? in : m_decompressors[port].output(in);
    const xor_decoder::outcome moved =
        m_decoders.empty() ? xor_decoder::outcome{raw.valid() && ready, raw} : m_decoders[port].offer(raw, ready);
    const bool accepted = m_decompressors.empty() ? moved.accepted : m_decompressors[port].cycle(in, moved.accepted);
    if (accepted) {
      leave_network(port, from.vc(), from.out());
      from.clear();
    }
    if (!m_decoders.empty()) m_decoders[port].finish(raw, ready, moved);
    if (moved.out.valid() && ready) receive(port, moved.out);
    return from.valid() || !from.idle() || (!m_decompressors.empty() && !m_decompressors[port].empty()) ||
           (!m_decoders.empty() && !m_decoders[port].idle());
  }

  /// Moves the next flit to the output register of the ejector, which is free.
  bool next_of(nic_port port) {
    if (!m_ejectors[port].next(m_nics.nodes[m_nics.channels[port].node].accepted)) return false;
    m_routers.return_credit(port, m_ejectors[port].vc(), m_nics.now + m_nics.channels[port].cycles);
    return true;
  }

  /// Returns the credits of the flits that have arrived, one cycle later than a buffered ejector would.
  void return_credits() {
    for (const moving_flit& moving : m_routers.ejected()) {
      const nic_port port = moving.nic.port();
      m_routers.return_credit(port, moving.nic.vc(), m_nics.now + m_nics.channels[port].cycles + 1);
    }
  }

  /// Removes a flit from the network. Returns it as a flit of the receive path.
  nic_flit leave_network(nic_port port, unsigned vc, stored_flit flit) {
    packet_record& p = m_nics.packets[flit.packet()];
    const nic_flit f{flit.packet(), p.ejected++, vc, flit.tail()};
    p.routers = flit.routers();
    if (m_nics.needs_waits && flit.tail()) notify_waits(flit);
    if (m_nics.event_interest.contains(network_event::Ejected))
      m_nics.observer.ejected({m_nics.now, m_nics.channels[port].node, vc, p.what.id, f.sequence},
                              m_nics.needs_payload ? payload_of_flit(f) : nullptr);
    return f;
  }

  void note_end(const moving_flit& tail) {
    m_routers.recorder()->note_end(tail.flit.packet(), m_nics.now, m_nics.channels[tail.nic.port()].cycles);
  }
  [[gnu::noinline]] void notify_waits(stored_flit tail) {
    const packet_record& p = m_nics.packets[tail.packet()];
    const auto of = m_routers.recorder()->of(tail.packet(), p.travels, tail.routers());
    m_nics.observer.waited(p.what.id, of.waits, of.left);
  }

  /// Passes a flit to the node: a flit of a message, or of a coded packet that the node itself decodes.
  void receive(nic_port port, const nic_flit& f) {
    const packet_record& p = m_nics.packets[f.packet];
    if (m_nics.event_interest.contains(network_event::Received)) notify_received(port, f, p);
    if (f.tail) deliver(f.packet, p.routers);
  }

  /// Delivers a complete packet.
  void deliver(packet_handle packet, std::uint32_t routers) {
    if (m_nics.event_interest.contains(network_event::Delivered))
      m_nics.observer.delivered(m_nics.packets[packet].what, m_nics.now, routers);
    m_nics.packets.remove(packet);
  }

  /// Reports those flits of the message that the node receives with \p f, which is a flit of \p p.
  void notify_received(nic_port port, const nic_flit& f, const packet_record& p) {
    std::uint32_t sequence = f.sequence, end = sequence + 1;
    if (p.codec != codec::Raw && !m_nics.compression.in_hardware()) {
      sequence = 0;
      end = f.tail && !m_nics.compression.ratio ? p.what.flits : 0;
    }
    for (; sequence < end; ++sequence)
      m_nics.observer.received({m_nics.now, m_nics.channels[port].node, f.vc, p.what.id, sequence},
                               m_nics.needs_payload ? message_payload(f.packet, sequence) : nullptr);
  }

  const std::uint64_t* payload_of_flit(const nic_flit& f) {
    m_nics.payload.flit(f.packet, f.sequence, m_payload.data());
    return m_payload.data();
  }

  /// Returns the payload of a flit of the message as the node receives it.
  const std::uint64_t* message_payload(packet_handle packet, std::uint32_t sequence) {
    m_nics.forms.message_flit(packet, m_nics.packets[packet], sequence, m_payload.data());
    return m_payload.data();
  }

  nic_context& m_nics;
  Routers& m_routers;
  const bool m_watches_flits;       ///< whether the observer needs an event for each arriving flit
  index_set m_ejecting;             ///< ejectors that store a flit
  const bool m_returns_credits;     ///< whether credits are returned without an ejection buffer
  std::vector<ejector> m_ejectors;  ///< by port; empty if nodes accept every flit at once
  node_changes<bool> m_ready_changes;
  node_changes<vc_set> m_accepted_changes;
  std::vector<decompressor> m_decompressors;  ///< by port; empty if there is no hardware decompressor
  std::vector<xor_decoder> m_decoders;        ///< by port; empty without XOR coding
  std::array<std::uint64_t, 8> m_payload{};
};

}  // namespace weft::engine
