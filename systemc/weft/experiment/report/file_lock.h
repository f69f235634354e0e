// SPDX-License-Identifier: Apache-2.0
/// Locks on files, which are gone with the process that holds them, however that ends.
#pragma once

#include <filesystem>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// Whether the open file \p descriptor is still the one called \p name, itself and not by a link: who had its lock
/// before may have removed it.
bool is_still(int descriptor, const std::filesystem::path& name);

/// Makes a file in \p directory under a hidden name of its own, with the suffix of \p file, and locks it until it is
/// closed. Files of this kind that nobody has locked are removed: processes that were killed left them. Links are not
/// followed.
/// \param name of the new file
/// \param registered removes it if a signal ends the process
/// \return its descriptor; -1 with errno if none can be made
int open_hidden(const std::filesystem::path& directory, const std::filesystem::path& file, std::filesystem::path& name,
                unfinished_path& registered);

}  // namespace weft::experiment
