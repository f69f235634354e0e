// SPDX-License-Identifier: Apache-2.0
/// The rule by which the VCs of an input port share its buffer. The sender applies it: the router or NIC at the other
/// end of the channel counts the flits of each VC, and sends no flit for which the buffer has no room.
///
/// Every VC has some flits of the buffer for itself; the others form a pool, from which any VC takes. The rule also
/// describes a buffer for each VC: then the pool is empty.
///
/// Source: Y. Tamir, G. L. Frazier, "Dynamically-Allocated Multi-Queue Buffers for VLSI Communication Switches", IEEE
/// Transactions on Computers 41(6), 1992. The reserved flits and the kept slots are those of BookSim2's buffer policies
/// `shared` and `limited`.
#pragma once

#include <cstdint>

#include "weft/core/parameters.h"
#include "weft/core/types.h"

namespace weft {

/// How the VCs share a buffer. A record of constants, as hardware modules need it.
struct buffer_sharing {
  std::uint16_t limit = 0;     ///< maximum number of flits of a VC, which is the number of its initial credits
  std::uint16_t reserved = 0;  ///< flits that each VC has for itself
  std::uint16_t pool = 0;      ///< flits of the pool
};

/// The buffer of an input port of a router.
inline buffer_sharing sharing_of(const router_parameters& p) {
  buffer_sharing sharing;
  sharing.limit = static_cast<std::uint16_t>(most_flits_of_vc(p));
  sharing.reserved = static_cast<std::uint16_t>(shares_buffer(p) ? p.buffer.reserved : p.depth);
  sharing.pool = static_cast<std::uint16_t>(p.vcs * (p.depth - sharing.reserved));
  return sharing;
}

/// What the VCs of one buffer have not taken.
///
/// A VC without reserved flits that is empty while a packet holds it keeps its last slot until the next flit of this
/// packet. Otherwise other VCs could fill the buffer with packets that wait for the end of this one.
struct shared_room {
  std::uint16_t left = 0;  ///< flits of the pool
  vc_set kept = 0;         ///< VCs that keep a slot of the pool
};

inline shared_room empty_room(const buffer_sharing& sharing) {
  shared_room room;
  room.left = sharing.pool;
  return room;
}

/// Whether there is room for a flit of VC \p vc, which has \p flits flits in the buffer.
inline bool has_room(const buffer_sharing& sharing, const shared_room& room, unsigned vc, unsigned flits) {
  return flits < sharing.limit && (flits < sharing.reserved || (room.kept >> vc & 1) != 0 || room.left != 0);
}

/// Enters a flit of VC \p vc, which had \p flits flits in the buffer.
inline void enter_flit(const buffer_sharing& sharing, shared_room& room, unsigned vc, unsigned flits) {
  if ((room.kept >> vc & 1) != 0)
    room.kept &= ~(1U << vc);
  else if (flits >= sharing.reserved)
    --room.left;
}

/// Removes a flit of VC \p vc, which then has \p flits flits in the buffer.
/// \param held whether a packet holds the VC: it was granted the VC, and its tail has not been sent
inline void remove_flit(const buffer_sharing& sharing, shared_room& room, unsigned vc, unsigned flits, bool held) {
  if (flits >= sharing.reserved) {
    if (flits == 0 && held)
      room.kept |= 1U << vc;
    else
      ++room.left;
  }
}

}  // namespace weft
