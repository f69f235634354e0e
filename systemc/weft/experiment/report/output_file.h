// SPDX-License-Identifier: Apache-2.0
/// Files that appear whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weft/file/interruption.h"

namespace weft::experiment {

/// A file could not be written. The text names it and says why.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What writing to \p file changes: its path, the same under whatever name or link; "-" for standard output,
/// as a descriptor too; empty for pipes, devices and other descriptors, which take one text after the other.
std::string place_of(const std::filesystem::path& file);

/// Writes to a hidden file beside \p file and gives it its name in commit(). Without that, it is removed, and
/// so are directories that were made for it. What a process that was killed left there goes, too. Opened before a run,
/// so that a place where nothing can be written is known before the work is done.
///
/// What is no regular file, a pipe or a device, is written to as it is, and so is a descriptor: /dev/stdout, /dev/fd/3.
/// A pipe without a reader is waited for. A signal that is noted ends this wait, and that for a reader that takes
/// nothing, a second later, with the exception `interrupted`.
/// A symbolic link stays one: what it leads to is written, and made if it is missing.
///
/// A long file does not stay in memory: it goes to disk while it is written, and each part of it takes the memory of
/// those before. Fresh memory for all of it would cost more time than all else in writing.
class output_file {
 public:
  /// Makes missing directories. \throws output_error
  explicit output_file(std::filesystem::path file);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// \throws output_error, as commit()
  void write(std::string_view text);
  /// On disk and in place when this returns.
  void commit();

  /// As it was named.
  const std::filesystem::path& file() const { return m_file; }
  /// The file until commit(), with the same suffix; for writers that open files themselves.
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
  std::filesystem::path m_target;  ///< where its links lead
  std::filesystem::path m_temporary;
  std::filesystem::path m_existing;  ///< the nearest directory that was there before
  bool m_through = false;            ///< into the target as it is
  std::FILE* m_stream = nullptr;
  std::size_t m_written = 0;                   ///< bytes, beside the target
  std::size_t m_room = 0;                      ///< made on disk for so many; 0: none
  std::size_t m_let_go = 0;                    ///< of these memory need not keep what is on disk
  int m_lock = -1;                             ///< of the temporary file, where that is not the stream
  unfinished_path m_registered;                ///< the temporary file
  std::vector<unfinished_path> m_directories;  ///< that were made for it
};

}  // namespace weft::experiment
