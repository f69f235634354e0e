// SPDX-License-Identifier: Apache-2.0
/// Keeps two runs from writing the same files.
#pragma once

#include <filesystem>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// While it lives, no other process has one of the same name. The lock is the file .NAME.lock in the directory of the
/// results; it is gone with the process that made it, however that ends.
class result_lock {
 public:
  /// \param stem of the result files, without suffix; its directory exists
  /// \throws output_error if another process writes them, or if what has the name of the lock is none: a link, a
  /// directory, or a file with other content. It is left as it is.
  explicit result_lock(const std::filesystem::path& stem);
  ~result_lock();
  /// In a child process: the lock is that of the parent, and does not outlive it.
  void leave_to_parent();
  result_lock(const result_lock&) = delete;
  result_lock& operator=(const result_lock&) = delete;

 private:
  std::filesystem::path m_file;
  int m_descriptor = -1;
  unfinished_path m_registered;
};

}  // namespace weft::experiment
