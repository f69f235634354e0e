// SPDX-License-Identifier: Apache-2.0
/// Congestion counter: computes N, the number of flits that a node received in the last window (COMPRESS, Algorithm 1).
///
/// Purpose    N is the number of flits received in the last full window. With one bucket the window is tumbling, and a
///            tick ends it. With more buckets the window slides by one sub-window at each tick, and N is the sum of the
///            last `buckets` sub-windows. (The other congestion input of Algorithm 1 is Q, the number of packets that
///            wait behind the one being sent. It comes from queue_counter, or from terminal::queue_o for a node with
///            its own queue.)
/// Latency    A flit on one of flit_i in cycle t is counted at the end of t. A tick in cycle t closes the sub-window
///            that ends with t; the new N is on received_o from t+1 to the cycle of the next tick.
/// Handshake  None. tick_i comes from one window_timer for all NICs.
#pragma once

#include <array>
#include <cstdint>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class congestion_counter : public sc_core::sc_module {
 public:
  static constexpr unsigned MaxBuckets = 64;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> tick_i{"tick_i"};
  in_ports<flit<PayloadBits>> flit_i;                ///< from the router
  out_port<std::uint32_t> received_o{"received_o"};  ///< N

  /// \param buckets number of sub-windows of a window, 1…MaxBuckets; tick_i is set once in window / buckets cycles
  congestion_counter(sc_core::sc_module_name module_name, unsigned ports, unsigned buckets = 1)
      : sc_module(module_name), flit_i("flit_i", ports), m_ports(ports), m_buckets(buckets) {
    SC_HAS_PROCESS(congestion_counter);
    WEFT_ASSERT(buckets >= 1 && buckets <= MaxBuckets, buckets << " sub-windows; expected 1 to " << MaxBuckets);
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_count_q = 0;
    m_sum_q = 0;
    for (unsigned i = 0; i < MaxBuckets; ++i) m_bucket_q[i] = 0;
    m_oldest_q = 0;
    received_o.write(0);
  }

  void step() {
    WEFT_ASSERTED(arriving, flit<PayloadBits>, flit_i, m_ports);
    m_count_q += count_members(arriving);
    if (tick_i.read()) {
      m_sum_q += m_count_q - m_bucket_q[m_oldest_q];
      m_bucket_q[m_oldest_q] = m_count_q;
      m_oldest_q = m_oldest_q + 1 == m_buckets ? 0 : m_oldest_q + 1;
      m_count_q = 0;
      received_o.write(m_sum_q);
    }
  }

  const unsigned m_ports;
  const unsigned m_buckets;
  std::uint32_t m_count_q = 0;                         // flits of the open sub-window
  std::uint32_t m_sum_q = 0;                           // flits of the last m_buckets closed sub-windows
  std::array<std::uint32_t, MaxBuckets> m_bucket_q{};  // flits of each of these sub-windows, a ring
  unsigned m_oldest_q = 0;                             // index of the oldest sub-window in the ring
};

}  // namespace weft::pin
