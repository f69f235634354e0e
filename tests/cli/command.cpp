// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::cli {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Whether the child has ended; it stays waitable.
bool has_ended(pid_t process) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

}  // namespace

command_result command_test::weft(const std::vector<std::string>& arguments,
                                  const std::function<void(pid_t)>& meanwhile) {
  const std::string directory = m_directory.path().string(), out = (m_streams / "out").string(),
                    err = (m_streams / "err").string();
  std::vector<char*> argv{const_cast<char*>(WEFT_COMMAND)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  for (const std::string& file : {out, err}) std::ofstream(file, std::ios::trunc);  // await_err() reads new text
  int starting[2];  // a pipe; the child holds its write end until execv()
  if (pipe2(starting, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  const pid_t child = fork();
  if (child == 0) {
    close(starting[0]);
    const auto redirect = [](const std::string& file, int to) { dup2(open(file.c_str(), O_WRONLY), to); };
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    if (meanwhile) {  // like a child of a terminal, so that -pid reaches its children too; but it dies with the test
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
    }
    if (chdir(directory.c_str()) == 0) execv(argv[0], argv.data());
    _exit(127);
  }
  close(starting[1]);
  for (char none; ::read(starting[0], &none, 1) < 0 && errno == EINTR;) continue;
  close(starting[0]);
  if (meanwhile) meanwhile(child);
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out), content(err)};
}

bool command_test::lacks(const std::string& command) {
  return weft({command, "--help"}).out.find("Not included in this build") != std::string::npos;
}

void command_test::write(const std::string& file, const std::string& text) {
  fs::create_directories((m_directory / file).parent_path());
  std::ofstream(m_directory / file, std::ios::binary) << text;
}

std::string command_test::read(const std::string& file) { return content(m_directory / file); }

void command_test::await_err(pid_t process, const std::string& text) {
  while (content(m_streams / "err").find(text) == std::string::npos && !has_ended(process))
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void command_test::await_files(pid_t process, const std::string& directory) {
  while (files_in(directory).empty() && !has_ended(process)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void command_test::await_open(pid_t process, const std::string& file) {
  const fs::path descriptors = "/proc/" + std::to_string(process) + "/fd";
  const auto is_open = [&] {
    std::error_code gone, other;  // descriptors appear and disappear, and some refer to no file
    for (fs::directory_iterator entry(descriptors, gone); !gone && entry != fs::directory_iterator();
         entry.increment(gone))
      if (fs::equivalent(entry->path(), m_directory / file, other)) return true;
    return false;
  };
  while (!is_open() && !has_ended(process)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void command_test::await_handled(pid_t process, int signal) {
  const fs::path status = "/proc/" + std::to_string(process) + "/status";
  const auto waits = [&] {  // a line "ShdPnd:" and a mask in hexadecimal
    const std::string text = content(status), key = "ShdPnd:";
    const std::size_t at = text.find(key);
    return at != std::string::npos && (std::stoull(text.substr(at + key.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
  };
  while (waits() && !has_ended(process)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::vector<std::string> command_test::files_in(const std::string& directory) {
  std::vector<std::string> names;
  if (fs::exists(m_directory / directory))
    for (const auto& entry : fs::directory_iterator(m_directory / directory)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace weft::cli
