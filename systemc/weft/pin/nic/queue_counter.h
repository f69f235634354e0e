// SPDX-License-Identifier: Apache-2.0
/// Queue counter: computes Q, the number of packets that wait in a queue (COMPRESS, Algorithm 1).
///
/// Purpose    Counts the packets of a queue that does not report its length: Q is the number of packets that joined
///            minus the number that left.
/// Latency    A strobe in cycle t is counted at the end of t, and queue_o includes it in t+1.
/// Handshake  None. If both strobes are set in one cycle, Q does not change.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

class queue_counter : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> join_i{"join_i"};              ///< a packet joins the queue
  in_port<bool> leave_i{"leave_i"};            ///< a packet leaves the queue
  out_port<std::uint32_t> queue_o{"queue_o"};  ///< Q

  explicit queue_counter(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(queue_counter);
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_queue_q = 0;
    queue_o.write(0);
  }

  void step() {
    if (join_i.read() != leave_i.read()) {
      WEFT_ASSERT(join_i.read() || m_queue_q != 0, "a packet left an empty queue");
      m_queue_q += join_i.read() ? 1 : -1;
    }
    queue_o.write(m_queue_q);
  }

  std::uint32_t m_queue_q = 0;
};

}  // namespace weft::pin
