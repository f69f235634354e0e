// SPDX-License-Identifier: Apache-2.0
/// Files that appear whole or not at all.
#pragma once

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace weft::experiment {

/// A file could not be written. The text names it and says why.
class output_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes to a hidden file beside \p file and gives it its name in commit(). Without that, it is removed, and
/// so are directories that were made for it. Opened before a run, so that a place where nothing can be
/// written is known before the work is done.
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

  const std::filesystem::path& file() const { return m_file; }
  /// The file until commit(), with the same suffix; for writers that open files themselves.
  const std::filesystem::path& temporary() const { return m_temporary; }

 private:
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path m_file;
  std::filesystem::path m_temporary;
  std::filesystem::path m_existing;  ///< the nearest directory that was there before
  std::FILE* m_stream = nullptr;
};

}  // namespace weft::experiment
