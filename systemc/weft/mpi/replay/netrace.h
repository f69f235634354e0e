// SPDX-License-Identifier: Apache-2.0
/// Reads traces of cache-coherent systems in the format netrace 1.0 (J. Hestness, B. Grot, S. W. Keckler, "Netrace:
/// Dependency-Driven Trace-Based Network-on-Chip Simulation", NoCArc 2010). docs/03_reference/external_traces.md
/// describes the format and how Weft interprets it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>

#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// Whether \p file begins like a netrace, which may be compressed by bzip2.
bool is_netrace(const std::filesystem::path& file);

/// Converts a netrace to a program with one message for each packet. A message is sent in the cycle of its packet,
/// counted from the first packet, or later if a packet on which it depends has not arrived.
/// \param in the uncompressed trace
/// \param region number of the region to convert, from 1; 0 for the whole trace
/// \throws workload_error `name: …` for an invalid or damaged trace, and for a region that does not exist
replay_program parse_netrace(std::istream& in, const std::string& name, std::uint32_t region);

/// Reads \p file, which may be compressed, and converts it.
replay_program read_netrace(const std::filesystem::path& file, std::uint32_t region);

}  // namespace weft
