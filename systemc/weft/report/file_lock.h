// SPDX-License-Identifier: Apache-2.0
/// File locks, which the operating system releases when their process ends.
#pragma once

#include <filesystem>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// Whether the open file \p descriptor still has the name \p name, directly and not via a link: the previous holder of
/// the lock may have removed it.
bool is_still(int descriptor, const std::filesystem::path& name);

/// Creates a file in \p directory with a unique hidden name and the suffix of \p file, and locks it until it is closed.
/// Removes such files that are not locked, because killed processes left them. Does not follow links.
/// \param name receives the name of the new file
/// \param registered removes the file if a signal ends the process
/// \return its descriptor; -1 with errno if no file can be created
int open_hidden(const std::filesystem::path& directory, const std::filesystem::path& file, std::filesystem::path& name,
                unfinished_path& registered);

}  // namespace weft::experiment
