// SPDX-License-Identifier: Apache-2.0
/// A temporary directory for a test.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include <stdlib.h>

/// An empty directory, which is deleted with this object.
class temporary_directory {
 public:
  temporary_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "weft_test_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a directory for a test");
    m_path = name;
  }
  ~temporary_directory() { std::filesystem::remove_all(m_path); }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  std::filesystem::path operator/(const std::filesystem::path& file) const { return m_path / file; }

 private:
  std::filesystem::path m_path;
};
