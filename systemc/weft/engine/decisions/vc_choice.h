// SPDX-License-Identifier: Apache-2.0
/// VC allocation, optimized: the two selections of weft::allocate_vcs() for VCs numbered as in a router_vc_set.
///
/// The input side, preferred_vc(), is a rotation of a word; the output side, the smallest distance, is a subtraction
/// with a mask. tests/unit/engine/vc_choice_test.cpp compares them with those functions.
#pragma once

#include <cstdint>

#include "weft/core/allocation.h"
#include "weft/core/types.h"

namespace weft::engine {

/// The output VC that an input VC requests, as preferred_vc(). The result is arbitrary if there are no candidates. If
/// the VCs of a router fit one word, the function rotates the word: bits below the pointer move behind the others. If
/// the pointer is at another port, the VCs of this port stay in order.
/// \param candidates VCs of the port
/// \param first      VC index of the port's VC 0
/// \param pointer    a VC index, or one past the last
template <unsigned RouterVcs>
inline unsigned preferred_vc_index(vc_set candidates, unsigned first, unsigned pointer) {
  constexpr unsigned Mask = RouterVcs - 1;
  if constexpr (RouterVcs != 32) return candidates == 0 ? 0 : first + preferred_vc(candidates, first, pointer & Mask);
  constexpr vc_set Last = vc_set{1} << 31;
  const unsigned by = (pointer - first) & Mask;
  return (lowest(candidates >> by | candidates << (-by & Mask) | Last) + pointer) & Mask;
}

/// Whether \p a precedes \p b among input VCs that request the same output VC, in round-robin order from \p pointer.
/// Only the values modulo \p RouterVcs matter.
template <unsigned RouterVcs>
inline bool precedes(unsigned a, unsigned b, unsigned pointer) {
  constexpr unsigned Mask = RouterVcs - 1;
  return ((a - pointer) & Mask) < ((b - pointer) & Mask);
}

}  // namespace weft::engine
