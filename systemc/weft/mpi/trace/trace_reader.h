// SPDX-License-Identifier: Apache-2.0
/// Reads traces record by record, with the memory of one block.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/mpi/trace/trace.h"

namespace weft {

/// Receives the contents of a trace: for each rank from begin() to end(), ranks in the order of the files.
class trace_visitor {
 public:
  virtual ~trace_visitor() = default;
  virtual void begin(const trace_header& /*header*/) {}
  virtual void communicator(const trace_communicator& /*c*/) {}
  virtual void element(const trace_element& /*e*/) {}
  /// At least two threads have called MPI.
  virtual void threads(std::uint32_t /*so_far*/) {}
  virtual void call(const trace_call& /*call*/) {}
  /// \param lost_bytes size of the incomplete block at the end of the file
  virtual void end(trace_ending /*how*/, std::uint64_t /*lost_bytes*/) {}
};

/// Reads the consecutive parts in \p in. A part may end within a block, because a killed program leaves such a part.
/// \param parts headers so far, including those of other files of the trace; headers in \p in are appended
/// \throws input_error with file, byte and remedy for: a file that is not a trace or has another version, a wrong
/// checksum, an inconsistent record, parts of different runs, and a duplicate rank
void read_trace(std::istream& in, const std::string& name, std::vector<trace_header>& parts, trace_visitor& visitor);

/// Reads a trace: a file, or a folder that contains only parts, in the order of their ranks.
/// \return the headers, by rank
/// \throws input_error as above, for what cannot be read, and for a folder in which a rank is missing
std::vector<trace_header> read_trace(const std::filesystem::path& path, trace_visitor& visitor);

}  // namespace weft
