// SPDX-License-Identifier: Apache-2.0
/// Shared by the parts of clocked_process_form.cpp: their traffic, their clock, and how they print a flit.
#pragma once

#include <array>
#include <ostream>
#include <random>

#include <systemc>

#include "weft/core/bits.h"
#include "weft/core/flit.h"
#include "weft/core/packet.h"

namespace weft::pin {

using flit_t = flit<64>;

/// Prints the wires of a flit. The simulation form has a tag, which is not a wire.
inline void print(std::ostream& out, const flit_t& f) {
  if (!f.valid) {
    out << "- ";
    return;
  }
  out << f.head << f.tail << unsigned(f.vc) << '/' << f.path_id << '/' << f.payload[0] << '/' << unsigned(f.error);
  if (f.head) {
    out << '/' << f.destination << '/' << f.flits << '/' << f.words << '/' << unsigned(f.codec) << '/'
        << unsigned(f.role) << '/' << f.overflow << '/' << f.first << '/' << f.second;
  }
  out << ' ';
}
template <typename Value>
void print(std::ostream& out, const Value& value) {
  out << value << ' ';
}

/// Lets combinational processes follow the written values.
inline void settle() {
  while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

/// Random packets, flit by flit, the same in both forms.
class packets {
 public:
  /// \param coding adds data for XOR stages: of every two, one travels plain, and their XOR before or after it
  packets(std::mt19937_64& random, unsigned destinations, bool coding = false)
      : m_random(random), m_destinations(destinations), m_coding(coding) {}

  /// The next flit.
  flit_t next() {
    if (m_sequence == m_header.flits) begin();
    flit_t f;
    f.valid = true;
    f.head = m_sequence == 0;
    f.tail = m_sequence + 1 == m_header.flits;
    if (f.head) put_header(f, m_header);
    f.payload[0] = m_random() >> m_random() % 64;  // small numbers compress
#ifndef WEFT_SYNTHESIS
    f.tag = flit_tag(m_id, m_sequence);
#endif
    ++m_sequence;
    return f;
  }
  bool is_between() const { return m_sequence == m_header.flits; }
  void restart() {
    m_sequence = m_header.flits;
    m_of_group = 0;
  }

 private:
  void begin() {
    m_header = header();
    m_header.destination = static_cast<node_id>(m_random() % m_destinations);
    m_header.flits = static_cast<std::uint32_t>(1 + m_random() % 6);
    m_header.words = 2 * m_header.flits;
    m_header.type = static_cast<data_type>(m_random() % 4);
    if (m_coding) name_data();
    m_sequence = 0;
    ++m_id;
  }

  /// Groups of four: a packet without a name; a datum, plain before or after the others; the same, held; another,
  /// combined.
  void name_data() {
    constexpr std::array<xor_role, 4> KnownBefore{xor_role::Plain, xor_role::Plain, xor_role::Hold, xor_role::Combine};
    constexpr std::array<xor_role, 4> KnownLater{xor_role::Plain, xor_role::Hold, xor_role::Combine, xor_role::Plain};
    if (m_of_group == 0) m_known_before = m_random() % 2 == 0;
    m_header.role = m_known_before ? KnownBefore[m_of_group] : KnownLater[m_of_group];
    if (m_of_group != 0) {
      const bool other = m_header.role == xor_role::Combine;
      xor_datum datum;
      datum.name = static_cast<std::uint32_t>((2 * m_group + other) & 0xf'ffff);
      datum.words = m_header.words;
      datum.uses = static_cast<std::uint8_t>(other ? m_random() % 3 : 1);
      datum.type = m_header.type;
      m_header.first = datum_bits(datum);
    }
    m_of_group = (m_of_group + 1) % 4;
    if (m_of_group == 0) ++m_group;
  }

  std::mt19937_64& m_random;
  unsigned m_destinations;
  bool m_coding;
  bool m_known_before = false;
  unsigned m_of_group = 0;
  std::uint64_t m_group = 0;
  header m_header;
  std::uint32_t m_sequence = 0;
  packet_id m_id = 0;
};

/// Interface of all parts of the bench.
class part {
 public:
  virtual ~part() = default;
  virtual void drive() = 0;
  virtual void restart() = 0;  ///< a reset begins
  virtual void show(std::ostream& out) const = 0;
};

struct wires {
  sc_core::sc_signal<bool>& clk;
  sc_core::sc_signal<bool>& rst_n;
  std::mt19937_64& random;

  template <typename Module>
  void clock(Module& m) const {
    m.clk_i(clk);
    m.rst_ni(rst_n);
  }
  bool chance(unsigned percent) const { return random() % 100 < percent; }
};

}  // namespace weft::pin
