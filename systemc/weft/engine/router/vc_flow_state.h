// SPDX-License-Identifier: Apache-2.0
/// The positions of the flits and credits of 64 routers.
///
/// Counters are stored as bit planes: plane k holds bit k of the counter of every VC, as one set of VCs per router. A
/// few operations on words count all arrivals and departures of a cycle, for any number of VCs, and also compute the
/// sets that the allocators read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/core/types.h"
#include "weft/engine/base/region_vc_sets.h"
#include "weft/engine/base/router_vc_set.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// See the top of this file. The sets are public. Callers must preserve the invariants documented at each set.
template <unsigned RouterVcs>
struct vc_flow_state {
  static constexpr unsigned MostPlanes = 10, MostLengthPlanes = 32;
  static_assert(MaxBufferFlits < 1U << MostPlanes);

  using set = router_vc_set<RouterVcs>;
  using sets = router_vc_sets<RouterVcs>;

  /// \param depth       flits of an input VC's FIFO, and credits of an output VC that leads to one
  /// \param other_depth credits of other output VCs, if they count credits
  /// \param use         vector size, which the machine must support. The result does not depend on it.
  vc_flow_state(unsigned depth, unsigned other_depth, vectors use);

  // Input VCs
  alignas(64) sets occupied{};    ///< with a flit
  alignas(64) sets holding{};     ///< with an output VC
  alignas(64) sets able{};        ///< with an output VC that has a credit
  alignas(64) sets ending{};      ///< with an output VC to which they send a tail next
  alignas(64) sets waiting{};     ///< with a head that requests an output VC
  alignas(64) sets new_heads{};   ///< with a head that reached the front in this cycle; it waits from the next cycle on
  alignas(64) sets next_heads{};  ///< with a head that follows a tail; it is in `new_heads` one cycle later
  // Output VCs
  alignas(64) sets free{};      ///< that no input VC holds
  alignas(64) sets credited{};  ///< with a credit, or that need none
  alignas(64) sets drained{};   ///< with all credits back: the FIFO at the receiver is empty
  alignas(64) sets counted{};   ///< whose flits consume credits: constant
  alignas(64) sets other{};     ///< those of `counted` with other_depth credits: constant
  alignas(64) sets changed{};   ///< held output VCs whose credit state must be copied to `able`
  // Routers with pending work
  std::uint64_t may_wait = 0;  ///< no VC waits in any other router
  std::uint64_t may_send = 0;  ///< no input VC is occupied and able in any other router

  /// A pass over few routers works word by word, unless many events are expected. Data written as words must not be
  /// read as vectors soon after, because that stalls the processor.
  bool expects_much = false;

  /// Whether there is no work unless something arrives.
  bool is_idle() const { return (may_wait | may_send | m_with_new_heads) == 0; }

  /// Flits reach input VCs in this cycle. To be called in every cycle, unless is_idle().
  /// \param flits   sets of VCs, by router; the function clears them
  /// \param touched routers whose sets are not empty
  void arrive(set* flits, std::uint64_t touched);

  /// Credits reach output VCs; parameters as for arrive().
  /// \return whether `changed` has members
  bool return_credits(set* credits, std::uint64_t touched);

  /// Flits leave; the function clears \p leaving.
  /// \param senders routers with winners, and possibly others
  /// \return whether `changed` has members
  bool depart(departures<RouterVcs>& leaving, std::uint64_t senders);

  /// Assigns the output VCs \p granted to the waiting input VCs, except \p losers; the function clears both sets.
  /// Packets have one flit unless begin_packet() is called.
  /// \return whether `changed` has members
  bool grant_outputs(sets& losers, sets& granted);

  /// The same for the waiting input VC \p in of a router, which gets output VC \p out.
  WEFT_INLINE void grant_outputs(unsigned router, unsigned in, unsigned out) {
    waiting[router].erase(in);
    holding[router].insert(in);
    able[router].insert_if(credited[router].contains(out), in);
    ending[router].insert(in);
    free[router].erase(out);
    may_send |= std::uint64_t{1} << router;
  }

  /// Sets the length, at least 2 flits, of the packet whose input VC has just got its output VC.
  void begin_packet(unsigned router, unsigned vc_index, std::uint32_t flits);

  /// Flits that an input VC with an output VC has yet to send.
  std::uint32_t flits_left(unsigned router, unsigned vc_index) const {
    std::uint32_t number = 1;
    for (std::size_t k = 0; k < m_length_planes; ++k)
      number += std::uint32_t{m_until_tail[k][router].contains(vc_index)} << k;
    return number;
  }

  /// Flits in the FIFO of an input VC, without those that arrive in this cycle.
  std::uint32_t flits_in(unsigned router, unsigned vc_index) const {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < m_planes; ++k) number += std::uint32_t{m_flits[k][router].contains(vc_index)} << k;
    return number;
  }

  /// Sets the initial credits of output VC \p vc_index of \p router: depth, other_depth, or 0 if the receiver accepts
  /// everything.
  void set_credits(unsigned router, unsigned vc_index, unsigned credits);

  /// Credits of an output VC, if it counts them.
  unsigned credits_of(unsigned router, unsigned vc_index) const {
    unsigned number = other[router].contains(vc_index) ? m_other_depth : m_depth;
    for (std::size_t k = 0; k < m_planes; ++k) number -= unsigned{m_spent[k][router].contains(vc_index)} << k;
    return number;
  }

 private:
  /// The first step of arrive() for the few routers with new heads. Usually nothing arrives there, and no pass is
  /// needed.
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
  std::uint64_t m_with_new_heads = 0;  ///< in all other routers `new_heads` and `next_heads` are empty
  vectors m_vectors;
  unsigned m_planes;             ///< number of planes in use
  unsigned m_length_planes = 0;  ///< number of planes in use for the longest packet so far
  // By bit of the number
  alignas(64) std::array<sets, MostPlanes> m_flits{};  ///< in the FIFO
  alignas(64) std::array<sets, MostPlanes> m_spent{};  ///< flits sent whose credit is not back yet
  std::array<sets, MostLengthPlanes> m_until_tail{};   ///< flits to send before the tail; only few planes are used
};

/// Lists the members of 64 sets, with all VCs numbered consecutively, without branches that depend on their number,
/// because the processor would mispredict them.
/// \param list must have room for all of them and SpareRoom more
/// \return the number of members
template <unsigned RouterVcs>
std::size_t list_vcs(const router_vc_sets<RouterVcs>& sets, std::uint16_t* list, vectors use);
inline constexpr std::size_t SpareRoom = 64;

}  // namespace weft::engine
