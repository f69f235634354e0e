// SPDX-License-Identifier: Apache-2.0
/// Execution traces of machine learning in the MLCommons Chakra format: a graph of computation and communication for
/// each rank, `NAME.RANK.et`. docs/03_reference/external_traces.md describes the format and how Weft interprets it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// Whether \p file has the name of a Chakra trace file.
bool is_chakra(const std::filesystem::path& file);

/// The files of all ranks, in order, of the trace that contains \p file.
/// \throws workload_error if a file is missing or has another name
std::vector<std::filesystem::path> chakra_files(const std::filesystem::path& file);

/// \param ranks the contents of each rank's file
/// \param names the file names, for messages
/// \throws workload_error for invalid or damaged files, and for sends, receives and collectives without a partner or
/// with one that does not match
replay_program parse_chakra(const std::vector<std::string>& ranks, const std::vector<std::string>& names);

/// Reads the files of chakra_files().
replay_program read_chakra(const std::filesystem::path& file);

}  // namespace weft
