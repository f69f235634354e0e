// SPDX-License-Identifier: Apache-2.0
/// File locks, which the operating system releases when their process ends.
#pragma once

#include <filesystem>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// Whether the open file \p descriptor still has the name \p name, directly and not by a link. The previous holder of
/// the lock may have removed the file after it was opened.
bool is_still(int descriptor, const std::filesystem::path& name);

/// Creates a file in \p directory with a unique hidden name and the suffix of \p file, and locks it until it is closed.
/// Also removes hidden files of this kind that are not locked, because killed processes left them behind. Does not
/// follow links.
/// \param name receives the name of the new file
/// \param registered removes the file if a signal ends the process
/// \return the descriptor of the new file; -1, with errno set, if no file can be created
int open_hidden(const std::filesystem::path& directory, const std::filesystem::path& file, std::filesystem::path& name,
                unfinished_path& registered);

}  // namespace weft::experiment
