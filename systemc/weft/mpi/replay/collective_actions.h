// SPDX-License-Identifier: Apache-2.0
/// MPI collectives as point-to-point messages, from the view of one rank.
///
/// | functions | messages |
/// |---|---|
/// | Barrier | dissemination: to the rank 1, 2, 4, … further on |
/// | Bcast, Reduce | binomial tree |
/// | Gather(v), Scatter(v) | directly between each rank and the root |
/// | Allgather(v) | ring |
/// | Allreduce | up to 10,000 bytes: recursive doubling; more: reduce-scatter and all-gather on a ring |
/// | Alltoall(v, w) | pairwise exchange: in step k, to rank + k and from rank - k |
/// | Reduce_scatter(_block) | pairwise exchange |
/// | Scan, Exscan | along the ranks |
/// | neighborhood collectives | all messages at once |
///
/// In the direct order no rank waits for a rank whose data it does not need: barrier, all-reduce and scan are as above;
/// in all other collectives each rank gets its data directly from the ranks that have them, all at once. Ranks without
/// data to send send no message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// The contents of a message of a plan: data of members, combined according to `form`.
struct planned_message {
  struct part {
    std::uint32_t owner;     ///< world rank that has it at the start
    std::uint32_t receiver;  ///< member that it is for; 0 if all get the same
  };
  payload_form form = payload_form::Datum;
  std::vector<part> parts;
};

/// An action of a rank in a collective.
struct collective_action {
  enum class kind : std::uint8_t { Send, Receive, Wait, Await };
  /// Wait: waits for all earlier sends and receives. In a plan, only Await waits, for a single one of them.
  kind what = kind::Wait;
  std::uint32_t peer = 0;  ///< world rank
  std::uint64_t bytes = 0;
  /// For a send: offset of its payload in that of the call, or, with passes_on, in that of the message received last.
  std::uint64_t payload_at = 0;
  bool passes_on = false;
  std::uint32_t number = 0;                  ///< message of a plan; Await: index among the rank's sends and receives
  const planned_message* content = nullptr;  ///< in a plan, replaces bytes and payload

  static collective_action await(std::uint32_t which) {
    collective_action s;
    s.what = kind::Await;
    s.number = which;
    return s;
  }
  static collective_action planned(kind what, std::uint32_t peer, std::uint32_t message,
                                   const planned_message* content) {
    collective_action s;
    s.what = what;
    s.peer = peer;
    s.number = message;
    s.content = content;
    return s;
  }
};

/// The ranks that a rank may wait for in a collective: Usual includes ranks that forward data, Direct only ranks that
/// have the data at the start.
enum class collective_order : std::uint8_t { Usual, Direct };

/// Whether each member needs data from each other member, so that no member can end the call before all have begun it,
/// whatever the messages are.
bool joins_all(const replay_call& call, const replay_collective& more);

/// The actions of \p rank, a world rank and a member. Empty for a single member.
std::vector<collective_action> actions_of(const replay_call& call, const replay_collective& more,
                                          const std::vector<std::uint32_t>& members, std::uint32_t rank,
                                          collective_order order);

}  // namespace weft
