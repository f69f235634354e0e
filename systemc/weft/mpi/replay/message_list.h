// SPDX-License-Identifier: Apache-2.0
/// Lists of messages with dependencies, which describe programs from any source. docs/03_reference/message_list.md
/// describes the format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// Whether \p file may be a message list: it exists and does not begin like a trace.
bool is_message_list(const std::filesystem::path& file);

/// \param name file name, used in messages and as the program name
/// \throws workload_error with a line `file:line: message` for each error, at most ten: malformed numbers, duplicate or
/// missing ids, and messages that wait for messages that their source neither receives nor sends, or for each other
replay_program parse_message_list(std::string_view text, const std::string& name);

/// The same from a file.
replay_program read_message_list(const std::filesystem::path& file);

}  // namespace weft
