// SPDX-License-Identifier: Apache-2.0
/// Packets and a bench for the tests of the XOR stages. The packets contain single or combined data. The bench runs a
/// stage in SystemC and in RTL. A checker also compares whole output packets, so that errors that both have are found.
#pragma once

#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimuli.h"
#include "lockstep/streams.h"
#include "lockstep/variants.h"
#include <algorithm>
#include <vector>

#include "weft/core/xor_stages.h"

namespace weft::lockstep {

inline constexpr std::uint64_t StageCycles = 300'000;

/// A datum with its payload, which the senders of a test store.
struct known_datum {
  xor_datum datum;
  std::vector<std::uint32_t> payload;  // whole flits, with zeros after the last word
};

/// Returns the first flits, at most \p most_flits, of a datum of \p words words.
inline known_datum begin_of_datum(rng& random, std::uint32_t name, unsigned k, std::uint32_t words,
                                  std::uint32_t most_flits) {
  known_datum d;
  const std::uint32_t flits = std::min(flits_of_words(words, k), most_flits);
  d.datum.name = name;
  d.datum.words = words;
  d.datum.type = random.one_of({data_type::Int, data_type::Int, data_type::Double, data_type::Other});
  d.payload.resize(std::size_t{k} * flits);
  for (std::uint32_t i = 0; i < std::min(words, k * flits); ++i)
    d.payload[i] = static_cast<std::uint32_t>(random.bits());
  return d;
}

inline known_datum any_datum(rng& random, std::uint32_t name, unsigned k, std::uint32_t most_flits) {
  const std::uint32_t flits = random.between(1, most_flits);
  const std::uint32_t words = flits == 1 && random.chance(0.1) ? 0 : k * flits - random.between(0, k - 1);
  return begin_of_datum(random, name, k, words, flits);
}

/// Returns a datum of any length for a part of a run of \p cycles cycles. The reset after this part cuts off the flits
/// that are missing.
inline known_datum long_datum(rng& random, std::uint32_t name, unsigned k, std::uint32_t cycles) {
  return begin_of_datum(random, name, k, any_size(random), cycles + 1);
}

/// Returns the length in flits of a packet, which may be too long for the stage, and is sometimes very long.
inline std::uint32_t any_length(rng& random, unsigned depth) {
  return random.chance(0.05) ? 16 * depth : depth + depth / 2;
}

/// Returns the packet of one datum, with random addresses.
inline travelling_packet packet_of(const known_datum& d, unsigned k, rng& random) {
  travelling_packet packet;
  packet.payload = d.payload;
  packet.header = {random.between(0, 0xf'ffff),
                   random.between(0, 0xf'ffff),
                   flits_of_words(d.datum.words, k),
                   d.datum.words,
                   d.datum.type,
                   codec::Raw,
                   0};
  packet.header.message_class = static_cast<std::uint8_t>(random.between(0, MaxVcs - 1));
  packet.header.first = datum_bits(d.datum);
  return packet;
}

/// Returns \p packet, the packet of the second datum, combined with the first datum.
inline travelling_packet joined(const known_datum& first, travelling_packet packet, unsigned k) {
  const xor_datum second = datum_of(packet.header.first);
  packet.payload.resize(std::max(first.payload.size(), packet.payload.size()));
  for (std::size_t i = 0; i < first.payload.size(); ++i) packet.payload[i] ^= first.payload[i];
  packet.header.flits = std::max(flits_of_words(first.datum.words, k), packet.header.flits);
  packet.header.words = std::max(first.datum.words, second.words);
  packet.header.type = xor_type(first.datum.type, second.type);
  packet.header.role = xor_role::Coded;
  packet.header.first = datum_bits(first.datum);
  packet.header.second = datum_bits(second);
  return packet;
}

template <unsigned PayloadBits>
flit<PayloadBits> without_tag(flit<PayloadBits> f) {
  f.tag = {};
  return f;
}

/// A sequence of names that do not repeat within a part of a run.
class names {
 public:
  explicit names(rng& random) : m_next(random.between(0, 0xf'ffff)) {}
  std::uint32_t next() {
    return m_next = (m_next + 0x6'5432 + 1) & 0xf'ffff;
  }  // the increment is odd, so all names
     // occur

 private:
  std::uint32_t m_next;
};

/// A bench with an XOR stage in both implementations, and the wires of its pins.
template <unsigned PayloadBits, template <unsigned> class Stage, class Pins>
struct xor_wires {
  xor_wires(Stage<PayloadBits>& systemc, Pins& rtl)
      : bench("bench", systemc, rtl),
        flit_in(bench.input(systemc.flit_i, rtl.flit_i)),
        ready_in(bench.input(systemc.ready_i, rtl.ready_i)),
        ready(bench.output(systemc.ready_o, rtl.ready_o, [this] { return flit_in.read().valid; })),
        flit_out(bench.output(systemc.flit_o, rtl.flit_o, nullptr, without_tag<PayloadBits>)),
        busy(bench.output(systemc.busy_o, rtl.busy_o)) {
    bench.input(systemc.received_i, rtl.received_i);
    bench.input(systemc.queue_i, rtl.queue_i);
  }

  lockstep_bench<Stage<PayloadBits>, Pins> bench;
  sc_core::sc_signal<flit<PayloadBits>>& flit_in;
  sc_core::sc_signal<bool>& ready_in;
  sc_core::sc_signal<bool>& ready;
  sc_core::sc_signal<flit<PayloadBits>>& flit_out;
  sc_core::sc_signal<bool>& busy;
};

class lockstep_xor : public variant_test {
 protected:
  lockstep_xor() : m_names(random) {}
  names m_names;
};

}  // namespace weft::lockstep
