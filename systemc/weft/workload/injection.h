// SPDX-License-Identifier: Apache-2.0
/// Injection: when packets are created.
///
/// Bernoulli: in every cycle a node creates a packet with probability load / mean length, at most one.
///
/// On/off: a node is on or off, a Markov chain of two states. On periods last 1, 2, … cycles, geometric with
/// mean B = `mean_burst`; while on, packets come as in Bernoulli with load `peak`. Off periods are geometric,
/// too, with mean M = B (peak - load) / load, which makes the mean load right. Where M < 1, no such chain
/// exists: then the pause after an on period is one cycle with probability M, else none. A node starts on
/// with probability load / peak, so that the process is stationary from cycle 0.
///
/// Both draw the gap to the next packet, not a decision for every cycle: the cost is per packet and period.
#pragma once

#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"

namespace weft {

/// Cycles over which a node's rate stays much the same: its autocorrelation falls to 1/e in them. On/off:
/// B M / (B + M), that is B (1 - load / peak); 0 for processes without memory.
double correlation_time(const injection_parameters& parameters);

/// Where one node stands. `next` is for the world to read.
struct injection_state {
  random_stream random;
  cycle_t next = Never;      ///< cycle of the next packet
  cycle_t on_until = Never;  ///< end of the on period that `next` lies in: its first cycle off
};

/// The process of all nodes; what differs between them is their injection_state.
class injection_process {
 public:
  /// \p mean_length of a packet, flits, ≥ 1. Throws std::invalid_argument when a load is negative, is above
  /// `peak`, or needs more than one packet a cycle, and when `mean_burst` is below 1.
  injection_process(const injection_parameters& parameters, double mean_length);

  /// State of a node that is about to create its first packet.
  injection_state start(const random_stream& random) const;

  /// Moves on to the packet after \p state.next, which is not Never.
  void advance(injection_state& state) const { find(state, state.next + 1); }

 private:
  /// The first packet in cycle \p from or later. \p from is in the on period of \p state or the cycle after it.
  void find(injection_state& state, cycle_t from) const {
    const std::uint64_t gap = m_gap(state.random);  // counts cycles on
    if (gap < state.on_until - from)
      state.next = from + gap;
    else
      find_beyond(state, from, gap);
  }
  /// The same where \p gap reaches beyond that on period.
  void find_beyond(injection_state& state, cycle_t from, std::uint64_t gap) const;
  cycle_t pause(random_stream& random) const { return 1 + m_pause(random); }

  bool m_silent;                   ///< load 0
  bool m_on_off;                   ///< else always on
  double m_start_on;               ///< chance to start on
  double m_pause_chance;           ///< that there is a pause after an on period
  geometric_distribution m_gap;    ///< cycles on without a packet before the next packet
  geometric_distribution m_burst;  ///< cycles of an on period after its first
  geometric_distribution m_pause;  ///< cycles of a pause after its first
};

}  // namespace weft
