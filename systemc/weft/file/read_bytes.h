// SPDX-License-Identifier: Apache-2.0
/// Reads a user's file completely, the first step of every file reader.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace weft {

/// Thrown if a file cannot be read. The text is the reason without the file name: "cannot be opened: Permission
/// denied".
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns all bytes of \p file; reads a pipe to its end.
/// \throws file_error if it cannot be opened or read, is a directory, or is a device that delivers more than a
/// megabyte, which is assumed to be endless
std::string read_bytes(const std::filesystem::path& file);

/// The reason why \p file cannot be read twice: "is a pipe", "is a socket" or "is a device". Empty for a file, a
/// folder, and a path that does not exist.
std::string why_read_once(const std::filesystem::path& file);

/// Returns all bytes of standard input. \throws file_error as read_bytes()
std::string read_standard_input();

}  // namespace weft
