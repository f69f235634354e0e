// SPDX-License-Identifier: Apache-2.0
/// Window timer: marks the last cycle of every window, for the congestion counters of all NICs.
///
/// Purpose    tick_o is set in one of every `window` cycles.
/// Latency    None: tick_o is a register. Cycle 0 begins at the first edge after reset, so the first tick is in cycle
///            window - 1.
/// Handshake  None.
#pragma once

#include <systemc>

#include "weft/core/types.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

class window_timer : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  out_port<bool> tick_o{"tick_o"};

  /// \param window length in cycles, ≥ 1
  window_timer(sc_core::sc_module_name name, cycle_t window) : sc_module(name), m_window(window) {
    SC_HAS_PROCESS(window_timer);
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_count_q = 0;
    tick_o.write(false);
  }

  void step() {
    // Cycle 0 begins at the first edge after reset.
    m_count_q = m_count_q == m_window ? 1 : m_count_q + 1;
    tick_o.write(m_count_q == m_window);
  }

  const cycle_t m_window;
  cycle_t m_count_q = 0;  // number of cycles of the current window that have begun
};

}  // namespace weft::pin
