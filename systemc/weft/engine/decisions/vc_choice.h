// SPDX-License-Identifier: Apache-2.0
/// VC allocation: faster forms of the two selections of weft::allocate_vcs(), for VCs that are numbered as in a
/// router_vc_set.
///
/// The input side, preferred_vc(), is a rotation of a word. The output side, the smallest distance in round-robin
/// order, is a subtraction with a mask. tests/unit/engine/vc_choice_test.cpp compares the results with the functions of
/// weft::allocate_vcs().
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/types.h"

namespace weft::engine {

/// The VC that an input VC requests: the first of its candidates at or after its pointer, in round-robin order over all
/// output VCs of the router. All candidates belong to one output port, so the pointer matters only if it points into
/// that port.
/// \param candidates free admissible VCs of the output port, not empty
/// \param first      VC index of VC 0 of that port
/// \param pointer    VC index at which the search starts
inline unsigned preferred_vc(vc_set candidates, unsigned first, unsigned pointer) {
  const unsigned offset = pointer - first;  // huge if the pointer is at a lower port
  return round_robin(candidates, offset < MaxVcs ? offset : 0);
}

/// Returns the output VC that an input VC requests, as preferred_vc() does. The result is arbitrary if there are no
/// candidates. If the VCs of a router fit into one word, the function rotates this word, so that the bits below the
/// pointer follow the others. If the pointer is at another port, the VCs of this port stay in order.
/// \param candidates VCs of the port that may be requested
/// \param first      VC index of VC 0 of the port
/// \param pointer    a VC index, or one past the last VC index
template <unsigned RouterVcs>
inline unsigned preferred_vc_index(vc_set candidates, unsigned first, unsigned pointer) {
  constexpr unsigned Mask = RouterVcs - 1;
  if constexpr (RouterVcs != 32) return candidates == 0 ? 0 : first + preferred_vc(candidates, first, pointer & Mask);
  constexpr vc_set Last = vc_set{1} << 31;
  const unsigned by = (pointer - first) & Mask;
  return (lowest(candidates >> by | candidates << (-by & Mask) | Last) + pointer) & Mask;
}

/// Whether \p a precedes \p b, in round-robin order from \p pointer, among the input VCs that request the same output
/// VC. Only the values modulo \p RouterVcs are significant.
template <unsigned RouterVcs>
inline bool precedes(unsigned a, unsigned b, unsigned pointer) {
  constexpr unsigned Mask = RouterVcs - 1;
  return ((a - pointer) & Mask) < ((b - pointer) & Mask);
}

}  // namespace weft::engine
