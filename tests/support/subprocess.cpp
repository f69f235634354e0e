// SPDX-License-Identifier: Apache-2.0
#include "support/subprocess.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum exit_code { Finished = 0, Threw = 101 };

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

std::string read_all(int file) {
  std::string text;
  char block[65536];
  for (;;) {
    const ssize_t count = read(file, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(block, static_cast<std::size_t>(count));
  }
}

[[noreturn]] void child(const std::function<std::string()>& f, int answer, unsigned seconds) {
  // SIGXCPU ends the subprocess after an amount of processor time, so the load of the machine does not matter.
  const rlimit time{seconds, seconds + 1}, no_core{0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
  int code = Finished;
  try {
    write_all(answer, f());
  } catch (const std::exception& error) {
    write_all(answer, error.what());
    code = Threw;
  }
  _exit(code);  // does not destroy the parent's objects, and does not flush its buffered output
}

}  // namespace

std::string run_in_subprocess_or_throw(const std::function<std::string()>& f, unsigned seconds) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (pid == 0) {
    close(pipe_ends[0]);
    child(f, pipe_ends[1], seconds);
  }
  close(pipe_ends[1]);
  std::string text = read_all(pipe_ends[0]);
  close(pipe_ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == Finished) return text;
  if (WIFEXITED(status) && WEXITSTATUS(status) == Threw) throw std::runtime_error("subprocess threw: " + text);
  if (WIFEXITED(status))
    throw std::runtime_error("subprocess exited with status " + std::to_string(WEXITSTATUS(status)));
  if (WTERMSIG(status) == SIGXCPU)
    throw std::runtime_error("subprocess took more than " + std::to_string(seconds) + " s of processor time");
  throw std::runtime_error(std::string("subprocess ended by a signal: ") + strsignal(WTERMSIG(status)));
}

std::string run_in_subprocess(const std::function<std::string()>& f) {
  try {
    return run_in_subprocess_or_throw(f);
  } catch (const std::exception& trouble) {
    return trouble.what();
  }
}
