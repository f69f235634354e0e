// SPDX-License-Identifier: Apache-2.0
/// Operations on sets of ports and sets of VCs: loops over the members, round-robin selection, and division of VCs.
#pragma once

#include <cstdint>

#include "weft/core/division.h"
#include "weft/core/types.h"

namespace weft {

#ifdef WEFT_SYNTHESIS

/// Loops over the members \p i of \p set, a set of ports or of VCs, lowest first. All members are below \p bound, a
/// constant at elaboration. The loop must not change the set.
#define WEFT_FOR_MEMBERS(i, set, bound)  \
  for (unsigned i = 0; i < (bound); ++i) \
    if (((set) >> i & 1) == 0) {         \
    } else

/// The first requester at or after \p pointer, wrapping around. \p requests must not be empty; pointer < 32.
inline unsigned round_robin(std::uint32_t requests, unsigned pointer) {
  unsigned winner = 0;
  bool found = false;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned contender = (pointer + i) & 31;
    if (!found && (requests >> contender & 1) != 0) {
      winner = contender;
      found = true;
    }
  }
  return winner;
}

/// Index of the lowest member. \p set must not be empty.
inline unsigned lowest(std::uint32_t set) { return round_robin(set, 0); }

inline unsigned count_members(std::uint32_t set) {
  unsigned count = 0;
  for (unsigned i = 0; i < 32; ++i) count += set >> i & 1;
  return count;
}

#else

#define WEFT_FOR_MEMBERS(i, set, bound)                                         \
  for (std::uint32_t i##_left = (set); i##_left != 0; i##_left &= i##_left - 1) \
    if (const unsigned i = ::weft::lowest(i##_left); false) {                   \
    } else

/// Index of the lowest member. \p set must not be empty.
inline unsigned lowest(std::uint32_t set) { return static_cast<unsigned>(__builtin_ctz(set)); }

inline unsigned count_members(std::uint32_t set) { return static_cast<unsigned>(__builtin_popcount(set)); }

/// The first requester at or after \p pointer, wrapping around. \p requests must not be empty; pointer < 32.
inline unsigned round_robin(std::uint32_t requests, unsigned pointer) {
  const std::uint64_t twice =
      std::uint64_t{requests} << 32 | requests;  // members below the pointer come again after bit 31
  return (static_cast<unsigned>(__builtin_ctzll(twice >> pointer)) + pointer) & 31;
}

#endif

/// Whether \p set has exactly one member.
inline bool is_single(std::uint32_t set) { return set != 0 && (set & (set - 1)) == 0; }

/// Calls \p f(i) for every member of \p set, lowest first.
template <typename F>
inline void for_each_member(std::uint32_t set, F f) {
  WEFT_FOR_MEMBERS(i, set, MaxMembers) f(i);
}

/// Block \p number, from 0, of the VCs of \p vcs, which must be the lowest VCs of a port. They are divided into \p
/// parts blocks, the VC classes or layers, as evenly as possible.
inline vc_set part_of_vcs(vc_set vcs, unsigned number, unsigned parts) {
  const unsigned count = count_members(vcs);
  const unsigned end = divide<5>(count * (number + 1), parts), begin = divide<5>(count * number, parts);
  const vc_set before_end = first_vcs(end), before = first_vcs(begin);
  return before_end & ~before;
}
static_assert(MaxVcs < 32, "a number of VCs has 5 bits");

}  // namespace weft
