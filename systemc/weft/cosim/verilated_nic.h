// SPDX-License-Identifier: Apache-2.0
/// Replaces a NIC of the pin level by a verilated weft_nic, with its send path, its receive path and all stages.
///
/// Purpose    A nic_interface that behaves as the RTL does, cycle by cycle. The RTL is evaluated at the edges of the
///            gated clock, and whenever an input changes on which an output may depend in the same cycle.
/// Latency    The latency of the RTL.
/// Handshake  The same as for nic.
///
/// The RTL does not carry simulation tags, so queues beside it store them. This is possible because packets stay in
/// order on each path, and flits on their ejection VC. XOR stages combine and resolve packets; xor_signals.h reports
/// when this happens.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "weft/cosim/router_wires.h"
#include "weft/cosim/verilated.h"
#include "weft/cosim/xor_signals.h"
#include "weft/pin/check.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/nic/packet_cuts.h"

namespace weft::tb {

/// \tparam Model verilated weft_nic with one port and no user bits, compiled with tb/sv/public_nic.vlt
/// \tparam Coded whether the model has XOR stages with their code, compressor and decompressor, and was compiled with
///         tb/sv/public_coding.vlt
template <unsigned PayloadBits, class Model, bool Coded = false>
class verilated_nic : public pin::nic_interface<PayloadBits> {
  using base = pin::nic_interface<PayloadBits>;

 public:
  using flit_t = flit<PayloadBits>;
  using base::name;
  SC_HAS_PROCESS(verilated_nic);

  /// The parameters must be those of the model.
  /// \param path_id_bits width of the path id of a flit; if it is above 1, the model has a table of path ids
  verilated_nic(sc_core::sc_module_name module_name, node_id node, unsigned path_id_bits, const path_selector& path_ids,
                const router_parameters& router, const nic_parameters& nic, pin::clock_gate& clocks)
      : base(module_name, 1, false),
        m_node(node),
        m_depth(router.depth),
        m_stages(nic.compression.enabled() || Coded),
        m_codec(nic.compression.codec),
        m_rtl(name(), 0),
        m_clock(clocks.make_gate()) {
    m_wires.vc_bits = index_bits(router.vcs);
    m_wires.path_id_bits = path_id_bits;
    m_wires.code = Coded;
    m_sent_wires = m_received_wires = m_wires;
    m_sent_wires.path_id_bits = m_sent_wires.vc_bits = m_received_wires.path_id_bits = 0;
    const selection_parameters& s = nic.compression.selection;
    m_rtl->mode_i = static_cast<unsigned>(s.mode);
    m_rtl->length_threshold_i = std::min<std::uint32_t>(s.length_threshold, (1U << HeaderLengthBits) - 1);
    m_rtl->received_threshold_i = s.received_threshold;
    m_rtl->queue_threshold_i = s.queue_threshold;
    m_rtl->flush_i = 0;
    for (std::size_t n = 0; n < path_ids.by_destination.size(); ++n)
      put_bits(m_rtl->path_ids_i, static_cast<unsigned>(n) * path_id_bits, path_id_bits, path_ids.by_destination[n]);
    m_clock.drives(*this);
    m_busy.enables_clock(m_clock);
    SC_METHOD(settle);
    this->sensitive << this->rst_ni.neg() << this->send_i[0] << this->receive_ready_i[0] << this->queue_i;
  }

  const char* kind() const override { return "verilated_nic"; }

  void bind_router(unsigned port, pin::wire<flit_t>& injected, pin::wire<pin::credit>& injected_credit,
                   pin::wire<flit_t>& ejected, pin::wire<pin::credit>& ejected_credit) override {
    this->flit_o[port](injected);
    this->credit_i[port](injected_credit);
    this->flit_i[port](ejected);
    this->credit_o[port](ejected_credit);
    injected.enables_clock(m_clock);
    injected_credit.enables_clock(m_clock);
    ejected.enables_clock(m_clock);
    ejected_credit.enables_clock(m_clock);
  }
  void bind_node(unsigned port, pin::wire<flit_t>& sent, pin::wire<bool>& sent_ready, pin::wire<flit_t>& received,
                 pin::wire<bool>& received_ready) override {
    this->send_i[port](sent);
    this->send_ready_o[port](sent_ready);
    this->receive_o[port](received);
    this->receive_ready_i[port](received_ready);
    sent.enables_clock(m_clock);
    received.enables_clock(m_clock);
  }
  void bind_tick(pin::wire<bool>& tick) override {
    this->tick_i(tick);
    tick.enables_clock(m_clock);
  }

  void attach(network_observer& observer, const pin::clock_gate& clocks, const pin::packet_table& packets,
              const std::vector<pin::waits_on_channel*>&) override {
    m_observer = &observer;
    m_clocks = &clocks;
    m_packets = &packets;
    m_cuts.attach(packets);
  }

