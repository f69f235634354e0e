// SPDX-License-Identifier: Apache-2.0
#include "weft/report/file_lock.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::experiment {

namespace fs = std::filesystem;

namespace {

constexpr const char *Mark = ".weft-", *Digits = "0123456789";

/// Whether \p name has the form ".NAME.weft-PROCESS-NUMBER.SUFFIX".
bool is_hidden_name(const std::string& name) {
  const std::size_t mark = name.rfind(Mark);
  if (name.front() != '.' || mark == std::string::npos) return false;
  const std::string rest = name.substr(mark + std::string_view(Mark).size());
  const std::size_t dash = rest.find_first_not_of(Digits);
  if (dash == 0 || dash == std::string::npos || rest[dash] != '-') return false;
  const std::size_t end = std::min(rest.find_first_not_of(Digits, dash + 1), rest.size());
  return end > dash + 1 && (end == rest.size() || rest[end] == '.');
}

void remove_if_left(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(file.c_str());
  close(descriptor);
}

void remove_what_is_left(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator i(directory, error), end; !error && i != end; i.increment(error))
    if (is_hidden_name(i->path().filename().string())) remove_if_left(i->path());
}

}  // namespace

bool is_still(int descriptor, const fs::path& name) {
  struct stat open_one {
  }, named_one{};
  return fstat(descriptor, &open_one) == 0 && lstat(name.c_str(), &named_one) == 0 &&
         open_one.st_dev == named_one.st_dev && open_one.st_ino == named_one.st_ino;
}

int open_hidden(const fs::path& directory, const fs::path& file, fs::path& name, unfinished_path& registered) {
  remove_what_is_left(directory);
  const signal_hold hold;
  for (unsigned number = 0;; ++number) {
    name = directory /
           fmt::format(".{}{}{}-{}{}", file.stem().string(), Mark, getpid(), number, file.extension().string());
    // O_EXCL follows no link, whatever exists there.
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;  // made by a process with the same id on another machine
    if (descriptor < 0) return -1;
    // Another process may have found the file before it was locked, and removes it. Some file systems have no locks.
    const bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (locked ? is_still(descriptor, name) : errno != EWOULDBLOCK) {
      registered = unfinished_path(name, unfinished_path::kind::File);
      return descriptor;
    }
    unlink(name.c_str());
    close(descriptor);
  }
}

}  // namespace weft::experiment
