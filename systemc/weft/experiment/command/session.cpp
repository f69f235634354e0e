// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/command/session.h"

#include <chrono>
#include <csignal>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "weft/experiment/command/exit_status.h"

namespace weft::experiment {

namespace {

volatile std::sig_atomic_t g_signal = 0;

void note_signal(int signal) {
  if (g_signal == 0) g_signal = signal;
  // The next one of the kind kills: a run that does not end when asked must not need more than a second Ctrl-C. One of
  // the other kind does not: Ctrl-C reaches the points of a sweep, and then they are asked by SIGTERM as well.
  std::signal(signal, SIG_DFL);
}

/// "3 of 9 points", rewritten on a terminal.
class points_line {
 public:
  points_line(std::size_t points, bool on) : m_points(points), m_on(on) {}
  ~points_line() {
    if (m_on) std::cerr << "\r\033[K" << std::flush;
  }
  points_line(const points_line&) = delete;
  points_line& operator=(const points_line&) = delete;

  void update(std::size_t done) const {
    if (!m_on) return;
    const double spent = std::chrono::duration<double>(clock::now() - m_start).count();
    const double left = spent / static_cast<double>(done) * static_cast<double>(m_points - done);
    std::cerr << fmt::format("\r\033[K{} of {} points, {:.0f} s left", done, m_points, left) << std::flush;
  }

 private:
  using clock = std::chrono::steady_clock;
  std::size_t m_points;
  bool m_on;
  clock::time_point m_start = clock::now();
};

}  // namespace

void handle_signals() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

int signal_seen() { return g_signal; }

int status_of(outcome how) {
  switch (how) {
    case outcome::Complete:
    case outcome::Saturated:
      return Done;
    case outcome::Interrupted:
      return 128 + g_signal;
    default:
      return Failed;
  }
}

bool shows_progress(const configuration& c, bool quiet) {
  return c.output.progress == progress_kind::Always ||
         (c.output.progress == progress_kind::Auto && !quiet && isatty(STDERR_FILENO));
}

run_hooks hooks_of_session() {
  run_hooks hooks;
  hooks.stop = [] { return g_signal != 0; };
  return hooks;
}

run_hooks hooks_of_session(progress_line& progress) {
  run_hooks hooks = hooks_of_session();
  hooks.progress = [&progress](const run_progress& p) { progress.update(p); };
  return hooks;
}

int end_of_run(outcome how, const std::vector<std::string>& explanation, bool quiet) {
  const int status = status_of(how);
  if (status == Done) return Done;
  std::cerr << fmt::format("weft: {}\n", name_of(how));
  if (quiet)
    for (const std::string& line : explanation) std::cerr << "  " << line << "\n";
  return status;
}

std::vector<sweep_row> run_points_of_session(std::size_t points, unsigned jobs, bool on,
                                             const std::function<sweep_row(std::size_t)>& work) {
  const points_line progress(points, on);
  return run_points(
      points, jobs, work, [&](std::size_t done) { progress.update(done); }, [] { return g_signal != 0; });
}

int end_of_points(const std::vector<sweep_row>& rows, const std::function<std::string(std::size_t)>& describe) {
  if (g_signal != 0) return 128 + g_signal;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].status == Done) continue;
    std::cerr << fmt::format("weft: failed at {}\n", describe(i));
    return Failed;
  }
  return Done;
}

}  // namespace weft::experiment
