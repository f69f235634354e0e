#include "weft/engine/model.h"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/vc_classes.h"
#include "weft/engine/base/calendar.h"
#include "weft/engine/base/index_set.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/coded_forms.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/decompressor.h"
#include "weft/engine/nic/ejector.h"
#include "weft/engine/nic/injector.h"
#include "weft/engine/nic/packet_contents.h"
#include "weft/engine/nic/received_counter.h"
#include "weft/engine/nic/xor_decoder.h"
#include "weft/engine/nic/xor_encoder.h"
#include "weft/engine/router/routers.h"
#include "weft/topology/analysis/check.h"

namespace weft::engine {

namespace {

template <unsigned Lanes, int Shift>
class model final : public driven_model {
 public:
  model(const topology& graph, const router_parameters& router, const nic_parameters& nic, unsigned payload_bits,
        packet_source& source, network_observer& observer)
      : m_graph(graph),
        m_words(payload_bits / 32),
        m_source(source),
        m_observer(observer),
        m_wanted(observer.wanted()),
        m_watches_flits(m_wanted.contains(network_event::Ejected) || m_wanted.contains(network_event::Received)),
        m_wants_payload(observer.wants_payload()),
        m_classes(router.classes),
        m_class_vcs(vcs_of_class(router)),
        m_compression(nic.compression),
        m_contents(source, payload_bits),
        m_forms(m_contents, nic.compression.codec, m_words),
        m_routers(graph, router, nic.ejection_depth, m_packets),
        m_creations(graph.nodes.size()),
        m_received(m_routers.attachments(graph), nic.window, nic.buckets),
        m_sending(0),
        m_ejecting(0) {
    for (node_id n = 0; n < graph.nodes.size(); ++n) {
      m_nodes.push_back(
          {static_cast<attachment_id>(m_lanes.size()), static_cast<std::uint32_t>(graph.nodes[n].ports.size())});
      for (std::size_t i = 0; i < graph.nodes[n].ports.size(); ++i) {
        m_lanes.emplace_back(n, graph.nodes[n].cycles, router.vcs, router.depth);
        m_numbers.push_back(i);
      }
      m_has_ways |= graph.nodes[n].ways.count > 1 || !graph.nodes[n].ways.by_destination.empty();
      m_creations.enter(n, m_source.next_creation(n));
    }
    if (nic.ejection_depth > 0) m_ejectors.assign(m_lanes.size(), ejector(router.vcs));
    if (m_compression.enabled() || nic.coding.enabled)
      for (std::size_t i = 0; i < m_lanes.size(); ++i) m_send_stages.push_back(make_send_stages(nic));
    if (nic.coding.enabled)
      m_decoders.assign(m_lanes.size(),
                        xor_decoder(nic.coding, m_words, m_packets, m_forms, m_contents, m_wants_payload));
    if (m_compression.in_hardware()) m_decompressors.assign(m_lanes.size(), decompressor(m_words, m_packets, m_forms));
    m_sending = index_set(m_lanes.size());
    m_ejecting = index_set(m_lanes.size());
  }

  void run(cycle_t cycles) override {
    if (!m_begun) begin();
    m_begun = true;
    for (const cycle_t end = m_now + cycles; m_now < end;) {
      if (is_quiet()) {
        m_now = m_creations.quiet_until(m_now + 1, end);
      } else {
        advance(std::min(end, m_now + m_routers.lookahead()));
      }
      if (m_busy == 0) m_now = m_routers.advance_alone(m_now, m_creations.quiet_until(m_now, end));
      begin();
    }
  }

  cycle_t now() const override { return m_now; }

  std::uint64_t queued(node_id node) const override {
    std::uint64_t count = m_nodes[node].queued;
    for (attachment_id a = m_nodes[node].first; a < m_nodes[node].first + m_nodes[node].lanes; ++a)
      count += m_lanes[a].offers() && m_lanes[a].sequence == 0;
    return count;
  }

  std::uint32_t received_in_window(node_id node) const override {
    std::uint32_t sum = 0;
    for (attachment_id a = m_nodes[node].first; a < m_nodes[node].first + m_nodes[node].lanes; ++a)
      sum += m_received.received(a);
    return sum;
  }

  std::vector<channel_count> channel_counts() const override { return m_routers.channel_counts(m_graph, m_now); }

