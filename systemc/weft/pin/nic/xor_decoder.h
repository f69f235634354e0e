// SPDX-License-Identifier: Apache-2.0
/// XOR decoder: the stage in the receive path of a NIC that decodes packets combined by XOR.
///
/// Purpose    Stores data for decoding later packets, and coded packets for which neither datum is known yet. From a
///            coded packet and one of its data, the decoder computes the other datum, which leaves instead of the
///            packet. This happens immediately, or when the missing datum arrives. Contract:
///            docs/03_reference/network_coding.md.
///
///            flit_i -+------------> pass, keep -------------+-> flit_o
///                    +--> XOR --> decode -------------------+
///                    |     ^                                |
///                    +-> entries -> XOR of two -> resolve ---+
///
/// Latency    A packet that is not decoded passes in 0 cycles. Decoding takes 1 cycle, for the look-up. The decoded
///            tail leaves with the tail of the coded packet, and carries its error, even if the datum is shorter. A
///            datum that is resolved from two entries leaves two cycles after the tail of the packet that made it
///            decodable. Throughput: one flit per cycle.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the
///            receiver is ready. ready_o depends on the offered flit. flush_i may be high for a single cycle; the flush
///            happens between packets, and busy_o is high until then.
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
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class xor_decoder : public xor_searches<decoder_entries<PayloadBits>> {
  using base = xor_searches<decoder_entries<PayloadBits>>;

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
  in_port<bool> flush_i{"flush_i"};  ///< discards all data and packets in the entries

  xor_decoder(sc_core::sc_module_name module_name, const xor_parameters& parameters) : base(module_name, parameters) {
    SC_HAS_PROCESS(xor_decoder);
    SC_METHOD(combinational);
    this->sensitive << flit_i << ready_i << flush_i << m_changed_q << m_state_q << m_look_up_q << m_sequence_q
                    << m_decoded_q << m_last_q << m_waiting_q << m_known_q << m_flush_q;
    this->add_sensitivity(this->sensitive);
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Number of coded packets since reset that were decoded immediately on arrival.
  std::uint64_t packets_decoded() const { return m_packets_decoded; }
  /// Number of coded packets since reset that waited in an entry and were decoded later.
  std::uint64_t packets_resolved() const { return m_packets_resolved; }
  /// Number of coded packets since reset that waited in an entry until both of their data were known, so they were not
  /// needed.
  std::uint64_t packets_dropped() const { return m_packets_dropped; }
  /// Number of packets since reset that left with the overflow mark, because no entry was free for them or their datum.
  std::uint64_t overflows() const { return m_overflows; }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  using entry = decoder_entry;
  using payload_t = typename base::payload_t;
  using look_up_result = xor_look_up;
  using comparison = xor_comparison;

  enum class state : std::uint8_t {
    Idle,     // between packets
    Move,     // inside an arriving packet, or before it, after its look-up
    Resolve,  // a datum leaves, decoded from two entries
  };

  // -------------------------------------------------------------------------------------------------------------
  // Streams

  state current() const { return static_cast<state>(m_state_q.read()); }

  /// The look-up result that applies to the flit on flit_i.
  look_up_result found_for(const flit_t& in) const {
    look_up_result found;
    if (current() == state::Move) {
      found = m_look_up_q.read();
    } else if (in.valid) {
      const header head = header_of(in);
      found = this->look_up_packet(head, this->m_depth, Words);
    }
    return found;
  }

  /// Whether the head of a coded packet is looked up in this cycle; it moves later.
  bool is_lookup(const flit_t& in) const { return current() == state::Idle && in.valid && in.role == xor_role::Coded; }

  /// Whether the decoded datum ends with \p in or has ended before it, while the tail of the packet is still to come.
  bool waits_for_tail(const flit_t& in) const {
    return !in.tail && m_sequence_q.read() + 1 >= m_decoded_q.read().flits;
  }

  bool accepts(const flit_t& in, const look_up_result& found) const {
    const bool accepts_in =
        found.action == xor_action::Store || (found.action == xor_action::Decode && waits_for_tail(in));
    return accepts_in || ready_i.read();
  }

  /// The flit on flit_i XOR the flit of the known datum.
  payload_t decoded_payload(const flit_t& in, const look_up_result& found) const {
    const unsigned known = found.known();
    const payload_t coded = words_of(in);
    return this->joined(coded, known, m_sequence_q.read());
  }

  /// The flit that the flit on flit_i produces.
  flit_t given(const flit_t& in, const look_up_result& found) const {
    flit_t out;
    const bool decodes = found.action == xor_action::Decode;
    if (in.valid && found.action != xor_action::Store && !(decodes && waits_for_tail(in))) {
      out = in;
      if (decodes) put_decoded(out, in, found);
      if (out.head && found.overflow) out.overflow = true;
    }
    return out;
  }

  /// Replaces a flit of the coded packet by the decoded flit.
  void put_decoded(flit_t& out, const flit_t& in, const look_up_result& found) const {
    const header decoded = m_decoded_q.read();
    out.head = in.head || decoded.flits == 1;
    if (out.head)
      put_header(out, decoded);
    else
      clear_header(out);
    payload_t payload = m_last_q.read();
    if (m_sequence_q.read() < decoded.flits) payload = decoded_payload(in, found);
    put_words(out, payload);
    const unsigned known = found.known();
    out.error = in.tail ? this->error_of(in.error, known) : codec_error::None;
#ifndef WEFT_SYNTHESIS
    out.tag = in.tag.of(std::min(m_sequence_q.read(), decoded.flits - 1));
#endif
  }

  /// The next flit of the datum being resolved.
  flit_t resolved() const {
    const std::uint32_t sequence = m_sequence_q.read();
    const unsigned known = m_known_q.read();
    const entry waiting = this->at(m_waiting_q.read());
    flit_t out;
    out.valid = true;
    out.head = sequence == 0;
    out.tail = sequence + 1 == m_decoded_q.read().flits;
    out.vc = waiting.vc;
    if (out.head) {
      const header decoded = m_decoded_q.read();
      put_header(out, decoded);
    }
    if (out.tail) out.error = this->error_of(waiting.error, known);
    const payload_t coded = this->payload(m_waiting_q.read(), sequence);
    const payload_t payload = this->joined(coded, known, sequence);
    put_words(out, payload);
#ifndef WEFT_SYNTHESIS
    out.tag = waiting.tag.of(sequence);
#endif
    return out;
  }

  void combinational() {
    const flit_t& in = flit_i.read();
    busy_o.write(this->any_fresh() || current() == state::Resolve || flushes());
    if (current() == state::Resolve) {
      ready_o.write(false);
      const flit_t out = resolved();
      flit_o.write(out);
    } else if (is_lookup(in)) {
      ready_o.write(false);
      flit_o.write(flit_t());
    } else {
      const look_up_result found = found_for(in);
      ready_o.write(accepts(in, found));
      const flit_t out = given(in, found);
      flit_o.write(out);
    }
  }

  // -------------------------------------------------------------------------------------------------------------
  // Registers

  /// Whether a flush is requested, now or since a packet began.
  bool flushes() const { return m_flush_q.read() || flush_i.read(); }

  void step() {
    const comparison c = this->compare_fresh();
    if (c.any && !c.match) this->mark_compared(c.fresh);
    const bool flush_now = flushes();
    m_flush_q.write(flush_now);
    // An arriving packet may reuse the entry that was compared; the entry is then fresh.
    if (move()) {
      if (flush_now)
        flush();
      else if (c.match && c.redundant)
        drop(c);
      else if (c.match)
        resolve(c);
    }
    show();
  }

  void enter(state next) { m_state_q.write(static_cast<std::uint8_t>(next)); }
  void show() { m_changed_q.toggle(); }

  void reset() {
    enter(state::Idle);
    this->clear_entries();
    m_look_up_q.write(look_up_result());
    m_decoded_q.write(header());
    m_sequence_q.write(0);
    m_waiting_q.write(0);
    m_known_q.write(0);
    m_flush_q.write(false);
#ifndef WEFT_SYNTHESIS
    m_packets_decoded = m_packets_resolved = m_packets_dropped = m_overflows = 0;
#endif
    show();
  }

  /// Moves flits at the end of this cycle. Returns whether entries may then be resolved, dropped or flushed.
  bool move() {
    const flit_t& in = flit_i.read();
    bool between_packets = false;
    if (current() == state::Resolve) {
      if (ready_i.read()) move_resolved();
    } else if (!in.valid) {
      between_packets = current() == state::Idle;
    } else {
      WEFT_ASSERT(in.head == (m_sequence_q.read() == 0), "head flit inside a packet, or body flit outside one: " << in);
      const look_up_result found = found_for(in);
      if (is_lookup(in)) {
        begin(in, found);
        between_packets = true;
      } else if (accepts(in, found)) {
        accept(in, found);
        between_packets = in.tail && found.action != xor_action::Redundant && found.action != xor_action::Decode;
      }
    }
    return between_packets;
  }

  /// The other datum of a coded packet leaves, decoded with its first or its second datum.
  void decode(const header& coded, bool by_first) {
    const xor_datum datum = other_datum(coded, by_first);
    const header decoded = decoded_header(coded, datum, Words);
    m_decoded_q.write(decoded);
  }

  /// A coded packet moves from the next cycle on.
  void begin(const flit_t& head, const look_up_result& found) {
    enter(state::Move);
    m_look_up_q.write(found);
    if (found.action == xor_action::Decode) {
      const header coded = header_of(head);
      decode(coded, found.first_known);
    }
  }

  /// Accepts a flit at the end of this cycle.
  void accept(const flit_t& in, const look_up_result& found) {
    if (in.head) {
      this->check_head(in, found);
      enter(state::Move);
      m_look_up_q.write(found);
      if (found.action == xor_action::Decode)
        m_incoming_header_q = m_decoded_q.read();
      else
        m_incoming_header_q = header_of(in);
      m_incoming_q.vc = in.vc;
#ifndef WEFT_SYNTHESIS
      m_incoming_q.tag = in.tag;
      m_packets_decoded += found.action == xor_action::Decode;
      m_overflows += found.overflow;
#endif
    }
    const bool decodes = found.action == xor_action::Decode;
    const std::uint32_t sequence = m_sequence_q.read();
    if (sequence < m_incoming_header_q.flits) {
      payload_t payload = words_of(in);
      if (decodes) payload = decoded_payload(in, found);
      if (decodes) m_last_q.write(payload);
      const unsigned kept_in = found.kept_in();
      if (found.room != xor_room::None) this->store(kept_in, sequence, payload);
    }
    m_sequence_q.write(in.tail ? 0 : sequence + 1);
    if (in.tail) {
      const unsigned known = found.known();
      m_incoming_q.error = decodes ? this->error_of(in.error, known) : in.error;
      enter(state::Idle);
      settle(found);
    }
  }

  /// Updates the entries after the whole packet has arrived.
  void settle(const look_up_result& found) {
    entry content = m_incoming_q;
    header head = m_incoming_header_q;
    const bool coded = head.role == xor_role::Coded;
    content.kind = coded ? entry::kind_t::Waiting : entry::kind_t::Known;
    if (found.action == xor_action::Redundant) {
      this->use(found.first);
      this->use(found.second);
    }
    if (found.action == xor_action::Decode) {
      head.first = with_one_use_less(head.first);
      const unsigned known = found.known();
      this->use(known);
    }
    const unsigned kept_in = found.kept_in();
    if (found.room != xor_room::None) this->occupy(kept_in, content, head, found.action != xor_action::Store);
  }

  void drop(const comparison& c) {
    enter(state::Idle);  // a look-up is repeated
    this->release(c.waiting);
    this->use(c.known);
    this->use(c.other);
#ifndef WEFT_SYNTHESIS
    ++m_packets_dropped;
#endif
  }

  /// Discards all entries, including the packet that has just arrived.
  void flush() {
    enter(state::Idle);  // a look-up is repeated
    this->release_all();
    m_flush_q.write(false);
  }

  /// A datum leaves from the next cycle on.
  void resolve(const comparison& c) {
    const header coded = this->head(c.waiting);
    const xor_datum first = datum_of(coded.first), known = this->first(c.known);
    decode(coded, first.name == known.name);
    m_waiting_q.write(c.waiting);
    m_known_q.write(c.known);
    enter(state::Resolve);
#ifndef WEFT_SYNTHESIS
    ++m_packets_resolved;
#endif
  }

  void move_resolved() {
    const flit_t out = resolved();
    const std::uint32_t sequence = m_sequence_q.read();
    const payload_t payload = words_of(out);
    this->store(m_waiting_q.read(), sequence, payload);
    m_sequence_q.write(out.tail ? 0 : sequence + 1);
    if (out.tail) {
      enter(state::Idle);
      this->use(m_known_q.read());
      const header decoded = m_decoded_q.read();
      this->store_decoded(m_waiting_q.read(), decoded, out.error);
    }
  }

  untraced_register<std::uint8_t> m_state_q{"state_q"};  // see current()
  // The arriving packet
  untraced_register<look_up_result> m_look_up_q{"look_up_q"};
  entry m_incoming_q;
  header m_incoming_header_q;
  untraced_register<std::uint32_t> m_sequence_q{"sequence_q"};  // flits that have arrived, or that have been resolved
  // The datum being decoded or resolved
  untraced_register<header> m_decoded_q{"decoded_q"};
  untraced_register<payload_t> m_last_q{"last_q"};            // its last flit, which waits for the tail
  untraced_register<std::uint32_t> m_waiting_q{"waiting_q"};  // the two entries of a resolution
  untraced_register<std::uint32_t> m_known_q{"known_q"};
  untraced_register<bool> m_flush_q{"flush_q"};
  untraced_change m_changed_q{"changed_q"};  // toggles with the registers; combinational() is sensitive to it
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_packets_decoded = 0, m_packets_resolved = 0, m_packets_dropped = 0, m_overflows = 0;
#endif
};

}  // namespace weft::pin