  /// Number of credits, counted at the pins.
  unsigned credits(unsigned, unsigned vc) const override { return m_depth - m_out[vc]; }
  std::uint64_t sent(unsigned) const override { return m_sent; }
  unsigned buffered(unsigned, unsigned vc) const override {
    const flit_t shown = ejected();
    return static_cast<unsigned>(m_within[vc].size()) - unsigned{shown.valid && shown.vc == vc};
  }
  std::uint64_t received(unsigned) const override { return m_received; }
  vc_set awaited_vcs(unsigned, unsigned) const override { return 0; }
  std::vector<flit_t> rejected(unsigned) const override { return {}; }

 private:
  friend class pin::gated_clock;  // runs clocked() at its edges

  /// A packet that is in the stages of the receive path.
  struct arrival {
    flit_tag tag;
    std::uint8_t vc = 0;
  };

  void settle() {
    if (this->rst_ni.read()) {
      put_inputs();
      m_rtl.settle();
    } else {
      restart();
    }
    show();
  }

  void restart() {
    put_flit(m_rtl->send_i, m_sent_wires, 0, flit_t(), 0);
    put_flit(m_rtl->flit_i, m_wires, 0, flit_t(), 0);
    put_credit(m_rtl->credit_i, m_wires.vc_bits, 0, pin::credit());
    m_rtl.reset();
    m_sending.clear();
    m_arriving.clear();
    for (auto& vc : m_within) vc.clear();
    m_out.fill(0);
    m_injected_sequence = m_shown_sequence = 0;
    m_injected = flit_t();
    m_sent = m_received = 0;
  }

  void clocked() {
    put_inputs();
    m_rtl.settle();
    leave_node();
    leave_ejector();
    leave_decompressor();
    reach_node();
    enter_ejector();
    m_rtl.edge();
    enter_network();
    show();
  }

  void put_inputs() {
    m_rtl->rst_ni = this->rst_ni.read();
    m_rtl->tick_i = this->tick_i.read();
    m_rtl->queue_i = this->queue_i.read();
    const flit_t& in = this->send_i[0].read();
    WEFT_ASSERT(!in.valid || (fits(in) && (Coded || code_of(in) == xor_code())),
                "a field of the header is wider than the RTL's header (weft_pkg::header_t): " << in);
    put_flit(m_rtl->send_i, m_sent_wires, 0, in, 0);
    put_flit(m_rtl->flit_i, m_wires, 0, this->flit_i[0].read(), 0);
    put_credit(m_rtl->credit_i, m_wires.vc_bits, 0, this->credit_i[0].read());
    // Only doubles are cut, and they pass the XOR encoder in the same cycle. So the cut is always that of the packet at
    // the input of the NIC.
    if (in.valid && in.head) m_rtl->cut_i = m_cuts.of(in.tag, m_codec).cut;
    m_rtl->receive_ready_i = this->receive_ready_i[0].read();
  }

  flit_t ejected() const {
    std::uint64_t user = 0;
    return get_flit<PayloadBits>(m_rtl->rootp->weft_nic__DOT__ejected, m_received_wires, 0, user);
  }
  flit_t shown() const {
    std::uint64_t user = 0;
    return get_flit<PayloadBits>(m_rtl->receive_o, m_received_wires, 0, user);
  }
  xor_signals<Model> xor_stages() const { return xor_signals<Model>(*m_rtl); }
  /// The flit at the output of the decompressor. It goes to the XOR decoder or to the node.
  offered_flit decompressed() const {
    if constexpr (Coded) return xor_stages().decoder_input();
    const flit_t out = shown();
    return {out.valid, out.head, this->receive_ready_i[0].read()};
  }
  flit_event event_of(const flit_t& f, std::uint32_t sequence) const {
    return {m_clocks->beginning() - 1, m_node, f.vc, m_packets->of(f.tag).id, sequence};
  }

  // The flits that move at a clock edge.

  void leave_node() {
    const flit_t& in = this->send_i[0].read();
    const bool sends = in.role != xor_role::Hold;  // the encoder stores packets of role Hold
    if (in.valid && in.head && m_rtl->send_ready_o && sends) m_sending.push_back(in.tag);
    for_each_member(this->credit_i[0].read().vcs, [&](unsigned vc) { --m_out[vc]; });
  }

