// SPDX-License-Identifier: Apache-2.0
/// The pipeline of a router: which stages a head passes, and the times that follow from them.
///
/// The stages are route computation (RC), VC allocation (VA), switch allocation (SA) and switch traversal (ST). With
/// lookahead routing there is no RC. VA and SA share a cycle if the pipeline is too short for both, and with
/// speculation. The cycles that are left are spent in ST.
#pragma once

#include "weft/core/parameters.h"

namespace weft {

inline constexpr unsigned MaxCrossbarCycles = 6;

class router_pipeline {
 public:
  explicit constexpr router_pipeline(const router_parameters& p)
      : m_cycles(p.pipeline), m_route(p.lookahead_routing ? 0 : 1), m_speculates(is_speculative(p)) {}

  /// S: cycles from the arrival of a head to the output register in an empty router.
  constexpr unsigned zero_load_cycles() const { return m_cycles; }
  /// Cycles of RC.
  constexpr unsigned route_cycles() const { return m_route; }
  /// Whether VA and SA share a cycle.
  constexpr bool va_and_sa_share_a_cycle() const { return m_speculates || m_cycles == least(); }
  /// Whether a head requests the switch while VC allocation decides whether it gets an output VC.
  constexpr bool speculates() const { return m_speculates; }
  /// Whether a head requests the switch with the output VC that it got in the same cycle.
  constexpr bool sa_follows_va_in_a_cycle() const { return !m_speculates && va_and_sa_share_a_cycle(); }
  /// Cycles of ST, which is also the time of a body flit from the switch grant to the output register.
  constexpr unsigned crossbar_cycles() const { return m_cycles - cycles_to_switch() - 1; }
  /// Cycles from the arrival of a head to the first switch allocation in which it takes part. Body and tail flits need
  /// none of them.
  constexpr unsigned cycles_to_switch() const { return m_route + (va_and_sa_share_a_cycle() ? 0 : 1); }

  /// The shortest pipeline with the other choices of \p p, and the longest one.
  static constexpr unsigned shortest(const router_parameters& p) { return router_pipeline(p).least(); }
  static constexpr unsigned longest(const router_parameters& p) {
    return router_pipeline(p).least() - 1 + MaxCrossbarCycles + (is_speculative(p) ? 0 : 1);
  }

 private:
  static constexpr bool is_speculative(const router_parameters& p) { return p.speculation != speculation_kind::None; }
  constexpr unsigned least() const { return m_route + 2; }

  unsigned m_cycles, m_route;
  bool m_speculates;
};

}  // namespace weft
