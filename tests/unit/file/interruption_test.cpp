// SPDX-License-Identifier: Apache-2.0
/// Signals, each in a subprocess: the files that they remove, and the waits that they end.
#include "weft/file/interruption.h"

#include "support/temporary_directory.h"
#include <cerrno>
#include <csignal>
#include <fstream>
#include <functional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft {
namespace {

class unit_file_interruption : public testing::Test {
 protected:
  /// The exit status of a subprocess that runs \p act without output; 128 + signal if a signal killed it.
  static int status_of(const std::function<int()>& act) {
    const pid_t child = fork();
    if (child == 0) {
      dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
      _exit(act());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  /// A full pipe; the end for reading is open, and nothing is read from it.
  static int full_pipe() {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], "x", 1) == 1) {
    }
    fcntl(ends[1], F_SETFL, 0);
    return ends[1];
  }

  temporary_directory m_directory;
};

TEST_F(unit_file_interruption, ends_the_process_and_removes_unfinished_files) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::filesystem::path made = m_directory / "made", file = made / "a", finished = made / "b";
    EXPECT_EQ(status_of([&] {
                exit_on_signal();
                std::filesystem::create_directory(made);
                std::ofstream(file) << "x";
                const unfinished_path directory(made, unfinished_path::kind::Directory);
                const unfinished_path half(file, unfinished_path::kind::File);
                raise(signal);
                return 0;
              }),
              128 + signal);
    EXPECT_FALSE(std::filesystem::exists(made));
    EXPECT_EQ(status_of([&] {
                exit_on_signal();
                std::filesystem::create_directory(made);
                std::ofstream(file) << "x";
                std::ofstream(finished) << "x";
                const unfinished_path directory(made, unfinished_path::kind::Directory);
                const unfinished_path half(file, unfinished_path::kind::File);
                unfinished_path whole(finished, unfinished_path::kind::File);
                whole.release();
                raise(signal);
                return 0;
              }),
              128 + signal);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_TRUE(std::filesystem::exists(finished));
    std::filesystem::remove_all(made);
  }
}

TEST_F(unit_file_interruption, removes_unfinished_files_on_sigpipe) {
  const std::filesystem::path file = m_directory / "a";
  EXPECT_EQ(status_of([&] {
              exit_on_signal();
              std::ofstream(file) << "x";
              const unfinished_path half(file, unfinished_path::kind::File);
              int ends[2];
              if (pipe(ends) != 0) return 1;
              close(ends[0]);
              return static_cast<int>(write(ends[1], "x", 1));
            }),
            128 + SIGPIPE);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(unit_file_interruption, a_child_does_not_remove_files_of_its_parent) {
  const std::filesystem::path file = m_directory / "a";
  EXPECT_EQ(status_of([&] {
              exit_on_signal();
              std::ofstream(file) << "x";
              const unfinished_path half(file, unfinished_path::kind::File);
              const int status = status_of([] { return raise(SIGTERM); });
              return status == 128 + SIGTERM && std::filesystem::exists(file) ? 7 : 0;
            }),
            7);
}

TEST_F(unit_file_interruption, a_held_signal_takes_effect_after_the_hold) {
  const std::filesystem::path file = m_directory / "a";
  EXPECT_EQ(status_of([&] {
              exit_on_signal();
              {
                const signal_hold hold;
                raise(SIGTERM);
                std::ofstream(file) << "x";
              }
              return 0;
            }),
            128 + SIGTERM);
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(unit_file_interruption, is_only_recorded_outside_an_exit_on_signal_scope) {
  EXPECT_EQ(status_of([] {
              note_signals();
              raise(SIGTERM);
              raise(SIGINT);
              return noted_signal();
            }),
            SIGTERM);
  EXPECT_EQ(status_of([] {
              note_signals();
              const exit_on_signal_scope scope("");
              raise(SIGTERM);
              return 0;
            }),
            128 + SIGTERM);
  EXPECT_EQ(status_of([] {
              note_signals();
              raise(SIGTERM);
              const exit_on_signal_scope scope("");
              return 0;
            }),
            128 + SIGTERM);
}

/// For a command that can only exit, and for one that records signals; the signal comes before or during the wait.
TEST_F(unit_file_interruption, ends_every_wait_for_another_process) {
  const std::filesystem::path fifo = m_directory / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const std::function<long()> waits[] = {
      [&] { return static_cast<long>(open_for_reader(fifo)); },
      [] { return static_cast<long>(write_to_reader(full_pipe(), "y", 1)); },
      [&] {
        char byte = 0;
        return static_cast<long>(read_from_writer(open(fifo.c_str(), O_RDONLY | O_NONBLOCK), &byte, 1));
      },
      [] {
        int ends[2];
        char byte = 0;
        return pipe(ends) == 0 ? static_cast<long>(read_from_writer(ends[0], &byte, 1)) : 0L;
      }};
  for (const auto& wait : waits) {
    EXPECT_EQ(status_of([&] {
                exit_on_signal();
                alarm(60);
                std::signal(SIGALRM, SIG_DFL);
                if (fork() == 0) {
                  usleep(50'000);
                  kill(getppid(), SIGTERM);
                  _exit(0);
                }
                wait();
                return 0;
              }),
              128 + SIGTERM);
    for (const bool before : {true, false})
      EXPECT_EQ(status_of([&] {
                  note_signals();
                  alarm(60);
                  if (before) raise(SIGTERM);
                  if (!before && fork() == 0) {
                    usleep(50'000);
                    kill(getppid(), SIGTERM);
                    _exit(0);
                  }
                  return wait() == -1 && errno == EINTR ? 7 : 0;
                }),
                7);
  }
}

TEST_F(unit_file_interruption, writes_to_a_slow_reader_are_completed_after_a_signal) {
  EXPECT_EQ(status_of([] {
              note_signals();
              int ends[2];
              if (pipe(ends) != 0) return 1;
              raise(SIGTERM);
              constexpr std::size_t Size = 300'000;
              if (fork() == 0) {
                close(ends[1]);
                std::size_t all = 0;
                char block[10'000];
                for (ssize_t got = 0; (got = read(ends[0], block, sizeof block)) > 0; usleep(20'000))
                  all += static_cast<std::size_t>(got);
                _exit(all == Size ? 7 : 0);
              }
              close(ends[0]);
              const std::string text(Size, 'x');
              for (std::size_t done = 0; done < Size;) {
                const ssize_t written = write_to_reader(ends[1], text.data() + done, Size - done);
                if (written <= 0) return 2;
                done += static_cast<std::size_t>(written);
              }
              close(ends[1]);
              int status = 0;
              wait(&status);
              return WEXITSTATUS(status);
            }),
            7);
}

}  // namespace
}  // namespace weft
