// SPDX-License-Identifier: Apache-2.0
/// Round-robin order: distances from a pointer, and the position that follows a winner.
#pragma once

namespace weft {

/// Distance of \p contender from \p pointer in round-robin order; the requester with the smallest distance wins. Both
/// arguments are below 32.
inline unsigned round_robin_distance(unsigned contender, unsigned pointer) { return (contender - pointer) & 31; }

/// The same among \p count requesters. Both arguments are below \p count.
inline unsigned round_robin_distance(unsigned contender, unsigned pointer, unsigned count) {
  return contender >= pointer ? contender - pointer : contender + count - pointer;
}

/// The index that follows \p winner in the cyclic order of \p count requesters.
inline unsigned next_index(unsigned winner, unsigned count) { return winner + 1 == count ? 0 : winner + 1; }

}  // namespace weft
