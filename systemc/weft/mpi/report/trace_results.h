// SPDX-License-Identifier: Apache-2.0
/// The contents of a trace of an MPI program, as a table and as JSON. The reference is docs/02_user/traces.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/core/codec.h"
#include "weft/mpi/trace/trace.h"

namespace weft::experiment {

/// A number of items, and their total bytes.
struct counted_bytes {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t more) {
    ++number;
    bytes += more;
  }
};

/// Metrics of one rank.
struct rank_metrics {
  std::uint64_t calls = 0;
  std::uint32_t threads = 1;    ///< threads that called MPI
  std::uint64_t computing = 0;  ///< nanoseconds between calls
  std::uint64_t inside = 0;     ///< nanoseconds in calls
  counted_bytes sent;           ///< messages sent to other ranks
  counted_bytes contributed;    ///< collectives, and the rank's contributions to them
  trace_ending ending = trace_ending::Complete;
  std::uint64_t lost_bytes = 0;
};

/// Compression metrics of recorded payload of one type; each message is compressed separately.
struct payload_metrics {
  counted_bytes messages;
  std::uint64_t words = 0;    ///< whole 32-bit words
  std::uint64_t table = 0;    ///< bits with the FPC table of the paper (Table I)
  std::uint64_t tuned = 0;    ///< bits with the best FPC table, `best`
  std::uint64_t classic = 0;  ///< bits with classic FPC
  std::uint64_t lsb_cut = 0;  ///< bits with LSB-cut, for doubles
  fpc_table best;
};

struct trace_summary {
  std::string path;
  trace_header about;  ///< header of rank 0
  unsigned cut = 28;   ///< bits that lsb_cut removes
  std::vector<rank_metrics> ranks;
  std::array<std::uint64_t, MpiFunctionNames.size()> calls{};  ///< number of calls by function, whether recorded or not
  std::array<std::uint64_t, MpiFunctionNames.size()> sent{};   ///< bytes sent by function, also in collectives
  std::map<unsigned, counted_bytes> sizes;  ///< messages by size class: 0, 1, 2…3, 4…7, … bytes
  std::map<std::pair<std::uint32_t, std::uint32_t>, counted_bytes> pairs;  ///< messages by source and destination
  std::map<std::string, counted_bytes> elements;   ///< data of messages and collectives, by type name
  std::map<std::string, payload_metrics> payload;  ///< by type name

  rank_metrics total() const;
};

/// Sums up the trace \p path. \param cut number of bits that LSB-cut removes, 0 to MaxCut \throws configuration_error
/// for a file that is not a trace of a whole run
trace_summary examine_trace(const std::filesystem::path& path, unsigned cut);

std::string to_table(const trace_summary& r);
json to_json(const trace_summary& r);

}  // namespace weft::experiment
