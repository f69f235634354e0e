// SPDX-License-Identifier: Apache-2.0
/// What MPI programs did, as a trace tells it: plain data. The bytes are in docs/03_reference/trace_format.md;
/// trace_writer makes them, read_trace() reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/codec.h"
#include "weft/trace/mpi_function.h"

namespace weft {

inline constexpr std::uint32_t TraceVersion = 4;  ///< that is written; those before it are read as well
inline constexpr std::int64_t AnyRank = -1;       ///< a receive from any source
inline constexpr std::int64_t AnyTag = -1;        ///< a receive with any tag

/// How much payload is in a trace.
enum class trace_payload : std::uint8_t { None, Sampled, Whole };
inline constexpr const char* TracePayloadNames[] = {"none", "sampled", "whole"};

/// What doubles were cut by the recorder, and where.
enum class trace_cut : std::uint8_t {
  None,
  Sender,    ///< before they were sent, in the sender's memory: both ends go on with the same values
  Receiver,  ///< when they arrived: the sender goes on with exact values
};
inline constexpr const char* TraceCutNames[] = {"none", "sender", "receiver"};

/// Which clock was read.
enum class trace_clock : std::uint8_t { Wall, Processor };
inline constexpr const char* TraceClockNames[] = {"wall", "cpu"};

/// The beginning of the part of one rank.
struct trace_header {
  std::uint32_t version = TraceVersion;
  std::uint64_t run = 0;  ///< the same in all ranks of a run, another in other runs
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;
  std::int64_t started = 0;  ///< nanoseconds since 1970
  trace_payload payload = trace_payload::None;
  std::uint32_t sample = 1;  ///< sampled: one message of so many
  trace_cut cut = trace_cut::None;
  std::uint8_t cut_bits = 0;  ///< of a double at most, 0…51
  std::string cuts;           ///< the rules of the cut, as parse_cut_rules() takes them; empty in version 1
  trace_clock clock = trace_clock::Wall;
  std::string program;
};

/// A communicator as one rank knows it. Two ranks mean the same one if members, peers and ordinal are equal.
struct trace_communicator {
  std::uint32_t id = 0;                ///< of this rank; in its calls
  std::uint64_t ordinal = 0;           ///< tells it from those with the same members, by its descent
  std::vector<std::uint32_t> members;  ///< world ranks, in order of their ranks in it
  std::vector<std::uint32_t> peers;    ///< of an intercommunicator: the other group; else empty
};

/// What messages are made of. Derived types of one kind of elements are resolved to it; mixed ones are named "mixed".
struct trace_element {
  std::uint32_t id = 0;
  std::uint32_t size = 1;  ///< bytes
  data_type type = data_type::Other;
  std::string name;  ///< "MPI_DOUBLE"
};

/// What became of a request.
struct trace_completion {
  std::uint32_t request = 0;
  bool received = false;   ///< of a receive: the next three are what came
  bool cancelled = false;  ///< nothing came or went
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
  Send,        ///< of a message, or its beginning where there is a request
  Receive,     ///< of a message, or its beginning where there is a request
  Completion,  ///< requests ended
  Collective,  ///< or its beginning where there is a request
  Uncovered,   ///< a function that is not recorded carried data
};

/// One call, or a part of one: MPI_Sendrecv is a send, a receive and their completion. Where threads may call MPI at
/// once, a call that blocks is its beginning, with a request, and its completion.
struct trace_call {
  call_kind kind = call_kind::Send;
  mpi_function function = mpi_function::Send;
  bool continues = false;       ///< part of the same call as the one before, or as the beginning that it completes
  std::uint64_t computing = 0;  ///< nanoseconds since the last call returned
  std::uint64_t inside = 0;     ///< nanoseconds in the call; of a call of parts in its last one

  std::uint32_t communicator = 0;  ///< trace_communicator::id
  std::uint32_t element = 0;       ///< trace_element::id
  std::uint32_t request = 0;       ///< ≥ 1, each once in a rank; 0: it blocks

  // Send and receive.
  std::int64_t peer = 0;  ///< world rank; a receive without request: who sent it
  std::int64_t tag = 0;
  send_mode mode = send_mode::Standard;
  std::uint64_t bytes = 0;  ///< sent or received; of a receive with request: room for so many
  bool any_source = false;  ///< the receive would have taken any
  bool any_tag = false;

  std::vector<trace_completion> completions;

  // Collective. Bytes of one member's part, see docs/03_reference/trace_format.md.
  std::int64_t root = AnyRank;  ///< world rank; AnyRank: none
  mpi_operation operation = mpi_operation::None;
  std::uint64_t send_bytes = 0;
  std::uint64_t receive_bytes = 0;
  std::vector<std::uint64_t> sends;     ///< to each member, if they differ
  std::vector<std::uint64_t> receives;  ///< from each member, if they differ
  std::vector<std::uint32_t> to;        ///< neighbourhoods: whom `sends` goes to, world ranks
  std::vector<std::uint32_t> from;      ///< neighbourhoods: whom `receives` comes from

  std::string payload;  ///< the first bytes of what this rank sends, all or none of them mostly
};

/// How the part of a rank ends.
enum class trace_ending : std::uint8_t {
  Complete,   ///< the rank called MPI_Finalize
  Open,       ///< after a whole block: the program was killed, or is running
  Truncated,  ///< within a block, whose calls are lost
};

}  // namespace weft
