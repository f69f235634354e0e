// SPDX-License-Identifier: Apache-2.0
#include "weft/report/result_lock.h"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/report/file_lock.h"
#include "weft/report/output_file.h"

namespace weft::experiment {

namespace {

/// The contents of a lock: the process id in decimal digits.
std::string content_of(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t got = pread(descriptor, text.data(), text.size(), 0);
  return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : "";
}

std::string holder_in(int descriptor) {
  const std::string process = content_of(descriptor);
  return process.empty() ? "" : fmt::format(", process {}", process);
}

/// Whether the open file is a lock of a process: a regular file that contains a process id or is empty. Other files are
/// not overwritten.
bool is_lock(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) return false;
  const std::string text = content_of(descriptor);
  constexpr std::size_t MostDigits = 20;
  return text.size() <= MostDigits && text.find_first_not_of("0123456789") == std::string::npos;
}

[[noreturn]] void reject(const std::filesystem::path& file, const char* what) {
  throw output_error(
      fmt::format("the lock {} is {}, which weft does not follow or overwrite; remove it, or write the results "
                  "elsewhere with -o DIR or --set output.name=NAME",
                  file.string(), what));
}

}  // namespace

result_lock::result_lock(const std::filesystem::path& stem)
    : m_file(stem.parent_path() / fmt::format(".{}.lock", stem.filename().string())) {
  const signal_hold hold;
  for (;;) {
    m_descriptor = ::open(m_file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (m_descriptor < 0 && errno == ELOOP) reject(m_file, "a symbolic link");
    if (m_descriptor < 0 && errno == EISDIR) reject(m_file, "a directory");
    if (m_descriptor < 0 && errno == ENXIO) reject(m_file, "a socket");
    if (m_descriptor < 0) return;  // the result files, which were opened before, show whether the directory is writable
    if (!is_lock(m_descriptor)) {
      close(m_descriptor);
      reject(m_file, "a file of another program");
    }
    const bool locked = flock(m_descriptor, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) {
      const std::string holder = holder_in(m_descriptor);
      close(m_descriptor);
      throw output_error(
          fmt::format("{}.* is being written by another weft{}; wait until it ends, or write the results elsewhere "
                      "with -o DIR or --set output.name=NAME",
                      stem.string(), holder));
    }
    if (!locked || is_still(m_descriptor, m_file)) break;  // some file systems have no locks
    close(m_descriptor);
  }
  m_registered = unfinished_path(m_file, unfinished_path::kind::File);
  const std::string self = std::to_string(getpid());
  if (ftruncate(m_descriptor, 0) != 0 || pwrite(m_descriptor, self.data(), self.size(), 0) < 0) return;
}

void result_lock::leave_to_parent() {
  if (m_descriptor >= 0) close(m_descriptor);
  m_descriptor = -1;
  m_registered.release();
}

result_lock::~result_lock() {
  if (m_descriptor < 0) return;
  unlink(m_file.c_str());
  close(m_descriptor);
}

}  // namespace weft::experiment
