// SPDX-License-Identifier: Apache-2.0
/// XOR encoder: the stage in the send path of a NIC that combines two packets into one packet, their XOR.
///
/// Purpose    Holds one packet. A packet to combine is replaced by its XOR with the held packet; any other packet
///            passes. The role in a packet's header specifies which of these happens, and whether the packet is held.
///            Contract: docs/03_reference/network_coding.md.
///
///                       +-> held packet --+
///            flit_i -+--+                 +-> XOR -> line of `overhead` registers -+-> flit_o
///                    |  +-----------------+                                        |
///                    +----> pass ----------------------------------------------------+
///
/// Latency    Passing takes 0 cycles, combining takes `overhead` cycles. Throughput: one flit per cycle.
/// Handshake  flit_i/ready_o and flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and the
///            receiver is ready. While a packet passes, both streams are connected combinationally. ready_o depends on
///            the offered head.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/core/xor_stages.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class xor_encoder : public packet_stage<PayloadBits> {
  using base = packet_stage<PayloadBits>;

 public:
  using flit_t = typename base::flit_t;
  using base::busy_o;
  using base::clk_i;
  using base::flit_i;
  using base::flit_o;
  using base::name;
  using base::ready_i;
  using base::ready_o;
  using base::rst_ni;

  xor_encoder(sc_core::sc_module_name module_name, const xor_parameters& parameters)
      : base(module_name),
        m_depth(parameters.depth),
        m_overhead(parameters.overhead),
        m_held_q("held_q", parameters.depth),
        m_line_q("line_q", parameters.overhead) {
    SC_HAS_PROCESS(xor_encoder);
    SC_METHOD(combinational);
    this->sensitive << flit_i << ready_i << m_changed_q << m_held_header_q << m_path_q << m_sequence_q
                    << m_operand_flits_q << m_joined_flits_q << m_appending_q << m_vc_q << m_line_count_q;
    for (auto& held : m_held_q) this->sensitive << held;
    for (auto& flit : m_line_q) this->sensitive << flit;
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Number of packets since reset that were combined with the held packet.
  std::uint64_t packets_joined() const { return m_packets_joined; }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  using path = encoder_path;
  using payload_t = word_row<PayloadBits / 32>;

  /// The path of the packet on flit_i. If there is no packet, the path of a plain packet.
  path path_of(const flit_t& in) const {
    return m_sequence_q.read() != 0 ? static_cast<path>(m_path_q.read()) : in.valid ? path_for(in.role) : path::Pass;
  }

  bool line_accepts() const {
    return m_overhead == 0 ? ready_i.read() : m_line_count_q.read() < m_overhead || ready_i.read();
  }

  bool accepts(path p) const {
    return !m_appending_q.read() &&
           (p == path::Pass ? m_line_count_q.read() == 0 && ready_i.read() : p == path::Hold || line_accepts());
  }

  /// The flit that enters the delay line, if the line accepts it.
  flit_t entering(const flit_t& in, path p) const {
    flit_t out;
    if (m_appending_q.read())
      out = appended();
    else if (in.valid && p == path::Join)
      out = joined(in);
    return out;
  }

  flit_t joined(const flit_t& in) const {
    flit_t out = in;
    const std::uint32_t sequence = in.head ? 0 : m_sequence_q.read();
    if (in.head) {
      const header held = m_held_header_q.read(), last = header_of(in);
      const header both = joined_header(held, last);
      put_header(out, both);
    } else {
      clear_header(out);
    }
    out.tail = sequence + 1 == (in.head ? out.flits : m_joined_flits_q.read());
    if (in.head || sequence < m_operand_flits_q.read()) {
      const payload_t last = words_of(in), held = m_held_q[sequence].read(), both = joined_words(held, last);
      put_words(out, both);
    }
    return out;
  }

  /// A flit of the held packet after the end of the other packet, if the held packet is longer.
  flit_t appended() const {
    flit_t out;
    out.valid = true;
    out.tail = m_sequence_q.read() + 1 == m_joined_flits_q.read();
    out.vc = m_vc_q.read();
    const payload_t held = m_held_q[m_sequence_q.read()].read();
    put_words(out, held);
#ifndef WEFT_SYNTHESIS
    out.tag = m_tag.of(m_sequence_q.read());
#endif
    return out;
  }

  void combinational() {
    const flit_t& in = flit_i.read();
    const path p = path_of(in);
    ready_o.write(accepts(p));
    const bool passes = p == path::Pass && !m_appending_q.read() && m_line_count_q.read() == 0;
    if (passes) {
      flit_o.write(in);
    } else if (m_overhead == 0) {
      const flit_t out = entering(in, p);
      flit_o.write(out);
    } else {
      flit_o.write(m_line_q[m_overhead - 1].read());
    }
  }

  void step() {
    const flit_t& in = flit_i.read();
    const path p = path_of(in);
    const bool accepted = in.valid && accepts(p);
    const flit_t next = entering(in, p);
    const bool enters = next.valid && line_accepts();
    WEFT_ASSERT(!in.valid || in.head == (m_sequence_q.read() == 0 || m_appending_q.read()),
                "head flit inside a packet, or body flit outside one: " << in);
    const std::uint32_t in_line = m_overhead == 0 ? 0 : move_line(next, enters);
    bool appends = m_appending_q.read();
    if (accepted) {
      appends = accept(in, p);
    } else if (enters && appends) {
      m_sequence_q.write(next.tail ? 0 : m_sequence_q.read() + 1);
      appends = !next.tail;
    }
    show(appends, in_line);
  }

  void show(bool appends, std::uint32_t in_line) {
    m_appending_q.write(appends);
    m_line_count_q.write(in_line);
    busy_o.write(appends || in_line != 0);
    m_changed_q.toggle();
  }

  void reset() {
    m_path_q.write(static_cast<std::uint8_t>(path::Pass));
    m_holds_q = false;
    m_keeps_q = false;
    m_held_header_q.write(header());
    m_sequence_q.write(0);
    m_operand_flits_q.write(0);
    m_joined_flits_q.write(0);
    m_vc_q.write(0);
    for (unsigned i = 0; i < m_overhead; ++i) m_line_q[i].write(flit_t());
#ifndef WEFT_SYNTHESIS
    m_packets_joined = 0;
#endif
    show(false, 0);
  }

  /// Moves every flit whose next register is or becomes free. If \p enters is set, \p in enters the line. Returns the
  /// number of flits in the line afterwards.
  std::uint32_t move_line(const flit_t& in, bool enters) {
    std::uint32_t count = m_line_count_q.read();
    bool next_is_free = ready_i.read();
    for (unsigned behind = m_overhead; behind > 0; --behind) {
      const unsigned i = behind - 1;
      const flit_t flit = m_line_q[i].read();
      const bool moves = flit.valid && next_is_free;
      if (moves) {
        if (behind < m_overhead)
          m_line_q[behind].write(flit);
        else
          --count;
        m_line_q[i].write(flit_t());  // unless a flit moves in
      }
      next_is_free = !flit.valid || moves;
    }
    if (enters) {
      m_line_q[0].write(in);
      ++count;
    }
    return count;
  }

  /// Accepts a flit at the end of this cycle. Returns whether further flits of the held packet follow.
  bool accept(const flit_t& in, path p) {
    const std::uint32_t sequence = m_sequence_q.read();
    header joined;
    if (in.head && p == path::Join) {
      const header held = m_held_header_q.read(), last = header_of(in);
      joined = joined_header(held, last);
    }
    if (in.head) begin(in, p, joined.flits);
    check_length(in, p);
    if (m_keeps_q) {
      const payload_t kept = words_of(in);
      m_held_q[sequence].write(kept);
    }
    const std::uint32_t joined_flits = in.head ? joined.flits : m_joined_flits_q.read();
    const bool appends = in.tail && p == path::Join && sequence + 1 < joined_flits;
    m_sequence_q.write(in.tail && !appends ? 0 : sequence + 1);
    return appends;
  }

  void begin(const flit_t& head, path p, std::uint32_t joined_flits) {
    m_path_q.write(static_cast<std::uint8_t>(p));
    m_keeps_q = is_held(head.role);
    if (p == path::Join) {
      WEFT_ASSERT(m_holds_q, "a packet to combine arrived, but no packet is held: " << head);
      WEFT_ASSERT(datum_of(m_held_header_q.read().first).name != datum_of(head.first).name,
                  "a datum is combined with itself: " << head);
      m_operand_flits_q.write(m_held_header_q.read().flits);
      m_joined_flits_q.write(joined_flits);
      m_vc_q.write(head.vc);
#ifndef WEFT_SYNTHESIS
      m_tag = head.tag;
      ++m_packets_joined;
#endif
    }
    if (m_keeps_q) hold(head);
  }

  void hold(const flit_t& head) {
    WEFT_ASSERT(head.flits <= m_depth,
                head.flits << " flits to hold, but the memory has room for " << m_depth << ": " << head);
    const header held = header_of(head);
    m_held_header_q.write(held);
    m_holds_q = true;
  }

#ifndef WEFT_SYNTHESIS
  /// Checks that packets which are held or combined have the length given in their header.
  void check_length(const flit_t& in, path p) {
    if (p == path::Pass) return;
    WEFT_ASSERT(!in.head || in.codec == codec::Raw, "coded packet, expected an uncoded one: " << in);
    m_flits_left = in.head ? in.flits : m_flits_left;
    m_flits_left--;
    WEFT_ASSERT(in.tail == (m_flits_left == 0),
                "the length in the header differs from the length of the packet: " << in);
  }
  std::uint32_t m_flits_left = 0;
#else
  void check_length([[maybe_unused]] const flit_t& in, [[maybe_unused]] path p) {}
#endif

  const unsigned m_depth;
  const unsigned m_overhead;

  // The held packet; memory without initial contents
  untraced_registers<payload_t> m_held_q;
  untraced_register<header> m_held_header_q{"held_header_q"};
  bool m_holds_q = false;
  // The arriving packet
  untraced_register<std::uint8_t> m_path_q{"path_q"};           // an encoder_path
  bool m_keeps_q = false;                                       // whether it becomes the held packet
  untraced_register<std::uint32_t> m_sequence_q{"sequence_q"};  // flits that have arrived; while flits of the held
                                                                // packet follow, flits of the combined packet
  untraced_register<std::uint32_t> m_operand_flits_q{"operand_flits_q"};  // length of the packet that was held when
                                                                          // it began
  untraced_register<std::uint32_t> m_joined_flits_q{"joined_flits_q"};    // length of the combined packet
  untraced_register<bool> m_appending_q{"appending_q"};                   // the last flits of the held packet follow
  untraced_register<std::uint8_t> m_vc_q{"vc_q"};
  // The delay line
  untraced_registers<flit_t> m_line_q;
  untraced_register<std::uint32_t> m_line_count_q{"line_count_q"};  // flits in it
  untraced_change m_changed_q{"changed_q"};                         // toggles with the registers; combinational() is
                                                                    // sensitive to it
#ifndef WEFT_SYNTHESIS
  flit_tag m_tag;
  std::uint64_t m_packets_joined = 0;
#endif
};

}  // namespace weft::pin
