// SPDX-License-Identifier: Apache-2.0
/// A program to replay: the calls of an MPI program, or the messages of a list. In receives from any source, the trace
/// names the actual sender.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/types.h"
#include "weft/mpi/trace/trace.h"
#include "weft/mpi/trace/truncation_rules.h"
#include "weft/workload/parameters.h"

namespace weft {

/// Fields that only collectives have.
struct replay_collective {
  std::int64_t root = AnyRank;  ///< world rank of the root; AnyRank if there is none
  std::uint64_t send_bytes = 0;
  std::uint64_t receive_bytes = 0;
  std::vector<std::uint64_t> sends, receives;
  std::vector<std::uint32_t> to, from;
  std::uint32_t element = 1;  ///< element size in bytes; a vector is only split between elements
};

/// Returns the bytes of a datum of a collective. They determine the algorithm of the collective.
inline std::uint64_t datum_bytes(mpi_function f, const replay_collective& c) {
  return datum_bytes(f, c.send_bytes, c.receive_bytes, c.sends, c.receives);
}

struct replay_call {
  call_kind kind = call_kind::Send;
  mpi_function function = mpi_function::Send;
  send_mode mode = send_mode::Standard;
  data_type type = data_type::Other;
  std::uint32_t number = 0;        ///< number of the call in its rank, from 1, in program order
  std::uint32_t communicator = 0;  ///< index into replay_program::communicators
  std::uint32_t request = 0;
  std::int32_t peer = 0;
  std::int32_t tag = 0;
  bool left_open = false;       ///< a receive that was not complete when the rank ended
  bool any_source = false;      ///< a receive from any source; `peer` is the sender of its message, if there is one
  std::uint32_t more = 0;       ///< completion: first index in `ended`; collective: index in `collectives`
  std::uint32_t count = 0;      ///< completion: number of requests
  std::uint64_t computing = 0;  ///< nanoseconds of computation before the call
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::string> payload;  ///< payload that the call sends; null if it was not recorded
};

struct replay_rank {
  std::vector<replay_call> calls;
  std::vector<std::uint32_t> ended;  ///< requests that the completions end
  std::uint32_t threads = 1;         ///< number of threads that called MPI
  bool stops = false;                ///< whether the trace ends before the rank, which was killed or still waits
  std::vector<replay_collective> collectives;
};

/// The members of a communicator and, for an intercommunicator, the remote group.
struct replay_communicator {
  std::vector<std::uint32_t> members, peers;
};

inline constexpr std::uint64_t MostListedBytes = 1U << 30;  ///< maximum number of bytes of a message

/// A message of a list, which is sent at a given time and after other messages. A message from a rank to itself takes
/// no time.
struct listed_message {
  std::uint64_t id = 0;
  std::uint32_t source = 0;       ///< sending rank
  std::uint32_t destination = 0;  ///< receiving rank
  std::uint64_t bytes = 0;
  data_type type = data_type::Other;
  cycle_t cycle = 0;                 ///< earliest cycle in which it may be sent
  bool waits_first = false;          ///< whether `cycle` counts from the end of the messages for which it waits
  std::uint64_t computing = 0;       ///< nanoseconds of computation before it, after all its waits
  bool stays = false;                ///< whether it is a local operation of the rank instead of a message
  bool waits_for_arrival = false;    ///< whether its dependencies must have arrived at their receivers
  std::vector<std::uint32_t> after;  ///< dependencies: must have arrived or, if its own source sends them, departed
};

struct replay_program {
  std::string name;
  std::vector<replay_rank> ranks;
  std::vector<replay_communicator> communicators;
  std::vector<listed_message> messages;  ///< messages of a message list, whose ranks have no calls
  std::uint64_t uncovered = 0;           ///< number of calls whose data are not in the trace

  /// Returns the bytes of all messages between two ranks, including the messages of collectives, at [from * ranks +
  /// to].
  std::vector<std::uint64_t> traffic() const;

  /// Describes the order in which the calls of multithreaded ranks are replayed; empty if no rank is multithreaded.
  std::string order_of_threads() const;
};

/// Returns a cycle of messages in which each message waits for the next and the last waits for the first; empty if
/// there is no such cycle.
std::vector<std::uint32_t> waiting_circle(const std::vector<listed_message>& messages);

/// Returns the kind of \p trace, which follows from its contents or name; nothing if it does not exist or cannot be
/// read.
std::optional<program_kind> kind_of_program(const std::filesystem::path& trace);

/// Reads a trace of Weft, an external trace, or a message list.
/// \param region number of the region of a netrace, from 1; 0 for the whole trace. Other traces have no regions
/// \throws workload_error as read_message_list(), read_netrace() and read_chakra(), and if ranks disagree about a
/// collective; input_error for traces that read_trace() rejects, and for a file that does not contain all ranks of its
/// run
replay_program read_program(const std::filesystem::path& trace, std::uint32_t region);

}  // namespace weft
