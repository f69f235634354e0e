// SPDX-License-Identifier: Apache-2.0
/// Reads a user's file whole: what every reader of files begins with.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace weft {

/// A file cannot be read. The text says why, without the name: "cannot be opened: Permission denied".
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All bytes of \p file; a pipe is read to its end.
/// \throws file_error if it cannot be opened or read, is a directory, or a device that gives more than a megabyte: such
/// a one has no end
std::string read_bytes(const std::filesystem::path& file);

/// Why \p file cannot be read twice: "is a pipe", "is a socket" or "is a device". Empty for a file, a folder, and what
/// is not there.
std::string why_read_once(const std::filesystem::path& file);

/// All bytes of standard input. \throws file_error as read_bytes()
std::string read_standard_input();

}  // namespace weft
