// SPDX-License-Identifier: Apache-2.0
/// The receive paths of all NICs: ejector, decompressor and XOR decoder if there are such, delivery.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/engine/base/index_set.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/decompressor.h"
#include "weft/engine/nic/ejector.h"
#include "weft/engine/nic/nic_context.h"
#include "weft/engine/nic/xor_decoder.h"

namespace weft::engine {

/// \tparam Routers routers, or another class with its ejected() and return_credit()
template <typename Routers>
class receive_path {
 public:
  receive_path(nic_context& nics, const router_parameters& router, const nic_parameters& nic, Routers& routers)
      : m_nics(nics),
        m_routers(routers),
        m_watches_flits(nics.wanted.contains(network_event::Ejected) || nics.wanted.contains(network_event::Received)),
        m_ejecting(nics.channels.size()) {
    const std::size_t ports = nics.channels.size();
    if (nic.ejection_depth > 0) m_ejectors.assign(ports, ejector(router.vcs));
    if (nic.coding.enabled)
      m_decoders.assign(
          ports, xor_decoder(nic.coding, nics.words, nics.packets, nics.forms, nics.contents, nics.wants_payload));
    if (nic.compression.in_hardware())
      m_decompressors.assign(ports, decompressor(nics.words, nics.packets, nics.forms));
  }

  /// Nodes may be told not to take flits.
  bool has_buffers() const { return !m_ejectors.empty(); }

  /// A packet has come by \p nic, and its node has taken it.
  void note_passed(nic_port_vc nic) {
    if (has_buffers()) m_ejectors[nic.port()].note_passed(nic.vc());
  }

