// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/command/points.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>

#include <sys/wait.h>
#include <unistd.h>

#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/report/output_file.h"

namespace weft::experiment {

namespace {

sweep_row attempt(std::size_t point, const std::function<sweep_row(std::size_t)>& work) {
  try {
    return work(point);
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return {Failed, ""};
  }
}

struct child {
  std::size_t point;
  pid_t process;
  int pipe;
};

child start(std::size_t point, const std::function<sweep_row(std::size_t)>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw output_error("cannot make a pipe for a point of the sweep");
  std::fflush(nullptr);  // what is not yet written would be written by each child
  std::cout.flush();
  const pid_t process = fork();
  if (process < 0) throw output_error("cannot start a process for a point of the sweep");
  if (process == 0) {
    close(ends[0]);
    const sweep_row row = attempt(point, work);
    for (std::size_t at = 0; at < row.csv.size();) {
      const ssize_t written = write(ends[1], row.csv.data() + at, row.csv.size() - at);
      if (written <= 0) _exit(1);
      at += static_cast<std::size_t>(written);
    }
    _exit(row.status);
  }
  close(ends[1]);
  return {point, process, ends[0]};
}

/// A row fits a pipe, so a child never waits for its reader.
sweep_row finish(const child& c, int wait_status) {
  sweep_row row;
  row.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
  char buffer[4096];
  for (ssize_t got; (got = read(c.pipe, buffer, sizeof buffer)) > 0;)
    row.csv.append(buffer, static_cast<std::size_t>(got));
  close(c.pipe);
  return row;
}

}  // namespace

std::vector<sweep_row> run_points(std::size_t points, unsigned jobs, const std::function<sweep_row(std::size_t)>& work,
                                  const std::function<void(std::size_t done)>& progress,
                                  const std::function<bool()>& stop) {
  std::vector<sweep_row> rows(points);
  std::vector<child> running;
  std::size_t next = 0, done = 0;
  bool stopping = false;
  for (;;) {
    if (!stopping && stop()) {
      stopping = true;
      // Ctrl-C reaches the children by itself, a signal sent to this process alone does not.
      for (const child& c : running) kill(c.process, SIGTERM);
    }
    while (!stopping && next < points && running.size() < jobs) running.push_back(start(next++, work));
    if (running.empty()) return rows;
    int status = 0;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    const auto it = std::find_if(running.begin(), running.end(), [&](const child& c) { return c.process == ended; });
    if (it == running.end()) {
      usleep(5000);
      continue;
    }
    rows[it->point] = finish(*it, status);
    running.erase(it);
    progress(++done);
  }
}

}  // namespace weft::experiment
