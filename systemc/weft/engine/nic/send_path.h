// SPDX-License-Identifier: Apache-2.0
/// The send paths of all NICs: source queue, XOR encoder and compressor if there are such, injector.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/core/vc_classes.h"
#include "weft/engine/base/index_set.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/injector.h"
#include "weft/engine/nic/nic_context.h"
#include "weft/engine/nic/xor_encoder.h"

namespace weft::engine {

/// \tparam Routers routers, or another class with its inject()
template <typename Routers>
class send_path {
 public:
  send_path(nic_context& nics, const router_parameters& router, Routers& routers)
      : m_nics(nics),
        m_packets(nics.packets),
        m_routers(routers),
        m_wanted(nics.wanted),
        m_classes(nics.classes),
        m_sending(nics.channels.size()) {
    for (const nic_channel& channel : nics.channels) m_ports.emplace_back(channel, router.vcs, router.depth);
    const auto& nodes = nics.graph.nodes;
    if (std::any_of(nodes.begin(), nodes.end(), [](const node_attachment& n) { return n.ways.chooses(); }))
      start_ways();
    if (!nics.compression.enabled() && !nics.coding.enabled) return;
    for (std::size_t port = 0; port < m_ports.size(); ++port) m_stages.push_back(make_stages());
  }

  /// Packets of \p node that wait: those in the source queue, and those that are offered and of which nothing has left.
  std::uint64_t queued(node_id node) const {
    const nic_node& n = m_nics.nodes[node];
    std::uint64_t count = n.queued;
    for (nic_port port = n.first; port < n.first + n.ports; ++port)
      count += m_ports[port].offers() && m_ports[port].sequence == 0;
    return count;
  }

  /// The packets of \p node that are due in this cycle. Returns when the next one is.
  cycle_t create(node_id node) {
    cycle_t next;
    do {
      const packet_handle handle = m_packets.add([&] { return m_nics.source.take(node); }, m_nics.words);
      const packet& p = m_packets[handle].what;
      if (p.message_class >= m_classes)
        throw std::out_of_range("a packet of a class that router.classes does not have");
      if (m_wanted.contains(network_event::Created)) {
        m_nics.observer.created(p);
        if (p.more > 0) tell_following(p);
      }
      enqueue(node, handle);
      next = m_nics.source.next_creation(node);
    } while (next <= m_nics.now);
    return next;
  }

  /// Whether next_of() can be said: not with codecs, nor with ways to choose from.
  bool foresees(unsigned message_class) const {
    return m_stages.empty() && m_ways.empty() && message_class < m_classes;
  }
  /// The port by which a packet would leave that \p node creates while it sends nothing, and the VC.
  nic_port_vc next_of(node_id node, unsigned message_class) const {
    const vc_set block = m_classes == 1 ? ~vc_set{0} : block_of_class(message_class, m_nics.class_vcs);
    const nic_port port = m_nics.nodes[node].first;
    return nic_port_vc{port << nic_port_vc::VcBits | m_ports[port].out.next_vc(block)};
  }

  /// A packet has left by \p nic, and its credits are back.
  void note_passed(nic_port_vc nic) { m_ports[nic.port()].out.note_passed(nic.vc()); }

  void take_credit(nic_port_vc nic) {
    const nic_port port = nic.port();
    m_ports[port].out.take_credit(nic.vc());
    if (has_work(port)) m_sending.insert(port);
  }

  /// A cycle of all ports that may have something to send.
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
  /// A packet on its way from the node into the router.
  struct send_port {
    send_port(const nic_channel& of, unsigned vcs, unsigned depth) : channel(of), out(vcs, depth) {}

    bool offers() const { return flits != 0; }

    nic_channel channel;
    std::uint32_t flits = 0;     ///< of the packet that is offered; 0: none is
    std::uint32_t sequence = 0;  ///< of the flit that is offered
    stored_flit flit;            ///< that one
    std::uint32_t stalled = 0;   ///< cycles since the last flit that went to the router, in which one had no credit
    injector out;
  };

  /// The port offers a packet, or has some in its stages.
  bool has_work(nic_port port) const {
    return m_ports[port].offers() || (!m_stages.empty() && !m_stages[port]->empty());
  }

