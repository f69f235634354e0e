// SPDX-License-Identifier: Apache-2.0
/// Flow control state of the 64 routers of a region: where flits and credits are.
///
/// Counters are stored as bit planes. Plane k holds bit k of the counter of every VC, as one set of VCs per router. A
/// few operations on words then count all arrivals and departures of a cycle, for any number of VCs. They also compute
/// the sets that the allocators read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/core/types.h"
#include "weft/engine/base/region_vc_sets.h"
#include "weft/engine/base/router_vc_set.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// The flow control state of a region; the top of this file describes it. The sets are public. Callers must preserve
/// the invariants documented at each set.
template <unsigned RouterVcs>
struct vc_flow_state {
  static constexpr unsigned MostPlanes = 10, MostLengthPlanes = 32;
  static_assert(MaxBufferFlits < 1U << MostPlanes);

  using set = router_vc_set<RouterVcs>;
  using sets = router_vc_sets<RouterVcs>;

  /// \param depth       capacity in flits of an input VC's FIFO; also the credits of an output VC that leads to a
  ///        router
  /// \param other_depth credits of all other output VCs, if they count credits
  /// \param use         vector size, which the machine must support; the result does not depend on it
  vc_flow_state(unsigned depth, unsigned other_depth, vectors use);

  // Input VCs
  alignas(64) sets occupied{};    ///< input VCs that hold a flit
  alignas(64) sets holding{};     ///< input VCs that hold an output VC
  alignas(64) sets able{};        ///< input VCs that hold an output VC with a credit
  alignas(64) sets ending{};      ///< input VCs that hold an output VC and send a tail to it next
  alignas(64) sets waiting{};     ///< input VCs with a head that requests an output VC
  alignas(64) sets new_heads{};   ///< input VCs with a head that reached the front in this cycle; it requests an output
                                  ///< VC from
                                  ///< the next cycle on
  alignas(64) sets next_heads{};  ///< input VCs with a head that follows a tail; it is in `new_heads` one cycle later
  // Output VCs
  alignas(64) sets free{};      ///< output VCs that no input VC holds
  alignas(64) sets credited{};  ///< output VCs that have a credit or need none
  alignas(64) sets drained{};   ///< output VCs that have all credits back, so the FIFO at the receiver is empty
  alignas(64) sets counted{};   ///< output VCs whose flits consume credits; this set is constant
  alignas(64) sets other{};     ///< output VCs in `counted` that have other_depth credits; this set is constant
  alignas(64) sets changed{};   ///< output VCs that are held, and whose credit state must be copied to `able`
  // Routers with pending work
  std::uint64_t may_wait = 0;  ///< all other routers have no waiting VC
  std::uint64_t may_send = 0;  ///< in all other routers no input VC is both occupied and able

  /// Whether passes over few routers use vectors too, because many events are expected; otherwise they process word by
  /// word. Data that were written as words must not be read as vectors soon after, because that stalls the processor.
  bool expects_much = false;

  /// Whether there is no work until a flit or a credit arrives.
  bool is_idle() const { return (may_wait | may_send | m_with_new_heads) == 0; }

  /// Processes flits that reach input VCs in this cycle. To be called in every cycle, unless is_idle() is true.
  /// \param flits   sets of VCs, by router; the function clears them
  /// \param touched routers whose sets are not empty
  void arrive(set* flits, std::uint64_t touched);

  /// Processes credits that reach output VCs. The parameters are as for arrive().
  /// \return whether `changed` has members
  bool return_credits(set* credits, std::uint64_t touched);

  /// Processes flits that leave. Clears \p leaving.
  /// \param senders routers with winners, and possibly other routers
  /// \return whether `changed` has members
  bool depart(departures<RouterVcs>& leaving, std::uint64_t senders);

  /// Assigns the output VCs in \p granted to the waiting input VCs, except those in \p losers. Clears both sets.
  /// Packets have one flit unless begin_packet() is called.
  /// \return whether `changed` has members
  bool grant_outputs(sets& losers, sets& granted);

