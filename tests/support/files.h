// SPDX-License-Identifier: Apache-2.0
/// Files that tests read and write.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// A file with given contents, which is deleted with this object.
class temporary_file {
 public:
  explicit temporary_file(std::string_view content);
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  std::string name() const { return m_path.string(); }

 private:
  std::filesystem::path m_path;
};

/// Unpacks \p file, a file of the recorded data in WEFT_SHARED_DATA. Returns its contents, or an empty string if it is
/// missing.
std::string shared_data(const std::string& file);
