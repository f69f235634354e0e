// SPDX-License-Identifier: Apache-2.0
/// The contents of a trace of an MPI program, as plain data. docs/03_reference/trace_format.md defines the bytes;
/// trace_writer writes them, read_trace() reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/codec.h"
#include "weft/mpi/trace/mpi_function.h"

namespace weft {

inline constexpr std::uint32_t TraceVersion = 4;  ///< version that is written; earlier versions can be read
inline constexpr std::int64_t AnyRank = -1;       ///< a receive from any source
inline constexpr std::int64_t AnyTag = -1;        ///< a receive with any tag

/// The amount of payload in a trace.
enum class trace_payload : std::uint8_t { None, Sampled, Whole };
inline constexpr const char* TracePayloadNames[] = {"none", "sampled", "whole"};

/// Where the recorder truncated doubles.
enum class truncation_point : std::uint8_t {
  None,
  Sender,    ///< before sending, in the sender's memory: both ends continue with the same values
  Receiver,  ///< on arrival: the sender continues with exact values
};
inline constexpr const char* TruncationPointNames[] = {"none", "sender", "receiver"};

/// The clock that was read.
enum class trace_clock : std::uint8_t { Wall, Processor };
inline constexpr const char* TraceClockNames[] = {"wall", "cpu"};

/// The start of the part of one rank.
struct trace_header {
  std::uint32_t version = TraceVersion;
  std::uint64_t run = 0;  ///< identical in all ranks of a run, different in other runs
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
  std::int64_t started = 0;  ///< nanoseconds since 1970
  trace_payload payload = trace_payload::None;
  std::uint32_t sample = 1;  ///< for sampled payload: one message in this many
  truncation_point cut = truncation_point::None;
  std::uint8_t cut_bits = 0;     ///< most bits cut from a double, 0…51
  std::string truncation_rules;  ///< the rules, in the syntax of parse_truncation_rules(); empty in version 1
  trace_clock clock = trace_clock::Wall;
  std::string program;
};

/// A communicator in the view of one rank. Communicators of two ranks are the same if members, peers and ordinal are
/// equal.
struct trace_communicator {
  std::uint32_t id = 0;                ///< used in the calls of this rank
  std::uint64_t ordinal = 0;           ///< distinguishes communicators with the same members, by their origin
  std::vector<std::uint32_t> members;  ///< world ranks, in the order of their ranks in the communicator
  std::vector<std::uint32_t> peers;    ///< for an intercommunicator, the remote group; otherwise empty
};

/// The elements of messages. A derived type of a single kind of elements is resolved to that kind; others are named
/// "mixed".
struct trace_element {
  std::uint32_t id = 0;
  std::uint32_t size = 1;  ///< bytes
  data_type type = data_type::Other;
  std::string name;  ///< "MPI_DOUBLE"
};

/// The outcome of a request.
struct trace_completion {
  std::uint32_t request = 0;
  bool received = false;   ///< whether it is a completed receive; the last three fields then describe the message
  bool cancelled = false;  ///< no message was sent or received
  std::int64_t source = AnyRank;
  std::int64_t tag = AnyTag;
  std::uint64_t bytes = 0;

  friend bool operator==(const trace_completion& a, const trace_completion& b) {
    return a.request == b.request && a.received == b.received && a.cancelled == b.cancelled && a.source == b.source &&
           a.tag == b.tag && a.bytes == b.bytes;
  }
};

enum class send_mode : std::uint8_t { Standard, Buffered, Synchronous, Ready };

enum class call_kind : std::uint8_t {
  Send,        ///< send of a message, or its beginning if there is a request
  Receive,     ///< receive of a message, or its beginning if there is a request
  Completion,  ///< completion of requests
  Collective,  ///< collective, or its beginning if there is a request
  Uncovered,   ///< a function that carried data but is not recorded
};

/// One call, or a part of one: MPI_Sendrecv is a send, a receive and their completion. If threads may call MPI
/// concurrently, a blocking call is recorded as its beginning, with a request, and its completion.
struct trace_call {
  call_kind kind = call_kind::Send;
  mpi_function function = mpi_function::Send;
  bool continues = false;       ///< part of the same call as the previous record, or as the beginning that it completes
  std::uint64_t computing = 0;  ///< nanoseconds since the last call returned
  std::uint64_t inside = 0;     ///< nanoseconds in the call; for a call of several parts, in the last part

  std::uint32_t communicator = 0;  ///< trace_communicator::id
  std::uint32_t element = 0;       ///< trace_element::id
  std::uint32_t request = 0;       ///< ≥ 1, unique in a rank; 0: the call blocks

  // Send and receive.
  std::int64_t peer = 0;  ///< world rank; for a receive without request, the actual sender
  std::int64_t tag = 0;
  send_mode mode = send_mode::Standard;
  std::uint64_t bytes = 0;  ///< sent or received; for a receive with request, the capacity
  bool any_source = false;  ///< a receive from any source
  bool any_tag = false;

  std::vector<trace_completion> completions;

  // Collective. Bytes are those of one member's part; see docs/03_reference/trace_format.md.
  std::int64_t root = AnyRank;  ///< world rank; AnyRank: none
  mpi_operation operation = mpi_operation::None;
  std::uint64_t send_bytes = 0;
  std::uint64_t receive_bytes = 0;
  std::vector<std::uint64_t> sends;     ///< to each member, if they differ
  std::vector<std::uint64_t> receives;  ///< from each member, if they differ
  std::vector<std::uint32_t> to;        ///< neighborhoods: receivers of `sends`, world ranks
  std::vector<std::uint32_t> from;      ///< neighborhoods: senders of `receives`

  std::string payload;  ///< first bytes of the data that this rank sends; in most cases all or none
};

/// How the part of a rank ends.
enum class trace_ending : std::uint8_t {
  Complete,   ///< the rank called MPI_Finalize
  Open,       ///< after a whole block: the program was killed, or is still running
  Truncated,  ///< within a block, whose calls are lost
};

}  // namespace weft
