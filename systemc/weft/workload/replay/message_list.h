// SPDX-License-Identifier: Apache-2.0
/// Lists of messages that wait for one another: programs from any source. docs/03_reference/message_list.md has the
/// form.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "weft/workload/replay/replay_program.h"

namespace weft {

/// Whether \p file may be a list: it exists, and does not begin as a trace does.
bool is_message_list(const std::filesystem::path& file);

/// \p name is the file's, for messages and as that of the program.
/// \throws workload_error with a line `file:line: message` for each fault, ten at most: numbers that are none, ids that
/// are there twice or not at all, messages that wait for what their source neither gets nor sends, or for each other
replay_program parse_message_list(std::string_view text, const std::string& name);

/// The same of a file.
replay_program read_message_list(const std::filesystem::path& file);

}  // namespace weft
