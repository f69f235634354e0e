// SPDX-License-Identifier: Apache-2.0
/// XOR decoder: the stage in the receive path of a NIC that takes joined packets apart.
///
/// Purpose    Keeps data that packets still to come are joined with, and coded packets of which it knows neither datum
///            yet. A coded packet of which one datum is known leaves as the other, at once or when that datum has come.
///            docs/03_reference/network_coding.md is the contract.
///
///            flit_i -+------------> pass, keep -------------+-> flit_o
///                    +--> XOR --> decode -------------------+
///                    |     ^                                |
///                    +-> entries -> XOR of two -> resolve ---+
///
/// Latency    Passing: 0. Decoding: 1, the look-up; the tail leaves with that of the coded packet, whose error it
///            carries, even where the datum is shorter. A packet that an entry resolves leaves two cycles after the
///            tail of the one that made it possible. One flit a cycle.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the
///            receiver ready. ready_o depends on the flit that is offered. flush_i may be high for a single cycle; it
///            is carried out between packets, and busy_o is high until then.
#pragma once

#include <algorithm>
#include <cstdint>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/core/xor_stages.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/nic/decoder_entries.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/nic/payload.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class xor_decoder : public packet_stage<PayloadBits> {
  using base = packet_stage<PayloadBits>;

 public:
  static constexpr unsigned Words = PayloadBits / 32;  ///< K
  using flit_t = typename base::flit_t;
  using base::busy_o;
  using base::clk_i;
  using base::flit_i;
  using base::flit_o;
  using base::name;
  using base::ready_i;
  using base::ready_o;
  using base::rst_ni;
  in_port<bool> flush_i{"flush_i"};  ///< all data and packets in the entries are forgotten

  xor_decoder(sc_core::sc_module_name module_name, const xor_parameters& parameters)
      : base(module_name), m_entries(parameters) {
    SC_HAS_PROCESS(xor_decoder);
    SC_METHOD(combinational);
    this->sensitive << flit_i << ready_i << flush_i << m_changed_q;
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Since reset: coded packets that left as their other datum, at once…
  std::uint64_t packets_decoded() const { return m_packets_decoded; }
  /// …and from an entry; coded packets that were redundant when their last datum came.
  std::uint64_t packets_resolved() const { return m_packets_resolved; }
  std::uint64_t packets_dropped() const { return m_packets_dropped; }
  /// Packets that left marked, as there was no room for them or their datum.
  std::uint64_t overflows() const { return m_overflows; }
  /// Entries in use now, and at most since reset.
  unsigned entries_used() const { return m_entries.used(); }
  unsigned most_entries() const { return m_entries.most(); }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  using entry = decoder_entry;
  using payload_t = decltype(flit_t::payload);
  using look_up_result = xor_look_up;
  using comparison = xor_comparison;

  enum class state : std::uint8_t {
    Idle,     // between packets
    Move,     // within a packet that comes in, or before it, after its look-up
    Resolve,  // a datum leaves from two entries
  };

  // -------------------------------------------------------------------------------------------------------------
  // Streams

  /// The look-up that the flit on flit_i goes by.
  look_up_result current(const flit_t& in) const {
    if (m_state_q == state::Move) return m_look_up_q;
    return in.valid ? m_entries.look_up(header_of(in)) : look_up_result();
  }

  /// The head of a coded packet is looked up in this cycle, and moves later.
  bool looks_up(const flit_t& in) const { return m_state_q == state::Idle && in.valid && in.role == xor_role::Coded; }

  /// In a coded packet that is decoded: the last flit of the datum, or one behind it, which is not the packet's tail.
  bool waits_for_tail(const flit_t& in) const { return !in.tail && m_sequence_q + 1 >= m_decoded_q.flits; }

  bool accepts(const flit_t& in, const look_up_result& found) const {
    const bool takes_in =
        found.choice.action == xor_action::Store || (found.choice.action == xor_action::Decode && waits_for_tail(in));
    return takes_in || ready_i.read();
  }

  /// The flit on flit_i XOR that of the datum that is known.
  payload_t decoded_payload(const flit_t& in, const look_up_result& found) const {
    payload_t payload = in.payload;
    if (m_sequence_q < m_entries[found.known()].flits)
      for (unsigned word = 0; word < flit_t::Words; ++word)
        payload[word] ^= m_entries.memory(found.known(), m_sequence_q)[word];
    return payload;
  }

  /// Of what is made with the datum of an entry: that of the coded packet, or else that of the datum.
  codec_error error_of(codec_error coded, unsigned known) const {
    return coded != codec_error::None ? coded : m_entries[known].error;
  }

  /// What comes out of the flit on flit_i.
  flit_t given(const flit_t& in, const look_up_result& found) const {
    if (!in.valid || found.choice.action == xor_action::Store) return flit_t();
    flit_t out = in;
    if (found.choice.action == xor_action::Decode) {
      if (waits_for_tail(in)) return flit_t();
      out.head = in.head || m_decoded_q.flits == 1;
      put_header(out, out.head ? m_decoded_q : header());
      put_words(out.payload, m_sequence_q < m_decoded_q.flits ? decoded_payload(in, found) : m_last_q);
      out.error = in.tail ? error_of(in.error, found.known()) : codec_error::None;
#ifndef WEFT_SYNTHESIS
      out.tag = in.tag.of(std::min(m_sequence_q, m_decoded_q.flits - 1));
#endif
    }
    if (out.head && found.choice.overflow) out.overflow = true;
    return out;
  }

  /// The next flit of the datum that is resolved.
  flit_t resolved() const {
    const entry& waiting = m_entries[m_waiting_q];
    flit_t out;
    out.valid = true;
    out.head = m_sequence_q == 0;
    out.tail = m_sequence_q + 1 == m_decoded_q.flits;
    out.vc = waiting.vc;
    if (out.head) put_header(out, m_decoded_q);
    if (out.tail) out.error = error_of(waiting.error, m_known_q);
    put_words(out.payload, m_entries.memory(m_waiting_q, m_sequence_q));
    if (m_sequence_q < m_entries[m_known_q].flits)
      for (unsigned word = 0; word < flit_t::Words; ++word)
        out.payload[word] ^= m_entries.memory(m_known_q, m_sequence_q)[word];
#ifndef WEFT_SYNTHESIS
    out.tag = waiting.tag.of(m_sequence_q);
#endif
    return out;
  }

  void combinational() {
    const flit_t& in = flit_i.read();
    busy_o.write(m_entries.any_fresh() || m_state_q == state::Resolve || flushes());
    if (m_state_q == state::Resolve) {
      ready_o.write(false);
      flit_o.write(resolved());
    } else if (looks_up(in)) {
      ready_o.write(false);
      flit_o.write(flit_t());
    } else {
      const look_up_result found = current(in);
      ready_o.write(accepts(in, found));
      flit_o.write(given(in, found));
    }
  }

  // -------------------------------------------------------------------------------------------------------------
  // Registers

  /// A flush is asked for, now or since a packet began.
  bool flushes() const { return m_flush_q || flush_i.read(); }

  void step() {
    const comparison c = m_entries.compare();
    if (c.any && !c.match) m_entries.mark_compared(c.fresh);
    m_flush_q = flushes();
    // What comes in may take the entry of what was compared, and is fresh then.
    if (move()) {
      if (m_flush_q)
        flush();
      else if (c.match)
        c.redundant ? drop(c) : resolve(c);
    }
    show();
  }

  void show() { m_changed_q.write(!m_changed_q.read()); }

  void reset() {
    m_state_q = state::Idle;
    m_entries.reset();
    m_look_up_q = look_up_result();
    m_decoded_q = header();
    m_sequence_q = 0;
    m_waiting_q = 0;
    m_known_q = 0;
    m_flush_q = false;
#ifndef WEFT_SYNTHESIS
    m_packets_decoded = m_packets_resolved = m_packets_dropped = m_overflows = 0;
#endif
    show();
  }

  /// What moves at the end of this cycle. Returns whether entries may be resolved, dropped or flushed then.
  bool move() {
    if (m_state_q == state::Resolve) {
      if (ready_i.read()) move_resolved();
      return false;
    }
    const flit_t& in = flit_i.read();
    if (!in.valid) return m_state_q == state::Idle;
    WEFT_ASSERT(in.head == (m_sequence_q == 0), "the receive path broke a packet: " << in);
    const look_up_result found = current(in);
    if (looks_up(in)) {
      begin(in, found);
      return true;
    }
    if (!accepts(in, found)) return false;
    take(in, found);
    return in.tail && found.choice.action != xor_action::Redundant && found.choice.action != xor_action::Decode;
  }

  /// A coded packet moves from the next cycle on.
  void begin(const flit_t& head, const look_up_result& found) {
    m_state_q = state::Move;
    m_look_up_q = found;
    if (found.choice.action == xor_action::Decode)
      m_decoded_q = decoded_header(header_of(head), other_datum(code_of(head), found.first_known), Words);
  }

  /// A flit comes in at the end of this cycle.
  void take(const flit_t& in, const look_up_result& found) {
    const xor_choice& choice = found.choice;
    if (in.head) {
      check_head(in, choice);
      m_state_q = state::Move;
      m_look_up_q = found;
      m_incoming_q.what = choice.action == xor_action::Decode ? m_decoded_q : header_of(in);
      m_incoming_q.flits = m_incoming_q.what.flits;
      m_incoming_q.vc = in.vc;
#ifndef WEFT_SYNTHESIS
      m_incoming_q.tag = in.tag;
      m_packets_decoded += choice.action == xor_action::Decode;
      m_overflows += choice.overflow;
#endif
    }
    const bool decodes = choice.action == xor_action::Decode;
    const payload_t payload = decodes ? decoded_payload(in, found) : in.payload;  // before its entry is written
    if (m_sequence_q < m_incoming_q.flits) {
      if (decodes) put_words(m_last_q, payload);
      if (choice.room != xor_room::None) put_words(m_entries.memory(found.room(), m_sequence_q), payload);
    }
    ++m_sequence_q;
    if (in.tail) {
      m_incoming_q.error = decodes ? error_of(in.error, found.known()) : in.error;
      m_sequence_q = 0;
      m_state_q = state::Idle;
      settle(found);
    }
  }

  /// The packet has come in whole.
  void settle(const look_up_result& found) {
    entry content = m_incoming_q;
    const bool coded = content.what.code.role == xor_role::Coded;
    content.kind = coded ? entry::kind_t::Waiting : entry::kind_t::Known;
    content.fresh = found.choice.action != xor_action::Store;
    if (found.choice.action == xor_action::Redundant) {
      m_entries.use(found.first);
      m_entries.use(found.second);
    }
    if (found.choice.action == xor_action::Decode) {
      --content.what.code.first.uses;
      m_entries.use(found.known());
    }
    if (found.choice.room != xor_room::None) m_entries.occupy(found.room(), content);
  }

  void drop(const comparison& c) {
    m_state_q = state::Idle;  // a look-up is done again
    m_entries.release(c.waiting);
    m_entries.use(c.known);
    m_entries.use(c.other);
#ifndef WEFT_SYNTHESIS
    ++m_packets_dropped;
#endif
  }

  /// That of the packet that has just come in, too.
  void flush() {
    m_state_q = state::Idle;  // a look-up is done again
    m_entries.release_all();
    m_flush_q = false;
  }

  /// A datum leaves from the next cycle on.
  void resolve(const comparison& c) {
    const header& coded = m_entries[c.waiting].what;
    const bool by_first = coded.code.first.name == m_entries[c.known].what.code.first.name;
    m_decoded_q = decoded_header(coded, other_datum(coded.code, by_first), Words);
    m_waiting_q = c.waiting;
    m_known_q = c.known;
    m_state_q = state::Resolve;
#ifndef WEFT_SYNTHESIS
    ++m_packets_resolved;
#endif
  }

  void move_resolved() {
    const flit_t out = resolved();
    put_words(m_entries.memory(m_waiting_q, m_sequence_q), out.payload);
    ++m_sequence_q;
    if (out.tail) {
      m_sequence_q = 0;
      m_state_q = state::Idle;
      m_entries.use(m_known_q);
      m_entries.resolve(m_waiting_q, m_decoded_q, out.error);
    }
  }

#ifndef WEFT_SYNTHESIS
  void check_head(const flit_t& in, const xor_choice& choice) const {
    WEFT_ASSERT(in.codec == codec::Raw, "a packet in code: " << in);
    const xor_code code = code_of(in);
    const bool coded = code.role == xor_role::Coded;
    if (!coded && code.first.uses == 0) return;
    const std::uint32_t words = coded ? std::max(code.first.words, code.second.words) : code.first.words;
    WEFT_ASSERT(in.flits == flits_of_words(words, Words), in.flits << " flits for " << words << " words: " << in);
    WEFT_ASSERT(coded || choice.action != xor_action::Keep || !m_entries.knows(code.first.name),
                "two data have the name " << code.first.name << ": " << in);
  }
#else
  void check_head(const flit_t&, const xor_choice&) const {}
#endif

  state m_state_q = state::Idle;
  decoder_entries<PayloadBits> m_entries;
  // The packet that comes in
  look_up_result m_look_up_q;
  entry m_incoming_q;
  std::uint32_t m_sequence_q = 0;  // flits that have come in, or that have been resolved
  // What is decoded or resolved
  header m_decoded_q;
  payload_t m_last_q{};      // the last flit of it, which waits for the tail
  unsigned m_waiting_q = 0;  // of which two entries
  unsigned m_known_q = 0;
  bool m_flush_q = false;
  register_signal<bool> m_changed_q{"changed_q"};  // toggles with the registers, for combinational()
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_packets_decoded = 0, m_packets_resolved = 0, m_packets_dropped = 0, m_overflows = 0;
#endif
};

}  // namespace weft::pin