  /// Does the same for one waiting input VC \p in of a router, which gets output VC \p out.
  WEFT_INLINE void grant_outputs(unsigned router, unsigned in, unsigned out) {
    waiting[router].erase(in);
    holding[router].insert(in);
    able[router].insert_if(credited[router].contains(out), in);
    ending[router].insert(in);
    free[router].erase(out);
    may_send |= std::uint64_t{1} << router;
  }

  /// Sets the length, at least 2 flits, of the packet at an input VC that has just got its output VC.
  void begin_packet(unsigned router, unsigned vc_index, std::uint32_t flits);

  /// Number of flits that an input VC with an output VC has still to send.
  std::uint32_t flits_left(unsigned router, unsigned vc_index) const {
    std::uint32_t number = 1;
    for (std::size_t k = 0; k < m_length_planes; ++k)
      number += std::uint32_t{m_until_tail[k][router].contains(vc_index)} << k;
    return number;
  }

  /// Number of flits in the FIFO of an input VC, without flits that arrive in this cycle.
  std::uint32_t flits_in(unsigned router, unsigned vc_index) const {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < m_planes; ++k) number += std::uint32_t{m_flits[k][router].contains(vc_index)} << k;
    return number;
  }

  /// Sets the initial credits of output VC \p vc_index of \p router: depth, other_depth, or 0 if the receiver accepts
  /// every flit.
  void set_credits(unsigned router, unsigned vc_index, unsigned credits);

  /// Number of credits of an output VC that counts them.
  unsigned credits_of(unsigned router, unsigned vc_index) const {
    unsigned number = other[router].contains(vc_index) ? m_other_depth : m_depth;
    for (std::size_t k = 0; k < m_planes; ++k) number -= unsigned{m_spent[k][router].contains(vc_index)} << k;
    return number;
  }

 private:
  /// Performs the first step of arrive() for the few routers with new heads. Usually no flit arrives there, and no pass
  /// is needed.
  void wait_one_by_one();
  /// Runs a pass over the sets of \p routers: in vectors, or word by word if they are few.
  template <typename Pass>
  auto run(std::uint64_t routers, const Pass& pass) const;
  // The passes
  template <typename Words, unsigned Planes>
  void arrive_in(set* flits, std::uint64_t touched);
  template <typename Words, unsigned Planes>
  bool return_credits_in(set* credits, std::uint64_t touched);
  template <typename Words>
  bool grant_outputs_in(sets& losers, sets& granted);
  template <typename Words, unsigned Planes>
  bool depart_in(departures<RouterVcs>& leaving, std::uint64_t senders);

  unsigned m_depth, m_other_depth;
  bool m_has_other = false;
  std::uint64_t m_with_new_heads = 0;  ///< routers in which `new_heads` or `next_heads` may have members
  vectors m_vectors;
  unsigned m_planes;             ///< number of planes in use
  unsigned m_length_planes = 0;  ///< number of planes in use for the longest packet so far
  // By bit of the counter, for each VC
  alignas(64) std::array<sets, MostPlanes> m_flits{};  ///< number of flits in the FIFO
  alignas(64) std::array<sets, MostPlanes> m_spent{};  ///< number of flits sent whose credits are not back yet
  std::array<sets, MostLengthPlanes> m_until_tail{};   ///< number of flits to send before the tail; usually only a few
                                                       ///< planes are in use
};

/// Lists the members of 64 sets, with all VCs numbered consecutively. It has no branches that depend on the number of
/// members, because the processor would mispredict them.
/// \param list must have room for all members and SpareRoom more
/// \return the number of members
template <unsigned RouterVcs>
std::size_t list_vcs(const router_vc_sets<RouterVcs>& sets, std::uint16_t* list, vectors use);
inline constexpr std::size_t SpareRoom = 64;

}  // namespace weft::engine
