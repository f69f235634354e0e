// SPDX-License-Identifier: Apache-2.0
/// The cut of each packet, which a driver would set along with the head that it sends. Simulation only.
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
  /// To be called before the first packet. \p packets must outlive this object; without a table, all packets use the
  /// configured cut.
  void attach(const packet_table& packets) { m_packets = &packets; }

  /// \p configured with the cut of the packet of \p tag; unchanged if the tag is unset.
  codec_parameters of(flit_tag tag, const codec_parameters& configured) const {
    return m_packets == nullptr || !tag.is_set() ? configured : configured.with_cut(m_packets->of(tag).cut);
  }

 private:
  const packet_table* m_packets = nullptr;
};

/// Drives `cut_i` of a compressor with the cut of the packet whose head it is offered, and holds it until the next.
///
/// Purpose    The compressor samples the cut with the head, so that each packet can have its own.
/// Latency    0, combinational.
/// Handshake  None: it reads what the compressor is offered.
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
