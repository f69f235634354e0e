// SPDX-License-Identifier: Apache-2.0
/// Timed compressor: a model of a compressor with a given latency and, optionally, a given compression ratio. It is the
/// model used in COMPRESS, whose authors assume 100 cycles and a ratio of 2. Simulation only.
///
/// Purpose    Replaces compressor to study codecs of any latency. It selects packets by Algorithm 1, as compressor
///            does. There are two variants:
///            - Real bits: the coded form is computed, and the shorter form leaves; the node decodes it (terminal.h).
///            - Assumed ratio r: a packet of L flits leaves as ceil(L / r) flits without payload, and the node receives
///              no payload.
///            The receive path contains no decompressor, because the latency covers compression and decompression.
/// Latency    A raw packet passes an empty compressor in 0 cycles, combinationally. If the head of a packet to compress
///            is accepted in cycle t, it is on flit_o in t + latency at the earliest. With real bits the head leaves
///            after the cycle in which its tail arrived, because the coded length is unknown before. With an assumed
///            ratio r, flit j leaves after the cycle in which raw flit ceil((j + 1) r) - 1 arrived. Packets stay in
///            order. Throughput: one flit per cycle in and out.
/// Handshake  The same as for compressor. A packet is accepted if the memory has room for the whole packet; the room is
///            released when its tail leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

#include <systemc>

#include "weft/core/bits.h"
#include "weft/core/coded_packet.h"
#include "weft/core/parameters.h"
#include "weft/pin/nic/packet_cuts.h"
#include "weft/pin/nic/packet_stage.h"

namespace weft::pin {

template <unsigned PayloadBits>
class timed_compressor : public packet_stage<PayloadBits> {
  using base = packet_stage<PayloadBits>;

 public:
  static constexpr unsigned Words = PayloadBits / 32;
  using flit_t = typename base::flit_t;

  /// \param parameters must contain a latency
  /// \param cuts       must outlive this object
  timed_compressor(sc_core::sc_module_name module_name, const compression_parameters& parameters,
                   const packet_cuts& cuts)
      : base(module_name), m_parameters(parameters), m_cuts(cuts) {
    SC_HAS_PROCESS(timed_compressor);
    SC_METHOD(combinational);
    this->sensitive << this->flit_i << this->ready_i << m_changed_q;
    SC_METHOD(clocked);
    this->sensitive << this->clk_i.pos() << this->rst_ni.neg();
  }

 private:
  /// The treatment of the arriving packet.
  enum class entry_e : std::uint8_t { None, Bypass, Keep };

  /// A packet inside the compressor.
  struct resident {
    header head;           // header as it leaves
    flit_tag tag;          // tag of the head
    bool timed = false;    // whether it was selected for compression
    bool known = true;     // whether the form in which it leaves is known
    cycle_t earliest = 0;  // cycle in which its head may leave
    std::uint32_t reserved = 0;
    std::uint32_t arrived = 0;  // number of raw flits that have arrived
    std::vector<std::uint32_t> payload;
  };

  void combinational() {
    const flit_t& in = this->flit_i.read();
    const bool bypass = bypasses(in);
    this->flit_o.write(bypass ? in : m_out_q);
    this->ready_o.write(bypass ? this->ready_i.read() : accepts(in));
    this->busy_o.write(!empty());
  }

  void clocked() {
    if (!this->rst_ni.read()) {
      m_within_q.clear();
      m_used_q = 0;
      m_entry_q = entry_e::None;
      m_chosen_q = false;
      m_sequence_q = 0;
      m_out_q = flit_t();
      m_now_q = 0;
    } else {
      ++m_now_q;
      const flit_t in = this->flit_i.read();
      const bool bypass = bypasses(in);
      if (in.valid) {
        const bool accepted = bypass ? this->ready_i.read() : accepts(in);
        if (m_entry_q == entry_e::None) {
          m_choice_q = choice(in);
          m_chosen_q = !accepted;
        }
        if (accepted) accept(in, bypass);
      }
      if (!bypass && (!m_out_q.valid || this->ready_i.read())) m_out_q = next();
    }
    m_changed_q.write(!m_changed_q.read());
  }

  bool empty() const { return m_within_q.empty() && !m_out_q.valid; }

