// SPDX-License-Identifier: Apache-2.0
/// Reads execution traces of machine learning in the MLCommons Chakra format. Such a trace contains a graph of
/// computation and communication for each rank, in the files `NAME.RANK.et`. docs/03_reference/external_traces.md
/// describes the format and how Weft interprets it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// Whether \p file has the name of a Chakra trace file.
bool is_chakra(const std::filesystem::path& file);

/// Returns the files of all ranks of the trace to which \p file belongs, in the order of ranks.
/// \throws workload_error if a file is missing or has another name
std::vector<std::filesystem::path> chakra_files(const std::filesystem::path& file);

/// Converts a Chakra trace to a program.
/// \param ranks the contents of the file of each rank
/// \param names the names of these files, for messages
/// \throws workload_error for invalid or damaged files, and for a send, receive or collective that has no partner or
/// whose partner does not match
replay_program parse_chakra(const std::vector<std::string>& ranks, const std::vector<std::string>& names);

/// Reads and converts the trace to which \p file belongs. A trace has one file for each rank.
replay_program read_chakra(const std::filesystem::path& file);

}  // namespace weft
