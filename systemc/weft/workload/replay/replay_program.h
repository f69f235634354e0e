// SPDX-License-Identifier: Apache-2.0
/// The calls of an MPI program as a replay wants them: read from a trace, compact, receives with who really sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/types.h"
#include "weft/trace/cut_rules.h"
#include "weft/trace/trace.h"
#include "weft/workload/parameters.h"

namespace weft {

/// What only collectives have.
struct replay_collective {
  std::int64_t root = AnyRank;  ///< world rank
  std::uint64_t send_bytes = 0;
  std::uint64_t receive_bytes = 0;
  std::vector<std::uint64_t> sends, receives;
  std::vector<std::uint32_t> to, from;
  std::uint32_t element = 1;  ///< bytes: a vector is cut into parts between two of them
};

/// Bytes of a datum of a collective, by which its algorithm is chosen.
inline std::uint64_t datum_bytes(mpi_function f, const replay_collective& c) {
  return datum_bytes(f, c.send_bytes, c.receive_bytes, c.sends, c.receives);
}

struct replay_call {
  call_kind kind = call_kind::Send;
  mpi_function function = mpi_function::Send;
  send_mode mode = send_mode::Standard;
  data_type type = data_type::Other;
  std::uint32_t number = 0;        ///< of the call in its rank, from 1, as the program made them
  std::uint32_t communicator = 0;  ///< in replay_program::communicators
  std::uint32_t request = 0;
  std::int32_t peer = 0;
  std::int32_t tag = 0;
  bool left_open = false;       ///< a receive that the rank came to its end without completing
  bool any_source = false;      ///< a receive that would have taken any; `peer` is whose message it got, if it got one
  std::uint32_t more = 0;       ///< completion: first in `ended`; collective: in `collectives`
  std::uint32_t count = 0;      ///< completion: how many
  std::uint64_t computing = 0;  ///< nanoseconds before it
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::string> payload;  ///< of what it sends; null: not recorded
};

struct replay_rank {
  std::vector<replay_call> calls;
  std::vector<std::uint32_t> ended;  ///< requests
  std::uint32_t threads = 1;         ///< that called MPI
  bool stops = false;                ///< the trace ends before the rank does: it was killed, or waits in its next call
  std::vector<replay_collective> collectives;
};

/// The members, and the other group of an intercommunicator.
struct replay_communicator {
  std::vector<std::uint32_t> members, peers;
};

inline constexpr std::uint64_t MostListedBytes = 1U << 30;  ///< of a message

/// A message that is sent when others are over, and at its time. One from a rank to itself takes no time.
struct listed_message {
  std::uint64_t id = 0;
  std::uint32_t source = 0;       ///< rank
  std::uint32_t destination = 0;  ///< rank
  std::uint64_t bytes = 0;
  data_type type = data_type::Other;
  cycle_t cycle = 0;                 ///< not before
  bool waits_first = false;          ///< `cycle` counts from the end of those that it waits for
  std::uint64_t computing = 0;       ///< nanoseconds before it, from then on, that its source computes
  bool stays = false;                ///< no message, but something that the rank does by itself
  bool waits_for_arrival = false;    ///< of those that it waits for, wherever they go; else as `after` says
  std::vector<std::uint32_t> after;  ///< waits for these: that they have come, or, if its own source sends them, gone
};

struct replay_program {
  std::string name;
  std::vector<replay_rank> ranks;
  std::vector<replay_communicator> communicators;
  std::vector<listed_message> messages;  ///< of a list, whose ranks have no calls
  std::uint64_t uncovered = 0;           ///< calls whose data are not in the trace

  /// Bytes of messages between two ranks, those of collectives among them, at [from * ranks + to].
  std::vector<std::uint64_t> traffic() const;

  /// In words, in which order the calls of ranks are replayed that came from several threads; empty without such ranks.
  std::string order_of_threads() const;
};

/// Messages that wait for each other, each for the next one and the last for the first; empty if there are none.
std::vector<std::uint32_t> waiting_circle(const std::vector<listed_message>& messages);

/// What \p trace is, by how it begins, or is named; none: it is not there, or cannot be read.
std::optional<program_kind> kind_of_program(const std::filesystem::path& trace);

/// A trace, ours or a foreign one, or a list of messages.
/// \param region of a netrace, from 1; 0: all of it. Others have none
/// \throws workload_error as read_message_list(), read_netrace(), read_chakra(), and for ranks that do not mean the
/// same by a collective; input_error for what read_trace() refuses, and for a file that has not all ranks of its run
replay_program read_program(const std::filesystem::path& trace, std::uint32_t region);

}  // namespace weft
