// SPDX-License-Identifier: Apache-2.0
/// What is in a trace of an MPI program, as a table and as JSON. The reference is docs/02_user/traces.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/codec.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/trace/trace.h"

namespace weft::experiment {

/// How many, and bytes of them all.
struct counted_bytes {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t more) {
    ++number;
    bytes += more;
  }
};

/// One rank.
struct rank_figures {
  std::uint64_t calls = 0;
  std::uint32_t threads = 1;    ///< that called
  std::uint64_t computing = 0;  ///< nanoseconds between calls
  std::uint64_t inside = 0;     ///< nanoseconds in calls
  counted_bytes sent;           ///< messages to other ranks
  counted_bytes contributed;    ///< collectives, and what the rank put into them
  trace_ending ending = trace_ending::Complete;
  std::uint64_t lost_bytes = 0;
};

/// What the codecs make of recorded payload of one type, each message on its own.
struct payload_figures {
  counted_bytes messages;
  std::uint64_t words = 0;    ///< whole ones, of 32 bits
  std::uint64_t table = 0;    ///< bits by Table I
  std::uint64_t tuned = 0;    ///< bits by the best table
  std::uint64_t classic = 0;  ///< bits by classic FPC
  std::uint64_t lsb_cut = 0;  ///< bits by LSB-cut; of doubles
  fpc_table best;
};

struct trace_report {
  std::string path;
  trace_header about;  ///< of rank 0
  unsigned cut = 28;   ///< bits that lsb_cut leaves out
  std::vector<rank_figures> ranks;
  std::array<std::uint64_t, MpiFunctionNames.size()> calls{};  ///< by function, uncovered ones as well
  std::array<std::uint64_t, MpiFunctionNames.size()> sent{};   ///< bytes, by function; put into collectives as well
  std::map<unsigned, counted_bytes> sizes;                     ///< messages of 0, 1, 2…3, 4…7, … bytes, by bits
  std::map<std::pair<std::uint32_t, std::uint32_t>, counted_bytes> pairs;  ///< messages by source and destination
  std::map<std::string, counted_bytes> elements;   ///< of messages and collectives, by the name of the type
  std::map<std::string, payload_figures> payload;  ///< by the name of the type

  rank_figures total() const;
};

/// \param cut 0…MaxCut \throws configuration_error for what is no trace, or none of a whole run
trace_report examine_trace(const std::filesystem::path& path, unsigned cut);

std::string to_table(const trace_report& r);
json to_json(const trace_report& r);

}  // namespace weft::experiment
