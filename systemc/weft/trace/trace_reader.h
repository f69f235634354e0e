// SPDX-License-Identifier: Apache-2.0
/// Reads traces record by record, in the memory of one block.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/trace/trace.h"

namespace weft {

/// Told of what is in a trace: of each rank from begin() to end(), ranks in the order of the files.
class trace_visitor {
 public:
  virtual ~trace_visitor() = default;
  virtual void begin(const trace_header& /*header*/) {}
  virtual void communicator(const trace_communicator& /*c*/) {}
  virtual void element(const trace_element& /*e*/) {}
  /// Two and more have called MPI.
  virtual void threads(std::uint32_t /*so_far*/) {}
  virtual void call(const trace_call& /*call*/) {}
  /// \p lost_bytes of a block that the file ends in
  virtual void end(trace_ending /*how*/, std::uint64_t /*lost_bytes*/) {}
};

/// Reads the parts in \p in, one behind the other. A part that ends within a block is no error, as a killed program
/// leaves such.
/// \param parts the headers so far, of other files of the trace, too; those of \p in are added
/// \throws input_error with file, byte and remedy: not a trace, of another version, a checksum that does not hold, a
/// record that contradicts itself or earlier ones, parts of different runs, a rank that is there twice
void read_trace(std::istream& in, const std::string& name, std::vector<trace_header>& parts, trace_visitor& visitor);

/// Reads a trace: a file, or a folder of files, which are all of them parts, in the order of their ranks.
/// \return the headers, by rank
/// \throws input_error as above, for what cannot be read, and for a folder in which a rank is missing
std::vector<trace_header> read_trace(const std::filesystem::path& path, trace_visitor& visitor);

}  // namespace weft
