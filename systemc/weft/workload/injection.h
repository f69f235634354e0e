// SPDX-License-Identifier: Apache-2.0
/// Injection processes, which determine when packets are created.
///
/// Bernoulli: in every cycle a node creates at most one packet, with probability load / mean length.
///
/// On/off and self-similar: each node alternates between on and off periods (periods.h). Their lengths are at least one
/// cycle. The mean of on periods is B = `mean_burst`. During them the node creates packets as in Bernoulli, with load
/// `peak`. Off periods have the mean M = B (peak - load) / load, so the mean load is `load`. If M is below the least
/// possible mean L of a period, an on period is followed by an off period of mean L with probability M / L, otherwise
/// by no off period. A node starts in the on state with probability load / peak, within a period, so the process is
/// stationary from cycle 0.
///
/// MMPP: the load of each node follows a Markov chain (markov_chain.h), which is stationary from cycle 0. In each state
/// the node creates packets as in Bernoulli.
///
/// All processes draw the gap to the next packet instead of a decision for every cycle, so the cost is per packet and
/// period.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"
#include "weft/workload/periods.h"

namespace weft {

/// The name of \p kind in configurations, such as "on_off".
const char* name_of(injection_kind kind);

/// Whether the load of a node varies over time in an open loop.
inline bool has_memory(injection_kind kind) { return has_periods(kind) || kind == injection_kind::Mmpp; }

/// Number of cycles after which the autocorrelation of a node's rate has fallen to 1/e. For on/off it is B M / (B + M),
/// which equals B (1 - load / peak). For processes without memory it is 0. For MMPP it is markov_chain::
/// correlation_time(). For self-similar traffic it is infinite: the autocorrelation falls as a power of the lag, and
/// its sum diverges.
double correlation_time(const injection_parameters& parameters);

/// The state of the injection process of one node. Callers read only `next`.
struct injection_state {
  random_stream random;
  cycle_t next = Never;      ///< cycle of the next packet
  cycle_t on_until = Never;  ///< end of the period that `next` lies in: its first cycle off, or in another state
  std::uint8_t phase = 0;    ///< MMPP: the state of the chain
};

/// The injection process of nodes with equal loads. Each node has an injection_state of its own.
class injection_process {
 public:
  /// \param mean_length mean length of a packet in flits, ≥ 1
  /// \throws std::invalid_argument if the load is negative, exceeds `peak` or needs more than one packet per cycle, if
  /// `mean_burst` is too small, or if no markov_chain has these parameters
  injection_process(const injection_parameters& parameters, double mean_length);

  /// State of a node before its first packet.
  injection_state start(const random_stream& random) const;

  /// Advances to the packet after \p state.next, which must not be Never.
  void advance(injection_state& state) const { find(state, state.next + 1); }

 private:
  /// Finds the first packet in cycle \p from or later. \p from must be in the period of \p state or the cycle after it.
  void find(injection_state& state, cycle_t from) const {
    if (m_phases.empty()) {
      const std::uint64_t gap = m_gap(state.random);  // counts on cycles
      if (gap < state.on_until - from)
        state.next = from + gap;
      else
        find_beyond(state, from, gap);
    } else {
      find_in_phases(state, from);
    }
  }
  /// Finds the first packet if the \p gap to it ends after the on period of \p state.
  void find_beyond(injection_state& state, cycle_t from, std::uint64_t gap) const;
  void find_in_phases(injection_state& state, cycle_t from) const;
  void make_phases(const injection_parameters& parameters, double mean_length);

  /// A state of the Markov chain.
  struct phase {
    std::optional<geometric_distribution> gap;  ///< cycles without a packet before the next one; nothing: no packets
    geometric_distribution stay;                ///< cycles of a visit after its first cycle
    std::vector<std::uint64_t> next;            ///< limits of a random number for the next state 0, 1, …
  };

  bool m_silent;                                    ///< load 0
  bool m_on_off;                                    ///< whether there are off periods
  double m_start_on;                                ///< probability to start in the on state
  double m_pause_chance;                            ///< probability of an off period after an on period
  geometric_distribution m_gap;                     ///< on cycles without a packet before the next packet
  std::unique_ptr<const on_off_periods> m_periods;  ///< null: always on
  std::vector<phase> m_phases;                      ///< empty: no MMPP
  std::vector<std::uint64_t> m_first;               ///< limits of a random number for the first state
};

}  // namespace weft