  void enter_network() {
    std::uint64_t user = 0;
    m_injected = get_flit<PayloadBits>(m_rtl->flit_o, m_wires, 0, user);
    if (!m_injected.valid) return;
    if (m_injected.head) {
      WEFT_ASSERT(!m_sending.empty(), "the RTL injects a packet that the node did not send");
      m_injected_tag = m_sending.front();
      m_sending.pop_front();
      m_injected_sequence = 0;
    }
    const std::uint32_t sequence = m_injected_sequence++;
    m_injected.tag = m_injected_tag.of(sequence);
    ++m_out[m_injected.vc];
    ++m_sent;
    if (m_observer != nullptr) m_observer->injected(event_of(m_injected, sequence), header_of(m_injected));
  }

  void leave_ejector() {
    flit_t out = ejected();
    if (!out.valid || !m_rtl->rootp->weft_nic__DOT__ejected_ready) return;
    WEFT_ASSERT(!m_within[out.vc].empty(), "the RTL ejects a flit that did not arrive");
    out.tag = m_within[out.vc].front();
    if (out.head) m_ejected[out.vc] = 0;
    if (m_observer != nullptr) m_observer->ejected(event_of(out, m_ejected[out.vc]), out.payload);
    ++m_ejected[out.vc];
    m_within[out.vc].pop_front();
    if (m_stages && out.head) m_arriving.push_back({out.tag, out.vc});
  }

  void leave_decompressor() {
    if (!m_stages) return;
    const offered_flit out = decompressed();
    if (out.valid && out.head && out.ready) {
      WEFT_ASSERT(!m_arriving.empty(), "the RTL delivers a packet that did not arrive");
      m_leaving = m_arriving.front();
      m_arriving.pop_front();
    }
    if constexpr (Coded) {
      if (const auto entry = xor_stages().written_entry()) m_entries[*entry] = m_leaving;
    }
  }

  void reach_node() {
    if (!m_stages) return;
    const flit_t out = shown();
    if (out.valid && this->receive_ready_i[0].read()) m_shown_sequence = out.head ? 1 : m_shown_sequence + 1;
  }

  void enter_ejector() {
    const flit_t& in = this->flit_i[0].read();
    if (!in.valid) return;
    m_within[in.vc].push_back(in.tag);
    ++m_received;
  }

  void show() {
    this->send_ready_o[0].write(m_rtl->send_ready_o);
    this->received_o.write(m_rtl->received_o);
    this->flit_o[0].write(m_injected);
    this->credit_o[0].write(get_credit(m_rtl->credit_o, m_wires.vc_bits, 0));
    const flit_t at_border = ejected();
    m_busy.write(m_rtl->busy_o || at_border.valid);
    flit_t out = shown();
    if (out.valid && !m_stages) {
      out.tag = m_within[out.vc].front();
    } else if (out.valid) {
      const arrival of = packet_shown(at_border);
      out.tag = of.tag.of(out.head ? 0 : m_shown_sequence);
      out.vc = of.vc;
    }
    this->receive_o[0].write(out);
  }

  /// The packet to which the flit at the output of the stages belongs.
  arrival packet_shown(const flit_t& at_border) const {
    if constexpr (Coded) {
      if (const auto entry = xor_stages().resolved_entry()) return m_entries[*entry];
    }
    if (!decompressed().head) return m_leaving;
    // A head that passes the stages within this cycle is not in the queue yet.
    if (m_arriving.empty()) return {m_within[at_border.vc].front(), at_border.vc};
    return m_arriving.front();
  }

  const node_id m_node;
  const unsigned m_depth;
  const bool m_stages;
  const codec_parameters m_codec;
  pin::packet_cuts m_cuts;
  flit_layout m_wires, m_sent_wires, m_received_wires;
  verilated<Model> m_rtl;
  pin::gated_clock& m_clock;
  pin::wire<bool> m_busy{"busy"};
  network_observer* m_observer = nullptr;
  const pin::clock_gate* m_clocks = nullptr;
  const pin::packet_table* m_packets = nullptr;

  std::deque<flit_tag> m_sending;  // tags of the packets whose head is in the send path
  flit_t m_injected;               // flit on flit_o
  flit_tag m_injected_tag;         // tag of the packet of this flit
  std::uint32_t m_injected_sequence = 0;
  std::array<std::uint32_t, MaxVcs> m_ejected{};        // per VC: sequence number of the next flit
  std::array<unsigned, MaxVcs> m_out{};                 // per VC: number of flits whose credit has not returned
  std::array<std::deque<flit_tag>, MaxVcs> m_within{};  // per ejection VC: tags of its flits, including the flit that
                                                        // is offered
  std::deque<arrival> m_arriving;                       // packets whose head is in the decompressor
  arrival m_leaving;                                    // last packet whose head left the decompressor
  std::array<arrival, 64> m_entries;                    // per entry of the XOR decoder: packet written to it
  std::uint32_t m_shown_sequence = 0;                   // sequence number of the next flit at the output of the stages
  std::uint64_t m_sent = 0, m_received = 0;
};

}  // namespace weft::tb
