// SPDX-License-Identifier: Apache-2.0
/// Decompressor: the stage in the receive path of a NIC that turns coded packets back into raw ones.
///
/// Purpose    Raw packets pass unchanged. A coded packet is pushed into the window of the unpacker. Its decoder
///            measures the next group in the window and removes it, at one raw flit per cycle. A packet with an error
///            leaves with its full length too: all words from the first undecodable group on are 0, and its tail
///            carries the error.
///
///            flit_i -+-> FIFO -+-> bit_unpacker -> decoder -+-> group register -> output register -> flit_o
///                    |         +------------- raw ----------+                                          ^
///                    +----> bypass ----------------------------------------------------------------------+
///
/// Latency    A raw packet bypasses an empty decompressor in 0 cycles. If a coded flit is on flit_i in cycle t and
///            completes its first group, the first raw flit is on flit_o in t+4. Throughput: one raw flit per cycle,
///            also across packets.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the
///            receiver is ready. During a bypass both streams are connected combinationally; otherwise ready_o is a
///            register.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/nic/decoding_path.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class decompressor : public decoding_path<PayloadBits> {
  using base = decoding_path<PayloadBits>;

 public:
  using base::Words;
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
      : base(module_name, parameters),
        m_classic(parameters.classic),
        m_most_words(parameters.most_words),
        m_fifo_q("fifo_q", FifoFlits) {
    SC_HAS_PROCESS(decompressor);
    SC_METHOD(streams);
    this->sensitive << flit_i << ready_i << m_changed_q << m_fifo_count_q << m_bypass_q << m_state_q << m_group_valid_q
                    << m_out_q;
    SC_METHOD(control);
    this->sensitive << ready_i << m_changed_q << m_fifo_q[0] << m_fifo_count_q << m_state_q << m_header_q
                    << m_words_left_q << m_tail_seen_q << m_group_valid_q << m_group_pair_q << m_out_q << this->m_room
                    << this->m_fpc_size << this->m_fpc_fits << this->m_fpc_corrupt << this->m_lsb_cut_size
                    << this->m_lsb_cut_fits << this->m_lsb_cut_corrupt;
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Coded packets that left decoded since reset (packets_decompressed), and those of them with an error.
  std::uint64_t packets_decompressed() const { return m_packets_decompressed; }
  std::uint64_t packets_wrong() const { return m_packets_wrong; }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  static constexpr unsigned FifoFlits = 2;
  static constexpr unsigned LsbCutWords = lsb_cut_group_words(Words);

  using state = decoding_state;
  using group = decoded_group;
  using decision = decoding_decision;

  // Streams
  state current() const { return static_cast<state>(m_state_q.read()); }
  bool has_output() const {
    WEFT_VALUE(flit_t, out, m_out_q.read());
    return out.valid;
  }
  bool empty() const {
    return m_fifo_count_q.read() == 0 && current() == state::Idle && !m_group_valid_q.read() && !has_output();
  }

  bool bypasses(const flit_t& in) const {
    return m_bypass_q.read() || (in.valid && in.head && in.codec == codec::Raw && empty());
  }

  bool accepts(const flit_t& in) const { return bypasses(in) ? ready_i.read() : m_fifo_count_q.read() < FifoFlits; }

  void streams() {
    const flit_t& in = flit_i.read();
    ready_o.write(accepts(in));
    if (bypasses(in))
      flit_o.write(in);
    else
      flit_o.write(m_out_q.read());
    busy_o.write(!empty());
  }

  // Decisions
  bool is_lsb_cut() const { return m_header_q.read().codec == codec::LsbCut; }
  /// Number of words in the next group.
  unsigned group_words() const { return is_lsb_cut() ? words_of_group(LsbCutWords) : words_of_group(Words); }
  unsigned words_of_group(unsigned most) const { return m_words_left_q.read() < most ? m_words_left_q.read() : most; }

  /// Whether the first flit of the FIFO is the head of a coded packet.
  bool coded_head_waits() const {
    WEFT_VALUE(flit_t, front, m_fifo_q[0].read());
    return m_fifo_count_q.read() != 0 && front.head && front.codec != codec::Raw;
  }

  decision decide() const {
    decision d;
    const bool flit_waits = m_fifo_count_q.read() != 0;
    const bool output_free = !has_output() || ready_i.read();
    const bool group_free = !m_group_valid_q.read() || (output_free && !m_group_pair_q.read());
    const bool tail_seen = m_tail_seen_q.read();
    d.emit = m_group_valid_q.read() && output_free;
    switch (current()) {
      case state::Idle:
        d.start = coded_head_waits();
        d.raw = flit_waits && !d.start && group_free;
        d.pop = d.start || d.raw;
        break;
      case state::Decode: {
        bool fits = is_lsb_cut() ? this->m_lsb_cut_fits.read() : this->m_fpc_fits.read();
        bool corrupt = is_lsb_cut() ? this->m_lsb_cut_corrupt.read() : this->m_fpc_corrupt.read();
        bool last = group_words() == m_words_left_q.read();
        if (fits && corrupt) {
          d.error = codec_error::Corrupt;
        } else if (!fits && tail_seen) {
          d.error = codec_error::Truncated;
        } else if (fits && last && !tail_seen && !this->m_room.read()) {
          d.error = codec_error::OverLong;
        } else {
          d.load = fits && group_free && (!last || tail_seen);
          d.start = d.load && last && coded_head_waits();
          d.push = flit_waits && this->m_room.read() && !tail_seen;
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

  /// Combines the measurements of the decoders with the decision of this cycle.
  void control() {
    auto count = static_cast<std::uint8_t>(current() == state::Decode ? group_words() : 0);
    this->m_fpc_count.write(is_lsb_cut() ? 0 : count);
    this->m_lsb_cut_count.write(is_lsb_cut() ? count : 0);
    this->m_left.write(m_words_left_q.read());
    this->m_cut.write(m_header_q.read().cut);

    const decision d = decide();
    this->m_clear.write(d.start);
    this->m_push.write(d.start || d.push);
    WEFT_VALUE(flit_t, front, m_fifo_q[0].read());
    word_row<Words> pushed;
    if (d.start || d.push) pushed = words_of(front);
    this->m_pushed.write(pushed);
    this->m_fpc_load.write(d.load && !is_lsb_cut());
    this->m_lsb_cut_load.write(d.load && is_lsb_cut());
    this->m_pop.write(!d.load ? 0 : is_lsb_cut() ? this->m_lsb_cut_size.read() : this->m_fpc_size.read());
  }

  // Registers
  /// Updates the registers from output to input, so that each one is read before the previous stage overwrites it.
  void step() {
    const flit_t& in = flit_i.read();
    bool bypass = bypasses(in);
    bool accepted = in.valid && accepts(in);
    const decision d = decide();
    if (!has_output() || ready_i.read()) {
      flit_t out;
      if (d.emit) out = emit();
      m_out_q.write(out);
    }
    const bool last = load_group(d);
    move_window(d, last);
    move_fifo(d.pop, accepted && !bypass, in);
    if (accepted && bypass) m_bypass_q.write(!in.tail);
    m_changed_q.toggle();
  }

  void reset() {
    m_fifo_count_q.write(0);
    m_bypass_q.write(false);
    m_raw_q = false;
    m_tail_seen_q.write(false);
    m_first_q = false;
    m_state_q.write(static_cast<std::uint8_t>(state::Idle));
    m_header_q.write(header());
    m_words_left_q.write(0);
    m_error_q = codec_error::None;
    m_group_valid_q.write(false);
    m_group_pair_q.write(false);
    m_group_q = group();
    m_out_q.write(flit_t());
#ifndef WEFT_SYNTHESIS
    m_packets_decompressed = m_packets_wrong = 0;
#endif
    m_changed_q.toggle();
  }

  void move_fifo(bool pop, bool push, const flit_t& in) {
    std::uint8_t count = m_fifo_count_q.read();
    if (pop) {
      m_fifo_q[0].write(m_fifo_q[1].read());
      count--;
    }
    if (push) {
      m_fifo_q[count].write(in);
      count++;
    }
    m_fifo_count_q.write(count);
  }

  /// Outputs the next flit of the group register.
  flit_t emit() {
    const group g = m_group_q;
    flit_t out = m_group_flit_q;
    const bool is_last_flit = !m_group_pair_q.read();
    if (g.kind != group::kind_t::Raw) {
      out.valid = true;
      out.head = g.first && !g.upper;
      out.tail = g.last && is_last_flit;
      if (!out.head) clear_header(out);
    }
    if (g.kind == group::kind_t::Decoded) {
      if constexpr (Words == 1)
        out.payload[0] = g.lsb_cut ? this->m_lsb_cut_words.read().word[g.upper] : this->m_fpc_words.read().word[0];
      else if (g.lsb_cut)
        put_words(out, this->m_lsb_cut_words.read());
      else
        put_words(out, this->m_fpc_words.read());
      if (out.tail) out.error = left_over(g.lsb_cut);
    }
    if (g.kind == group::kind_t::Zeros && out.tail) out.error = g.error;
    if (is_last_flit) m_group_valid_q.write(false);
    m_group_q.upper = !is_last_flit;
    m_group_pair_q.write(false);
#ifndef WEFT_SYNTHESIS
    m_group_flit_q.tag = out.tag.of(out.tag.sequence() + 1);
    if (g.kind != group::kind_t::Raw && out.tail) {
      m_packets_decompressed++;
      m_packets_wrong += out.error != codec_error::None;
    }
#endif
    return out;
  }

  /// The error indicated by the bits in the window that follow the last group.
  codec_error left_over(bool lsb_cut) const {
    const bool excess = lsb_cut ? this->m_lsb_cut_excess.read() : this->m_fpc_excess.read();
    const bool filling = lsb_cut ? this->m_lsb_cut_filling.read() : this->m_fpc_filling.read();
    return excess ? codec_error::OverLong : filling ? codec_error::Corrupt : codec_error::None;
  }

  /// Loads the group register. Returns whether the loaded group is the last one of its packet.
  bool load_group(const decision& d) {
    if (d.raw) {
      WEFT_VALUE(flit_t, front, m_fifo_q[0].read());
      WEFT_ASSERT(front.head == !m_raw_q, "head flit inside a packet, or body flit outside one: " << front);
      m_raw_q = !front.tail;
      m_group_q = group();
      m_group_valid_q.write(true);
      m_group_pair_q.write(false);
      m_group_flit_q = front;
    }
    bool last = false;
    if (d.load || d.fill) last = load_decoded(d);
    return last;
  }

  /// Loads a decoded group, or zeros in its place.
  bool load_decoded(const decision& d) {
    const header& packet = m_header_q.read();
    unsigned words = d.load ? group_words() : words_of_group(Words);
    const bool last = words == m_words_left_q.read();
    const bool pair = Words == 1 && words == 2;
    group g;
    g.kind = d.load ? group::kind_t::Decoded : group::kind_t::Zeros;
    g.first = m_first_q;
    g.last = last;
    g.lsb_cut = is_lsb_cut();
    g.error = m_error_q;
    flit_t flit;
    if (g.first) {
      put_header(flit, packet);
      flit.flits = packet.words == 0 ? 1 : (packet.words + Words - 1) / Words;
      flit.codec = codec::Raw;
      flit.cut = 0;
    }
    flit.vc = m_vc_q;
#ifndef WEFT_SYNTHESIS
    flit.tag = m_tag;
    m_tag = m_tag.of(m_tag.sequence() + (pair ? 2 : 1));
#endif
    m_group_valid_q.write(true);
    m_group_pair_q.write(pair);
    m_group_q = g;
    m_group_flit_q = flit;
    m_words_left_q.write(m_words_left_q.read() - words);
    m_first_q = false;
    return last;
  }

  void enter(state next) { m_state_q.write(static_cast<std::uint8_t>(next)); }

  /// Removes groups and flits from the window as decided in \p d. \p last: the last group of the packet is loaded.
  void move_window(const decision& d, bool last) {
    const bool popped_tail = d.pop && m_fifo_q[0].read().tail;
    switch (current()) {
      case state::Idle:
        if (d.start) start();
        break;
      case state::Decode:
        if (d.error != codec_error::None) {
          m_error_q = d.error;
          enter(m_tail_seen_q.read() ? state::Fill : state::Drain);
        } else {
          if (d.push) m_tail_seen_q.write(popped_tail);
          if (last) enter(state::Idle);
          if (d.start) start();
        }
        break;
      case state::Drain:
        if (popped_tail) enter(state::Fill);
        break;
      case state::Fill:
        if (last) enter(state::Idle);
        break;
    }
  }

  /// Begins a coded packet with the first flit of the FIFO.
  void start() {
    WEFT_VALUE(flit_t, head, m_fifo_q[0].read());
    WEFT_ASSERT(!m_raw_q, "head flit inside a raw packet: " << head);
    header h = header_of(head);
    if (h.words > m_most_words) h.words = 0;
    m_header_q.write(h);
    m_vc_q = head.vc;
    m_words_left_q.write(h.words);
    m_tail_seen_q.write(head.tail);
    m_first_q = true;
    m_error_q = codec_error::Corrupt;  // applies if the header is corrupt
    enter(is_decodable(h, m_classic) ? state::Decode : head.tail ? state::Fill : state::Drain);
#ifndef WEFT_SYNTHESIS
    m_tag = head.tag.of(0);
#endif
  }

  const bool m_classic;
  const std::uint32_t m_most_words;

  // Input
  untraced_registers<flit_t> m_fifo_q;  // first flit in slot 0
  untraced_register<std::uint8_t> m_fifo_count_q{"fifo_count_q"};
  untraced_register<bool> m_bypass_q{"bypass_q"};  // inside a packet that bypasses
  bool m_raw_q = false;                            // inside a raw packet that passes through the FIFO
  // The packet in the window
  untraced_register<std::uint8_t> m_state_q{"state_q"};  // see current()
  untraced_register<header> m_header_q{"header_q"};
  std::uint8_t m_vc_q = 0;
  untraced_register<std::uint32_t> m_words_left_q{"words_left_q"};  // words that are not in the group register yet
  untraced_register<bool> m_tail_seen_q{"tail_seen_q"};             // the tail has been pushed into the window
  bool m_first_q = false;                                           // the first group has not been loaded yet
  codec_error m_error_q = codec_error::None;
  // The group register, and the output
  untraced_register<bool> m_group_valid_q{"group_valid_q"};
  untraced_register<bool> m_group_pair_q{"group_pair_q"};  // both flits of the group remain
  group m_group_q;
  flit_t m_group_flit_q;  // raw packet: the whole flit; coded packet: a head or body flit without payload
  untraced_register<flit_t> m_out_q{"out_q"};
  untraced_change m_changed_q{"changed_q"};  // toggles with the registers; streams() and control() are sensitive to it
#ifndef WEFT_SYNTHESIS
  flit_tag m_tag;  // tag of the next flit that goes to the group register
  std::uint64_t m_packets_decompressed = 0, m_packets_wrong = 0;
#endif
};

}  // namespace weft::pin
