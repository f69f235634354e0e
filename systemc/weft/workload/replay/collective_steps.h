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
///
/// In the direct order nobody waits for a rank whose data it does not need: barrier, all-reduce and scan are as above,
/// and in all others each rank gets what it needs from those that have it, all at once. Nothing is sent where there are
/// no data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/workload/collective/collective.h"
#include "weft/workload/replay/replay_program.h"

namespace weft {

/// What a message of a plan carries: data of members, made one as `form` says.
struct planned_message {
  struct part {
    std::uint32_t owner;     ///< world rank that has it at first
    std::uint32_t receiver;  ///< member that it is for; 0 where all get the same
  };
  payload_form form = payload_form::Datum;
  std::vector<part> parts;
};

/// Something that a rank does in a collective.
struct collective_step {
  enum class kind : std::uint8_t { Send, Receive, Wait, Await };
  /// Wait: for all sends and receives before it. In a plan nothing waits but Await, for one of them.
  kind what = kind::Wait;
  std::uint32_t peer = 0;  ///< world rank
  std::uint64_t bytes = 0;
  /// Payload of a send: that of the call from here on, or that of the message that came last.
  std::uint64_t payload_at = 0;
  bool passes_on = false;
  std::uint32_t number = 0;                  ///< of a message of a plan; Await: of the rank's sends and receives so far
  const planned_message* content = nullptr;  ///< of a plan: in place of bytes and payload

  static collective_step await(std::uint32_t which) {
    collective_step s;
    s.what = kind::Await;
    s.number = which;
    return s;
  }
  static collective_step planned(kind what, std::uint32_t peer, std::uint32_t message, const planned_message* content) {
    collective_step s;
    s.what = what;
    s.peer = peer;
    s.number = message;
    s.content = content;
    return s;
  }
};

/// Whom a rank may wait for in a collective: also those that pass data on to it, or only those that have them at first.
enum class collective_order : std::uint8_t { Usual, Direct };

/// Whether each member needs data from each other one, so that none ends the call before all have begun it, whatever
/// the messages.
bool joins_all(const replay_call& call, const replay_collective& more);

/// What \p rank, a world rank and a member, does. None alone.
std::vector<collective_step> steps_of(const replay_call& call, const replay_collective& more,
                                      const std::vector<std::uint32_t>& members, std::uint32_t rank,
                                      collective_order order);

}  // namespace weft
