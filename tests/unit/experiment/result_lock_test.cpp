// SPDX-License-Identifier: Apache-2.0
#include "weft/report/result_lock.h"

#include "support/temporary_directory.h"
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/report/output_file.h"

namespace weft::experiment {
namespace {

namespace fs = std::filesystem;

class unit_experiment_result_lock : public testing::Test {
 protected:
  temporary_directory m_directory;
};

TEST_F(unit_experiment_result_lock, excludes_other_writers_and_leaves_no_file) {
  {
    const result_lock held(m_directory / "a");
    try {
      const result_lock second(m_directory / "a");
      ADD_FAILURE() << "two processes hold the lock";
    } catch (const output_error& e) {
      EXPECT_THAT(e.what(),
                  testing::StartsWith((m_directory / "a").string() + ".* is being written by another weft, process " +
                                      std::to_string(getpid()) + "; "));
    }
    const result_lock other(m_directory / "b");
  }
  EXPECT_TRUE(fs::is_empty(m_directory.path()));
  const result_lock again(m_directory / "a");
}

TEST_F(unit_experiment_result_lock, is_released_when_its_holder_is_killed) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const result_lock held(m_directory / "a");
    if (write(ready[1], "x", 1) == 1) pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_THROW(result_lock(m_directory / "a"), output_error);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  { const result_lock next(m_directory / "a"); }
  EXPECT_TRUE(fs::is_empty(m_directory.path()));
}

TEST_F(unit_experiment_result_lock, is_skipped_in_a_missing_directory) {
  const result_lock nowhere(m_directory / "missing" / "a");
  EXPECT_TRUE(fs::is_empty(m_directory.path()));
}

/// Anyone who can write to the directory could place such a link, symbolic or hard, at the path.
TEST_F(unit_experiment_result_lock, rejects_and_keeps_other_files_at_the_lock_path) {
  const fs::path victim = m_directory / "victim", lock = m_directory / ".a.lock";
  std::ofstream(victim) << "precious";
  const auto error = [&] {
    try {
      const result_lock held(m_directory / "a");
    } catch (const output_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto rejected = [&](const char* as) {
    return "the lock " + lock.string() + " is " + as +
           ", which weft does not follow or overwrite; remove it, or write the results elsewhere with -o DIR or --set "
           "output.name=NAME";
  };
  for (const fs::path& target : {victim, m_directory / "missing", m_directory.path()}) {
    fs::create_symlink(target, lock);
    EXPECT_EQ(error(), rejected("a symbolic link")) << target;
    EXPECT_TRUE(fs::is_symlink(lock));
    fs::remove(lock);
  }
  EXPECT_FALSE(fs::exists(m_directory / "missing"));
  fs::create_hard_link(victim, lock);
  EXPECT_EQ(error(), rejected("a file of another program"));
  fs::remove(lock);
  fs::create_directory(lock);
  EXPECT_EQ(error(), rejected("a directory"));
  fs::remove(lock);
  ASSERT_EQ(mkfifo(lock.c_str(), 0600), 0);
  EXPECT_EQ(error(), rejected("a file of another program"));
  fs::remove(lock);
  fs::copy_file(victim, lock);
  EXPECT_EQ(error(), rejected("a file of another program"));
  for (const fs::path& file : {victim, lock}) {
    std::string text;
    std::ifstream(file) >> text;
    EXPECT_EQ(text, "precious");
  }
}

}  // namespace
}  // namespace weft::experiment
