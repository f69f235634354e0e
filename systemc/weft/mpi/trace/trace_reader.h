// SPDX-License-Identifier: Apache-2.0
/// Reads traces record by record. It needs memory only for one block at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/mpi/trace/trace.h"

namespace weft {

/// Receives the contents of a trace. Each rank begins with begin() and ends with end(). The ranks come in the order of
/// the files.
class trace_visitor {
 public:
  virtual ~trace_visitor() = default;
  virtual void begin(const trace_header& /*header*/) {}
  virtual void communicator(const trace_communicator& /*c*/) {}
  virtual void element(const trace_element& /*e*/) {}
  /// Reports that \p so_far threads, at least two, have called MPI.
  virtual void threads(std::uint32_t /*so_far*/) {}
  virtual void call(const trace_call& /*call*/) {}
  /// Reports the end of a rank. \param lost_bytes size of the incomplete block at the end of the file
  virtual void end(trace_ending /*how*/, std::uint64_t /*lost_bytes*/) {}
};

/// Reads the parts in \p in, which follow one another. A part may end within a block, because a killed program leaves
/// such a part.
/// \param parts headers that were read so far, including headers from other files of the trace; the headers in \p in
/// are appended
/// \throws input_error, with file, byte and remedy, for a file that is not a trace or has another version, a wrong
/// checksum, an inconsistent record, parts of different runs, and a duplicate rank
void read_trace(std::istream& in, const std::string& name, std::vector<trace_header>& parts, trace_visitor& visitor);

/// Reads a trace, in the order of its ranks. \p path is a file, or a folder that contains only parts of the trace.
/// \return the headers, by rank
/// \throws input_error as the function above, for files that cannot be read, and for a folder in which a rank is
/// missing
std::vector<trace_header> read_trace(const std::filesystem::path& path, trace_visitor& visitor);

}  // namespace weft
