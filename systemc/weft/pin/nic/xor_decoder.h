/// XOR decoder: the stage in the receive path of a NIC that takes joined packets apart.
///
/// Purpose    Keeps data that packets still to come are joined with, and coded packets of which it knows neither datum yet.
///            A coded packet of which one datum is known leaves as the other, at once or when that datum has come.
///            docs/03_reference/network_coding.md is the contract.
///
///            flit_i -+------------> pass, keep -------------+-> flit_o
///                    +--> XOR --> decode -------------------+
///                    |     ^                                |
///                    +-> places -> XOR of two -> resolve ---+
///
/// Latency    Passing: 0. Decoding: 1, the look-up. A packet that a place resolves leaves two cycles after the tail of the one
///            that made it possible. One flit a cycle.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the receiver
///            ready. ready_o depends on the flit that is offered.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/core/xor_stages.h"
#include "weft/pin/check.h"
#include "weft/pin/nic/packet_stage.h"
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

  xor_decoder(sc_core::sc_module_name module_name, const xor_parameters& parameters)
      : base(module_name),
        m_depth(parameters.depth),
        m_entries(parameters.entries),
        m_places_q(parameters.entries),
        m_memory(std::size_t{parameters.entries} * parameters.depth) {
    SC_HAS_PROCESS(xor_decoder);
    SC_METHOD(combinational);
    this->sensitive << flit_i << ready_i << m_changed_q;
    SC_METHOD(clocked);
    this->sensitive << clk_i.pos() << rst_ni.neg();
  }

#ifndef WEFT_SYNTHESIS
  /// Since reset: coded packets that left as their other datum, at once…
  std::uint64_t packets_decoded() const { return m_packets_decoded; }
  /// …and from a place; coded packets that were redundant when their last datum came.
  std::uint64_t packets_resolved() const { return m_packets_resolved; }
  std::uint64_t packets_dropped() const { return m_packets_dropped; }
  /// Packets that left marked, as there was no room for them or their datum.
  std::uint64_t overflows() const { return m_overflows; }
  /// Places in use now, and at most since reset.
  unsigned places_used() const { return m_places_used; }
  unsigned most_places() const { return m_most_places; }
