// SPDX-License-Identifier: Apache-2.0
/// The send paths of all NICs: source queue, optional XOR encoder and compressor, and injector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/vc_classes.h"
#include "weft/engine/base/index_set.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/class_queues.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/injector.h"
#include "weft/engine/nic/nic_context.h"
#include "weft/engine/nic/packet_queue.h"
#include "weft/engine/nic/xor_encoder.h"

namespace weft::engine {

/// \tparam Routers routers, or another class with inject()
template <typename Routers>
class send_path {
 public:
  send_path(nic_context& nics, const router_parameters& router, Routers& routers)
      : m_nics(nics),
        m_packets(nics.packets),
        m_routers(routers),
        m_event_interest(nics.event_interest),
        m_classes(nics.classes),
        m_sending(nics.channels.size()) {
    if (nics.queues > 1) m_class_queues.emplace(nics.nodes.size(), nics.queues);
    for (const nic_channel& channel : nics.channels) m_ports.emplace_back(channel, router);
    const auto& nodes = nics.graph.nodes;
    if (std::any_of(nodes.begin(), nodes.end(), [](const node_attachment& n) { return n.path_ids.chooses(); }))
      start_path_ids();
    if (!nics.compression.enabled() && !nics.coding.enabled) return;
    for (std::size_t port = 0; port < m_ports.size(); ++port) m_stages.push_back(make_stages());
  }

  /// Number of waiting packets of \p node: packets in the source queue, and offered packets of which no flit has left.
  std::uint64_t queued(node_id node) const {
    const nic_node& n = m_nics.nodes[node];
    std::uint64_t count = n.queued;
    for (nic_port port = n.first; port < n.first + n.ports; ++port)
      count += m_ports[port].offers() && m_ports[port].sequence == 0;
    return count;
  }

  /// Creates the packets of \p node that are due in this cycle. Returns the cycle in which the next one is due.
  cycle_t create(node_id node) {
    cycle_t next;
    do {
      const packet_handle handle = m_packets.add([&] { return m_nics.source.pop(node); }, m_nics.words);
      const packet& p = m_packets[handle].what;
      if (p.message_class >= m_classes)
        throw std::out_of_range("the class of a packet must be less than the number of classes (router.classes)");
      if (m_event_interest.contains(network_event::Created)) {
        m_nics.observer.created(p);
        if (p.more > 0) notify_following(p);
      }
      enqueue(node, handle);
      next = m_nics.source.next_creation(node);
    } while (next <= m_nics.now);
    return next;
  }

  /// Whether next_of() can predict the port and VC. It cannot if NICs have codecs or select path ids.
  bool can_predict(unsigned message_class) const {
    return m_stages.empty() && m_path_ids.empty() && message_class < m_classes;
  }
  /// The port and the VC on which the next packet of \p node would be sent, if the node sends nothing now.
  nic_port_vc next_of(node_id node, unsigned message_class) const {
    const vc_set block = m_classes == 1 ? ~vc_set{0} : block_of_class(message_class, m_nics.class_vcs);
    const nic_port port = m_nics.nodes[node].first;
    return nic_port_vc{port << nic_port_vc::VcBits | m_ports[port].out.next_vc(block)};
  }

  /// Updates the state as if a packet had left at \p nic and its credits had returned. For a packet whose delivery was
  /// predicted instead of simulated.
  void note_passed(nic_port_vc nic) { m_ports[nic.port()].out.note_passed(nic.vc()); }

  /// The packets that cannot leave their node; see network_model::blocked_in_nics(). If each class has a queue, the
  /// first packets of all queues are in the list, because they are offered by turns.
  void add_blocked(std::vector<blocked_packet>& blocked) const {
    for (nic_port port = 0; port < m_ports.size(); ++port) {
      const send_port& at = m_ports[port];
      if (!at.offers()) continue;
      add_if_blocked(blocked, port, at.flit.packet());
      if (!m_class_queues) continue;
      for (unsigned c = 0; c < m_classes; ++c) {
        const packet_handle front = m_class_queues->of(at.channel.node, c).front;
        if (front != NoPacket && c != m_packets[at.flit.packet()].what.message_class)
          add_if_blocked(blocked, port, front);
      }
    }
  }

  void receive_credit(nic_port_vc nic) {
    const nic_port port = nic.port();
    m_ports[port].out.receive_credit(nic.vc());
    if (has_work(port)) m_sending.insert(port);
  }

