// SPDX-License-Identifier: Apache-2.0
#include "weft/report/output_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "weft/core/diagnostic.h"
#include "weft/report/file_lock.h"

namespace weft::experiment {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t LongFile = 4 << 20;  ///< bytes that may be in memory only

/// The open descriptor that \p file refers to: 3 for /dev/fd/3. The three standard descriptors are recognized by name,
/// because a container's /dev may lack them.
std::optional<int> descriptor_of(const fs::path& file) {
  if (file == "/dev/stdin") return STDIN_FILENO;
  if (file == "/dev/stdout") return STDOUT_FILENO;
  if (file == "/dev/stderr") return STDERR_FILENO;
  std::error_code error;
  return fs::equivalent(file.parent_path(), "/proc/self/fd", error) ? parse_number<int>(file.filename().string())
                                                                    : std::nullopt;
}

/// The target of \p file after following all links, whether it exists or not. The link of a descriptor is not followed,
/// because it may be a file without a name.
fs::path end_of_links(fs::path file) {
  constexpr int MostLinks = 40;  // same limit as the kernel
  std::error_code error;
  for (int i = 0; i < MostLinks && fs::is_symlink(file, error) && !descriptor_of(file); ++i)
    file = file.parent_path() / fs::read_symlink(file, error);  // if the link is absolute, the result is the link
  return file;
}

/// A stream that writes to \p descriptor and closes it. Waits for a slow reader until a signal ends the wait.
std::FILE* stream_to_reader(int descriptor) {
  const auto write = [](void* to, const char* text, std::size_t size) -> ssize_t {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t written = write_to_reader(*static_cast<int*>(to), text + done, size - done);
      if (written < 0) return 0;  // an error; errno is preserved
      done += static_cast<std::size_t>(written);
    }
    return static_cast<ssize_t>(done);
  };
  const auto close_it = [](void* to) {
    const std::unique_ptr<int> owned(static_cast<int*>(to));
    return close(*owned);
  };
  auto owned = std::make_unique<int>(descriptor);
  std::FILE* const stream = fopencookie(owned.get(), "wb", {nullptr, write, nullptr, close_it});
  if (stream) [[maybe_unused]]
    int* const of_stream = owned.release();
  return stream;
}

}  // namespace

std::string place_of(const fs::path& file) {
  if (file == "-") return "-";
  const fs::path target = end_of_links(file);
  if (const std::optional<int> descriptor = descriptor_of(target)) return *descriptor == STDOUT_FILENO ? "-" : "";
  std::error_code error;
  if (fs::is_other(target, error)) return "";
  const fs::path whole = fs::absolute(target).lexically_normal();
  const fs::path canonical = fs::weakly_canonical(whole, error);
  return (error ? whole : canonical).string();
}

output_file::output_file(fs::path file) : m_file(std::move(file)), m_target(end_of_links(m_file)) {
  std::error_code error;
  const bool is_descriptor = descriptor_of(m_target).has_value();
  if (is_descriptor || fs::is_other(m_target, error)) {
    open_through();
  } else if (fs::is_symlink(m_target, error)) {
    errno = ELOOP;
    fail("open");
  } else {
    open_beside();
  }
}

void output_file::open_through() {
  m_through = true;
  const std::optional<int> descriptor = descriptor_of(m_target);
  const int opened = descriptor ? fcntl(*descriptor, F_DUPFD_CLOEXEC, 0) : open_for_reader(m_target);
  if (opened < 0) fail("open");
  m_stream = stream_to_reader(opened);
  if (!m_stream) fail("open");
}

/// Creates missing directories. They are removed with the hidden file unless it is committed.
void output_file::make_directories(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (m_existing = directory; !m_existing.empty() && !fs::exists(m_existing, error);
       m_existing = m_existing.parent_path())
    missing.push_back(m_existing);
  const signal_hold hold;
  fs::create_directories(directory, error);
  if (error) throw output_error(fmt::format("cannot make directory {}: {}", directory.string(), error.message()));
  for (auto made = missing.rbegin(); made != missing.rend(); ++made)
    m_directories.emplace_back(*made, unfinished_path::kind::Directory);
}

