// SPDX-License-Identifier: Apache-2.0
/// Decompressor: the stage in the receive path of a NIC that turns coded packets back into raw ones.
///
/// Purpose    Raw packets pass. A coded packet is pushed into the window of the unpacker; its decoder measures the next
///            group there and takes it, one raw flit a cycle. A packet that no encoder made is given in full length all
///            the same, zeros from the first group on that could not be decoded, and its tail carries the error.
///
///            flit_i -+-> FIFO -+-> bit_unpacker -> decoder -+-> group register -> output register -> flit_o
///                    |         +------------- raw ----------+                                          ^
///                    +----> bypass ----------------------------------------------------------------------+
///
/// Latency    Bypass (raw, and nothing within): 0. A coded flit on flit_i in cycle t: its first raw flit is on flit_o
///            in t+4, if its group is complete. One raw flit a cycle, also from packet to packet.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the
///            receiver ready. In bypass both streams are one, combinationally; otherwise ready_o comes from registers.
#pragma once

#include <array>
#include <cstdint>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/nic/decoding_path.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/nic/payload.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class decompressor : public packet_stage<PayloadBits> {
  using base = packet_stage<PayloadBits>;

 public:
  static constexpr unsigned Words = PayloadBits / 32;  ///< K
  static_assert(Words == 1 || Words == 2 || Words == 4 || Words == 8, "a flit of 1, 2, 4 or 8 words");
  using flit_t = typename base::flit_t;
  using base::busy_o;
  using base::clk_i;
  using base::flit_i;
  using base::flit_o;
  using base::name;
  using base::ready_i;
  using base::ready_o;
  using base::rst_ni;

  decompressor(sc_core::sc_module_name module_name, const decompressor_parameters& parameters)
      : base(module_name),
        m_classic(parameters.classic),
        m_most_words(parameters.most_words),
        m_path(parameters, clk_i, rst_ni) {
    SC_HAS_PROCESS(decompressor);
    SC_METHOD(streams);
    this->sensitive << flit_i << ready_i << m_changed_q;
    SC_METHOD(control);
    this->sensitive << ready_i << m_changed_q << m_path.room << m_path.fpc_take << m_path.fpc_fits << m_path.fpc_corrupt
                    << m_path.lsb_cut_take << m_path.lsb_cut_fits;
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Packets that came coded and are through, since reset; and those of them that carry an error.
  std::uint64_t packets_decompressed() const { return m_packets_decompressed; }
  std::uint64_t packets_wrong() const { return m_packets_wrong; }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  static constexpr unsigned FifoFlits = 2;
  static constexpr unsigned LsbCutWords = lsb_cut_group_words(Words);

  /// What the window is doing.
  enum class state : std::uint8_t {
    Idle,    // no packet
    Decode,  // takes group by group
    Drain,   // after an error: drops what is left of the packet
    Fill,    // gives zeros in place of what is left of the message
  };

  /// One flit, or two (flits of one word, LSB-cut), on their way to the output.
  struct group {
    enum class kind_t : std::uint8_t { Raw, Decoded, Zeros };
    bool valid = false;
    kind_t kind = kind_t::Raw;
    bool first = false;                     // its (first) flit is the head
    bool last = false;                      // its (last) flit is the tail
    bool lsb_cut = false;                   // by which decoder, if decoded
    bool pair = false;                      // two flits are left of it…
    bool upper = false;                     // …or the second
    codec_error error = codec_error::None;  // of zeros
    flit_t flit;                            // raw: all of it; else head or body without payload
  };

  /// What happens at the end of a cycle.
  struct decision {
    bool emit = false;                      // group to output
    bool pop = false;                       // the FIFO's first flit leaves it…
    bool push = false;                      // …for the window…
    bool start = false;                     // …as head of a packet that begins
    bool raw = false;                       // …for the group register
    bool load = false;                      // a decoded group goes to the group register
    bool fill = false;                      // a group of zeros does
    codec_error error = codec_error::None;  // found in this cycle, in a packet that is being decoded
  };

  // Streams
  bool empty() const { return m_fifo_count_q == 0 && m_state_q == state::Idle && !m_group_q.valid && !m_out_q.valid; }

  bool bypasses(const flit_t& in) const {
    return m_bypass_q || (in.valid && in.head && in.codec == codec::Raw && empty());
  }

  bool accepts(const flit_t& in) const { return bypasses(in) ? ready_i.read() : m_fifo_count_q < FifoFlits; }

  void streams() {
    const flit_t& in = flit_i.read();
    ready_o.write(accepts(in));
    flit_o.write(bypasses(in) ? in : m_out_q);
  }

  // Decisions
  bool is_lsb_cut() const { return m_header_q.codec == codec::LsbCut; }
  /// Words of the next group.
  unsigned group_words() const { return words_of_group(is_lsb_cut() ? LsbCutWords : Words); }
  unsigned words_of_group(unsigned most) const { return m_words_left_q < most ? m_words_left_q : most; }

  /// The FIFO's first flit is the head of a coded packet.
  bool coded_head_waits() const {
    const flit_t& front = m_fifo_q[0];
    return m_fifo_count_q != 0 && front.head && front.codec != codec::Raw;
  }

  decision decide() const {
    decision d;
    const bool flit_waits = m_fifo_count_q != 0;
    const bool output_free = !m_out_q.valid || ready_i.read();
    const bool group_free = !m_group_q.valid || (output_free && !m_group_q.pair);
    d.emit = m_group_q.valid && output_free;
    switch (m_state_q) {
      case state::Idle:
        d.start = coded_head_waits();
        d.raw = flit_waits && !d.start && group_free;
        d.pop = d.start || d.raw;
        break;
      case state::Decode: {
        const bool fits = is_lsb_cut() ? m_path.lsb_cut_fits.read() : m_path.fpc_fits.read();
        const bool corrupt = is_lsb_cut() ? m_path.lsb_cut_corrupt.read() : m_path.fpc_corrupt.read();
        const bool last = group_words() == m_words_left_q;
        if (fits && corrupt) {
          d.error = codec_error::Corrupt;
        } else if (!fits && m_tail_seen_q) {
          d.error = codec_error::Truncated;
        } else if (fits && last && !m_tail_seen_q && !m_path.room.read()) {
          d.error = codec_error::OverLong;
        } else {
          d.load = fits && group_free && (!last || m_tail_seen_q);
          d.start = d.load && last && coded_head_waits();
          d.push = flit_waits && m_path.room.read() && !m_tail_seen_q;
          d.pop = d.push || d.start;
        }
        break;
      }
      case state::Drain:
        d.pop = flit_waits;
        break;
      case state::Fill:
        d.fill = group_free;
        break;
    }
    return d;
  }

  void control() {
    const decision d = decide();
    m_path.clear.write(d.start);
    m_path.push.write(d.start || d.push);
    word_row<Words> pushed;
    if (d.start || d.push) {
      const flit_words<Words> of_flit = weft::words_of<Words>(m_fifo_q[0].payload);
      for (unsigned word = 0; word < Words; ++word) pushed.word[word] = of_flit[word];
    }
    m_path.pushed.write(pushed);
    m_path.fpc_load.write(d.load && !is_lsb_cut());
    m_path.lsb_cut_load.write(d.load && is_lsb_cut());
    m_path.take.write(!d.load ? 0 : is_lsb_cut() ? m_path.lsb_cut_take.read() : m_path.fpc_take.read());
  }

  // Registers
  /// From the output back to the input: each register is read as it was before the one behind it changes it.
  void step() {
    const flit_t& in = flit_i.read();
    const bool bypass = bypasses(in);
    const bool taken = in.valid && accepts(in);
    const decision d = decide();
    if (!m_out_q.valid || ready_i.read()) m_out_q = d.emit ? emit() : flit_t();
    load_group(d);
    move_window(d);
    if (d.pop) pop();
    if (taken && bypass) m_bypass_q = !in.tail;
    if (taken && !bypass) m_fifo_q[m_fifo_count_q++] = in;
    show();
  }

  void show() {
    // What the decoders measure next
    const bool decodes = m_state_q == state::Decode;
    const auto count = static_cast<std::uint8_t>(decodes ? group_words() : 0);
    m_path.fpc_count.write(is_lsb_cut() ? 0 : count);
    m_path.lsb_cut_count.write(is_lsb_cut() ? count : 0);
    m_path.left.write(m_words_left_q);
    m_path.cut.write(m_header_q.cut);
    busy_o.write(!empty());
    m_changed_q.write(!m_changed_q.read());
  }

  void reset() {
    m_fifo_count_q = 0;
    m_bypass_q = false;
    m_raw_q = false;
    m_tail_seen_q = false;
    m_first_q = false;
    m_state_q = state::Idle;
    m_header_q = header();
    m_words_left_q = 0;
    m_error_q = codec_error::None;
    m_group_q = group();
    m_out_q = flit_t();
#ifndef WEFT_SYNTHESIS
    m_packets_decompressed = m_packets_wrong = 0;
#endif
    show();
  }

  void pop() {
    m_fifo_q[0] = m_fifo_q[1];
    m_fifo_count_q--;
  }

  /// The next flit of the group register.
  flit_t emit() {
    group& g = m_group_q;
    flit_t out = g.flit;
    const bool is_last_flit = !g.pair;
    if (g.kind != group::kind_t::Raw) {
      out.valid = true;
      out.head = g.first && !g.upper;
      out.tail = g.last && is_last_flit;
      if (!out.head) put_header(out, header());
    }
    if (g.kind == group::kind_t::Decoded) {
      if constexpr (Words == 1)
        out.payload[0] = g.lsb_cut ? m_path.lsb_cut_words.read().word[g.upper] : m_path.fpc_words.read().word[0];
      else
        put_words(out.payload,
                  weft::payload_of<Words>(g.lsb_cut ? m_path.lsb_cut_words.read().word : m_path.fpc_words.read().word));
      if (out.tail) out.error = left_over(g.lsb_cut);
    }
    if (g.kind == group::kind_t::Zeros && out.tail) out.error = g.error;
    if (g.kind != group::kind_t::Raw && out.tail) count(out);
    if (is_last_flit) g.valid = false;
    g.upper = g.pair;
    g.pair = false;
#ifndef WEFT_SYNTHESIS
    g.flit.tag = g.flit.tag.of(g.flit.tag.sequence() + 1);
#endif
    return out;
  }

  /// What was in the window behind the last group.
  codec_error left_over(bool lsb_cut) const {
    const bool excess = lsb_cut ? m_path.lsb_cut_excess.read() : m_path.fpc_excess.read();
    const bool filling = lsb_cut ? m_path.lsb_cut_filling.read() : m_path.fpc_filling.read();
    return excess ? codec_error::OverLong : filling ? codec_error::Corrupt : codec_error::None;
  }

  void load_group(const decision& d) {
    if (d.raw) {
      const flit_t& front = m_fifo_q[0];
      WEFT_ASSERT(front.head == !m_raw_q, "the receive path broke a packet: " << front);
      m_raw_q = !front.tail;
      m_group_q = group();
      m_group_q.valid = true;
      m_group_q.flit = front;
    }
    if (d.load || d.fill) load_decoded(d);
  }

  /// A group that is decoded, or zeros in its place.
  void load_decoded(const decision& d) {
    const unsigned words = d.load ? group_words() : words_of_group(Words);
    group g;
    g.valid = true;
    g.kind = d.load ? group::kind_t::Decoded : group::kind_t::Zeros;
    g.first = m_first_q;
    g.last = words == m_words_left_q;
    g.lsb_cut = is_lsb_cut();
    g.pair = Words == 1 && words == 2;
    g.error = m_error_q;
    if (g.first) {
      put_header(g.flit, m_header_q);
      g.flit.flits = m_header_q.words == 0 ? 1 : (m_header_q.words + Words - 1) / Words;
      g.flit.codec = codec::Raw;
      g.flit.cut = 0;
    }
    g.flit.vc = m_vc_q;
#ifndef WEFT_SYNTHESIS
    g.flit.tag = m_tag;
    m_tag = m_tag.of(m_tag.sequence() + (g.pair ? 2 : 1));
#endif
    m_group_q = g;
    m_words_left_q -= words;
    m_first_q = false;
  }

  void move_window(const decision& d) {
    const bool popped_tail = d.pop && m_fifo_q[0].tail;
    switch (m_state_q) {
      case state::Idle:
        if (d.start) start();
        break;
      case state::Decode:
        if (d.error != codec_error::None) {
          m_error_q = d.error;
          m_state_q = m_tail_seen_q ? state::Fill : state::Drain;
          break;
        }
        if (d.push) m_tail_seen_q = popped_tail;
        if (d.load && m_words_left_q == 0) m_state_q = state::Idle;
        if (d.start) start();
        break;
      case state::Drain:
        if (popped_tail) m_state_q = state::Fill;
        break;
      case state::Fill:
        if (d.fill && m_words_left_q == 0) m_state_q = state::Idle;
        break;
    }
  }

  /// A coded packet begins with the FIFO's first flit.
  void start() {
    const flit_t& head = m_fifo_q[0];
    WEFT_ASSERT(!m_raw_q, "a head within a raw packet: " << head);
    m_header_q = header_of(head);
    if (m_header_q.words > m_most_words) m_header_q.words = 0;
    m_vc_q = head.vc;
    m_words_left_q = m_header_q.words;
    m_tail_seen_q = head.tail;
    m_first_q = true;
    m_error_q = codec_error::Corrupt;  // of the header, if it is
    m_state_q = is_decodable(m_header_q) ? state::Decode : head.tail ? state::Fill : state::Drain;
#ifndef WEFT_SYNTHESIS
    m_tag = head.tag.of(0);
#endif
  }

  bool is_decodable(const header& h) const {
    if (h.words == 0 || h.cut > MaxCut) return false;
    return h.codec == codec::LsbCut || h.codec == (m_classic ? codec::FpcClassic : codec::Fpc);
  }

  void count([[maybe_unused]] const flit_t& tail) {
#ifndef WEFT_SYNTHESIS
    m_packets_decompressed++;
    m_packets_wrong += tail.error != codec_error::None;
#endif
  }

  const bool m_classic;
  const std::uint32_t m_most_words;

  decoding_path<Words> m_path;

  // Input
  std::array<flit_t, FifoFlits> m_fifo_q;  // the first flit in slot 0
  unsigned m_fifo_count_q = 0;
  bool m_bypass_q = false;  // within a packet that bypasses
  bool m_raw_q = false;     // within a raw packet that goes through the FIFO
  // The packet in the window
  state m_state_q = state::Idle;
  header m_header_q;
  std::uint8_t m_vc_q = 0;
  std::uint32_t m_words_left_q = 0;  // that have not gone to the group register
  bool m_tail_seen_q = false;        // its tail has been pushed
  bool m_first_q = false;            // its head has not gone to the group register
  codec_error m_error_q = codec_error::None;
  group m_group_q;
  flit_t m_out_q;
  register_signal<bool> m_changed_q{"changed_q"};  // toggles with the registers, for streams() and control()
#ifndef WEFT_SYNTHESIS
  flit_tag m_tag;  // of the next flit that goes to the group register
  std::uint64_t m_packets_decompressed = 0, m_packets_wrong = 0;
#endif
};

}  // namespace weft::pin
