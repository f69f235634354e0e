// SPDX-License-Identifier: Apache-2.0
#include "weft/study/workers.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/core/printable.h"
#include "weft/report/format.h"
#include "weft/report/output_file.h"

namespace weft::experiment {

namespace {

using clock = std::chrono::steady_clock;

struct worker {
  std::size_t point;
  pid_t process;
  int pipe;
  std::string text{};
};

[[noreturn]] void work_in_child(const work_list& list, std::size_t point, int pipe, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before the call of prctl()
  work_result result{1, ""};
  try {
    result = list.work(point);
  } catch (const std::exception& e) {
    std::cerr << printable(message_of(e), "\n") << std::endl;
  }
  for (std::size_t at = 0; at < result.text.size();) {
    const ssize_t written = write(pipe, result.text.data() + at, result.text.size() - at);
    if (written <= 0 && errno != EINTR) _exit(1);
    at += written > 0 ? static_cast<std::size_t>(written) : 0;
  }
  _exit(result.status);
}

worker start(const work_list& list, std::size_t point) {
  int ends[2];
  if (pipe(ends) != 0) throw output_error("cannot create a pipe to a child process; run fewer at a time, with --jobs");
  std::fflush(nullptr);  // otherwise each child would write the buffered output again
  std::cout.flush();
  const pid_t parent = getpid(), process = fork();
  if (process < 0) throw output_error("cannot start a child process; run fewer at a time, with --jobs");
  if (process == 0) {
    close(ends[0]);
    work_in_child(list, point, ends[1], parent);
  }
  close(ends[1]);
  return {point, process, ends[0]};
}

/// The running child processes.
class crew {
 public:
  explicit crew(const work_list& list) : m_list(list) {}
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() {
    send(SIGKILL);
    while (!m_workers.empty()) dismiss(m_workers.begin());
  }

  std::size_t size() const { return m_workers.size(); }
  void hire(std::size_t point) { m_workers.push_back(start(m_list, point)); }

  /// Waits until a child writes output, a signal arrives, or \p milliseconds have passed. Completes the work of
  /// children that have sent their whole result.
  void wait_for_results(int milliseconds) {
    std::vector<pollfd> ends;
    for (const worker& w : m_workers) ends.push_back({w.pipe, POLLIN, 0});
    if (poll(ends.data(), ends.size(), milliseconds) <= 0) return;
    for (const pollfd& end : ends)
      if (end.revents != 0) read_message(end.fd);
  }

  /// Sends SIGTERM to the children at the first call. If they still run a second later, sends SIGKILL.
  void end() {
    if (!m_stop_requested) {
      m_stop_requested = clock::now();
      send(SIGTERM);  // needed unless the signal came from Ctrl-C, which also reaches the children
    } else if (clock::now() - *m_stop_requested > std::chrono::seconds(1)) {
      send(SIGKILL);
    }
  }

 private:
  void send(int signal) const {
    for (const worker& w : m_workers) kill(w.process, signal);
  }

  void read_message(int pipe) {
    const auto it = std::find_if(m_workers.begin(), m_workers.end(), [&](const worker& w) { return w.pipe == pipe; });
    char buffer[1 << 16];
    const ssize_t got = read(pipe, buffer, sizeof buffer);
    if (got > 0) it->text.append(buffer, static_cast<std::size_t>(got));
    if (got > 0 || (got < 0 && errno == EINTR)) return;
    const std::size_t point = it->point;
    const work_result result = dismiss(it);
    m_list.done(point, result);
  }

  work_result dismiss(std::vector<worker>::iterator it) {
    int status = 0;
    while (waitpid(it->process, &status, 0) < 0 && errno == EINTR) {
    }
    close(it->pipe);
    work_result result{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), std::move(it->text)};
    m_workers.erase(it);
    return result;
  }

  const work_list& m_list;
  std::vector<worker> m_workers;
  std::optional<clock::time_point> m_stop_requested;
};

}  // namespace

void run_all(unsigned jobs, const work_list& list, remote_workers* others) {
  crew here(list);
  for (;;) {
    const bool stopping = list.stop();
    if (stopping) here.end();
    while (!stopping && here.size() < jobs) {
      const std::optional<std::size_t> point = list.next();
      if (!point) break;
      here.hire(*point);
    }
    if (others) others->serve(list, stopping);
    if (here.size() == 0 && !(others && others->busy())) {
      if (stopping) return;
      const std::optional<std::size_t> point = list.next();  // serve() may have added work
      if (!point) return;
      here.hire(*point);
    }
    here.wait_for_results(others || stopping ? 5 : 200);
  }
}

std::vector<work_result> run_points(std::size_t points, unsigned jobs,
                                    const std::function<work_result(std::size_t)>& work,
                                    const std::function<void(std::size_t done)>& progress,
                                    const std::function<bool()>& stop) {
  std::vector<work_result> results(points);
  std::size_t next = 0, done = 0;
  work_list list;
  list.next = [&] { return next < points ? std::optional(next++) : std::nullopt; };
  list.work = work;
  list.done = [&](std::size_t point, const work_result& result) {
    results[point] = result;
    progress(++done);
  };
  list.stop = stop;
  run_all(jobs, list);
  return results;
}

}  // namespace weft::experiment
