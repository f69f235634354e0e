// SPDX-License-Identifier: Apache-2.0
/// Terminal: the node behind a NIC, which creates packets and receives them. Simulation only.
///
/// Purpose    It has unlimited source queues, requests packets from the workload, fills in their payload, and reports
///            events to the observer. If packets come from a compressor with a given latency (timed_compressor.h),
///            there is no decompressor, and the terminal decodes them. This decoding takes no time, because the latency
///            covers both.
/// Latency    A packet created in cycle c is offered to the NIC in c if no packet waits before it.
/// Handshake  send: valid and ready, one stream for each port of the NIC. When a port has sent a tail, it gets the next
///            packet of the queue, lowest port first; with a send sequence, it gets the next packet for this port. If
///            each message class has a queue, it gets the first packet of the next queue in round-robin order. If the
///            NIC does not accept a head and packets of other classes wait, the packet returns to the front of its
///            queue at the end of the cycle, and the port gets the packet of the next queue.
///            receive: valid and ready; the terminal is ready unless set_ready() disables it. accept_o has the ejection
///            VCs from which it accepts further packets: all of them unless set_accepted() selects some.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/bits.h"
#include "weft/core/coded_packet.h"
#include "weft/core/flit.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/core/path_ids.h"
#include "weft/core/round_robin.h"
#include "weft/pin/check.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/ports.h"
#include "weft/pin/wire.h"

namespace weft::pin {

template <unsigned PayloadBits>
class terminal : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;
  static constexpr unsigned Words = PayloadBits / 32;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  out_ports<flit_t> flit_o;
  in_ports<bool> ready_i;
  in_ports<flit_t> flit_i;
  out_ports<bool> ready_o;
  out_ports<vc_set> accept_o;  ///< exists, as one port, only if the node may accept some classes and not others
  out_port<std::uint32_t> queue_o{"queue_o"};  ///< Q: packets that wait behind those being sent

  /// \param path_ids    with a send sequence, gives the port of each packet
  /// \param packets     table of the packets in the network
  /// \param queues      number of source queues: 1, or the number of message classes
  terminal(sc_core::sc_module_name name, node_id node, unsigned ports, path_selector path_ids,
           const nic_parameters& nic, unsigned queues, packet_source& source, network_observer& observer,
           clock_gate& clocks, packet_table& packets)
      : sc_module(name),
        flit_o("flit_o", ports),
        ready_i("ready_i", ports),
        flit_i("flit_i", ports),
        ready_o("ready_o", ports),
        accept_o("accept_o", nic.accepts_by_class ? 1 : 0),
        m_node(node),
        m_path_selector(std::move(path_ids)),
        m_compression(nic.compression),
        m_source(source),
        m_observer(observer),
        m_clocks(clocks),
        m_packets(packets),
        m_gate(clocks.make_gate()),
        m_queues(queues),
        m_sending(ports),
        m_arriving(ports) {
    SC_HAS_PROCESS(terminal);
    clk_i(m_gate);
    m_gate.drives(*this);
    SC_METHOD(clocked);
    sensitive << clk_i.pos() << rst_ni.neg();
    SC_METHOD(show_ready);
    sensitive << m_ready_changed;
    dont_initialize();
    SC_METHOD(show_accepted);
    sensitive << m_accepted_changed;
    dont_initialize();
  }

  /// Binds port \p port to the NIC.
  void bind(unsigned port, wire<flit_t>& sent, wire<bool>& sent_ready, wire<flit_t>& received,
            wire<bool>& received_ready) {
    flit_o[port](sent);
    ready_i[port](sent_ready);
    flit_i[port](received);
    ready_o[port](received_ready);
    sent.enables_clock(m_gate);
    received.enables_clock(m_gate);
  }

  /// See network_model::reschedule_source().
  void reschedule_source() {
    m_next_creation = m_source.next_creation(m_node);
    if (m_next_creation != Never) m_clocks.schedule_edge(m_gate, m_next_creation);
  }

