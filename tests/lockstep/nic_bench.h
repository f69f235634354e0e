// SPDX-License-Identifier: Apache-2.0
/// A bench for the whole NIC with all stages, in SystemVerilog and at the pin level. Both get the same inputs, and
/// every output is compared in every cycle. A network with delay returns what the NIC injects, so that the receive path
/// gets the output of the send path.
#pragma once

#include "lockstep/fixture.h"
#include "lockstep/stimuli.h"
#include "lockstep/streams.h"
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "weft/cosim/router_wires.h"
#include "weft/cosim/verilated.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/nic/nic.h"
#include "weft/pin/nic/stages.h"

namespace weft::lockstep {

/// The parameters of both NICs.
struct nic_shape {
  unsigned ports = 1;
  router_parameters router;
  nic_parameters nic;
  unsigned words = 2;
  unsigned path_id_bits = 1;
  path_selector path_ids;

  bool stages() const { return nic.coding.enabled || nic.compression.enabled(); }
  tb::flit_layout layout() const { return {words, nic.coding.enabled, 0, path_id_bits, tb::index_bits(router.vcs)}; }
  tb::flit_layout without(bool vc) const {
    tb::flit_layout l = layout();
    l.path_id_bits = 0;
    if (vc) l.vc_bits = 0;
    return l;
  }
};

template <unsigned PayloadBits, class Model>
class nic_bench : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;
  static constexpr unsigned K = PayloadBits / 32;