#endif

 private:
  using payload_t = decltype(flit_t::payload);

  enum class state : std::uint8_t {
    Idle,     // between packets
    Move,     // within a packet that comes in, or before it, after its look-up
    Resolve,  // a datum leaves from two places
  };

  struct place {
    enum class kind_t : std::uint8_t { Free, Known, Waiting };
    kind_t kind = kind_t::Free;
    bool fresh = false;  // it has not been compared with the others
    std::uint32_t flits = 0;
    header what;  // as the packet came; known: its datum has the uses that are left
    std::uint8_t vc = 0;
#ifndef WEFT_SYNTHESIS
    flit_tag tag;
#endif
  };

  /// What becomes of a packet, and which places that concerns.
  struct look_up_result {
    xor_choice choice;
    bool first_known = false;
    unsigned first = 0;   // the place of the first datum, if that is known
    unsigned second = 0;  // likewise
    unsigned free = 0;    // the lowest free place, if there is one

    unsigned known() const { return first_known ? first : second; }
    unsigned room() const { return choice.room == xor_room::OfKnown ? known() : free; }
  };

  /// What the lowest fresh place has to do with the others.
  struct comparison {
    bool any = false;    // there is a fresh place
    bool match = false;  // a packet that waits can be taken apart
    bool redundant = false;
    unsigned fresh = 0;
    unsigned waiting = 0;  // the packet
    unsigned known = 0;    // one of its data
    unsigned other = 0;    // the other, if it is redundant
  };

  // -------------------------------------------------------------------------------------------------------------
  // Places

  template <typename Condition>
  unsigned lowest_place(Condition condition) const {
    unsigned p = 0;
    while (p < m_entries && !condition(m_places_q[p])) ++p;
    return p;
  }

  /// The place of a datum; m_entries if it is not known.
  unsigned known_place(std::uint32_t datum) const {
    return lowest_place(
        [datum](const place& p) { return p.kind == place::kind_t::Known && p.what.code.first.name == datum; });
  }

  payload_t& memory(unsigned where, std::uint32_t flit) { return m_memory[std::size_t{where} * m_depth + flit]; }
  const payload_t& memory(unsigned where, std::uint32_t flit) const {
    return m_memory[std::size_t{where} * m_depth + flit];
  }

  void occupy(unsigned where, const place& content) {
    if (m_places_q[where].kind == place::kind_t::Free) count_place();
    m_places_q[where] = content;
  }

  void release(unsigned where) {
    m_places_q[where] = place();
#ifndef WEFT_SYNTHESIS
    --m_places_used;
#endif
  }

  void count_place() {
#ifndef WEFT_SYNTHESIS
    if (++m_places_used > m_most_places) m_most_places = m_places_used;
#endif
  }

  /// A packet has used the datum.
  void use(unsigned where) {
    if (--m_places_q[where].what.code.first.uses == 0) release(where);
  }

  // -------------------------------------------------------------------------------------------------------------
  // Decisions

  /// Of the head \p in.
  look_up_result look_up(const flit_t& in) const {
    look_up_result r;
    const xor_code& code = in.header.code;
    const bool coded = code.role == xor_role::Coded;
    if (!coded && code.first.uses == 0) return r;
    xor_findings found;
    r.free = lowest_place([](const place& p) { return p.kind == place::kind_t::Free; });
    found.free = r.free != m_entries;
    if (coded) {
      r.first = known_place(code.first.name);
      r.second = known_place(code.second.name);
      found.first_known = r.first_known = r.first != m_entries;
      found.second_known = r.second != m_entries;
      if (found.first_known || found.second_known) found.uses = m_places_q[r.known()].what.code.first.uses;
    }
    r.choice = choose_way(in.header, found, m_depth, Words);
    return r;
  }

  comparison compare() const {
    comparison c;
    c.fresh = lowest_place([](const place& p) { return p.fresh; });
    c.any = c.fresh != m_entries;
    if (!c.any) return c;
    const place& fresh = m_places_q[c.fresh];
    if (fresh.kind == place::kind_t::Known) {
      const std::uint32_t datum = fresh.what.code.first.name;
      c.known = c.fresh;
      c.waiting = lowest_place([datum](const place& p) {
        return p.kind == place::kind_t::Waiting &&
               (p.what.code.first.name == datum || p.what.code.second.name == datum);
      });
      c.match = c.waiting != m_entries;
      if (!c.match) return c;
      const xor_code& code = m_places_q[c.waiting].what.code;
      c.other = known_place(code.first.name == datum ? code.second.name : code.first.name);
      c.redundant = c.other != m_entries;
    } else {
      const unsigned first = known_place(fresh.what.code.first.name);
      const unsigned second = known_place(fresh.what.code.second.name);
      c.waiting = c.fresh;
      c.known = first != m_entries ? first : second;
      c.other = second;
      c.match = c.known != m_entries;
      c.redundant = first != m_entries && second != m_entries;
    }
    return c;
  }

  // -------------------------------------------------------------------------------------------------------------
  // Streams

  /// The look-up that the flit on flit_i goes by.
  look_up_result way_of(const flit_t& in) const {
    if (m_state_q == state::Move) return m_look_up_q;
    return in.valid ? look_up(in) : look_up_result();
  }

  /// The head of a coded packet is looked up in this cycle, and moves later.
  bool looks_up(const flit_t& in) const {
    return m_state_q == state::Idle && in.valid && in.header.code.role == xor_role::Coded;
  }

  bool accepts(const look_up_result& way) const {
    switch (way.choice.way) {
      case xor_way::Store:
        return true;
      case xor_way::Decode:
        return m_sequence_q >= m_decoded_q.flits || ready_i.read();
      default:
        return ready_i.read();
    }
  }

  /// What comes out of the flit on flit_i.
  flit_t given(const flit_t& in, const look_up_result& way) const {
    if (!in.valid || way.choice.way == xor_way::Store) return flit_t();
    flit_t out = in;
    if (way.choice.way == xor_way::Decode) {
      if (m_sequence_q >= m_decoded_q.flits) return flit_t();
      out.header = in.head ? m_decoded_q : header();
      out.tail = m_sequence_q + 1 == m_decoded_q.flits;
      if (m_sequence_q < m_places_q[way.known()].flits)
        for (unsigned word = 0; word < flit_t::Words; ++word)
          out.payload[word] ^= memory(way.known(), m_sequence_q)[word];
    }
    if (in.head && way.choice.overflow) out.header.code.overflow = true;
    return out;
  }

  /// The next flit of the datum that is resolved.
  flit_t resolved() const {
    const place& waiting = m_places_q[m_waiting_q];
    flit_t out;
    out.valid = true;
    out.head = m_sequence_q == 0;
    out.tail = m_sequence_q + 1 == m_decoded_q.flits;
    out.vc = waiting.vc;
    if (out.head) out.header = m_decoded_q;
    out.payload = memory(m_waiting_q, m_sequence_q);
    if (m_sequence_q < m_places_q[m_known_q].flits)
      for (unsigned word = 0; word < flit_t::Words; ++word) out.payload[word] ^= memory(m_known_q, m_sequence_q)[word];
#ifndef WEFT_SYNTHESIS
    out.tag = waiting.tag;
    out.tag.sequence = m_sequence_q;
#endif
    return out;
  }

  void combinational() {
    const flit_t& in = flit_i.read();
    if (m_state_q == state::Resolve) {
      ready_o.write(false);
      flit_o.write(resolved());
    } else if (looks_up(in)) {
      ready_o.write(false);
      flit_o.write(flit_t());
    } else {
      const look_up_result way = way_of(in);
      ready_o.write(accepts(way));
      flit_o.write(given(in, way));
    }
  }

  // -------------------------------------------------------------------------------------------------------------
  // Registers

  void clocked() {
    if (!rst_ni.read()) {
      reset();
    } else {
      const comparison c = compare();
      if (c.any && !c.match) m_places_q[c.fresh].fresh = false;
      // What comes in may take the place of what was compared, and is fresh then.
      if (move() && c.match) c.redundant ? drop(c) : resolve(c);
    }
    bool fresh = false;
    for (const place& p : m_places_q) fresh |= p.fresh;
    busy_o.write(fresh || m_state_q == state::Resolve);
    m_changed_q.write(!m_changed_q.read());
  }

  void reset() {
    m_state_q = state::Idle;
    for (place& p : m_places_q) p = place();
    m_look_up_q = look_up_result();
    m_decoded_q = header();
    m_sequence_q = 0;
    m_waiting_q = m_known_q = 0;
#ifndef WEFT_SYNTHESIS
    m_packets_decoded = m_packets_resolved = m_packets_dropped = m_overflows = 0;
    m_places_used = m_most_places = 0;
#endif
  }

  /// What moves at the end of this cycle. Returns whether something that waits may be resolved or dropped then.
  bool move() {
    if (m_state_q == state::Resolve) {
      if (ready_i.read()) move_resolved();
      return false;
    }
    const flit_t& in = flit_i.read();
    if (!in.valid) return m_state_q == state::Idle;
    WEFT_ASSERT(in.head == (m_sequence_q == 0), "the receive path broke a packet: " << in);
    const look_up_result way = way_of(in);
    if (looks_up(in)) {
      begin(in, way);
      return true;
    }
    if (!accepts(way)) return false;
    take(in, way);
    return in.tail && way.choice.way != xor_way::Redundant && way.choice.way != xor_way::Decode;
  }

  /// A coded packet moves from the next cycle on.
  void begin(const flit_t& head, const look_up_result& way) {
    m_state_q = state::Move;
    m_look_up_q = way;
    if (way.choice.way != xor_way::Decode) return;
    m_decoded_q = decoded_header(head.header, other_datum(head.header.code, way.first_known), Words);
  }

  /// A flit comes in at the end of this cycle.
  void take(const flit_t& in, const look_up_result& way) {
    const xor_choice& choice = way.choice;
    if (in.head) {
      check_head(in, choice);
      m_state_q = state::Move;
      m_look_up_q = way;
      m_incoming_q.what = choice.way == xor_way::Decode ? m_decoded_q : in.header;
      m_incoming_q.flits = m_incoming_q.what.flits;
      m_incoming_q.vc = in.vc;
#ifndef WEFT_SYNTHESIS
      m_incoming_q.tag = in.tag;
      m_packets_decoded += choice.way == xor_way::Decode;
      m_overflows += choice.overflow;
#endif
    }
    if (choice.room != xor_room::None && m_sequence_q < m_incoming_q.flits)
      memory(way.room(), m_sequence_q) = choice.way == xor_way::Decode ? given(in, way).payload : in.payload;
    ++m_sequence_q;
    if (!in.tail) return;
    m_sequence_q = 0;
    m_state_q = state::Idle;
    settle(way);
  }

  /// The packet has come in whole.
  void settle(const look_up_result& way) {
    place content = m_incoming_q;
    const bool coded = content.what.code.role == xor_role::Coded;
    content.kind = coded ? place::kind_t::Waiting : place::kind_t::Known;
    content.fresh = way.choice.way != xor_way::Store;
    if (way.choice.way == xor_way::Redundant) {
      use(way.first);
      use(way.second);
    }
    if (way.choice.way == xor_way::Decode) {
      --content.what.code.first.uses;
      use(way.known());
    }
    if (way.choice.room != xor_room::None) occupy(way.room(), content);
  }

  void drop(const comparison& c) {
    m_state_q = state::Idle;  // a look-up is done again
    release(c.waiting);
    use(c.known);
    use(c.other);
#ifndef WEFT_SYNTHESIS
    ++m_packets_dropped;
#endif
  }

  /// A datum leaves from the next cycle on.
  void resolve(const comparison& c) {
    const header& coded = m_places_q[c.waiting].what;
    const bool by_first = coded.code.first.name == m_places_q[c.known].what.code.first.name;
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
    memory(m_waiting_q, m_sequence_q) = out.payload;
    ++m_sequence_q;
    if (!out.tail) return;
    m_sequence_q = 0;
    m_state_q = state::Idle;
    use(m_known_q);
    place& content = m_places_q[m_waiting_q];
    content.kind = place::kind_t::Known;
    content.fresh = true;
    content.what = m_decoded_q;
    content.flits = m_decoded_q.flits;
    if (has_more_uses(m_decoded_q.code.first))
      --content.what.code.first.uses;
    else
      release(m_waiting_q);
  }

