// SPDX-License-Identifier: Apache-2.0
/// Finds the flits that have waited in the 64 routers of a region, for all routers together. wait_recorder uses the
/// result.
///
/// Most flits need no individual record, and a few operations on words identify them. A head that was granted the
/// switch in the first cycle of its request, and that has no body flits, has no waits. A body flit may have a gap of a
/// few cycles to the previous flit and catch up in the next router. If its gaps so far do not exceed this number, its
/// waits are not needed there. The lost cycles of such flits are stored with the VC, in bit planes like those of
/// vc_flow_state, until a flit comes whose waits are needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/core/types.h"
#include "weft/engine/base/region_vc_sets.h"
#include "weft/engine/base/router_vc_set.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/router/vc_flow_state.h"

namespace weft::engine {

/// The input VCs that wait_recorder must process in a cycle.
template <unsigned RouterVcs>
struct reported_vcs {
  static constexpr unsigned Planes = 3, MostLost = 1U << Planes;

  using sets = router_vc_sets<RouterVcs>;

  alignas(64) sets heads{};      ///< VCs that send a head that has waited here, or that is followed by more flits
  alignas(64) sets forwarded{};  ///< VCs that send a body flit whose waits the next router may need
  alignas(64) sets tails{};      ///< VCs that send a tail to a node, whose waits are those of its packet
  alignas(64) sets overflow{};   ///< VCs that have lost MostLost more cycles
  alignas(64) sets spilled{};    ///< VCs that overflowed before
  /// By bit of the number: lost cycles of all other VCs, modulo MostLost. Each lost cycle is reported once.
  alignas(64) std::array<sets, Planes> lost_cycles{};
  bool any_heads = false, any_forwarded = false, any_tails = false, any_overflow = false;

  std::uint32_t lost_cycles_of(unsigned router, unsigned vc_index) const {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < Planes; ++k) number += std::uint32_t{lost_cycles[k][router].contains(vc_index)} << k;
    return number;
  }
};

template <unsigned RouterVcs>
class wait_sets {
 public:
  using set = router_vc_set<RouterVcs>;
  using sets = router_vc_sets<RouterVcs>;

  /// \param every_head whether all heads are reported
  /// \param catches_up number of cycles that a body flit catches up in a router: 1 or 2
  /// \param use        vector size, which the machine must support; the result does not depend on it
  wait_sets(bool every_head, unsigned catches_up, vectors use)
      : m_every_head(every_head), m_catches_up_two(catches_up == 2), m_vectors(use) {}

  /// Processes the VCs that were selected to send in cycle \p now. Nothing has moved yet.
  /// \param winners  the selected VCs, by router; empty outside vc_flow_state::may_send
  /// \param reported receives the result; its sets are valid for the routers that the call returns
  /// \return the routers that were processed; these are all routers if many events are expected
  std::uint64_t note_grants(const vc_flow_state<RouterVcs>& flow, const sets& winners, cycle_t now,
                            reported_vcs<RouterVcs>& reported);

  /// Processes the heads in the routers \p requesting that have got output VCs. \p none receives the VCs whose output
  /// VC has no credit and that are not marked yet.
  /// \return whether there are any
  bool note_vcs(const vc_flow_state<RouterVcs>& flow, std::uint64_t requesting, sets& none);

  /// Clears the mark of a head that had no credit when it got its VC and has one now. \return whether it was marked
  bool clear_uncredited(unsigned router, unsigned vc_index) {
    const bool was_uncredited = m_uncredited[router].contains(vc_index);
    m_uncredited[router].erase(vc_index);
    return was_uncredited;
  }

  /// Marks an input VC if \p is_last is set: its packet goes to a node and has body flits.
  void note_last_router_if(bool is_last, unsigned router, unsigned vc_index) {
    m_last_router[router].insert_if(is_last, vc_index);
  }

  /// Whether a flit that arrives at an empty VC in cycle \p now follows a gap.
  bool has_gap(unsigned router, unsigned vc_index, cycle_t now) const {
    return now != m_next || !m_streak[router].contains(vc_index);
  }

  /// Discards the lost cycles that are stored for a VC.
  void discard_lost_cycles(unsigned router, unsigned vc_index) { m_cleared[router].insert(vc_index); }

 private:
  static constexpr unsigned Planes = reported_vcs<RouterVcs>::Planes;

  void note_pause();
  template <typename Pass>
  auto run(const vc_flow_state<RouterVcs>& flow, std::uint64_t routers, const Pass& pass) const;
  template <typename Words>
  void note_grants_in(const vc_flow_state<RouterVcs>& flow, const sets& winners, std::uint64_t routers,
                      reported_vcs<RouterVcs>& reported);
  template <typename Words>
  bool note_vcs_in(const vc_flow_state<RouterVcs>& flow, std::uint64_t requesting, sets& none);

  const bool m_every_head, m_catches_up_two;
  const vectors m_vectors;
  cycle_t m_next = 0;               ///< the cycle after the last call of note_grants()
  std::uint64_t m_concerned = 0;    ///< routers in which `m_sent` or `m_streak` may have members
  alignas(64) sets m_sent{};        ///< VCs that have sent the head of the packet that holds an output VC
  alignas(64) sets m_streak{};      ///< VCs that were granted the switch in the cycle before m_next
  alignas(64) sets m_losers{};      ///< VCs that have lost a cycle since their last switch grant
  alignas(64) sets m_uncredited{};  ///< VCs with a head that had no credit when it got its VC
  alignas(64) sets m_last_router{};
  // Number of cycles without a flit since the head was sent: two bits, which saturate at 3.
  alignas(64) sets m_gap_low{}, m_gap_high{};
  alignas(64) std::array<sets, Planes> m_lost_cycles{};  ///< by bit of the number: lost cycles not yet reported
  alignas(64) sets m_spilled{};                          ///< VCs whose lost cycles have overflowed
  alignas(64) sets m_cleared{};                          ///< VCs whose lost cycles are discarded
};

}  // namespace weft::engine