  /// The codec selected for the head on flit_i. The selection is fixed in the first cycle in which the head is offered.
  codec choice(const flit_t& f) const {
    if (m_chosen_q) return m_choice_q;
    const header h = header_of(f);
    return choose_codec({h.type, h.flits, h.words, h.codec, this->received_i.read(), this->queue_i.read()},
                        m_parameters.selection, m_parameters.codec.classic, Words, m_parameters.depth);
  }

  bool bypasses(const flit_t& f) const {
    if (m_entry_q != entry_e::None) return m_entry_q == entry_e::Bypass;
    return f.valid && empty() && choice(f) == codec::Raw;
  }

  /// Whether \p f, which does not bypass, is accepted.
  bool accepts(const flit_t& f) const {
    return m_entry_q == entry_e::Keep || (f.valid && m_used_q + f.flits <= m_parameters.depth);
  }

  void accept(const flit_t& f, bool bypass) {
    if (f.head && !bypass) {
      resident r;
      r.head = header_of(f);
      r.tag = f.tag;
      r.reserved = f.flits;
      r.timed = m_choice_q != codec::Raw;
      if (r.timed) {
        r.earliest = m_now_q - 1 + *m_parameters.latency;  // it was accepted in the cycle that ends now
        r.known = m_parameters.ratio.has_value();
        if (r.known) {
          r.head.codec = m_choice_q;
          r.head.flits = static_cast<std::uint32_t>(std::ceil(f.flits / *m_parameters.ratio));
        }
      }
      m_used_q += r.reserved;
      m_within_q.push_back(std::move(r));
    }
    if (!bypass) {
      resident& r = m_within_q.back();
      ++r.arrived;
      const word_row<Words> words = words_of(f);
      r.payload.insert(r.payload.end(), std::begin(words.word), std::end(words.word));
      if (f.tail && !r.known) encode(r);
    }
    m_entry_q = f.tail ? entry_e::None : bypass ? entry_e::Bypass : entry_e::Keep;
  }

  /// Converts the packet to the form in which it leaves.
  void encode(resident& r) {
    r.payload.resize(r.head.words);
    travelling_packet p =
        travelling_form(r.payload, r.head.type, m_choice_q, Words, m_cuts.of(r.tag, m_parameters.codec));
    p.header.destination = r.head.destination;
    p.header.source = r.head.source;
    p.header.message_class = r.head.message_class;
    put_code(p.header, code_of(r.head));
    r.head = p.header;
    r.payload = std::move(p.payload);
    r.known = true;
  }

  /// Returns the flit for flit_o in the cycle that begins, if there is one.
  flit_t next() {
    if (m_within_q.empty()) return flit_t();
    const resident& r = m_within_q.front();
    if (!r.known || m_now_q < r.earliest || r.arrived < needed(r)) return flit_t();
    flit_t f;
    f.valid = true;
    f.head = m_sequence_q == 0;
    f.tail = m_sequence_q + 1 == r.head.flits;
    if (f.head) put_header(f, r.head);
    if (!assumed(r)) {
      word_row<Words> words;
      std::copy_n(r.payload.begin() + m_sequence_q * Words, Words, words.word);
      put_words(f, words);
    }
    f.tag = r.tag.of(m_sequence_q++);
    if (f.tail) {
      m_used_q -= r.reserved;
      m_within_q.pop_front();
      m_sequence_q = 0;
    }
    return f;
  }

  bool assumed(const resident& r) const { return r.timed && m_parameters.ratio.has_value(); }

  /// Number of raw flits that must have arrived before the next flit may leave.
  std::uint32_t needed(const resident& r) const {
    if (!r.timed) return m_sequence_q + 1;
    if (!assumed(r)) return r.reserved;
    const double flits = std::ceil((m_sequence_q + 1) * *m_parameters.ratio);
    return std::min(r.reserved, static_cast<std::uint32_t>(flits));
  }

  const compression_parameters m_parameters;
  const packet_cuts& m_cuts;
  std::deque<resident> m_within_q;
  std::uint32_t m_used_q = 0;  // flits of the memory in use or reserved
  entry_e m_entry_q = entry_e::None;
  bool m_chosen_q = false;  // the codec for the head on flit_i has been selected
  codec m_choice_q = codec::Raw;
  std::uint32_t m_sequence_q = 0;  // sequence number of the next flit of the first packet
  flit_t m_out_q;
  cycle_t m_now_q = 0;                                // number of the cycle that begins; counts only while the module
                                                      // is clocked
  sc_core::sc_signal<bool> m_changed_q{"changed_q"};  // toggles when registers change
};

}  // namespace weft::pin