  nic_bench(sc_core::sc_module_name name, const nic_shape& shape, rng& random)
      : sc_module(name),
        m_shape(shape),
        m_random(random),
        m_settings(shape.nic.compression),
        m_clocks("clocks", random.chance(0.5)),
        m_nic("nic", 7, shape.ports, shape.path_ids, shape.router, shape.nic,
              pin::make_stages<PayloadBits>(shape.nic, m_settings, nullptr), m_clocks),
        m_rtl("rtl", static_cast<int>(random.between(1, 0x7fff'ffff))),
        m_messages(random, shape.nic.compression.codec.table) {
    for (sc_core::sc_object* object : m_nic.get_child_objects())
      if (auto* wire = dynamic_cast<pin::wire<bool>*>(object); wire != nullptr && is_busy(*wire))
        m_busy.push_back(wire);
    m_clocks.clk_i(m_clk);
    m_clocks.rst_ni(m_rst_n);
    m_nic.rst_ni(m_rst_n);
    m_nic.bind_tick(m_tick);
    m_nic.queue_i(m_queue);
    m_nic.received_o(m_received);
    for (unsigned p = 0; p < shape.ports; ++p) {
      m_ports.push_back(std::make_unique<port>(p, random, [this] { return next_packet(); }));
      port& at = *m_ports.back();
      m_nic.bind_node(p, at.send, at.send_ready, at.receive, at.receive_ready);
      m_nic.bind_router(p, at.injected, at.injected_credit, at.ejected, at.ejected_credit);
    }
    const compression_parameters& c = shape.nic.compression;
    m_rtl->mode_i = static_cast<unsigned>(c.selection.mode);
    m_rtl->length_threshold_i = c.selection.length_threshold;
    m_rtl->received_threshold_i = c.selection.received_threshold;
    m_rtl->queue_threshold_i = c.selection.queue_threshold;
    m_rtl->cut_i = c.codec.cut;
    unsigned at = 0;
    for (unsigned p = 0; p < shape.ports; ++p)
      for (const std::uint64_t path_id : shape.path_ids.by_destination)
        tb::put_bits(m_rtl->path_ids_i, at++ * shape.path_id_bits, shape.path_id_bits, path_id);
  }

  /// Runs \p cycles cycles after a reset.
  /// \return the first difference, or an empty string
  std::string run(std::uint64_t cycles) {
    try {
      reset();
      const double ticks = m_random.chance(0.2) ? 0.0005 : 0.02;  // with few ticks, windows have very many flits
      for (std::uint64_t i = 0; i < cycles && m_report.empty(); ++i) {
        for (auto& at : m_ports) drive(*at);
        m_tick.write(m_random.chance(ticks));
        // The queue length is a small value, or the threshold with one bit inverted.
        const std::uint32_t beside = m_shape.nic.compression.selection.queue_threshold ^ 1U << m_random.between(0, 31);
        if (m_random.chance(0.05)) m_queue.write(m_random.chance(0.5) ? m_random.between(0, 20) : beside);
        cycle();
      }
    } catch (const sc_core::sc_report& report) {
      return where() + report.get_msg();
    }
    return m_report;
  }

  std::uint64_t sent = 0, stalls = 0, heads = 0, coded = 0, compressed = 0, received = 0, resolved = 0;

 private:
  /// The state of one port: its wires, its node, and its part of the network.
  struct port {
    port(unsigned number, rng& random, std::function<std::vector<flit_t>()> next)
        : send(pin::numbered("send", number).c_str()),
          injected(pin::numbered("injected", number).c_str()),
          receive(pin::numbered("receive", number).c_str()),
          ejected(pin::numbered("ejected", number).c_str()),
          source(random, std::move(next)),
          sink(random) {}
    pin::wire<flit_t> send, injected, receive, ejected;
    pin::wire<bool> send_ready, receive_ready;
    pin::wire<pin::credit> injected_credit, ejected_credit;
    stream_source<PayloadBits> source;
    stream_sink<PayloadBits> sink;
    std::array<std::deque<flit_t>, MaxVcs> within;  // flits in the network
    std::array<unsigned, MaxVcs> credits{};         // credits of the ejection VCs
    double speed = 1;                               // speed of the network
    bool was_ready = false;                         // value of send_ready at the last edge
  };

  /// Whether \p wire is a clock request of one module of the NIC. The RTL has a single request for all modules.
  static bool is_busy(const pin::wire<bool>& wire) { return std::string(wire.basename()).rfind("busy", 0) == 0; }

  std::string where() const { return "cycle " + std::to_string(m_cycle) + ": "; }

  void reset() {
    for (auto& at : m_ports) {
      at->send.write(flit_t());
      at->ejected.write(flit_t());
      at->injected_credit.write(pin::credit());
      at->receive_ready.write(true);
      at->source.drop_packet();
      for (auto& vc : at->within) vc.clear();
      at->credits.fill(m_shape.nic.ejection_depth == 0 ? ~0U : m_shape.nic.ejection_depth);
    }
    m_packets.clear();
    m_late.clear();
    m_tick.write(false);
    m_rst_n.write(false);
    sc_core::sc_start((m_cycle == 0 ? 2.75 : 2) * m_period);
    m_rtl->rst_ni = 0;
    put_inputs();
    m_rtl.settle();
    m_rtl.edge();  // registers without a reset need an edge
    m_rst_n.write(true);
    m_rtl->rst_ni = 1;
    m_rtl.settle();
  }

  void drive(port& at) {
    if (m_random.chance(0.01)) {
      at.source.pause = pauses::any(m_random, 20);
      if (m_shape.nic.ejection_depth != 0) at.sink.pause = pauses::any(m_random, 40);
      at.speed = m_random.one_of({1.0, 0.5, 0.2});
    }
    at.send.write(at.source.drive(at.send.read(), at.was_ready, true));
    at.receive_ready.write(at.sink.drive(at.receive.read(), at.receive_ready.read()));
    // The network accepts injected flits, and returns the flits of one of its VCs.
    const flit_t& in = at.injected.read();
    if (in.valid) at.within[in.vc].push_back(in);
    for_each_member(at.ejected_credit.read().vcs, [&](unsigned vc) { ++at.credits[vc]; });
    const unsigned vcs = m_shape.router.vcs;
    const auto can_go = [&at](unsigned vc) { return !at.within[vc].empty() && at.credits[vc] != 0; };
    unsigned vc = m_random.between(0, vcs - 1);
    for (unsigned i = 1; i < vcs && !can_go(vc); ++i) vc = (vc + 1) % vcs;
    flit_t out;
    pin::credit back;
    if (can_go(vc) && m_random.chance(at.speed)) {
      out = at.within[vc].front();
      at.within[vc].pop_front();
      if (m_shape.nic.ejection_depth != 0) --at.credits[vc];
      back = {1U << vc};
    }
    at.ejected.write(out);
    at.injected_credit.write(back);
  }

  // -----------------------------------------------------------------------------------------------------------------

  std::vector<flit_t> next_packet() {
    if (m_packets.empty()) make_packets();
    std::vector<flit_t> first = std::move(m_packets.front());
    m_packets.pop_front();
    return first;
  }

  /// Returns a message of at most \p most flits with all kinds of words. If it is not part of an XOR, it may have any
  /// type.
  std::vector<flit_t> any_message(std::uint32_t most, xor_role role, std::uint8_t uses = 0) {
    const bool alone = role == xor_role::Plain && uses == 0;
    travelling_packet packet;
    header& h = packet.header;
    const std::size_t nodes = m_shape.path_ids.by_destination.size();  // number of nodes that have a path id
    h.destination = m_random.between(0, nodes == 0 ? 0xf'ffff : static_cast<std::uint32_t>(nodes - 1));
    h.source = m_random.between(0, 0xf'ffff);
    h.flits = m_random.between(1, most);
    h.words = K * h.flits - m_random.between(0, K - 1);
    h.type = alone ? static_cast<data_type>(m_random.between(0, 3)) : data_type::Int;
    h.message_class = static_cast<std::uint8_t>(m_random.between(0, m_shape.router.classes - 1));
    h.role = role;
    if (m_shape.nic.coding.enabled) {
      m_name = (m_name + 0x6'5433) & 0xf'ffff;  // so that all names occur
      h.first = datum_bits({m_name, h.words, uses, h.type});
    }
    packet.payload = m_messages.words_of(h.type, h.words, m_shape.nic.compression.codec.cut);
    packet.payload.resize(std::size_t{K} * h.flits);
    if (alone && m_random.chance(0.4)) make_odd(packet);
    std::vector<flit_t> flits = flits_of<PayloadBits>(packet, 0);
    for (flit_t& f : flits) f.tag = {};
    return flits;
  }

  /// Makes an unusual packet: one that is already coded, with any number of truncated bits, one that is inconsistent,
  /// or one that no encoder produces. The send path does not change it, and a stage detects the error.
  void make_odd(travelling_packet& packet) {
    header& h = packet.header;
    const unsigned kind = m_shape.stages() ? m_random.between(0, 3) : 3;
    if (kind == 0) {
      codec_parameters parameters = m_shape.nic.compression.codec;
      parameters.cut = m_random.between(0, MaxCut);
      h.type = data_type::Double;
      h.codec = codec::LsbCut;
      h.cut = static_cast<std::uint8_t>(parameters.cut);
      packet.payload = encode(m_messages.doubles(h.words, parameters.cut), h.codec, K, parameters).payload;
      h.flits = static_cast<std::uint32_t>(packet.payload.size() / K);
    } else if (kind <= 2) {
      travelling_packet tight = tight_end(m_random, m_shape.nic.compression.codec.table, K);
      packet.payload = std::move(tight.payload);
      h.codec = tight.header.codec;
      h.flits = tight.header.flits;
      h.words = tight.header.words;
    } else {
      h.codec = static_cast<codec>(m_random.between(0, 3));
      h.cut = static_cast<std::uint8_t>(m_random.between(0, 63));
      h.flits = m_random.between(0, 0xff'ffff);
      h.words = m_random.between(0, h.codec == codec::Raw || !m_shape.stages() ? 0xff'ffff : 100);  // words after
                                                                                                    // decoding
    }
  }

  /// Makes two data that the node has combined. The first one has any length. The second datum is sent alone before
  /// them; or it is sent twice, so that one copy is redundant. Sometimes the packets are falsely marked as coded.
  void make_joined() {
    const bool twice = m_random.chance(0.3);
    const auto uses = static_cast<std::uint8_t>(twice ? 2 : 1);
    const unsigned depth = m_shape.nic.coding.depth;
    const unsigned longest = twice ? depth : m_random.one_of({depth, 20 * depth});
    std::vector<flit_t> first = any_message(longest, xor_role::Plain, uses);
    std::vector<flit_t> second = any_message(depth, xor_role::Plain, uses);
    if (!twice) m_packets.push_back(second);
    xor_datum data[] = {datum_of(first.front().first), datum_of(second.front().first)};
    if (first.size() > depth)
      data[0].uses = static_cast<std::uint8_t>(m_random.between(0, 15));  // too long to be
                                                                          // stored
    std::vector<flit_t> alone = second;
    if (first.size() < second.size()) std::swap(first, second);
    for (std::size_t i = 0; i < second.size(); ++i)
      for (std::size_t word = 0; word < std::size(first[i].payload); ++word)
        first[i].payload[word] ^= second[i].payload[word];
    flit_t& head = first.front();
    head.words = std::max(data[0].words, data[1].words);
    head.role = xor_role::Coded;
    head.first = datum_bits(data[0]);
    head.second = datum_bits(data[1]);
    if (m_shape.nic.compression.enabled() && m_random.chance(0.2)) head.codec = codec::Fpc;
    m_packets.push_back(first);
    if (!twice) return;
    m_packets.push_back(std::move(first));
    m_packets.push_back(std::move(alone));
  }

  /// Makes the next packets: a single message, or combined data. One of the combined data is also sent plain, before or
  /// after them. In the latter case the others wait for it, together with those of the following groups. Sometimes it
  /// is not sent, or an announced use does not occur; an entry is then occupied until the next reset.
  void make_packets() {
    const unsigned depth = m_shape.stages() ? m_shape.nic.compression.depth : 5;
    if (m_random.chance(0.02)) m_most_late = m_random.between(0, 5);
    while (m_late.size() > m_most_late) {
      m_packets.push_back(std::move(m_late.front()));
      m_late.pop_front();
    }
    if (!m_shape.nic.coding.enabled || m_random.chance(0.5)) {
      const std::uint32_t longest = m_random.one_of({3U, depth / 2, depth / 2, depth + 3});
      m_packets.push_back(any_message(longest, xor_role::Plain));
      return;
    }
    if (m_random.chance(0.1)) {
      make_joined();
      return;
    }
    // The first datum is held. The second one is combined with it, and the third one with either of them.
    const bool third = m_random.chance(0.5), chain = third && m_random.chance(0.5);
    std::array<std::uint8_t, 3> uses = {1, 1, 1};
    if (third) ++uses[chain];
    if (m_random.chance(0.01)) ++uses[m_random.between(0, 2)];
    const unsigned plain = m_random.between(0, third ? 2 : 1);
    std::vector<flit_t> duplicate;
    for (unsigned i = 0; i < (third ? 3U : 2U); ++i) {
      const xor_role role = i == 0 ? xor_role::Hold : chain && i == 1 ? xor_role::Chain : xor_role::Combine;
      const bool is_long = role == xor_role::Combine && m_random.chance(0.01);
      std::vector<flit_t> flits = any_message((is_long ? 20 : 1) * m_shape.nic.coding.depth, role, uses[i]);
      if (i == plain) duplicate = flits;
      flits.front().relay = i != 0 && m_random.chance(0.2);
      m_packets.push_back(std::move(flits));
    }
    duplicate.front().role = xor_role::Plain;
    if (m_random.chance(0.4))
      m_packets.push_front(std::move(duplicate));
    else if (m_random.chance(0.99))
      m_late.push_back(std::move(duplicate));
  }

  // -----------------------------------------------------------------------------------------------------------------

  /// Simulates from the middle of a cycle to the middle of the next one. The values just written are its inputs.
  void cycle() {
    sc_core::sc_start(0.1 * m_period);  // a path leads through several modules
    put_inputs();
    m_rtl.settle();
    for (unsigned p = 0; p < m_shape.ports; ++p) compare(p, *m_ports[p]);
    same("received_o", m_received.read(), m_rtl->received_o);
    same("busy_o", std::any_of(m_busy.begin(), m_busy.end(), [](const auto* wire) { return wire->read(); }),
         m_rtl->busy_o != 0);
    for (auto& at : m_ports) at->was_ready = at->send_ready.read();
    m_rtl.edge();
    sc_core::sc_start(0.9 * m_period);
    ++m_cycle;
  }

  void put_inputs() {
    for (unsigned p = 0; p < m_shape.ports; ++p) {
      const port& at = *m_ports[p];
      tb::put_flit(m_rtl->send_i, m_shape.without(true), p, at.send.read(), 0);
      tb::put_flit(m_rtl->flit_i, m_shape.layout(), p, at.ejected.read(), 0);
      tb::put_credit(m_rtl->credit_i, m_shape.layout().vc_bits, p, at.injected_credit.read());
      tb::put_bits(m_rtl->receive_ready_i, p, 1, at.receive_ready.read());
    }
    m_rtl->tick_i = m_tick.read();
    m_rtl->queue_i = m_queue.read();
    m_rtl->flush_i = 0;
  }

  void compare(unsigned p, const port& at) {
    const std::string of = " of port " + std::to_string(p);
    std::uint64_t user = 0;
    if (at.send.read().valid)
      same("send_ready_o" + of, at.send_ready.read(), tb::get_bits(m_rtl->send_ready_o, p, 1) != 0);
    same_flit("flit_o" + of, at.injected.read(), tb::get_flit<PayloadBits>(m_rtl->flit_o, m_shape.layout(), p, user));
    flit_t shown = at.receive.read();
    if (m_shape.stages()) shown.vc = 0;  // RTL stages do not transport the VC
    same_flit("receive_o" + of, shown, tb::get_flit<PayloadBits>(m_rtl->receive_o, m_shape.without(false), p, user));
    const pin::credit credit = tb::get_credit(m_rtl->credit_o, m_shape.layout().vc_bits, p);
    same("credit_o" + of, at.ejected_credit.read().vcs, credit.vcs);

    const flit_t& out = at.injected.read();
    sent += out.valid;
    stalls += at.send.read().valid && !at.send_ready.read();
    if (out.valid && out.head) {
      ++heads;
      coded += out.role == xor_role::Coded;
      compressed += out.codec != codec::Raw;
    }
    if (shown.valid && at.receive_ready.read() && shown.head) {
      ++received;
      resolved += shown.role == xor_role::Plain;
    }
  }

  template <typename A, typename B>
  void same(const std::string& what, const A& systemc, const B& rtl) {
    if (!m_report.empty() || systemc == static_cast<A>(rtl)) return;
    std::ostringstream text;
    text << where() << what << ": SystemC has " << +systemc << ", RTL has " << +rtl;
    m_report = text.str();
  }

  void same_flit(const std::string& what, flit_t systemc, const flit_t& rtl) {
    systemc.tag = {};
    if (!m_report.empty() || (!systemc.valid && !rtl.valid) || systemc == rtl) return;
    std::ostringstream text;
    text << where() << what << ": SystemC has " << systemc << " to " << systemc.destination << ", payload "
         << systemc.payload[0] << ", RTL has " << rtl << " to " << rtl.destination << ", payload " << rtl.payload[0];
    m_report = text.str();
  }

  const nic_shape m_shape;
  rng& m_random;
  const sc_core::sc_time m_period{1, sc_core::SC_NS};
  sc_core::sc_clock m_clk{"clk", m_period, 0.5, m_period};
  sc_core::sc_signal<bool> m_rst_n{"rst_n"};
  pin::compression_settings m_settings;
  pin::clock_gate m_clocks;
  pin::wire<bool> m_tick{"tick"};
  pin::wire<std::uint32_t> m_queue{"queue"}, m_received{"received"};
  std::vector<std::unique_ptr<port>> m_ports;
  pin::nic<PayloadBits> m_nic;
  tb::verilated<Model> m_rtl;
  std::vector<const pin::wire<bool>*> m_busy;
  message_source m_messages;
  std::deque<std::vector<flit_t>> m_packets, m_late;
  std::size_t m_most_late = 0;  // number of packets that have not arrived for a long time
  std::uint32_t m_name = 0;
  std::uint64_t m_cycle = 0;
  std::string m_report;
};

}  // namespace weft::lockstep
