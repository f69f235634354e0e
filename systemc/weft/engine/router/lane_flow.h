// SPDX-License-Identifier: Apache-2.0
/// Where the flits and the credits of 64 routers are.
///
/// The numbers are kept as bit planes: plane k holds bit k of the counter of every lane, a set of lanes a router. So
/// all that arrives and all that leaves in a cycle is counted by a few operations on words, whatever lanes it
/// concerns, and the sets that the allocators look at come out of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/core/types.h"
#include "weft/engine/base/lane_set.h"
#include "weft/engine/base/region_lanes.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// See above. The sets may be looked at and changed from outside, as long as they say what they say.
template <unsigned Lanes>
struct lane_flow {
  static constexpr unsigned MostPlanes = 10, MostLengthPlanes = 32;
  static_assert(MaxBufferFlits < 1U << MostPlanes);

  using set = lane_set<Lanes>;
  using sets = lane_sets<Lanes>;

  /// \param depth       flits of an input lane's FIFO, and credits of an output lane that leads to one
  /// \param other_depth credits of other output lanes, if they count any
  /// \param use         these; the machine must have them. All do the same
  lane_flow(unsigned depth, unsigned other_depth, vectors use);

  // Input lanes.
  alignas(64) sets occupied{};  ///< with a flit
  alignas(64) sets holding{};   ///< with an output VC
  alignas(64) sets able{};      ///< with an output VC that has a credit
  alignas(64) sets ending{};    ///< with an output VC, and the next flit that they send to it is a tail
  alignas(64) sets waiting{};   ///< with a head that asks for an output VC
  alignas(64) sets fresh{};     ///< with a head that came to the front in this cycle: from the next one on it waits
  alignas(64) sets behind{};    ///< the same one cycle later, for it came behind a tail
  // Output lanes.
  alignas(64) sets free{};      ///< that no input lane holds
  alignas(64) sets credited{};  ///< with a credit, or without need of any
  alignas(64) sets settled{};   ///< of which all credits are back: the FIFO that they lead to is empty
  alignas(64) sets counted{};   ///< whose flits take credits: fixed
  alignas(64) sets other{};     ///< of those, the ones with the other number of credits: fixed
  alignas(64) sets changed{};   ///< that are held and of which `able` is to be told whether they have a credit
  // Routers in which there may be something to do.
  std::uint64_t may_wait = 0;  ///< in all others no lane waits
  std::uint64_t may_send = 0;  ///< in all others no input lane is occupied and able

  /// Few routers are passed word by word, unless much is expected to go on: what is written as words must not be read
  /// as vectors soon after, for that takes long.
  bool expects_much = false;

  /// As long as nothing arrives there is nothing to do.
  bool is_idle() const { return (may_wait | may_send | m_stirred) == 0; }

  /// Flits reach input lanes in this cycle. To be called in every cycle, unless is_idle().
  /// \param flits   sets of lanes, by router; they are cleared
  /// \param touched routers that have any
  void arrive(set* flits, std::uint64_t touched);

  /// Credits reach output lanes; parameters as above.
  /// \return whether `changed` has members
  bool give_back(set* credits, std::uint64_t touched);

  /// What leaves them; it is cleared.
  /// \param senders routers with winners, and perhaps others
  /// \return whether `changed` has members
  bool depart(departures<Lanes>& leaving, std::uint64_t senders);

  /// Input lanes that wait get the output lanes \p taken, all but \p lost; both are cleared. Their packets are a flit
  /// long, as long as begin_packet() does not say otherwise.
  /// \return whether `changed` has members
  bool hand_out(sets& lost, sets& taken);

  /// The same for input lane \p in of a router, which waits and gets output lane \p out.
  WEFT_INLINE void hand_out(unsigned router, unsigned in, unsigned out) {
    waiting[router].erase(in);
    holding[router].insert(in);
    able[router].insert_if(credited[router].contains(out), in);
    ending[router].insert(in);
    free[router].erase(out);
    may_send |= std::uint64_t{1} << router;
  }

  /// The packet for which an input lane has just got its output lane has so many flits, 2 at least.
  void begin_packet(unsigned router, unsigned lane, std::uint32_t flits);

  /// Flits that an input lane with an output lane has still to send there.
  std::uint32_t flits_left(unsigned router, unsigned lane) const {
    std::uint32_t number = 1;
    for (std::size_t k = 0; k < m_length_planes; ++k)
      number += std::uint32_t{m_until_tail[k][router].contains(lane)} << k;
    return number;
  }

  /// Flits in the FIFO of an input lane, without those that arrive in this cycle.
  std::uint32_t flits_in(unsigned router, unsigned lane) const {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < m_planes; ++k) number += std::uint32_t{m_flits[k][router].contains(lane)} << k;
    return number;
  }

  /// Output lane \p lane of \p router begins with so many credits: depth, other_depth, or 0 if it takes everything.
  void set_credits(unsigned router, unsigned lane, unsigned credits);

  /// Credits that an output lane has, if it counts them.
  unsigned credits_of(unsigned router, unsigned lane) const {
    unsigned number = other[router].contains(lane) ? m_other_depth : m_depth;
    for (std::size_t k = 0; k < m_planes; ++k) number -= unsigned{m_spent[k][router].contains(lane)} << k;
    return number;
  }

 private:
  /// The first step of arrive() for the few routers that are stirred: mostly nothing arrives there, and no pass is
  /// needed.
  void wait_one_by_one();
  /// Runs a pass over the sets of \p routers: in vectors, or word by word where they are few.
  template <typename Pass>
  auto run(std::uint64_t routers, const Pass& pass) const;
  // The passes.
  template <typename Words, unsigned Planes>
  void arrive_in(set* flits, std::uint64_t touched);
  template <typename Words, unsigned Planes>
  bool give_back_in(set* credits, std::uint64_t touched);
  template <typename Words>
  bool hand_out_in(sets& lost, sets& taken);
  template <typename Words, unsigned Planes>
  bool depart_in(departures<Lanes>& leaving, std::uint64_t senders);

  unsigned m_depth, m_other_depth;
  bool m_has_other = false;
  std::uint64_t m_stirred = 0;  ///< in all others `fresh` and `behind` are empty
  vectors m_vectors;
  unsigned m_planes;             ///< in use
  unsigned m_length_planes = 0;  ///< the same, for the longest packet so far
  // By bit of the number.
  alignas(64) std::array<sets, MostPlanes> m_flits{};  ///< in the FIFO
  alignas(64) std::array<sets, MostPlanes> m_spent{};  ///< flits that were sent and of which no credit is back yet
  std::array<sets, MostLengthPlanes> m_until_tail{};   ///< flits to send before the tail; few planes are ever used
};

/// The members of 64 sets, all lanes numbered through, without a jump that depends on how many there are: those
/// could not be foreseen.
/// \param list has room for all of them and SpareRoom more
/// \return how many they are
template <unsigned Lanes>
std::size_t list_lanes(const lane_sets<Lanes>& sets, std::uint16_t* list, vectors use);
inline constexpr std::size_t SpareRoom = 64;

}  // namespace weft::engine