  void start_ways() {
    for (nic_port port = 0; port < m_ports.size(); ++port) {
      const node_id node = m_ports[port].channel.node;
      const way_rule& rule = m_nics.graph.nodes[node].ways;
      m_ways.emplace_back(rule, port - m_nics.nodes[node].first, m_nics.nodes[node].ports);
      m_programmed |= !rule.programme.empty();
    }
    if (!m_programmed) return;
    m_queues.resize(m_ports.size());
    m_created.resize(m_nics.nodes.size());
  }

  /// Whether each port of the node has a queue of its own.
  bool has_programme(node_id node) const { return m_programmed && !m_nics.graph.nodes[node].ways.programme.empty(); }

  packet_queue& queue_of(nic_port port) {
    const node_id node = m_ports[port].channel.node;
    return has_programme(node) ? m_queues[port] : m_nics.nodes[node].queue;
  }

  /// Those that follow \p p.
  [[gnu::noinline]] void tell_following(packet p) const {
    while (p.more > 0) {
      p = m_nics.source.following(p);
      m_nics.observer.created(p);
    }
  }

  /// The packet that follows \p before; none if there is no more.
  packet_handle following(packet_handle before) {
    return m_packets[before].what.more == 0 ? NoPacket : add_following(before);
  }
  [[gnu::noinline]] packet_handle add_following(packet_handle before) {
    return m_packets.add([&] { return m_nics.source.following(m_packets[before].what); }, m_nics.words);
  }

