// SPDX-License-Identifier: Apache-2.0
/// VC allocation, fast form: the two choices of weft::allocate_vcs() where lanes are numbered as in a lane_set.
///
/// The input side, favourite_vc(), is here a rotation of a word; the output side, the least turn, a subtraction under
/// a mask. Compared with those functions in tests/unit/engine/vc_choice_test.cpp.
#pragma once

#include <cstdint>

#include "weft/core/allocation.h"
#include "weft/core/types.h"

namespace weft::engine {

/// The output lane that an input lane asks for: that of favourite_vc(). Any lane if there are no candidates.
/// Where all lanes of a router are one word, the word turns: what lies before the pointer comes behind it, and if the
/// pointer is at another port, the VCs of this one stay in order.
/// \param candidates VCs of the port
/// \param first      the port's first lane
/// \param pointer    a lane, or the one behind the last
template <unsigned Lanes>
inline unsigned favourite_lane(vc_set candidates, unsigned first, unsigned pointer) {
  constexpr unsigned Mask = Lanes - 1;
  if constexpr (Lanes != 32) return candidates == 0 ? 0 : first + favourite_vc(candidates, first, pointer & Mask);
  constexpr vc_set Last = vc_set{1} << 31;
  const unsigned by = (pointer - first) & Mask;
  return (lowest(candidates >> by | candidates << (-by & Mask) | Last) + pointer) & Mask;
}

/// Of two input lanes that ask for the same output lane, whether \p a has its turn before \p b: round robin over all
/// input lanes from \p pointer on. Of the numbers only what is below \p Lanes counts.
template <unsigned Lanes>
inline bool has_turn_before(unsigned a, unsigned b, unsigned pointer) {
  constexpr unsigned Mask = Lanes - 1;
  return ((a - pointer) & Mask) < ((b - pointer) & Mask);
}

}  // namespace weft::engine
