// SPDX-License-Identifier: Apache-2.0
/// Execution traces of machine learning in the form of MLCommons Chakra: a graph of computing and communication for
/// each rank, `NAME.RANK.et`. docs/03_reference/foreign_traces.md has the form, and what becomes of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weft/workload/replay/replay_program.h"

namespace weft {

/// Whether \p file is named as one of such a trace.
bool is_chakra(const std::filesystem::path& file);

/// The files of all ranks, in their order, of which \p file is one.
/// \throws workload_error if one of them is missing, or named otherwise
std::vector<std::filesystem::path> chakra_files(const std::filesystem::path& file);

/// \param ranks the content of the file of each rank
/// \param names of the files, for messages
/// \throws workload_error for what is no such trace or damaged, and for sends, receives and collectives that have no
/// partner, or one that tells otherwise
replay_program parse_chakra(const std::vector<std::string>& ranks, const std::vector<std::string>& names);

/// Of chakra_files().
replay_program read_chakra(const std::filesystem::path& file);

}  // namespace weft
