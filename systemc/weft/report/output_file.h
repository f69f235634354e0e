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

/// Thrown if a file cannot be written. The message contains the name of the file and the reason.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Identifies the place to which writing to \p file goes: its canonical path, or "-" for standard output, even if
/// \p file is a descriptor such as /dev/stdout. Empty for pipes, devices and other descriptors, because several outputs
/// may share them.
std::string place_of(const std::filesystem::path& file);

/// A file that is written atomically. The data go to a hidden file in the same directory, which commit() renames.
/// Without commit(), the destructor removes the hidden file and the directories made for it. Hidden files that killed
/// processes left behind are removed as well. Construct this object before a run, so that an unwritable place is
/// reported before the work is done.
/// Pipes, devices and descriptors (/dev/stdout, /dev/fd/3) are written directly. Opening a pipe waits for a reader, and
/// writing waits until the reader accepts data. One second after a signal, such a wait ends with the exception
/// `interrupted`.
/// If the file is a symbolic link, the link remains and its target is written, and created if it is missing.
/// A long file does not stay in memory. It is written to disk continuously, and its memory is released for the next
/// part, because allocating memory for the whole file would take more time than all other steps of writing.
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
  /// The name of the file before commit(), with the same suffix. It is for libraries that open the file themselves.
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
  int m_lock = -1;                             ///< descriptor that locks the temporary file, if that is not the stream
  unfinished_path m_registered;                ///< the temporary file
  std::vector<unfinished_path> m_directories;  ///< directories made for the file
};

}  // namespace weft::experiment
