// SPDX-License-Identifier: Apache-2.0
/// Prevents two runs from writing the same files.
#pragma once

#include <filesystem>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// While this object exists, no other process can hold one of the same name. The lock is the file .NAME.lock in the
/// directory of the results; the operating system releases it when the process ends.
class result_lock {
 public:
  /// \param stem name of the result files without suffix; its directory must exist
  /// \throws output_error if another process writes them, or if the lock's name is taken by something else: a link, a
  /// directory, or a file with other content, which remains unchanged
  explicit result_lock(const std::filesystem::path& stem);
  ~result_lock();
  /// For child processes: leaves the lock to the parent, with which it ends.
  void leave_to_parent();
  result_lock(const result_lock&) = delete;
  result_lock& operator=(const result_lock&) = delete;

 private:
  std::filesystem::path m_file;
  int m_descriptor = -1;
  unfinished_path m_registered;
};

}  // namespace weft::experiment
