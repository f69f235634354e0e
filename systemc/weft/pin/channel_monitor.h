// SPDX-License-Identifier: Apache-2.0
/// Counts what toggles on the first wires of a channel, for network_model::activity(). Simulation only. The monitor has
/// its own clock gate, which is open while a flit is on the wires, and does not change the simulation.
#pragma once

#include <cstddef>

#include "weft/core/channel_meter.h"
#include "weft/core/flit.h"
#include "weft/pin/clock_gate.h"
#include "weft/pin/wire.h"

namespace weft::pin {

template <unsigned PayloadBits>
class channel_monitor {
 public:
  using flit_t = flit<PayloadBits>;

  channel_monitor(wire<flit_t>& flits, clock_gate& clocks) : m_flits(flits), m_gate(clocks.make_gate()) {
    m_gate.drives(*this);
    flits.enables_clock(m_gate);
  }

  /// The activity up to the present cycle, including the flit on the wires. Must be called between clock edges.
  channel_activity activity() const {
    meter with_present = m_meter;
    enter(m_flits.read(), with_present);
    return with_present.total();
  }

 private:
  using meter = channel_meter<flit_t::Words>;

  friend class gated_clock;  // runs clocked() at its edges

  /// Runs at the end of a cycle; the wires still have the values of that cycle.
  void clocked() { enter(m_flits.read(), m_meter); }

  static void enter(const flit_t& f, meter& of) {
    if (!f.valid) return;
    typename meter::payload_t payload;
    for (std::size_t i = 0; i < flit_t::Words; ++i) payload[i] = f.payload[i];
    of.enter({f.head, f.tail, f.vc, f.error, header_of(f), f.path_id}, payload);
  }

  const wire<flit_t>& m_flits;
  gated_clock& m_gate;
  meter m_meter;
};

}  // namespace weft::pin
