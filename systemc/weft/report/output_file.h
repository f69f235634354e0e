// SPDX-License-Identifier: Apache-2.0
/// Files that are written atomically: completely or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// A file could not be written. The text contains its name and the reason.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Identifies what writing to \p file changes: its canonical path; "-" for standard output, also as a descriptor; empty
/// for pipes, devices and other descriptors, which several outputs may share.
std::string place_of(const std::filesystem::path& file);

/// Writes to a hidden file beside \p file and renames it in commit(). Without commit(), the destructor removes it and
/// the directories made for it. Also removes such files that killed processes left behind. Open it before a run, so
/// that an unwritable place is reported before the work is done.
/// Pipes, devices and descriptors (/dev/stdout, /dev/fd/3) are written directly. Opening a pipe waits for its reader.
/// One second after a signal, this wait, or one for a reader that accepts no data, ends with the exception
/// `interrupted`.
/// A symbolic link remains; its target is written, and created if it is missing.
/// A long file does not stay in memory: it is written to disk continuously, and each part reuses the memory of earlier
/// ones, because allocating fresh memory for the whole file would take more time than the rest of writing.
class output_file {
 public:
  /// Creates missing directories. \throws output_error
  explicit output_file(std::filesystem::path file);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// \throws output_error, like commit()
  void write(std::string_view text);
  /// When this returns, the file is on disk and in place.
  void commit();

  /// The name as given.
  const std::filesystem::path& file() const { return m_file; }
  /// The name of the file before commit(), with the same suffix; for writers that open files themselves.
  const std::filesystem::path& temporary();

 private:
  [[noreturn]] void fail(const char* what) const;
  void open_through();
  void open_beside();
  void make_directories(const std::filesystem::path& directory);
  int hide(const std::filesystem::path& directory);
  void copy_temporary();
  void make_room();
  void let_go();

  std::filesystem::path m_file;
  std::filesystem::path m_target;  ///< after resolving links
  std::filesystem::path m_temporary;
  std::filesystem::path m_existing;  ///< nearest directory that existed before
  bool m_through = false;            ///< whether the target is written directly
  std::FILE* m_stream = nullptr;
  std::size_t m_written = 0;                   ///< bytes written to the hidden file
  std::size_t m_room = 0;                      ///< bytes reserved on disk; 0: none
  std::size_t m_let_go = 0;                    ///< bytes on disk that were released from memory
  int m_lock = -1;                             ///< of the temporary file, if that is not the stream
  unfinished_path m_registered;                ///< the temporary file
  std::vector<unfinished_path> m_directories;  ///< directories made for the file
};

}  // namespace weft::experiment
