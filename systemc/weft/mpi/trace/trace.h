// SPDX-License-Identifier: Apache-2.0
/// The contents of a trace of an MPI program, as plain data. docs/03_reference/trace_format.md defines the bytes of a
/// trace file. trace_writer writes the file, and read_trace() reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/codec.h"
#include "weft/mpi/trace/mpi_function.h"

namespace weft {

inline constexpr std::uint32_t TraceVersion = 4;  ///< version that the recorder writes; earlier versions can be read
inline constexpr std::int64_t AnyRank = -1;       ///< stands for any source
inline constexpr std::int64_t AnyTag = -1;        ///< stands for any tag

/// How much payload a trace contains.
enum class trace_payload : std::uint8_t { None, Sampled, Whole };
inline constexpr const char* TracePayloadNames[] = {"none", "sampled", "whole"};

/// At which point the recorder truncated doubles.
enum class truncation_point : std::uint8_t {
  None,
  Sender,    ///< before sending, in the sender's memory, so that both ends continue with the same values
  Receiver,  ///< on arrival, so that the sender continues with exact values
};
inline constexpr const char* TruncationPointNames[] = {"none", "sender", "receiver"};

/// The clock that the recorder read.
enum class trace_clock : std::uint8_t { Wall, Processor };
inline constexpr const char* TraceClockNames[] = {"wall", "cpu"};

/// The header at the start of the part of each rank.
struct trace_header {
  std::uint32_t version = TraceVersion;
  std::uint64_t run = 0;  ///< number of the run: identical in all ranks of a run, different in other runs
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
  std::int64_t started = 0;  ///< start of the rank in nanoseconds since 1970
  trace_payload payload = trace_payload::None;
  std::uint32_t sample = 1;  ///< if payload is sampled, one message in this many has payload
  truncation_point cut = truncation_point::None;
  std::uint8_t cut_bits = 0;     ///< maximum number of bits that were cut from a double, 0…51
  std::string truncation_rules;  ///< rules in the syntax of parse_truncation_rules(); empty in version 1
  trace_clock clock = trace_clock::Wall;
  std::string program;
};

/// A communicator in the view of one rank. Two ranks mean the same communicator if members, peers and ordinal are
/// equal.
struct trace_communicator {
  std::uint32_t id = 0;                ///< number of the communicator in the calls of this rank
  std::uint64_t ordinal = 0;           ///< distinguishes communicators with the same members by the way they were made
  std::vector<std::uint32_t> members;  ///< world ranks of the members, in the order of their ranks in the communicator
  std::vector<std::uint32_t> peers;    ///< remote group of an intercommunicator; otherwise empty
};

/// A kind of message elements. A derived type with elements of a single kind counts as that kind. All other derived
/// types are named "mixed".
struct trace_element {
  std::uint32_t id = 0;
  std::uint32_t size = 1;  ///< size in bytes
  data_type type = data_type::Other;
  std::string name;  ///< name of the MPI type, such as "MPI_DOUBLE"
};

/// The outcome of a request.
struct trace_completion {
  std::uint32_t request = 0;
  bool received = false;   ///< whether it is a completed receive, whose message the last three fields describe
  bool cancelled = false;  ///< whether it was canceled, so that no message was sent or received
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
  Send,        ///< a send or, if there is a request, its beginning
  Receive,     ///< a receive or, if there is a request, its beginning
  Completion,  ///< the completion of requests
  Collective,  ///< a collective or, if there is a request, its beginning
  Uncovered,   ///< a function that carried data but is not recorded
};

/// A record: one call, or a part of a call. MPI_Sendrecv, for example, is a send, a receive and their completion. If
/// threads may call MPI concurrently, a blocking call is recorded as its beginning, which has a request, and its
/// completion.
struct trace_call {
  call_kind kind = call_kind::Send;
  mpi_function function = mpi_function::Send;
  bool continues = false;  ///< whether it belongs to the call of an earlier record: the previous one or its beginning
  std::uint64_t computing = 0;  ///< nanoseconds of computation since the last call returned
  std::uint64_t inside = 0;     ///< nanoseconds in the call; if the call has several records, only the last has them

  std::uint32_t communicator = 0;  ///< trace_communicator::id
  std::uint32_t element = 0;       ///< trace_element::id
  std::uint32_t request = 0;       ///< number ≥ 1, unique in a rank; 0 if the call blocks

  // Only for a send or receive.
  std::int64_t peer = 0;  ///< world rank of the partner; for a receive without request, the actual sender
  std::int64_t tag = 0;
  send_mode mode = send_mode::Standard;
  std::uint64_t bytes = 0;  ///< bytes sent or received; for a receive with request, the capacity of its buffer
  bool any_source = false;  ///< whether it is a receive from any source
  bool any_tag = false;

  std::vector<trace_completion> completions;

  // Only for a collective. Bytes are the bytes of one member's part; see docs/03_reference/trace_format.md.
  std::int64_t root = AnyRank;  ///< world rank of the root; AnyRank if there is none
  mpi_operation operation = mpi_operation::None;
  std::uint64_t send_bytes = 0;
  std::uint64_t receive_bytes = 0;
  std::vector<std::uint64_t> sends;     ///< bytes to each member, if they differ
  std::vector<std::uint64_t> receives;  ///< bytes from each member, if they differ
  std::vector<std::uint32_t> to;        ///< for neighborhoods: world ranks of the receivers of `sends`
  std::vector<std::uint32_t> from;      ///< for neighborhoods: world ranks of the senders of `receives`

  std::string payload;  ///< the first bytes of the data that this rank sends; usually all or none
};

/// How the part of a rank ends.
enum class trace_ending : std::uint8_t {
  Complete,   ///< the rank called MPI_Finalize
  Open,       ///< the file ends after a whole block: the program was killed or is still running
  Truncated,  ///< the file ends within a block, whose calls are lost
};

}  // namespace weft
