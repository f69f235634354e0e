// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/report/result_lock.h"

#include <array>
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "weft/experiment/report/file_lock.h"
#include "weft/experiment/report/output_file.h"

namespace weft::experiment {

namespace {

std::string holder_in(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t got = pread(descriptor, text.data(), text.size(), 0);
  return got > 0 ? fmt::format(", process {}", std::string(text.data(), static_cast<std::size_t>(got))) : "";
}

}  // namespace

result_lock::result_lock(const std::filesystem::path& stem)
    : m_file(stem.parent_path() / fmt::format(".{}.lock", stem.filename().string())) {
  for (;;) {
    m_descriptor = ::open(m_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_descriptor < 0) return;  // the files themselves, opened before, say whether one may write here
    const bool locked = flock(m_descriptor, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno == EWOULDBLOCK) {
      const std::string holder = holder_in(m_descriptor);
      close(m_descriptor);
      throw output_error(
          fmt::format("{}.* is being written by another weft{}; wait for it, or write elsewhere: -o DIR, or "
                      "--set output.name=NAME",
                      stem.string(), holder));
    }
    if (!locked || is_still(m_descriptor, m_file)) break;  // a file system without locks has none
    close(m_descriptor);
  }
  const std::string self = std::to_string(getpid());
  if (ftruncate(m_descriptor, 0) != 0 || pwrite(m_descriptor, self.data(), self.size(), 0) < 0) return;
}

void result_lock::leave_to_parent() {
  if (m_descriptor >= 0) close(m_descriptor);
  m_descriptor = -1;
}

result_lock::~result_lock() {
  if (m_descriptor < 0) return;
  unlink(m_file.c_str());
  close(m_descriptor);
}

}  // namespace weft::experiment