  /// See network_model::set_ready().
  void set_ready(bool ready) {
    m_ready = ready;
    m_ready_changed.notify(sc_core::SC_ZERO_TIME);
  }

  /// See network_model::set_accepted(); \p vcs are the VCs of the classes.
  void set_accepted(vc_set vcs) {
    m_accepted = vcs;
    m_accepted_changed.notify(sc_core::SC_ZERO_TIME);
  }

  /// Calls \p f(port, packet, is_behind) for each packet that may be sent next. If each class has a queue, these are
  /// the first packets of all queues, because they are offered by turns. `is_behind` is set if another packet occupies
  /// the port, because it has begun to leave.
  template <typename F>
  void for_each_front(F f) const {
    for (unsigned port = 0; port < m_sending.size(); ++port) {
      if (!m_sending[port].active) continue;
      f(port, m_sending[port].what, false);
      if (m_queues.size() == 1) continue;
      for (unsigned c = 0; c < m_queues.size(); ++c)
        if (!m_queues[c].empty() && c != m_sending[port].what.message_class)
          f(port, m_queues[c].front().what, m_sending[port].sequence != 0);
    }
  }

  /// Number of packets whose head has not been sent.
  std::uint64_t queued() const {
    return m_waiting + std::count_if(m_sending.begin(), m_sending.end(),
                                     [](const transmission& t) { return t.active && t.sequence == 0; });
  }

 private:
  friend class gated_clock;  // runs clocked() at its edges

  /// A waiting packet, and the port through which it must leave; without a send sequence, any port. It also represents
  /// the packets that follow it (packet::more).
  struct waiting {
    packet what;
    std::optional<unsigned> port;
  };

  /// A packet that is being sent through one port.
  struct transmission {
    bool active = false;
    packet what;
    flit_tag tag;
    std::uint32_t sequence = 0;  ///< sequence number of the flit on the wires
  };

  /// A packet that is arriving.
  struct arrival {
    header what;
    std::uint32_t sequence = 0;        ///< sequence number of the next flit
    std::vector<std::uint32_t> coded;  // payload received so far, if the packet is coded
  };

  void clocked() {
    if (!rst_ni.read()) {
      for (auto& port : flit_o) port.write(flit_t());
      show_ready();
      show_accepted();
      queue_o.write(0);
      std::fill(m_queues.begin(), m_queues.end(), std::deque<waiting>());
      m_next_queue = 0;
      m_waiting = 0;
      m_created = 0;
      std::fill(m_sending.begin(), m_sending.end(), transmission());
      for (auto& port : m_arriving) port.fill(arrival());
      m_clocks.schedule_edge(m_gate, 0);
      return;
    }
    const cycle_t beginning = m_clocks.beginning();
    for (unsigned port = 0; port < m_sending.size(); ++port) {
      if (flit_o[port].read().valid && ready_i[port].read())
        sent(port, beginning - 1);
      else if (m_queues.size() > 1)
        offer_another(port);
      if (flit_i[port].read().valid && ready_o[port].read()) received(port, flit_i[port].read(), beginning - 1);
    }
    create(beginning);
    for (unsigned port = 0; port < m_sending.size(); ++port) offer(port);
    queue_o.write(static_cast<std::uint32_t>(m_waiting));
  }

  /// Runs two delta cycles after set_ready(). A clock edge at the same time is in the first delta cycle, so it still
  /// reads the old value.
  void show_ready() {
    for (auto& port : ready_o) port.write(m_ready);
  }

  /// Runs two delta cycles after set_accepted(), as show_ready() does.
  void show_accepted() {
    for (auto& port : accept_o) port.write(m_accepted);
  }

  /// Creates the packets that are due in \p cycle, which begins now. In cycles in which the clock is gated, no packet
  /// is due.
  void create(cycle_t cycle) {
    if (cycle < m_next_creation) return;
    while (m_source.next_creation(m_node) <= cycle) {
      const waiting created{m_source.pop(m_node), port_of_next()};
      notify_created(created.what);
      enqueue(created);
    }
    reschedule_source();
  }

