// SPDX-License-Identifier: Apache-2.0
/// A program to replay: the calls of an MPI program or the messages of a list. Receives name the actual sender.
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
  std::int64_t root = AnyRank;  ///< world rank
  std::uint64_t send_bytes = 0;
  std::uint64_t receive_bytes = 0;
  std::vector<std::uint64_t> sends, receives;
  std::vector<std::uint32_t> to, from;
  std::uint32_t element = 1;  ///< element size in bytes: a vector is split only between elements
};

/// Bytes of a datum of a collective, which determine its algorithm.
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
  bool left_open = false;       ///< a receive that the rank had not completed at its end
  bool any_source = false;      ///< a receive from any source; `peer` is the sender of its message, if any
  std::uint32_t more = 0;       ///< completion: first index in `ended`; collective: index in `collectives`
  std::uint32_t count = 0;      ///< completion: number of requests
  std::uint64_t computing = 0;  ///< nanoseconds of computation before the call
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::string> payload;  ///< payload that it sends; null: not recorded
};

struct replay_rank {
  std::vector<replay_call> calls;
  std::vector<std::uint32_t> ended;  ///< requests
  std::uint32_t threads = 1;         ///< number of threads that called MPI
  bool stops = false;                ///< the trace ends before the rank does: it was killed, or waits in its next call
  std::vector<replay_collective> collectives;
};

/// The members, and the remote group of an intercommunicator.
struct replay_communicator {
  std::vector<std::uint32_t> members, peers;
};

inline constexpr std::uint64_t MostListedBytes = 1U << 30;  ///< most bytes of a message

/// A message that is sent at its time and after other messages. A message from a rank to itself takes no time.
struct listed_message {
  std::uint64_t id = 0;
  std::uint32_t source = 0;       ///< rank
  std::uint32_t destination = 0;  ///< rank
  std::uint64_t bytes = 0;
  data_type type = data_type::Other;
  cycle_t cycle = 0;                 ///< earliest cycle
  bool waits_first = false;          ///< `cycle` counts from the end of the messages that it waits for
  std::uint64_t computing = 0;       ///< nanoseconds that its source computes before it, counted from then on
  bool stays = false;                ///< a local operation of the rank in the place of a message
  bool waits_for_arrival = false;    ///< waits until its dependencies have arrived at any rank; otherwise see `after`
  std::vector<std::uint32_t> after;  ///< waits for arrival of these or, if its own source sends them, departure
};

struct replay_program {
  std::string name;
  std::vector<replay_rank> ranks;
  std::vector<replay_communicator> communicators;
  std::vector<listed_message> messages;  ///< for a message list, whose ranks have no calls
  std::uint64_t uncovered = 0;           ///< calls whose data are not in the trace

  /// Bytes of messages between two ranks, including those of collectives, at [from * ranks + to].
  std::vector<std::uint64_t> traffic() const;

  /// Describes the order in which the calls of multithreaded ranks are replayed; empty if there are none.
  std::string order_of_threads() const;
};

/// A cycle of messages in which each waits for the next and the last for the first; empty if there is none.
std::vector<std::uint32_t> waiting_circle(const std::vector<listed_message>& messages);

/// The kind of \p trace, by its contents or name; nothing if it does not exist or cannot be read.
std::optional<program_kind> kind_of_program(const std::filesystem::path& trace);

/// Reads a trace of Weft, an external trace, or a message list.
/// \param region region of a netrace, from 1; 0: all of it. Other traces have no regions
/// \throws workload_error as read_message_list(), read_netrace(), read_chakra(), and for ranks that disagree about a
/// collective; input_error for traces that read_trace() rejects, and for a file without all ranks of its run
replay_program read_program(const std::filesystem::path& trace, std::uint32_t region);

}  // namespace weft
