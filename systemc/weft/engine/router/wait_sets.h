// SPDX-License-Identifier: Apache-2.0
/// Which flits of 64 routers have waited, found for all of them together: what wait_recorder rests on.
///
/// Most flits need no account of their own, and a few operations on words say which: a head of one flit that was
/// granted the switch as soon as it asked has waited for nothing. A flit behind a head catches up a few cycles in the
/// next router: if its gaps so far are not more than that, no one will ask for its waits there. What such flits lost
/// stays with the lane, counted in bit planes like the flits of lane_flow, for one that is asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/core/types.h"
#include "weft/engine/base/lane_set.h"
#include "weft/engine/base/region_lanes.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/router/lane_flow.h"

namespace weft::engine {

/// What wait_recorder has to look at in a cycle.
template <unsigned Lanes>
struct told_lanes {
  static constexpr unsigned Planes = 3, MostLost = 1U << Planes;

  using sets = lane_sets<Lanes>;

  alignas(64) sets heads{};     ///< send a head that has waited here, or has flits behind it
  alignas(64) sets going_on{};  ///< send another flit whose waits may be asked for in the next router
  alignas(64) sets tails{};     ///< send a tail to a node, whose waits are those of its packet
  alignas(64) sets overflow{};  ///< have lost so many cycles again as MostLost
  alignas(64) sets spilled{};   ///< had done so before
  /// By bit of the number: cycles that the others lost, modulo MostLost. They are told once.
  alignas(64) std::array<sets, Planes> lost{};
  bool any_heads = false, any_going_on = false, any_tails = false, any_overflow = false;

  std::uint32_t lost_by(unsigned router, unsigned lane) const {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < Planes; ++k) number += std::uint32_t{lost[k][router].contains(lane)} << k;
    return number;
  }
};

template <unsigned Lanes>
class wait_sets {
 public:
  using set = lane_set<Lanes>;
  using sets = lane_sets<Lanes>;

  /// \param every_head all heads are told
  /// \param catches_up cycles that flits behind a head catch up in a router: 1 or 2
  /// \param use        these vectors; the machine must have them. All do the same
  wait_sets(bool every_head, unsigned catches_up, vectors use)
      : m_every_head(every_head), m_catches_up_two(catches_up == 2), m_vectors(use) {}

  /// The lanes that send in cycle \p now have been chosen, and nothing has moved.
  /// \param winners by router; those of others than lane_flow::may_send are empty
  /// \param told    its sets are valid for the routers that the call returns
  /// \return routers that were looked at: all, where much is expected
  std::uint64_t note_grants(const lane_flow<Lanes>& flow, const sets& winners, cycle_t now, told_lanes<Lanes>& told);

  /// Heads in the routers \p asked have got output VCs: \p none is to hold those that have no credit there, and did not
  /// before. \return whether any of them does
  bool note_vcs(const lane_flow<Lanes>& flow, std::uint64_t asked, sets& none);

  /// The head of a lane had no credit when it got its VC; from now on it had.
  bool take_poor(unsigned router, unsigned lane) {
    const bool is_poor = m_poor[router].contains(lane);
    m_poor[router].erase(lane);
    return is_poor;
  }

  /// The packet that a lane sends goes to a node, with flits behind the head.
  void note_last_router_if(bool is_last, unsigned router, unsigned lane) {
    m_last_router[router].insert_if(is_last, lane);
  }

  /// Whether a flit that comes to an empty lane in cycle \p now comes with a gap before it.
  bool has_gap(unsigned router, unsigned lane, cycle_t now) const {
    return now != m_next || !m_streak[router].contains(lane);
  }

  /// What a lane has lost is of no interest.
  void forget_lost(unsigned router, unsigned lane) { m_forgotten[router].insert(lane); }

 private:
  static constexpr unsigned Planes = told_lanes<Lanes>::Planes;

  void note_pause();
  template <typename Pass>
  auto run(const lane_flow<Lanes>& flow, std::uint64_t routers, const Pass& pass) const;
  template <typename Words>
  void note_grants_in(const lane_flow<Lanes>& flow, const sets& winners, std::uint64_t routers,
                      told_lanes<Lanes>& told);
  template <typename Words>
  bool note_vcs_in(const lane_flow<Lanes>& flow, std::uint64_t asked, sets& none);

  const bool m_every_head, m_catches_up_two;
  const vectors m_vectors;
  cycle_t m_next = 0;             ///< the cycle after that of the last call of note_grants()
  std::uint64_t m_concerned = 0;  ///< in all others `m_sent` and `m_streak` are empty
  alignas(64) sets m_sent{};      ///< has sent the head of the packet that holds an output VC
  alignas(64) sets m_streak{};    ///< was granted the switch in the cycle before m_next
  alignas(64) sets m_losers{};    ///< has lost a cycle since it was granted the switch last
  alignas(64) sets m_poor{};      ///< with a head that had no credit when it got its VC
  alignas(64) sets m_last_router{};
  // Cycles since the head was sent in which nothing was: a number of two bits that stays at 3.
  alignas(64) sets m_gap_low{}, m_gap_high{};
  alignas(64) std::array<sets, Planes> m_lost{};  ///< by bit of the number: cycles lost, and not told
  alignas(64) sets m_spilled{};                   ///< those that were more
  alignas(64) sets m_forgotten{};                 ///< what these have lost counts no more
};

}  // namespace weft::engine