  void notify_created(packet p) {
    for (;; p = m_source.following(p)) {
      m_observer.created(p);
      if (p.more == 0) return;
    }
  }

  /// Assigns the packet to the lowest idle port, or puts it into the queue, where urgent packets precede all others.
  void enqueue(waiting w) {
    WEFT_ASSERT((!w.what.urgent && w.what.more == 0) || !w.port,
                "a node with a send sequence can send neither urgent packets nor packets that others follow");
    for (unsigned port = w.port.value_or(0); port <= w.port.value_or(m_sending.size() - 1); ++port) {
      if (m_sending[port].active) continue;
      begin(port, w.what);
      if (w.what.more == 0) return;
      w.what = m_source.following(w.what);
    }
    std::deque<waiting>& queue = queue_of(w.what);
    queue.insert(w.what.urgent ? behind_urgent(queue) : queue.end(), w);
    m_waiting += 1 + w.what.more;
  }

  std::deque<waiting>& queue_of(const packet& p) { return m_queues[m_queues.size() == 1 ? 0 : p.message_class]; }

  /// The place behind the urgent packets of \p queue.
  static typename std::deque<waiting>::iterator behind_urgent(std::deque<waiting>& queue) {
    return std::find_if_not(queue.begin(), queue.end(), [](const waiting& w) { return w.what.urgent; });
  }

  std::optional<unsigned> port_of_next() {
    if (m_path_selector.send_sequence.empty()) return {};
    return m_path_selector.send_sequence.at(m_created++).port;
  }

  void begin(unsigned port, const packet& what) {
    m_next_queue = m_queues.size() == 1 ? 0 : next_index(what.message_class, static_cast<unsigned>(m_queues.size()));
    m_sending[port] = {true, what, m_packets.add(what.id, what.created, what.cut), 0};
  }

  /// The queue that an idle port is served from: the next one in round-robin order that is not empty.
  std::deque<waiting>& queue_to_serve() {
    for (std::size_t i = 0; i < m_queues.size(); ++i) {
      std::deque<waiting>& queue = m_queues[(m_next_queue + i) % m_queues.size()];
      if (!queue.empty()) return queue;
    }
    return m_queues.front();
  }

  /// Sends the first packet that waits for \p port, which has become free.
  void begin_next(unsigned port) {
    std::deque<waiting>& queue = queue_to_serve();
    const auto next =
        std::find_if(queue.begin(), queue.end(), [port](const waiting& w) { return w.port.value_or(port) == port; });
    if (next == queue.end()) return;
    begin(port, next->what);
    --m_waiting;
    if (next->what.more > 0)
      next->what = m_source.following(next->what);
    else
      queue.erase(next);
  }

  /// If the head that \p port offers was not accepted, offers the packet of another class in its place.
  void offer_another(unsigned port) {
    transmission& t = m_sending[port];
    if (!t.active || t.sequence != 0) return;
    std::deque<waiting>& queue = queue_of(t.what);
    const bool others_wait = std::any_of(m_queues.begin(), m_queues.end(), [&queue](const std::deque<waiting>& other) {
      return &other != &queue && !other.empty();
    });
    if (!others_wait) return;
    m_packets.remove(t.tag);
    t.what.more = 0;  // the packets that follow are in the queue
    queue.insert(t.what.urgent ? queue.begin() : behind_urgent(queue), {t.what, {}});
    ++m_waiting;
    t.active = false;
    begin_next(port);
  }

  void offer(unsigned port) {
    const transmission& t = m_sending[port];
    flit_t f;
    if (t.active) {
      f.valid = true;
      f.head = t.sequence == 0;
      f.tail = t.sequence + 1 == t.what.flits;
      if (f.head) {
        f.destination = t.what.destination;
        f.source = t.what.source;
        f.flits = t.what.flits;
        f.words = words_of(t.what, Words);
        f.type = t.what.type;
        f.message_class = t.what.message_class;
        put_code(f, t.what.code);
        WEFT_ASSERT(code_of(f) == t.what.code, "named data that do not fit in the header: " << f);
      }
      m_source.payload(t.what, t.sequence, PayloadBits, f.payload);
      f.tag = t.tag.of(t.sequence);
    }
    flit_o[port].write(f);
  }

