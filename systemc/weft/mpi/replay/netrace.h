// SPDX-License-Identifier: Apache-2.0
/// Traces of cache-coherent systems in the form of netrace 1.0 (J. Hestness, B. Grot, S. W. Keckler, "Netrace:
/// Dependency-Driven Trace-Based Network-on-Chip Simulation", NoCArc 2010). docs/03_reference/external_traces.md
/// describes the format and how Weft interprets it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>

#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// Whether \p file begins like such a trace, compressed by bzip2 or not.
bool is_netrace(const std::filesystem::path& file);

/// Makes a message for each packet. A message is sent in its cycle, relative to the first packet, or later if a packet
/// that it depends on has not arrived.
/// \param in not compressed
/// \param region 1 for the first of the trace; 0: the whole trace
/// \throws workload_error `name: …` for an invalid or damaged trace, or a region that does not exist
replay_program parse_netrace(std::istream& in, const std::string& name, std::uint32_t region);

/// The same from a file, compressed or not.
replay_program read_netrace(const std::filesystem::path& file, std::uint32_t region);

}  // namespace weft