  /// \p packet is offered at a port that offers none, or stands in the source queue if there is no such port. Those
  /// that follow it likewise: the first of them that waits stands there for all.
  void enqueue(node_id node, packet_handle packet) {
    nic_node& n = m_nics.nodes[node];
    nic_port first = n.first, end = n.first + n.ports;
    if (has_programme(node)) {
      const weft::packet& p = m_packets[packet].what;
      if (p.urgent || p.more > 0)
        throw std::invalid_argument(
            "a packet that is urgent, or that others follow, of a node with a programme, which says what goes when");
      first += m_nics.graph.nodes[node].ways.programme.at(m_created[node]++).port;
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
    stand_in(queue_of(first), packet);
  }

  /// \p packet waits in \p queue, from now on.
  void stand_in(packet_queue& queue, packet_handle packet) {
    const bool urgent = m_packets[packet].what.urgent;
    const packet_handle before = packet_before(queue, urgent);
    packet_handle& place = before == NoPacket ? queue.front : m_packets[before].next;
    m_packets[packet].next = std::exchange(place, packet);
    if (m_packets[packet].next == NoPacket) queue.back = packet;
    if (urgent) queue.last_urgent = packet;
  }

  /// \p packet takes the place of the front of \p queue.
  void replace_front(packet_queue& queue, packet_handle packet) {
    m_packets[packet].next = m_packets[queue.front].next;
    if (queue.back == queue.front) queue.back = packet;
    if (queue.last_urgent == queue.front) queue.last_urgent = packet;
    queue.front = packet;
  }

  /// The packet in \p queue behind which a new one stands; none if that is the first.
  packet_handle packet_before(const packet_queue& queue, bool urgent) const {
    if (queue.front == NoPacket) return NoPacket;
    if (!urgent) return queue.back;
    return m_packets[queue.front].what.urgent ? queue.last_urgent : NoPacket;
  }

  void offer(send_port& at, packet_handle packet) {
    const weft::packet& p = m_packets[packet].what;
    at.flits = p.flits;
    at.sequence = 0;
    at.flit = stored_flit(packet, p.destination, true, p.flits == 1);
    ++m_nics.busy;
  }

  /// The next packet of the source queue is offered at \p port, which offers none. False if there is no packet.
  bool offer_next(nic_port port) {
    send_port& at = m_ports[port];
    packet_queue& queue = queue_of(port);
    if (queue.front == NoPacket) return false;
    offer(at, queue.front);
    const packet_handle next = following(queue.front);
    if (next == NoPacket)
      queue.front = m_packets[queue.front].next;
    else
      replace_front(queue, next);
    --m_nics.nodes[at.channel.node].queued;
    return true;
  }

  /// A flit goes to the router, if there is a credit. Returns whether the port has to be asked again in the next
  /// cycle, without anything else happening.
  bool send(nic_port port) {
    send_port& at = m_ports[port];
    const vc_set block = block_of(at.flit.packet());
    if (!at.out.ready(block)) return false;  // until a credit comes
    tell_sent(at);
    inject(at, port, at.flit, at.sequence, block);
    return !take_offered(at) || offer_next(port);
  }

  /// The stages of one port, from the node to the injector.
  std::unique_ptr<send_stage> make_stages() {
    std::unique_ptr<send_stage> stages;
    if (m_nics.compression.enabled())
      stages = make_compressor(m_nics.compression, m_nics.words, m_packets, m_nics.forms);
    if (!m_nics.coding.enabled) return stages;
    const bool keeps_bits = m_nics.wants_payload || m_nics.compression.enabled();
    return make_xor_encoder(m_nics.coding, m_packets, m_nics.contents, keeps_bits, std::move(stages));
  }

  /// The same as send() through stages, which may have flits of their own to send.
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
    if (result.taken) {
      tell_sent(at);
      if (take_offered(at)) m_done.push_back(port);
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

  void tell_sent(const send_port& at) const {
    if (m_wanted.contains(network_event::Sent) && at.sequence == 0)
      m_nics.observer.sent(m_packets[at.flit.packet()].what.id, at.channel.node, m_nics.now);
  }

  /// The flit that is offered leaves the source queue. Returns whether it is a tail.
  bool take_offered(send_port& at) {
    if (++at.sequence < at.flits) {
      at.flit = at.flit.next(at.sequence + 1 == at.flits);
      return false;
    }
    at.flits = 0;
    --m_nics.busy;
    return true;
  }

  /// The VCs on which a packet travels. With one class the packet need not be looked at.
  vc_set block_of(packet_handle packet) const {
    return m_classes == 1 ? ~vc_set{0} : block_of_class(m_packets[packet].what.message_class, m_nics.class_vcs);
  }

  /// A flit goes into the router, on a VC of \p block.
  void inject(send_port& at, nic_port port, stored_flit flit, std::uint32_t sequence, vc_set block) {
    const unsigned vc = at.out.take(block, flit.tail());
    if (!m_ways.empty() && flit.head()) m_packets[flit.packet()].way = m_ways[port].next(flit.destination());
    const cycle_t arrival = m_nics.now + 1 + at.channel.cycles;
    m_routers.inject(port, vc, flit, arrival, at.out.was_settled());
    if (m_nics.wants_waits) note_injection(at, port, vc, flit, arrival);
    if (m_wanted.contains(network_event::Injected)) {
      const packet_record& p = m_packets[flit.packet()];
      m_nics.observer.injected({m_nics.now, at.channel.node, vc, p.what.id, sequence},
                               flit.head() ? p.head() : m_no_head);
    }
  }

  /// Without stages the next flit is there always.
  [[gnu::noinline]] void note_injection(send_port& at, nic_port port, unsigned vc, stored_flit flit, cycle_t arrival) {
    const std::uint32_t stalled = std::exchange(at.stalled, 0);
    m_routers.note_injection(port, vc, flit, m_nics.now, arrival,
                             m_stages.empty() ? std::nullopt : std::optional(stalled));
  }

  nic_context& m_nics;
  packet_pool& m_packets;
  Routers& m_routers;
  const network_events m_wanted;
  const unsigned m_classes;  ///< of packets
  const header m_no_head;
  std::vector<way_sequence> m_ways;      ///< by port; empty while all packets go way 0
  bool m_programmed = false;             ///< some nodes have a programme; by port and by node:
  std::vector<packet_queue> m_queues;    ///< source queues with a programme
  std::vector<std::uint32_t> m_created;  ///< packets so far, with a programme
  std::vector<send_port> m_ports;
  index_set m_sending;                                ///< ports with a flit and, as far as is known, a credit
  std::vector<std::unique_ptr<send_stage>> m_stages;  ///< by port; none if there are no stages
  std::vector<nic_port> m_done;                       ///< ports whose packet has left the source queue in this cycle
};

}  // namespace weft::engine