  /// Performs a cycle of all ports that may have something to send.
  void advance() {
    if (m_stages.empty()) {
      m_sending.filter([this](std::size_t port) { return send(static_cast<nic_port>(port)); });
      return;
    }
    m_sending.filter([this](std::size_t port) { return send_by_stage(static_cast<nic_port>(port)); });
    for (const nic_port port : m_done)
      if (offer_next(port)) m_sending.insert(port);
    m_done.clear();
  }

 private:
  void add_if_blocked(std::vector<blocked_packet>& blocked, nic_port port, packet_handle packet) const {
    const send_port& at = m_ports[port];
    const weft::packet& p = m_packets[packet].what;
    const vc_set awaited = at.out.awaited(block_of_class(p.message_class, m_nics.class_vcs));
    if (awaited == 0) return;
    const bool is_behind = at.sequence != 0 && packet != at.flit.packet();
    const node_id node = at.channel.node;
    blocked_packet b{0, port - m_nics.nodes[node].first, 0, p.id,
                     is_behind ? blocked_packet::reason::Port : blocked_packet::reason::Injection};
    if (!is_behind) b.output_vcs = awaited;
    b.node = node;
    b.message_class = p.message_class;
    blocked.push_back(b);
  }

  /// The state of a port, with the packet that it offers to the router.
  struct send_port {
    send_port(const nic_channel& of, const router_parameters& router) : channel(of), out(router) {}

    bool offers() const { return flits != 0; }

    nic_channel channel;
    std::uint32_t flits = 0;     ///< length of the offered packet in flits; 0 if no packet is offered
    std::uint32_t sequence = 0;  ///< sequence number of the offered flit
    stored_flit flit;            ///< the offered flit
    std::uint32_t stalled = 0;   ///< number of cycles without a credit since the last flit was sent to the router
    injector out;
  };

  /// Whether the port offers a packet, or its stages hold flits.
  bool has_work(nic_port port) const {
    return m_ports[port].offers() || (!m_stages.empty() && !m_stages[port]->empty());
  }

  void start_path_ids() {
    for (nic_port port = 0; port < m_ports.size(); ++port) {
      const node_id node = m_ports[port].channel.node;
      const path_selector& rule = m_nics.graph.nodes[node].path_ids;
      m_path_ids.emplace_back(rule, port - m_nics.nodes[node].first, m_nics.nodes[node].ports);
      m_has_send_sequences |= !rule.send_sequence.empty();
    }
    if (!m_has_send_sequences) return;
    m_queues.resize(m_ports.size());
    m_created.resize(m_nics.nodes.size());
  }

  /// Whether each port of the node has its own queue.
  bool has_send_sequence(node_id node) const {
    return m_has_send_sequences && !m_nics.graph.nodes[node].path_ids.send_sequence.empty();
  }

  /// The queue of \p packet, which will leave through \p port or, without a send sequence, through any port.
  packet_queue& queue_for(packet_handle packet, nic_port port) {
    const node_id node = m_ports[port].channel.node;
    if (m_class_queues) return m_class_queues->of(node, m_packets[packet].what.message_class);
    return has_send_sequence(node) ? m_queues[port] : m_nics.nodes[node].queue;
  }

  /// The queue from which \p port gets its next packet; null if no packet waits for it.
  packet_queue* next_queue(nic_port port) {
    const node_id node = m_ports[port].channel.node;
    if (m_class_queues) return m_class_queues->next(node);
    packet_queue& queue = has_send_sequence(node) ? m_queues[port] : m_nics.nodes[node].queue;
    return queue.front == NoPacket ? nullptr : &queue;
  }

  /// Notifies the observer of the packets that follow \p p.
  [[gnu::noinline]] void notify_following(packet p) const {
    while (p.more > 0) {
      p = m_nics.source.following(p);
      m_nics.observer.created(p);
    }
  }

  /// Returns the packet that follows \p before, or NoPacket if there is none.
  packet_handle following(packet_handle before) {
    return m_packets[before].what.more == 0 ? NoPacket : add_following(before);
  }
  [[gnu::noinline]] packet_handle add_following(packet_handle before) {
    return m_packets.add([&] { return m_nics.source.following(m_packets[before].what); }, m_nics.words);
  }