  std::vector<blocked_packet> blocked() const override { return m_routers.blocked(); }

  void ask_again(node_id node) override {
    m_creations.remove(node);
    const cycle_t next = m_source.next_creation(node);
    m_creations.enter(node, next == Never ? Never : std::max(next, m_now + m_begun));
  }

  void set_ready(node_id node, bool ready) override {
    if (m_ejectors.empty()) throw std::logic_error("set_ready() without an ejection buffer: give nic.ejection_depth");
    m_nodes[node].ready = ready;
  }

  cycle_t next_activity() const override {
    if (!m_begun || !is_quiet()) return m_now;
    return m_creations.next();
  }

  std::uint64_t flit_hops() const override { return m_routers.hops(); }

 private:
  struct node_state {
    attachment_id first = 0;
    std::uint32_t lanes = 0;
    packet_handle front = NoPacket, back = NoPacket;  ///< of the source queue
    std::uint32_t queued = 0;
    bool ready = true;  ///< takes flits
  };

  /// A packet on its way from the node into the router, and the channel that it takes.
  struct send_lane {
    send_lane(node_id n, unsigned channel_cycles, unsigned vcs, unsigned depth)
        : node(n), cycles(channel_cycles), out(vcs, depth) {}

    bool offers() const { return flits != 0; }

    node_id node;
    unsigned cycles;
    std::uint32_t flits = 0;     ///< of the packet that is offered; 0: none is
    std::uint32_t sequence = 0;  ///< of the flit that is offered
    stored_flit flit;            ///< that one
    injector out;
  };

  bool is_quiet() const { return m_busy == 0 && m_routers.quiet(m_now); }

  /// Cycle m_now begins: what has been sent arrives, new packets are created.
  void begin() {
    const auto count = [this](attachment_vc nic) { m_received.add(nic.attachment()); };
    const auto take_credit = [this](attachment_vc nic) {
      const attachment_id a = nic.attachment();
      m_lanes[a].out.take_credit(nic.vc());
      if (has_work(a)) m_sending.insert(a);
    };
    if (m_now != 0) m_received.move_to(m_now - 1);  // flits that are here now were received in the cycle before
    m_routers.reach_nics(m_now, count, take_credit);
    m_received.move_to(m_now);
    m_creations.take(m_now, [this](node_id node) { return create(node); });
  }

  /// To cycle \p end, which begins. Nodes go first: all that reaches them until then is on its way already.
  void advance(cycle_t end) {
    const cycle_t first = m_now;
    for (;;) {
      advance_nodes();
      if (++m_now == end) break;
      begin();
    }
    m_routers.advance(first, end);
  }

  void advance_nodes() {
    eject();
    if (m_send_stages.empty()) {
      m_sending.filter([this](std::size_t lane) { return send(static_cast<attachment_id>(lane)); });
      return;
    }
    m_sending.filter([this](std::size_t lane) { return send_by_stage(static_cast<attachment_id>(lane)); });
    for (const attachment_id a : m_done)
      if (offer_next(m_lanes[a])) m_sending.insert(a);
    m_done.clear();
  }