void output_file::open_beside() {
  std::error_code error;
  const fs::path directory = m_target.has_parent_path() ? m_target.parent_path() : ".";
  make_directories(directory);
  if (fs::is_directory(m_target, error)) {
    errno = EISDIR;
    fail("open");
  }
  m_stream = fdopen(hide(directory), "wb");
  if (!m_stream) fail("open");
}

int output_file::hide(const fs::path& directory) {
  fs::path name;
  const int descriptor = open_hidden(directory, m_file, name, m_registered);
  if (descriptor < 0) fail("open");
  m_temporary = name;
  return descriptor;
}

output_file::~output_file() {
  std::error_code error;
  if (!m_temporary.empty()) fs::remove(m_temporary, error);
  if (m_stream) std::fclose(m_stream);
  if (m_lock >= 0) close(m_lock);
  if (m_temporary.empty()) return;
  if (m_through) return;
  for (auto made = m_temporary.parent_path(); !error && made != m_existing && !made.empty(); made = made.parent_path())
    fs::remove(made, error);  // fails if others have put files there
}

const fs::path& output_file::temporary() {
  if (!m_temporary.empty()) return m_temporary;
  std::error_code error;
  const fs::path directory = fs::temp_directory_path(error);
  if (error)
    throw output_error(fmt::format(
        "cannot open output file {}: no directory for temporary files; set TMPDIR to a directory", m_file.string()));
  m_lock = hide(directory);
  return m_temporary;
}

void output_file::fail(const char* what) const {
  if (errno == EINTR && noted_signal() != 0) {
    if (m_stream) __fpurge(m_stream);  // otherwise fclose() would try again to write it
    throw interrupted(
        fmt::format("interrupted while waiting for the reader of {}; the file is incomplete", m_file.string()));
  }
  throw output_error(fmt::format("cannot {} output file {}: {}", what, m_file.string(), std::strerror(errno)));
}

void output_file::write(std::string_view text) {
  if (!m_through) {
    m_written += text.size();
    if (m_written > LongFile && m_written > m_room) make_room();
  }
  if (std::fwrite(text.data(), 1, text.size(), m_stream) != text.size()) fail("write");
  if (m_written >= m_let_go + LongFile) let_go();
}

/// Reserves disk space in advance, so that the file system need not allocate it block by block. Failure is harmless.
void output_file::make_room() {
  constexpr std::size_t More = 16 << 20;
  const std::size_t room = m_written + More;
  if (fallocate(fileno(m_stream), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(room)) == 0) m_room = room;
}

/// Starts writing unwritten data to disk, and releases written data from memory.
void output_file::let_go() {
  posix_fadvise(fileno(m_stream), 0, static_cast<off_t>(m_written), POSIX_FADV_DONTNEED);
  m_let_go = m_written;
}

/// Copies the temporary file, which other code has written, to the target.
void output_file::copy_temporary() {
  std::FILE* const from = std::fopen(m_temporary.c_str(), "rb");
  if (!from) fail("finish");
  std::array<char, 65536> block;
  try {
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), from)) write({block.data(), got});
  } catch (...) {
    std::fclose(from);
    throw;
  }
  std::fclose(from);
}

void output_file::commit() {
  if (m_through && !m_temporary.empty()) copy_temporary();
  if (std::fflush(m_stream) != 0) fail("finish");
  if (!m_through) {
    if (m_room != 0 && ftruncate(fileno(m_stream), static_cast<off_t>(m_written)) != 0) fail("finish");
    if (fsync(fileno(m_stream)) != 0) fail("finish");
    // The file is renamed before it is closed, because closing releases the lock. Without the lock, another process
    // could remove the hidden file as left behind.
    if (std::rename(m_temporary.c_str(), m_target.c_str()) != 0) fail("rename");
    m_temporary.clear();
    m_registered.release();
    m_directories.clear();
  }
  if (std::fclose(std::exchange(m_stream, nullptr)) != 0) fail("close");
}

}  // namespace weft::experiment
