// SPDX-License-Identifier: Apache-2.0
#include "support/files.h"

#include <atomic>
#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

temporary_file::temporary_file(std::string_view content) {
  static std::atomic<int> count = 0;  // threads make such files concurrently (system_threads)
  m_path = std::filesystem::path(testing::TempDir()) /
           ("weft_test_" + std::to_string(getpid()) + "_" + std::to_string(count++));
  std::ofstream(m_path, std::ios::binary) << content;
}

temporary_file::~temporary_file() { std::filesystem::remove(m_path); }

std::string shared_data(const std::string& file) {
  const std::filesystem::path path = std::filesystem::path(WEFT_SHARED_DATA) / file;
  if (!std::filesystem::exists(path)) return {};
  std::string text;
  std::FILE* const pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  char block[65536];
  while (const std::size_t count = std::fread(block, 1, sizeof block, pipe)) text.append(block, count);
  pclose(pipe);
  return text;
}