  /// Offers \p packet at a port without an offered packet. If there is no such port, puts it into the source queue. The
  /// packets that follow it are treated in the same manner, but the first one that waits represents all of them in the
  /// queue.
  void enqueue(node_id node, packet_handle packet) {
    nic_node& n = m_nics.nodes[node];
    nic_port first = n.first, end = n.first + n.ports;
    if (has_send_sequence(node)) {
      const weft::packet& p = m_packets[packet].what;
      if (p.urgent || p.more > 0)
        throw std::invalid_argument(
            "a node with a send sequence can send neither urgent packets nor packets that others follow");
      first += m_nics.graph.nodes[node].path_ids.send_sequence.at(m_created[node]++).port;
      end = first + 1;
    }
    for (nic_port port = first; port < end; ++port) {
      if (m_ports[port].offers()) continue;
      const packet_handle next = following(packet);
      offer(m_ports[port], packet);
      m_sending.insert(port);
      if (next == NoPacket) return;
      packet = next;
    }
    n.queued += 1 + m_packets[packet].what.more;
    packet_queue& queue = queue_for(packet, first);
    insert(m_packets, queue, packet, packet_before(m_packets, queue, m_packets[packet].what.urgent));
    if (m_class_queues) m_class_queues->note_waiting(node, m_packets[packet].what.message_class);
  }

  void offer(send_port& at, packet_handle packet) {
    const weft::packet& p = m_packets[packet].what;
    at.flits = p.flits;
    at.sequence = 0;
    at.flit = stored_flit(packet, p.destination, true, p.flits == 1);
    if (m_class_queues) m_class_queues->note_offered(at.channel.node, p.message_class);
    ++m_nics.busy;
  }

  /// Offers the next packet of the source queue at \p port, which offers none. Returns whether there was a packet.
  bool offer_next(nic_port port) {
    send_port& at = m_ports[port];
    packet_queue* const queue = next_queue(port);
    if (queue == nullptr) return false;
    const packet_handle packet = queue->front, next = following(packet);
    if (next == NoPacket)
      queue->front = m_packets[packet].next;
    else
      replace_front(m_packets, *queue, next);
    offer(at, packet);
    --m_nics.nodes[at.channel.node].queued;
    return true;
  }

  /// If packets of other classes wait at the node of \p port, offers one of them in place of the offered head, which
  /// was not accepted. Returns whether the port must be processed in the next cycle even if no other event occurs: it
  /// must while it offers a head, because packets of other classes may arrive, or return to their queues.
  [[gnu::noinline]] bool offer_another(nic_port port) {
    send_port& at = m_ports[port];
    if (at.sequence != 0) return false;
    const packet_handle packet = at.flit.packet();
    const node_id node = at.channel.node;
    const unsigned message_class = m_packets[packet].what.message_class;
    if (!m_class_queues->others_wait(node, message_class)) return true;
    put_back(m_packets, m_class_queues->of(node, message_class), packet);
    m_class_queues->note_waiting(node, message_class);
    ++m_nics.nodes[node].queued;
    --m_nics.busy;
    at.flits = 0;
    return offer_next(port);
  }

  /// Sends a flit to the router if there is a credit. Returns whether the port must be processed in the next cycle even
  /// if no other event occurs.
  bool send(nic_port port) {
    send_port& at = m_ports[port];
    const vc_set block = block_of(at.flit.packet());
    // A port that is not ready is processed again when a credit arrives.
    if (!at.out.ready(block)) return m_class_queues && offer_another(port);
    notify_sent(at);
    inject(at, port, at.flit, at.sequence, block);
    return !pop_offered(at) || offer_next(port);
  }

  /// Makes the stages of one port, from the node to the injector.
  std::unique_ptr<send_stage> make_stages() {
    std::unique_ptr<send_stage> stages;
    if (m_nics.compression.enabled())
      stages = make_compressor(m_nics.compression, m_nics.words, m_packets, m_nics.forms);
    if (!m_nics.coding.enabled) return stages;
    const bool keeps_bits = m_nics.needs_payload || m_nics.compression.enabled() || m_nics.meters;
    return make_xor_encoder(m_nics.coding, m_packets, m_nics.contents, keeps_bits, std::move(stages));
  }