  void sent(unsigned port, cycle_t cycle) {
    transmission& t = m_sending[port];
    if (t.sequence == 0) m_observer.sent(t.what.id, m_node, cycle);
    t.sequence++;
    t.active = t.sequence < t.what.flits;
    if (!t.active) begin_next(port);
  }

  void received(unsigned port, const flit_t& f, cycle_t cycle) {
    WEFT_ASSERT(f.error == codec_error::None, "packet arrived with a decoding error: " << f);
    arrival& a = m_arriving[port][f.vc];
    if (f.head) {
      a.what = header_of(f);
      a.sequence = 0;
    }
    const header& h = a.what;
    const packet_table::row& packet = m_packets.of(f.tag);
    if (h.codec == codec::Raw)
      m_observer.received({cycle, m_node, f.vc, packet.id, a.sequence++}, f.payload);
    else
      collect(a, f, cycle);
    if (!f.tail) return;
    const std::uint32_t flits = h.codec == codec::Raw ? h.flits : (h.words + Words - 1) / Words;
    const xor_code code = code_of(h);
    m_observer.delivered({packet.id, h.source, h.destination, flits, packet.created, h.type, h.message_class, code},
                         cycle, packet.routers);
    // XOR stages may store packets with named data and output them later. These packets therefore stay in the table.
    if (code == xor_code()) m_packets.remove(f.tag);
  }

  /// Collects a flit of a coded packet. When the tail arrives, the payload of the whole message is complete.
  void collect(arrival& a, const flit_t& f, cycle_t cycle) {
    WEFT_ASSERT(m_compression.latency.has_value(), "a coded packet bypassed the decompressor: " << f);
    if (m_compression.ratio) return;  // no bits were coded
    const word_row<Words> coded = words_of(f);
    a.coded.insert(a.coded.end(), std::begin(coded.word), std::end(coded.word));
    if (!f.tail) return;
    decoded_message message = decode(a.what, a.coded, Words, m_compression.codec);
    WEFT_ASSERT(message.error == codec_error::None, "packet arrived with a decoding error: " << f);
    a.coded.clear();
    message.words.resize((message.words.size() + Words - 1) / Words * Words);
    for (std::uint32_t sequence = 0; sequence * Words < message.words.size(); ++sequence) {
      word_row<Words> words;
      std::copy_n(message.words.begin() + sequence * Words, Words, words.word);
      flit_t raw;
      put_words(raw, words);
      m_observer.received({cycle, m_node, f.vc, m_packets.of(f.tag).id, sequence}, raw.payload);
    }
  }

  const node_id m_node;
  const path_selector m_path_selector;
  const compression_parameters m_compression;
  packet_source& m_source;
  network_observer& m_observer;
  clock_gate& m_clocks;
  packet_table& m_packets;
  gated_clock& m_gate;
  cycle_t m_next_creation = 0;
  bool m_ready = true;
  sc_core::sc_event m_ready_changed{"ready_changed"};
  vc_set m_accepted = first_vcs(MaxVcs);
  sc_core::sc_event m_accepted_changed{"accepted_changed"};
  std::size_t m_created = 0;                            // number of packets created so far, if there is a send sequence
  std::vector<std::deque<waiting>> m_queues;            // one, or one for each message class
  unsigned m_next_queue = 0;                            // first candidate for the next packet
  std::uint64_t m_waiting = 0;                          // packets in the queues, including those that follow them
  std::vector<transmission> m_sending;                  // per port
  std::vector<std::array<arrival, MaxVcs>> m_arriving;  // per port and VC
};

}  // namespace weft::pin
