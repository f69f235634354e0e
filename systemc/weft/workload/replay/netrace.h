// SPDX-License-Identifier: Apache-2.0
/// Traces of cache-coherent systems in the form of netrace 1.0 (J. Hestness, B. Grot, S. W. Keckler, "Netrace:
/// Dependency-Driven Trace-Based Network-on-Chip Simulation", NoCArc 2010). docs/03_reference/foreign_traces.md has the
/// form, and what becomes of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>

#include "weft/workload/replay/replay_program.h"

namespace weft {

/// Whether \p file begins as such a trace does, packed by bzip2 or not.
bool is_netrace(const std::filesystem::path& file);

/// A message for each packet, sent in its cycle at the earliest, counted from the first packet, and not before the
/// packets that it depends on have come.
/// \param in not packed
/// \param region 1 for the first of the trace; 0: the whole trace
/// \throws workload_error `name: …` for what is no such trace, damaged, or has no such region
replay_program parse_netrace(std::istream& in, const std::string& name, std::uint32_t region);

/// The same of a file, packed or not.
replay_program read_netrace(const std::filesystem::path& file, std::uint32_t region);

}  // namespace weft
