// SPDX-License-Identifier: Apache-2.0
/// Interaction of a run with its user: signals, progress, messages, exit status.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/file/interruption.h"
#include "weft/report/progress.h"
#include "weft/simulation/run.h"
#include "weft/study/workers.h"

namespace weft::experiment {

/// From now on SIGINT, SIGTERM, and SIGHUP (unless `nohup` ignores it) request an end. A second signal of the same kind
/// kills the process, but not within a second of the first, because `timeout` sends each signal twice. Before this
/// call, a signal ends the command at once. So call this directly before code that checks signal_seen().
void handle_signals();

/// The signal that requested an end, or 0.
int signal_seen();

/// Returns the result of \p make. A signal during this time ends the process at once, with its exit status, and removes
/// unfinished files, because nothing checks signal_seen() while files are read and a large network is built.
template <class Make>
auto build_watched(Make make) {
  const exit_on_signal_scope scope("weft: interrupted before the first cycle; nothing is written\n");
  return make();
}

/// The exit status of a run.
int status_of(outcome how);

/// Whether to show progress on standard error: on a terminal unless \p quiet, or as set by `output.progress`.
bool shows_progress(const configuration& c, bool quiet);

/// Hooks of a run that a signal ends; with \p progress, progress is shown.
run_hooks hooks_of_session();
run_hooks hooks_of_session(progress_line& progress);

/// Prints on standard error how a run ended if it did not complete, and returns the exit status.
int end_of_run(outcome how, const std::vector<std::string>& explanation, bool quiet);

/// The report line for a written file, "  wrote results/mesh.json".
std::string written_line(const std::filesystem::path& file);

/// "3 of 9 points, 12 s left" on standard error.
class points_line {
 public:
  /// Silent unless \p on.
  explicit points_line(bool on);

  void update(std::size_t done, std::size_t all);
  /// Call before anything else is printed there.
  void clear() { m_line.clear(); }

 private:
  using clock = std::chrono::steady_clock;
  status_line m_line;
  bool m_on;
  clock::time_point m_start = clock::now();
};

/// run_points() until a signal requests an end, with a progress line that counts the points if \p on.
std::vector<work_result> run_points_of_session(std::size_t points, unsigned jobs, bool on,
                                               const std::function<work_result(std::size_t)>& work);

/// Prints on standard error that a signal ended the points, or the first point that failed, named by \p describe.
/// Returns the exit status.
int end_of_points(const std::vector<work_result>& rows, const std::function<std::string(std::size_t)>& describe);

}  // namespace weft::experiment
