// SPDX-License-Identifier: Apache-2.0
#include "weft/file/read_bytes.h"

#include "support/files.h"
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft {
namespace {

std::string error_of(const std::filesystem::path& file) {
  try {
    read_bytes(file);
  } catch (const file_error& e) {
    return e.what();
  }
  return "";
}

TEST(unit_file, is_read_completely) {
  const std::string bytes = std::string(100'000, 'x') + std::string("\0\r\n\xff", 4);
  EXPECT_EQ(read_bytes(temporary_file(bytes).path()), bytes);
  EXPECT_EQ(read_bytes(temporary_file("").path()), "");
  EXPECT_EQ(read_bytes("/dev/null"), "");
}

TEST(unit_file, a_pipe_is_read_to_its_end) {
  const std::string pipe = testing::TempDir() + "/weft_pipe_" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes(300'000, 'y');
  std::thread writer([&] {
    std::FILE* const out = std::fopen(pipe.c_str(), "wb");
    std::fwrite(bytes.data(), 1, bytes.size(), out);
    std::fclose(out);
  });
  EXPECT_EQ(read_bytes(pipe), bytes);
  writer.join();
  unlink(pipe.c_str());
}

TEST(unit_file, pipes_and_devices_are_named_as_readable_only_once) {
  const std::string pipe = testing::TempDir() + "/weft_once_" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(why_read_once(pipe), "is a pipe");
  unlink(pipe.c_str());
  EXPECT_EQ(why_read_once("/dev/null"), "is a device");
  for (const char* const other : {"/nowhere/x", "/"}) EXPECT_EQ(why_read_once(other), "");
  EXPECT_EQ(why_read_once(temporary_file("").path()), "");
}

TEST(unit_file, error_states_why_it_cannot_be_read) {
  EXPECT_EQ(error_of("/nowhere/x"), "cannot be opened: No such file or directory");
  EXPECT_EQ(error_of("/"), "is a directory");
  EXPECT_EQ(error_of("/proc/self/mem"), "cannot be read: Input/output error");
  EXPECT_EQ(error_of("/dev/zero"), "is a device without an end");
}

}  // namespace
}  // namespace weft
