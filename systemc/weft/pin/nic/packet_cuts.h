// SPDX-License-Identifier: Apache-2.0
/// The cut of each packet: the number of bits that LSB-cut removes from its doubles. In hardware, a driver would set
/// the cut along with the head that it sends. Simulation only.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// Looks up the cut of a packet.
class packet_cuts {
 public:
  /// Connects the table of packets, before the first packet. \p packets must outlive this object. Without a table, all
  /// packets use the configured cut.
  void attach(const packet_table& packets) { m_packets = &packets; }

  /// Returns \p configured with the cut of the packet that has \p tag. Returns \p configured unchanged if the tag is
  /// unset.
  codec_parameters of(flit_tag tag, const codec_parameters& configured) const {
    return m_packets == nullptr || !tag.is_set() ? configured : configured.with_cut(m_packets->of(tag).cut);
  }

 private:
  const packet_table* m_packets = nullptr;
};

/// Drives `cut_i` of a compressor with the cut of the packet whose head is offered to it, and holds this value until
/// the next head.
///
/// Purpose    The compressor samples the cut with the head, so each packet can have its own cut.
/// Latency    0, combinational.
/// Handshake  None: it only reads the flit that is offered to the compressor.
template <class Flit>
class cut_driver : public sc_core::sc_module {
 public:
  in_port<Flit> flit_i{"flit_i"};
  sc_core::sc_signal<std::uint8_t> cut;

  cut_driver(sc_core::sc_module_name name, const codec_parameters& configured, const packet_cuts& cuts)
      : sc_module(name), cut("cut", static_cast<std::uint8_t>(configured.cut)), m_configured(configured), m_cuts(cuts) {
    SC_HAS_PROCESS(cut_driver);
    SC_METHOD(update);
    sensitive << flit_i;
  }

 private:
  void update() {
    const Flit& in = flit_i.read();
    if (in.valid && in.head) cut.write(static_cast<std::uint8_t>(m_cuts.of(in.tag, m_configured).cut));
  }

  const codec_parameters m_configured;
  const packet_cuts& m_cuts;
};

}  // namespace weft::pin
