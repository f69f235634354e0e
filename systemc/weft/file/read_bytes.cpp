// SPDX-License-Identifier: Apache-2.0
#include "weft/file/read_bytes.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/file/interruption.h"

namespace weft {

namespace {

constexpr std::size_t MostOfDevice = 1 << 20;

[[noreturn]] void fail_to(const char* do_what) {
  throw file_error(fmt::format("cannot be {}: {}", do_what, std::strerror(errno)));
}

mode_t mode_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail_to("read");
  return status.st_mode;
}

/// Returns the number of bytes read; 0 at the end.
std::size_t read_some(int descriptor, char* to, std::size_t most) {
  const ssize_t got = read_from_writer(descriptor, to, most);
  if (got >= 0) return static_cast<std::size_t>(got);
  if (errno == EINTR) throw interrupted("interrupted while waiting for the writer of an input");
  fail_to("read");
}

std::string all_of(int descriptor) {
  const mode_t mode = mode_of(descriptor);
  if (S_ISDIR(mode)) throw file_error("is a directory");
  const bool is_device = S_ISCHR(mode) || S_ISBLK(mode);
  std::string bytes;
  std::array<char, 65536> block;
  while (const std::size_t got = read_some(descriptor, block.data(), block.size())) {
    bytes.append(block.data(), got);
    if (is_device && bytes.size() > MostOfDevice) throw file_error("is a device without an end");
  }
  return bytes;
}

/// An open file. The writer of a pipe may open it later.
struct open_file {
  explicit open_file(const std::filesystem::path& file)
      : descriptor(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (descriptor < 0) fail_to("opened");
  }
  ~open_file() { ::close(descriptor); }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  const int descriptor;
};

}  // namespace

std::string read_bytes(const std::filesystem::path& file) { return all_of(open_file(file).descriptor); }

std::string why_read_once(const std::filesystem::path& file) {
  std::error_code error;  // errors are left to the reader
  switch (std::filesystem::status(file, error).type()) {
    case std::filesystem::file_type::fifo:
      return "is a pipe";
    case std::filesystem::file_type::socket:
      return "is a socket";
    case std::filesystem::file_type::character:
      return "is a device";
    default:
      return "";
  }
}

std::string read_standard_input() { return all_of(STDIN_FILENO); }

}  // namespace weft
