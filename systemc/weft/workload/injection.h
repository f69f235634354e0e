// SPDX-License-Identifier: Apache-2.0
/// Injection processes, which determine when packets are created.
///
/// Bernoulli: in every cycle a node creates at most one packet, with probability load / mean length.
///
/// On/off: each node is a Markov chain with the states on and off. On periods last 1, 2, … cycles, with a geometric
/// distribution and the mean B = `mean_burst`. During them the node creates packets as in Bernoulli, with load `peak`.
/// Off periods have a geometric distribution with the mean M = B (peak - load) / load, so the mean load is `load`. If M
/// < 1, no such chain exists; an on period is then followed by a pause of one cycle with probability M, otherwise by no
/// pause. A node starts in the on state with probability load / peak, so the process is stationary from cycle 0.
///
/// Both processes draw the gap to the next packet instead of a decision for every cycle, so the cost is per packet and
/// period.
#pragma once

#include <memory>

#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"

namespace weft {

/// Number of cycles after which the autocorrelation of a node's rate has fallen to 1/e. For on/off it is B M / (B + M),
/// which equals B (1 - load / peak). For processes without memory it is 0.
double correlation_time(const injection_parameters& parameters);

/// The state of the injection process of one node. Callers read only `next`.
struct injection_state {
  random_stream random;
  cycle_t next = Never;      ///< cycle of the next packet
  cycle_t on_until = Never;  ///< end of the on period that `next` lies in: its first cycle off
};

/// The injection process of nodes with equal loads. Each node has an injection_state of its own.
class injection_process {
 public:
  /// \param mean_length mean length of a packet in flits, ≥ 1
  /// \throws std::invalid_argument if the load is negative, exceeds `peak` or needs more than one packet per cycle, or
  /// if `mean_burst` is less than 1
  injection_process(const injection_parameters& parameters, double mean_length);

  /// State of a node before its first packet.
  injection_state start(const random_stream& random) const;

  /// Advances to the packet after \p state.next, which must not be Never.
  void advance(injection_state& state) const { find(state, state.next + 1); }

 private:
  /// Finds the first packet in cycle \p from or later. \p from must be in the on period of \p state or the cycle after
  /// it.
  void find(injection_state& state, cycle_t from) const {
    const std::uint64_t gap = m_gap(state.random);  // counts on cycles
    if (gap < state.on_until - from)
      state.next = from + gap;
    else
      find_beyond(state, from, gap);
  }
  /// Finds the first packet if the \p gap to it ends after the on period of \p state.
  void find_beyond(injection_state& state, cycle_t from, std::uint64_t gap) const;
  cycle_t pause(random_stream& random) const { return 1 + m_periods->pause(random); }

  struct periods {
    geometric_distribution burst;  ///< cycles of an on period after its first cycle
    geometric_distribution pause;  ///< cycles of a pause after its first cycle
  };

  bool m_silent;                             ///< load 0
  bool m_on_off;                             ///< false: always on
  double m_start_on;                         ///< probability to start in the on state
  double m_pause_chance;                     ///< probability of a pause after an on period
  geometric_distribution m_gap;              ///< on cycles without a packet before the next packet
  std::unique_ptr<const periods> m_periods;  ///< null: always on
};

}  // namespace weft
