// SPDX-License-Identifier: Apache-2.0
/// Finds the flits of 64 routers that have waited, for all routers together. It is the basis of wait_recorder.
///
/// Most flits need no individual record, and a few operations on words identify them: a head of a one-flit packet that
/// was granted the switch as soon as it requested it has no waits. A body flit catches up a few cycles in the next
/// router; if its gaps so far do not exceed that, its waits are not needed there. The lost cycles of such flits stay
/// with the VC, in bit planes like those of vc_flow_state, for a later flit whose waits are needed.
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

/// The VCs that wait_recorder must process in a cycle.
template <unsigned RouterVcs>
struct reported_vcs {
  static constexpr unsigned Planes = 3, MostLost = 1U << Planes;

  using sets = router_vc_sets<RouterVcs>;

  alignas(64) sets heads{};      ///< send a head that has waited here, or that is followed by more flits
  alignas(64) sets forwarded{};  ///< send a body flit whose waits may be needed in the next router
  alignas(64) sets tails{};      ///< send a tail to a node, whose waits are those of its packet
  alignas(64) sets overflow{};   ///< have lost another MostLost cycles
  alignas(64) sets spilled{};    ///< had overflowed before
  /// By bit of the number: lost cycles of the others, modulo MostLost. They are reported once.
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

  /// \param every_head report all heads
  /// \param catches_up cycles that body flits catch up in a router: 1 or 2
  /// \param use        vector size, which the machine must support. The result does not depend on it.
  wait_sets(bool every_head, unsigned catches_up, vectors use)
      : m_every_head(every_head), m_catches_up_two(catches_up == 2), m_vectors(use) {}

  /// The VCs that send in cycle \p now are selected, and nothing has moved.
  /// \param winners  by router; empty outside vc_flow_state::may_send
  /// \param reported its sets are valid for the routers that the call returns
  /// \return routers that were processed: all, if many events are expected
  std::uint64_t note_grants(const vc_flow_state<RouterVcs>& flow, const sets& winners, cycle_t now,
                            reported_vcs<RouterVcs>& reported);

  /// Heads in the routers \p requesting have got output VCs. \p none receives those that have no credit there and are
  /// not marked yet. \return whether there are any
  bool note_vcs(const vc_flow_state<RouterVcs>& flow, std::uint64_t requesting, sets& none);

  /// Clears the mark of a head that had no credit when it got its VC and has one now. \return whether it was marked
  bool clear_uncredited(unsigned router, unsigned vc_index) {
    const bool was_uncredited = m_uncredited[router].contains(vc_index);
    m_uncredited[router].erase(vc_index);
    return was_uncredited;
  }

  /// Marks an input VC whose packet goes to a node and has body flits.
  void note_last_router_if(bool is_last, unsigned router, unsigned vc_index) {
    m_last_router[router].insert_if(is_last, vc_index);
  }

  /// Whether a flit that arrives at an empty VC in cycle \p now follows a gap.
  bool has_gap(unsigned router, unsigned vc_index, cycle_t now) const {
    return now != m_next || !m_streak[router].contains(vc_index);
  }

  /// Discards the lost cycles of a VC.
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
  std::uint64_t m_concerned = 0;    ///< in all other routers `m_sent` and `m_streak` are empty
  alignas(64) sets m_sent{};        ///< has sent the head of the packet that holds an output VC
  alignas(64) sets m_streak{};      ///< was granted the switch in the cycle before m_next
  alignas(64) sets m_losers{};      ///< has lost a cycle since its last switch grant
  alignas(64) sets m_uncredited{};  ///< with a head that had no credit when it got its VC
  alignas(64) sets m_last_router{};
  // Cycles without a flit since the head was sent: a two-bit number that saturates at 3.
  alignas(64) sets m_gap_low{}, m_gap_high{};
  alignas(64) std::array<sets, Planes> m_lost_cycles{};  ///< by bit of the number: lost cycles not yet reported
  alignas(64) sets m_spilled{};                          ///< VCs whose lost cycles have overflowed
  alignas(64) sets m_cleared{};                          ///< VCs whose lost cycles are discarded
};

}  // namespace weft::engine