  /// Does the same as send() if there are stages between the node and the injector. They may hold flits that must be
  /// sent.
  bool send_by_stage(nic_port port) {
    send_port& at = m_ports[port];
    send_stage& stage = *m_stages[port];
    nic_flit in;
    congestion state;
    if (at.offers()) in = {at.flit.packet(), at.sequence, 0, at.flit.tail()};
    if (in.head() || m_nics.coding.enabled)
      state = {m_nics.received_in_window(at.channel.node), m_nics.nodes[at.channel.node].queued};
    const bool was_empty = stage.empty();
    const nic_flit out = stage.output(in, state);
    const bool ready = out.valid() && at.out.ready(block_of(out.packet));
    at.stalled += out.valid() && !ready;
    const send_stage::outcome result = stage.cycle(m_nics.now, in, ready, state);
    if (result.accepted) {
      notify_sent(at);
      if (pop_offered(at)) m_done.push_back(port);
    }
    if (result.absorbed) m_packets.remove(in.packet);
    if (ready) {
      const node_id destination = m_packets[out.packet].what.destination;
      inject(at, port, stored_flit(out.packet, destination, out.head(), out.tail), out.sequence, block_of(out.packet));
    }
    m_nics.busy += was_empty && !stage.empty();
    m_nics.busy -= !was_empty && stage.empty();
    return has_work(port);
  }

  void notify_sent(const send_port& at) const {
    if (m_event_interest.contains(network_event::Sent) && at.sequence == 0)
      m_nics.observer.sent(m_packets[at.flit.packet()].what.id, at.channel.node, m_nics.now);
  }

  /// Removes the offered flit from the packet that is being sent. Returns whether it is a tail.
  bool pop_offered(send_port& at) {
    if (++at.sequence < at.flits) {
      at.flit = at.flit.next(at.sequence + 1 == at.flits);
      return false;
    }
    at.flits = 0;
    --m_nics.busy;
    return true;
  }

  /// Returns the VCs that a packet may use. If there is one class, the packet is not read.
  vc_set block_of(packet_handle packet) const {
    return m_classes == 1 ? ~vc_set{0} : block_of_class(m_packets[packet].what.message_class, m_nics.class_vcs);
  }

  /// Sends a flit to the router on a VC of \p block.
  void inject(send_port& at, nic_port port, stored_flit flit, std::uint32_t sequence, vc_set block) {
    const unsigned vc = at.out.accept(block, flit.tail());
    if (!m_path_ids.empty() && flit.head())
      m_packets[flit.packet()].path_id = m_path_ids[port].next(flit.destination());
    const cycle_t arrival = m_nics.now + 1 + at.channel.cycles;
    m_routers.inject(port, vc, flit, arrival, at.out.was_drained());
    if (m_nics.needs_waits) note_injection(at, port, vc, flit, arrival);
    if (m_nics.meters) m_nics.meters->inject(port, vc, flit.packet(), flit.tail(), arrival - at.channel.cycles);
    if (m_event_interest.contains(network_event::Injected)) {
      const packet_record& p = m_packets[flit.packet()];
      m_nics.observer.injected({m_nics.now, at.channel.node, vc, p.what.id, sequence},
                               flit.head() ? p.head() : m_no_head);
    }
  }

  /// Reports an injection to the wait recorder. Without stages, the next flit of a packet is always present, so the
  /// number of stalled cycles is unset.
  [[gnu::noinline]] void note_injection(send_port& at, nic_port port, unsigned vc, stored_flit flit, cycle_t arrival) {
    const std::uint32_t stalled = std::exchange(at.stalled, 0);
    m_routers.note_injection(port, vc, flit, m_nics.now, arrival,
                             m_stages.empty() ? std::nullopt : std::optional(stalled));
  }

  nic_context& m_nics;
  packet_pool& m_packets;
  Routers& m_routers;
  const network_events m_event_interest;
  const unsigned m_classes;  ///< classes of packets
  const header m_no_head;
  std::vector<path_id_sequence> m_path_ids;  ///< path ids of the packets, by port; empty if all packets have path id 0
  std::optional<class_queues> m_class_queues;  ///< source queues, if each class has its own
  bool m_has_send_sequences = false;           ///< whether some nodes have a send sequence
  std::vector<packet_queue> m_queues;          ///< source queues with a send sequence, by port
  std::vector<std::uint32_t> m_created;        ///< by node with a send sequence: number of packets created so far
  std::vector<send_port> m_ports;
  index_set m_sending;                                ///< ports that offer a flit and are not known to lack a credit
  std::vector<std::unique_ptr<send_stage>> m_stages;  ///< by port; empty without stages
  std::vector<nic_port> m_done;                       ///< ports whose packet left the source queue in this cycle
};

}  // namespace weft::engine
