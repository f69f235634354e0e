// SPDX-License-Identifier: Apache-2.0
/// Reads lists of messages with dependencies, which can describe programs of any kind.
/// docs/03_reference/message_list.md describes the format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "weft/mpi/replay/replay_program.h"

namespace weft {

/// Whether \p file may be a message list. It must exist and must not begin like a trace.
bool is_message_list(const std::filesystem::path& file);

/// Converts a message list to a program.
/// \param name file name, used in messages and as the name of the program
/// \throws workload_error with a line `file:line: message` for each error, but at most ten. Errors are malformed
/// numbers, duplicate or missing ids, messages that wait for messages which their source neither receives nor sends,
/// and messages that wait for each other
replay_program parse_message_list(std::string_view text, const std::string& name);

/// Reads \p file and converts it.
replay_program read_message_list(const std::filesystem::path& file);

}  // namespace weft
