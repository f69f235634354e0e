// SPDX-License-Identifier: Apache-2.0
/// MPI collectives as point-to-point messages, from the view of one rank.
///
/// | functions | messages |
/// |---|---|
/// | Barrier | dissemination: each rank sends to the ranks that are 1, 2, 4, … positions after it |
/// | Bcast, Reduce | binomial tree |
/// | Gather(v), Scatter(v) | directly between each rank and the root |
/// | Allgather(v) | ring |
/// | Allreduce | recursive doubling up to 10,000 bytes, otherwise reduce-scatter and all-gather on a ring |
/// | Alltoall(v, w) | pairwise exchange: in step k, to rank + k and from rank - k |
/// | Reduce_scatter(_block) | pairwise exchange |
/// | Scan, Exscan | from each rank to the next |
/// | neighborhood collectives | all messages at once |
///
/// In the direct order, no rank waits for a rank whose data it does not need. Barrier, all-reduce and scan are as
/// above. In all other collectives, each rank gets its data directly from the ranks that have them, all at once. A rank
/// sends no message if it has no data to send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// The contents of a message of a plan: data of members, which `form` combines.
struct planned_message {
  struct part {
    std::uint32_t owner;     ///< world rank that has the part at the start
    std::uint32_t receiver;  ///< member for which the part is; 0 if all members get the same
  };
  payload_form form = payload_form::Datum;
  std::vector<part> parts;
};

/// An action of a rank in a collective.
struct collective_action {
  enum class kind : std::uint8_t { Send, Receive, Wait, Await };
  /// Wait waits for all earlier sends and receives. A plan uses Await instead, which waits for a single send or
  /// receive.
  kind what = kind::Wait;
  std::uint32_t peer = 0;  ///< world rank
  std::uint64_t bytes = 0;
  /// For a send: offset of its payload in the payload of the call or, with passes_on, of the message received last.
  std::uint64_t payload_at = 0;
  bool passes_on = false;
  std::uint32_t number = 0;                  ///< number of the message in a plan; Await: index of the send or receive
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

/// Determines for which ranks a rank may wait in a collective. Usual includes ranks that only forward data. Direct
/// includes only ranks that have data at the start.
enum class collective_order : std::uint8_t { Usual, Direct };

/// Whether each member needs data from each other member. In this case, no member can end the call before all members
/// have begun it, whatever messages carry it out.
bool joins_all(const replay_call& call, const replay_collective& more);

/// Returns the actions of \p rank, which is a world rank and a member. Empty for a communicator with a single member.
std::vector<collective_action> actions_of(const replay_call& call, const replay_collective& more,
                                          const std::vector<std::uint32_t>& members, std::uint32_t rank,
                                          collective_order order);

}  // namespace weft
