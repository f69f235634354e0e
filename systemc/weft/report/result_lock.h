// SPDX-License-Identifier: Apache-2.0
/// Prevents two runs from writing the same files.
#pragma once

#include <filesystem>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// A lock of the result files with a given name. While it exists, no other process can lock the same name. The lock is
/// the file .NAME.lock in the directory of the results. The operating system releases it when the process ends.
class result_lock {
 public:
  /// \param stem name of the result files without suffix; its directory must exist
  /// \throws output_error if another process writes these files, or if the name of the lock belongs to a link, a
  /// directory, or a file with other content, which remains unchanged
  explicit result_lock(const std::filesystem::path& stem);
  ~result_lock();
  /// For child processes: the destructor will not release the lock, which belongs to the parent process.
  void leave_to_parent();
  result_lock(const result_lock&) = delete;
  result_lock& operator=(const result_lock&) = delete;

 private:
  std::filesystem::path m_file;
  int m_descriptor = -1;
  unfinished_path m_registered;
};

}  // namespace weft::experiment