#ifndef WEFT_SYNTHESIS
  void check_head(const flit_t& in, const xor_choice& choice) const {
    WEFT_ASSERT(in.header.codec == codec::Raw, "a packet in code: " << in);
    const xor_code& code = in.header.code;
    const bool coded = code.role == xor_role::Coded;
    if (!coded && code.first.uses == 0) return;
    const std::uint32_t words = coded ? std::max(code.first.words, code.second.words) : code.first.words;
    WEFT_ASSERT(in.header.flits == flits_of_words(words, Words),
                in.header.flits << " flits for " << words << " words: " << in);
    WEFT_ASSERT(coded || choice.way != xor_way::Keep || known_place(code.first.name) == m_entries,
                "two data have the name " << code.first.name << ": " << in);
  }
#else
  void check_head(const flit_t&, const xor_choice&) const {}
#endif

  const unsigned m_depth;
  const unsigned m_entries;

  state m_state_q = state::Idle;
  std::vector<place> m_places_q;
  std::vector<payload_t> m_memory;  // of all places, without initial contents
  // The packet that comes in
  look_up_result m_look_up_q;
  place m_incoming_q;
  std::uint32_t m_sequence_q = 0;  // flits that have come in, or that have been resolved
  // What is decoded or resolved
  header m_decoded_q;
  unsigned m_waiting_q = 0;  // of which two places
  unsigned m_known_q = 0;
  register_signal<bool> m_changed_q{"changed_q"};  // toggles with the registers, for combinational()
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_packets_decoded = 0, m_packets_resolved = 0, m_packets_dropped = 0, m_overflows = 0;
  unsigned m_places_used = 0, m_most_places = 0;
#endif
};

}  // namespace weft::pin