  /// A cycle of all ports that flits reach, or that have some.
  void advance() {
    if (m_ejectors.empty()) {
      for (const moving_flit& moving : m_routers.ejected()) {
        if (m_nics.wants_waits && moving.flit.tail()) note_end(moving);
        if (m_watches_flits) {
          const nic_port port = moving.nic.port();
          receive(port, leave_network(port, moving.nic.vc(), moving.flit));
        } else if (moving.flit.tail()) {
          if (m_nics.wants_waits) tell_waits(moving.flit);
          deliver(moving.flit.packet(), moving.flit.routers());
        }
      }
      return;
    }
    for (const moving_flit& moving : m_routers.ejected()) {
      const nic_port port = moving.nic.port();
      if (m_nics.wants_waits && moving.flit.tail()) note_end(moving);
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

 private:
  bool is_ready(nic_port port) const { return m_nics.nodes[m_nics.channels[port].node].ready; }

  /// A cycle of a buffered ejector. Returns whether there may be something to do in the next one.
  bool eject_buffered(nic_port port) {
    ejector& from = m_ejectors[port];
    if (!from.valid() && !next_of(port)) return false;
    if (!is_ready(port)) return true;
    receive(port, leave_network(port, from.vc(), from.out()));
    from.clear();
    return true;
  }

  /// The same with decompressor, XOR decoder or both behind it.
  bool eject_by_stage(nic_port port) {
    ejector& from = m_ejectors[port];
    if (!from.valid()) next_of(port);
    nic_flit in;
    if (from.valid()) {
      const packet_record& p = m_nics.packets[from.out().packet()];
      in = {from.out().packet(), p.ejected, from.vc(), from.out().tail()};
    }
    // From the node back to the ejector: first whether a flit is taken, and then what that flit does.
    const bool ready = is_ready(port);
    const nic_flit raw = m_decompressors.empty() ? in : m_decompressors[port].output(in);
    const xor_decoder::outcome moved =
        m_decoders.empty() ? xor_decoder::outcome{raw.valid() && ready, raw} : m_decoders[port].offer(raw, ready);
    const bool taken = m_decompressors.empty() ? moved.taken : m_decompressors[port].cycle(in, moved.taken);
    if (taken) {
      leave_network(port, from.vc(), from.out());
      from.clear();
    }
    if (!m_decoders.empty()) m_decoders[port].finish(raw, ready, moved);
    if (moved.out.valid() && ready) receive(port, moved.out);
    return from.valid() || !from.idle() || (!m_decompressors.empty() && !m_decompressors[port].empty()) ||
           (!m_decoders.empty() && !m_decoders[port].idle());
  }

  /// The next flit goes to the output register of the ejector, which is free.
  bool next_of(nic_port port) {
    if (!m_ejectors[port].next()) return false;
    m_routers.return_credit(port, m_ejectors[port].vc(), m_nics.now + m_nics.channels[port].cycles);
    return true;
  }

  /// A flit leaves the network. Returns it as the receive path has it.
  nic_flit leave_network(nic_port port, unsigned vc, stored_flit flit) {
    packet_record& p = m_nics.packets[flit.packet()];
    const nic_flit f{flit.packet(), p.ejected++, vc, flit.tail()};
    p.routers = flit.routers();
    if (m_nics.wants_waits && flit.tail()) tell_waits(flit);
    if (m_nics.wanted.contains(network_event::Ejected))
      m_nics.observer.ejected({m_nics.now, m_nics.channels[port].node, vc, p.what.id, f.sequence},
                              m_nics.wants_payload ? travelling_payload(f) : nullptr);
    return f;
  }

  void note_end(const moving_flit& tail) {
    m_routers.recorder()->note_end(tail.flit.packet(), m_nics.now, m_nics.channels[tail.nic.port()].cycles);
  }
  [[gnu::noinline]] void tell_waits(stored_flit tail) {
    const packet_record& p = m_nics.packets[tail.packet()];
    const auto of = m_routers.recorder()->of(tail.packet(), p.travels, tail.routers());
    m_nics.observer.waited(p.what.id, of.waits, of.left);
  }

  /// A flit reaches the node: of the message, or of a packet in code that only the node decodes.
  void receive(nic_port port, const nic_flit& f) {
    const packet_record& p = m_nics.packets[f.packet];
    if (m_nics.wanted.contains(network_event::Received)) tell_received(port, f, p);
    if (f.tail) deliver(f.packet, p.routers);
  }

  /// A packet is whole.
  void deliver(packet_handle packet, std::uint32_t routers) {
    if (m_nics.wanted.contains(network_event::Delivered))
      m_nics.observer.delivered(m_nics.packets[packet].what, m_nics.now, routers);
    m_nics.packets.remove(packet);
  }

  /// The flits of the message that the node gets with \p f, of \p p.
  void tell_received(nic_port port, const nic_flit& f, const packet_record& p) {
    const auto tell = [&](std::uint32_t sequence) {
      m_nics.observer.received({m_nics.now, m_nics.channels[port].node, f.vc, p.what.id, sequence},
                               m_nics.wants_payload ? message_payload(f.packet, sequence) : nullptr);
    };
    if (p.codec == codec::Raw || m_nics.compression.in_hardware()) {
      tell(f.sequence);
    } else if (f.tail && !m_nics.compression.ratio) {
      for (std::uint32_t sequence = 0; sequence < p.what.flits; ++sequence) tell(sequence);
    }
  }

  const std::uint64_t* travelling_payload(const nic_flit& f) {
    const packet_record& p = m_nics.packets[f.packet];
    if (p.codec == codec::Raw) return message_payload(f.packet, f.sequence);
    m_payload.fill(0);  // an assumed size has no bits
    if (!m_nics.compression.ratio) m_nics.forms.flit_of(m_nics.forms[f.packet].payload, f.sequence, m_payload.data());
    return m_payload.data();
  }

  /// Of a flit of the message, as the node gets it.
  const std::uint64_t* message_payload(packet_handle packet, std::uint32_t sequence) {
    m_nics.forms.message_flit(packet, m_nics.packets[packet], sequence, m_payload.data());
    return m_payload.data();
  }

  nic_context& m_nics;
  Routers& m_routers;
  const bool m_watches_flits;                 ///< the observer wants to know which ones arrive
  index_set m_ejecting;                       ///< ejectors with a flit
  std::vector<ejector> m_ejectors;            ///< by port; none if nodes take every flit at once
  std::vector<decompressor> m_decompressors;  ///< by port; none if they are not in hardware
  std::vector<xor_decoder> m_decoders;        ///< by port; none if nothing is joined
  std::array<std::uint64_t, 8> m_payload{};
};

}  // namespace weft::engine
