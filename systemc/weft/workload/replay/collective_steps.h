// SPDX-License-Identifier: Apache-2.0
/// Collectives of MPI as messages between two ranks each, as one rank does them.
///
/// | functions | messages |
/// |---|---|
/// | Barrier | dissemination: to the rank 1, 2, 4, … further on |
/// | Bcast, Reduce | binomial tree |
/// | Gather, Scatter, and v | between each rank and the root |
/// | Allgather, and v | around a ring |
/// | Allreduce | up to 10,000 bytes recursive doubling, with more a ring of parts: reduce-scatter, then all-gather |
/// | Alltoall, and v, w | pairs, in turn with the rank k before and k behind |
/// | Reduce_scatter, and block | the same |
/// | Scan, Exscan | along the ranks |
/// | of neighbours | all at once |
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/workload/replay/replay_program.h"

namespace weft {

/// Something that a rank does in a collective.
struct collective_step {
  enum class kind : std::uint8_t { Send, Receive, Wait };
  kind what = kind::Wait;  ///< Wait: for all sends and receives before it
  std::uint32_t peer = 0;  ///< world rank
  std::uint64_t bytes = 0;
  /// Payload of a send: that of the call from here on, or that of the message that came last.
  std::uint64_t payload_at = 0;
  bool passes_on = false;
};

/// What \p rank, a world rank and a member, does. None alone.
std::vector<collective_step> steps_of(const replay_call& call, const replay_collective& more,
                                      const std::vector<std::uint32_t>& members, std::uint32_t rank);

}  // namespace weft