  /// The lane offers a packet, or has some in its stages.
  bool has_work(attachment_id a) const {
    return m_lanes[a].offers() || (!m_send_stages.empty() && !m_send_stages[a]->empty());
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Send path

  /// The packets of \p node that are due. Returns when the next one is.
  cycle_t create(node_id node) {
    node_state& n = m_nodes[node];
    cycle_t next;
    do {
      const packet_handle handle = m_packets.add([&] { return m_source.take(node); }, m_words);
      const packet& p = m_packets[handle].what;
      if (p.message_class >= m_classes)
        throw std::out_of_range("a packet of a class that router.classes does not have");
      enqueue(n, handle);
      if (m_wanted.contains(network_event::Created)) m_observer.created(p);
      next = m_source.next_creation(node);
    } while (next <= m_now);
    return next;
  }

  /// \p packet is offered on a lane that has none, or stands in the source queue: then no lane is free.
  void enqueue(node_state& n, packet_handle packet) {
    for (attachment_id a = n.first; a < n.first + n.lanes; ++a) {
      if (m_lanes[a].offers()) continue;
      offer(m_lanes[a], packet);
      m_sending.insert(a);
      return;
    }
    if (n.front == NoPacket)
      n.front = packet;
    else
      m_packets[n.back].next = packet;
    n.back = packet;
    m_packets[packet].next = NoPacket;
    ++n.queued;
  }

  void offer(send_lane& lane, packet_handle packet) {
    const weft::packet& p = m_packets[packet].what;
    lane.flits = p.flits;
    lane.sequence = 0;
    lane.flit = stored_flit(packet, p.destination, true, p.flits == 1);
    ++m_busy;
  }

  /// The next packet of the source queue is offered on \p lane, which has none. False if there is no packet.
  bool offer_next(send_lane& lane) {
    node_state& n = m_nodes[lane.node];
    if (n.front == NoPacket) return false;
    offer(lane, n.front);
    n.front = m_packets[n.front].next;
    --n.queued;
    return true;
  }

  /// A flit of \p lane goes to the router, if there is a credit. Returns whether the lane has to be asked again in the next
  /// cycle, without anything else happening.
  bool send(attachment_id a) {
    send_lane& lane = m_lanes[a];
    const vc_set block = block_of(lane.flit.packet());
    if (!lane.out.ready(block)) return false;  // until a credit comes
    tell_sent(lane);
    inject(lane, a, lane.flit, lane.sequence, block);
    return !take_offered(lane) || offer_next(lane);
  }

  /// The stages of one channel, from the node to the injector.
  std::unique_ptr<send_stage> make_send_stages(const nic_parameters& nic) {
    std::unique_ptr<send_stage> stages;
    if (m_compression.enabled()) stages = make_compressor(m_compression, m_words, m_packets, m_forms);
    if (!nic.coding.enabled) return stages;
    const bool keeps_bits = m_wants_payload || m_compression.enabled();
    return make_xor_encoder(nic.coding, m_packets, m_contents, keeps_bits, std::move(stages));
  }

  /// The same through stages, which may have flits of their own to send.
  bool send_by_stage(attachment_id a) {
    send_lane& lane = m_lanes[a];
    send_stage& stage = *m_send_stages[a];
    nic_flit in;
    congestion state;
    if (lane.offers()) in = {lane.flit.packet(), lane.sequence, 0, lane.flit.tail()};
    if (in.head() || !m_decoders.empty()) state = {received_in_window(lane.node), m_nodes[lane.node].queued};
    const bool was_empty = stage.empty();
    const nic_flit out = stage.output(in, state);
    const bool ready = out.valid() && lane.out.ready(block_of(out.packet));
    const send_stage::outcome result = stage.cycle(m_now, in, ready, state);
    if (result.taken) {
      tell_sent(lane);
      if (take_offered(lane)) m_done.push_back(a);
    }
    if (result.absorbed) m_packets.remove(in.packet);
    if (ready) {
      const node_id destination = m_packets[out.packet].what.destination;
      inject(lane, a, stored_flit(out.packet, destination, out.head(), out.tail), out.sequence, block_of(out.packet));
    }
    m_busy += was_empty && !stage.empty();
    m_busy -= !was_empty && stage.empty();
    return has_work(a);
  }

  void tell_sent(const send_lane& lane) {
    if (m_wanted.contains(network_event::Sent) && lane.sequence == 0)
      m_observer.sent(m_packets[lane.flit.packet()].what.id, lane.node, m_now);
  }

  /// The flit that is offered leaves the source queue. Returns whether it is a tail.
  bool take_offered(send_lane& lane) {
    if (++lane.sequence < lane.flits) {
      lane.flit = lane.flit.next(lane.sequence + 1 == lane.flits);
      return false;
    }
    lane.flits = 0;
    --m_busy;
    return true;
  }

  /// The VCs on which a packet travels. With one class nobody need look at the packet.
  vc_set block_of(packet_handle packet) const {
    return m_classes == 1 ? ~vc_set{0} : block_of_class(m_packets[packet].what.message_class, m_class_vcs);
  }

  /// A flit goes into the router, on a VC of \p block.
  void inject(send_lane& lane, attachment_id a, stored_flit flit, std::uint32_t sequence, vc_set block) {
    const unsigned vc = lane.out.take(block, flit.tail());
    if (m_has_ways && flit.head()) {
      m_packets[flit.packet()].way = m_graph.nodes[lane.node].ways(flit.destination(), m_numbers[a]);
      m_numbers[a] += m_nodes[lane.node].lanes;
    }
    m_routers.inject(a, vc, flit, m_now + 1 + lane.cycles, lane.out.was_settled());
    if (m_wanted.contains(network_event::Injected)) {
      const packet_record& p = m_packets[flit.packet()];
      m_observer.injected({m_now, lane.node, vc, p.what.id, sequence}, flit.head() ? p.head() : m_no_head);
    }
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Receive path

  void eject() {
    if (m_ejectors.empty()) {
      for (const moving_flit& moving : m_routers.ejected()) {
        if (m_watches_flits) {
          const attachment_id a = moving.nic.attachment();
          receive(a, leave_network(a, moving.nic.vc(), moving.flit));
        } else if (moving.flit.tail()) {
          deliver(moving.flit.packet(), moving.flit.routers());
        }
      }
      return;
    }
    for (const moving_flit& moving : m_routers.ejected()) {
      const attachment_id a = moving.nic.attachment();
      m_ejectors[a].store(moving.nic.vc(), moving.flit);
      m_busy += m_ejecting.insert(a);
    }
    m_ejecting.filter([this](std::size_t lane) {
      const auto a = static_cast<attachment_id>(lane);
      const bool more = m_decompressors.empty() && m_decoders.empty() ? eject_buffered(a) : eject_by_stage(a);
      m_busy -= !more;
      return more;
    });
  }

  /// A cycle of a buffered ejector. Returns whether there may be something to do in the next one.
  bool eject_buffered(attachment_id a) {
    ejector& from = m_ejectors[a];
    if (!from.valid() && !next_of(a)) return false;
    if (!m_nodes[m_lanes[a].node].ready) return true;
    receive(a, leave_network(a, from.vc(), from.out()));
    from.clear();
    return true;
  }

  /// The same with decompressor, XOR decoder or both behind it.
  bool eject_by_stage(attachment_id a) {
    ejector& from = m_ejectors[a];
    if (!from.valid()) next_of(a);
    nic_flit in;
    if (from.valid()) {
      const packet_record& p = m_packets[from.out().packet()];
      in = {from.out().packet(), p.ejected, from.vc(), from.out().tail()};
    }
    // From the node back to the ejector: whoever takes a flit, and then what that flit does.
    const bool ready = m_nodes[m_lanes[a].node].ready;
    const nic_flit raw = m_decompressors.empty() ? in : m_decompressors[a].output(in);
    const xor_decoder::outcome moved =
        m_decoders.empty() ? xor_decoder::outcome{raw.valid() && ready, raw} : m_decoders[a].offer(raw, ready);
    const bool taken = m_decompressors.empty() ? moved.taken : m_decompressors[a].cycle(in, moved.taken);
    if (taken) {
      leave_network(a, from.vc(), from.out());
      from.clear();
    }
    if (!m_decoders.empty()) m_decoders[a].finish(raw, ready, moved);
    if (moved.out.valid() && ready) receive(a, moved.out);
    return from.valid() || !from.idle() || (!m_decompressors.empty() && !m_decompressors[a].empty()) ||
           (!m_decoders.empty() && !m_decoders[a].idle());
  }

  /// The next flit goes to the output register of the ejector, which is free.
  bool next_of(attachment_id a) {
    if (!m_ejectors[a].next()) return false;
    m_routers.return_credit(a, m_ejectors[a].vc(), m_now + m_lanes[a].cycles);
    return true;
  }

  /// A flit leaves the network. Returns it as the receive path has it.
  nic_flit leave_network(attachment_id a, unsigned vc, stored_flit flit) {
    packet_record& p = m_packets[flit.packet()];
    const nic_flit f{flit.packet(), p.ejected++, vc, flit.tail()};
    p.routers = flit.routers();
    if (m_wanted.contains(network_event::Ejected))
      m_observer.ejected({m_now, m_lanes[a].node, vc, p.what.id, f.sequence},
                         m_wants_payload ? travelling_payload(f) : nullptr);
    return f;
  }

  /// A flit reaches the node: of the message, or of a packet in code that only the node decodes.
  void receive(attachment_id a, const nic_flit& f) {
    const packet_record& p = m_packets[f.packet];
    if (m_wanted.contains(network_event::Received)) tell_received(a, f, p);
    if (f.tail) deliver(f.packet, p.routers);
  }

  /// A packet is whole.
  void deliver(packet_handle packet, std::uint32_t routers) {
    if (m_wanted.contains(network_event::Delivered)) m_observer.delivered(m_packets[packet].what, m_now, routers);
    m_packets.remove(packet);
  }

  /// The flits of the message that the node gets with \p f, of \p p.
  void tell_received(attachment_id a, const nic_flit& f, const packet_record& p) {
    const auto tell = [&](std::uint32_t sequence) {
      m_observer.received({m_now, m_lanes[a].node, f.vc, p.what.id, sequence},
                          m_wants_payload ? message_payload(f.packet, sequence) : nullptr);
    };
    if (p.codec == codec::Raw || m_compression.in_hardware()) {
      tell(f.sequence);
    } else if (f.tail && !m_compression.ratio) {
      for (std::uint32_t sequence = 0; sequence < p.what.flits; ++sequence) tell(sequence);
    }
  }

  const std::uint64_t* travelling_payload(const nic_flit& f) {
    const packet_record& p = m_packets[f.packet];
    if (p.codec == codec::Raw) return message_payload(f.packet, f.sequence);
    m_payload.fill(0);  // an assumed size has no bits
    if (!m_compression.ratio) m_forms.flit_of(m_forms[f.packet].payload, f.sequence, m_payload.data());
    return m_payload.data();
  }

  /// Of a flit of the message, as the node gets it.
  const std::uint64_t* message_payload(packet_handle packet, std::uint32_t sequence) {
    m_forms.message_flit(packet, m_packets[packet], sequence, m_payload.data());
    return m_payload.data();
  }

  const topology m_graph;
  const unsigned m_words;  ///< of 32 bits, of a flit
  packet_source& m_source;
  network_observer& m_observer;
  const network_events m_wanted;
  const bool m_watches_flits;  ///< somebody wants to know which ones arrive
  const bool m_wants_payload;
  const unsigned m_classes;    ///< of packets
  const unsigned m_class_vcs;  ///< VCs of a class
  const compression_parameters m_compression;
  const header m_no_head;

  cycle_t m_now = 0;
  bool m_begun = false;     ///< cycle m_now has begun
  bool m_has_ways = false;  ///< NICs choose ways
  packet_pool m_packets;
  packet_contents m_contents;
  coded_forms m_forms;
  routers<Lanes, Shift> m_routers;
  calendar m_creations;
  received_counter m_received;  ///< by attachment
  std::vector<node_state> m_nodes;
  std::vector<send_lane> m_lanes;        ///< by attachment
  std::vector<std::uint64_t> m_numbers;  ///< by attachment, of the next packet that leaves, among those of the node
  std::vector<ejector> m_ejectors;       ///< by attachment; none if nodes take every flit at once
  index_set m_sending;                   ///< lanes with a flit and, as far as is known, a credit
  index_set m_ejecting;                  ///< ejectors with a flit
  std::vector<std::unique_ptr<send_stage>> m_send_stages;  ///< by attachment; none if there are no stages
  std::vector<decompressor> m_decompressors;               ///< by attachment; none if they are not in hardware
  std::vector<xor_decoder> m_decoders;                     ///< by attachment; none if nothing is joined
  std::vector<attachment_id> m_done;  ///< lanes whose packet has left the source queue in this cycle
  std::size_t m_busy = 0;  ///< packets that are offered, stages that are not empty, ejectors with something to do
  std::array<std::uint64_t, 8> m_payload{};
};

void check_size(const topology& graph) {
  if (graph.nodes.size() >= 1U << 20) throw std::invalid_argument("a network has fewer than 1,048,576 nodes");
  if (graph.routers.size() >= 1U << 24) throw std::invalid_argument("a network has fewer than 16,777,216 routers");
}

}  // namespace

std::unique_ptr<driven_model> make_model(const topology& graph, const router_parameters& router,
                                         const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                         network_observer& observer) {
  check_parameters(graph, router, nic);
  check_size(graph);
  // The first is the usual router: five ports of three or four VCs.
  if (routers<32, 2>::fits(graph, router))
    return std::make_unique<model<32, 2>>(graph, router, nic, payload_bits, source, observer);
  if (routers<64, -1>::fits(graph, router))
    return std::make_unique<model<64, -1>>(graph, router, nic, payload_bits, source, observer);
  return std::make_unique<model<256, -1>>(graph, router, nic, payload_bits, source, observer);
}

}  // namespace weft::engine
