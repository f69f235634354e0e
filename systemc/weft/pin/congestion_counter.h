/// Congestion counters of a NIC: what it takes to decide whether compression pays (COMPRESS, Algorithm 1).
///
/// Purpose    N = flits received in the last full window. (Q, the packets that wait behind the one being sent, is the
///            length of the node's source queue, which the node shows itself: terminal::queue_o.)
/// Latency    A flit on one of flit_i in cycle t is counted at the end of t. A tick in t closes the window with t: its
///            N is on received_o from t+1 to the end of the next window.
/// Handshake  None. tick_i comes from one window_timer for all NICs.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class congestion_counter : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> tick_i{"tick_i"};
  sc_core::sc_vector<in_port<flit<PayloadBits>>> flit_i;    ///< from the router
  sc_core::sc_out<std::uint32_t> received_o{"received_o"};  ///< N

  congestion_counter(sc_core::sc_module_name name, unsigned ports) : sc_module(name), flit_i("flit_i", ports) {
    SC_HAS_PROCESS(congestion_counter);
    SC_METHOD(clocked);
    sensitive << clk_i.pos() << rst_ni.neg();
  }

 private:
  friend class gated_clock;  // runs clocked() at its edges

  void clocked() {
    if (!rst_ni.read()) {
      m_count_q = 0;
      received_o.write(0);
      return;
    }
    for (auto& port : flit_i) m_count_q += port.read().valid;
    if (tick_i.read()) {
      received_o.write(m_count_q);
      m_count_q = 0;
    }
  }

  std::uint32_t m_count_q = 0;
};

/// Marks the last cycle of every window: tick_o is set in one cycle out of `window`.
class window_timer : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  sc_core::sc_out<bool> tick_o{"tick_o"};

  /// \param window cycles, ≥ 1
  window_timer(sc_core::sc_module_name name, cycle_t window) : sc_module(name), m_window(window) {
    SC_HAS_PROCESS(window_timer);
    SC_METHOD(clocked);
    sensitive << clk_i.pos() << rst_ni.neg();
  }

 private:
  friend class gated_clock;  // runs clocked() at its edges

  void clocked() {
    if (!rst_ni.read()) {
      m_count_q = 0;
      tick_o.write(false);
      return;
    }
    // The first edge after reset begins cycle 0.
    m_count_q = m_count_q == m_window ? 1 : m_count_q + 1;
    tick_o.write(m_count_q == m_window);
  }

  const cycle_t m_window;
  cycle_t m_count_q = 0;  // cycles of this window that have begun
};

}  // namespace weft::pin
