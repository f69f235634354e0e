// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/command/session.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "weft/experiment/command/exit_status.h"

namespace weft::experiment {

namespace {

volatile std::sig_atomic_t g_signal = 0;
constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t g_first_at[std::size(Signals)] = {};  ///< seconds, rounded down, of the first of each; or 0

void note_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  volatile std::sig_atomic_t& first = g_first_at[std::find(std::begin(Signals), std::end(Signals), signal) - Signals];
  if (g_signal == 0) g_signal = signal;
  const auto seconds = static_cast<std::sig_atomic_t>(now.tv_sec + 1);
  if (first == 0) first = seconds;
  // A run that does not end when asked must not need more than a second Ctrl-C. A signal of the other kind does not
  // kill: Ctrl-C reaches the points of a sweep, and then they are asked by SIGTERM as well.
  if (seconds - first <= 1) return;
  std::signal(signal, SIG_DFL);
  raise(signal);  // is delivered when this handler returns
}

}  // namespace

void handle_signals() {
  // What `nohup` has set to be ignored stays so.
  for (const int signal : Signals)
    if (std::signal(signal, note_signal) == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
}

int signal_seen() { return g_signal; }

build_watch::build_watch(std::function<void()> abandon)
    : m_abandon(std::move(abandon)), m_thread([this] { watch(); }) {}

build_watch::~build_watch() {
  {
    const std::lock_guard lock(m_mutex);
    m_built = true;
  }
  m_changed.notify_one();
  m_thread.join();
}

void build_watch::watch() {
  constexpr auto Interval = std::chrono::milliseconds(20);
  std::unique_lock lock(m_mutex);
  while (!m_changed.wait_for(lock, Interval, [this] { return m_built; })) {
    if (g_signal == 0) continue;
    m_abandon();
    std::cerr << "weft: interrupted before the first cycle; nothing is written\n";
    std::_Exit(128 + g_signal);
  }
}

int status_of(outcome how) {
  switch (how) {
    case outcome::Complete:
    case outcome::Saturated:
    case outcome::Undecided:
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

points_line::points_line(bool on) : m_line(std::cerr), m_on(on) {}

void points_line::update(std::size_t done, std::size_t all) {
  if (!m_on) return;
  const double spent = std::chrono::duration<double>(clock::now() - m_start).count();
  const double left = spent / static_cast<double>(done) * static_cast<double>(all - done);
  m_line.show(fmt::format("{} of {} points, {} left", done, all, time_text(left)));
}

std::vector<work_result> run_points_of_session(std::size_t points, unsigned jobs, bool on,
                                               const std::function<work_result(std::size_t)>& work) {
  points_line progress(on);
  return run_points(
      points, jobs, work, [&](std::size_t done) { progress.update(done, points); }, [] { return g_signal != 0; });
}

int end_of_points(const std::vector<work_result>& rows, const std::function<std::string(std::size_t)>& describe) {
  if (g_signal != 0) {
    std::cerr << "weft: interrupted\n";
    return 128 + g_signal;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].status == Done) continue;
    std::cerr << fmt::format("weft: failed at {}\n", describe(i));
    return Failed;
  }
  return Done;
}

}  // namespace weft::experiment
