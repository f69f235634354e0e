// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/report/output_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace weft::experiment {

output_file::output_file(std::filesystem::path file) : m_file(std::move(file)) {
  std::error_code error;
  if (std::filesystem::is_symlink(m_file, error)) m_file = std::filesystem::weakly_canonical(m_file, error);
  if (std::filesystem::is_other(m_file, error)) {  // a pipe or a device is written to, not replaced
    m_stream = std::fopen(m_file.c_str(), "wb");
    if (!m_stream) fail("open");
    return;
  }
  const std::filesystem::path directory = m_file.has_parent_path() ? m_file.parent_path() : ".";
  for (m_existing = directory; !m_existing.empty() && !std::filesystem::exists(m_existing);)
    m_existing = m_existing.parent_path();
  m_temporary = directory / fmt::format(".{}.{}{}", m_file.stem().string(), getpid(), m_file.extension().string());
  std::filesystem::create_directories(directory, error);
  if (error) throw output_error(fmt::format("cannot make directory {}: {}", directory.string(), error.message()));
  if (std::filesystem::is_directory(m_file, error)) {
    errno = EISDIR;
    fail("open");
  }
  m_stream = std::fopen(m_temporary.c_str(), "wb");
  if (!m_stream) fail("open");
}

output_file::~output_file() {
  if (m_stream) std::fclose(m_stream);
  if (m_temporary.empty()) return;
  std::error_code error;
  std::filesystem::remove(m_temporary, error);
  for (auto made = m_temporary.parent_path(); !error && made != m_existing && !made.empty(); made = made.parent_path())
    std::filesystem::remove(made, error);  // fails where others have put something
}

void output_file::fail(const char* what) const {
  throw output_error(fmt::format("cannot {} {} for writing: {}", what, m_file.string(), std::strerror(errno)));
}

void output_file::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), m_stream) != text.size()) fail("go on with");
}

void output_file::commit() {
  if (std::fflush(m_stream) != 0 || (!m_temporary.empty() && fsync(fileno(m_stream)) != 0)) fail("finish");
  if (std::fclose(std::exchange(m_stream, nullptr)) != 0) fail("close");
  if (m_temporary.empty()) return;
  if (std::rename(m_temporary.c_str(), m_file.c_str()) != 0) fail("rename");
  m_temporary.clear();
}

}  // namespace weft::experiment
