// SPDX-License-Identifier: Apache-2.0
/// The cut of each packet: what a driver would set beside the head that it sends. Simulation only.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// Finds the cut that a packet asks for.
class packet_cuts {
 public:
  /// Before any packet comes. \p packets outlives it; without, all packets are as configured.
  void look_in(const packet_table& packets) { m_packets = &packets; }

  /// \p configured with the cut of the packet that \p tag belongs to; as it is where there is no tag.
  codec_parameters of(flit_tag tag, const codec_parameters& configured) const {
    return m_packets == nullptr || !tag.is_set() ? configured : configured.with_cut(m_packets->of(tag).cut);
  }

 private:
  const packet_table* m_packets = nullptr;
};

/// Drives `cut_i` of a compressor with the cut of the packet whose head it is offered, and keeps it until the next.
///
/// Purpose    compressor takes the cut with the head, so that each packet can have its own.
/// Latency    0, combinational.
/// Handshake  none: it looks at what the compressor is offered.
template <class Flit>
class cut_driver : public sc_core::sc_module {
 public:
  in_port<Flit> flit_i{"flit_i"};
  sc_core::sc_signal<std::uint8_t> cut;

  cut_driver(sc_core::sc_module_name name, const codec_parameters& configured, const packet_cuts& cuts)
      : sc_module(name), cut("cut", static_cast<std::uint8_t>(configured.cut)), m_configured(configured), m_cuts(cuts) {
    SC_HAS_PROCESS(cut_driver);
    SC_METHOD(look);
    sensitive << flit_i;
  }

 private:
  void look() {
    const Flit& in = flit_i.read();
    if (in.valid && in.head) cut.write(static_cast<std::uint8_t>(m_cuts.of(in.tag, m_configured).cut));
  }

  const codec_parameters m_configured;
  const packet_cuts& m_cuts;
};

}  // namespace weft::pin
