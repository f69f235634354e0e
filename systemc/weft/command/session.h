// SPDX-License-Identifier: Apache-2.0
/// Connects a run with its user: signals, progress, messages and exit status.
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

/// After this call, SIGINT, SIGTERM, and SIGHUP (unless `nohup` ignores it) request an end of the run, which
/// signal_seen() reports. Before this call, a signal ends the command at once, so call this function directly before
/// code that checks signal_seen(). A second signal of the same kind kills the process, but not within a second of the
/// first, because `timeout` sends each signal twice.
void handle_signals();

/// The number of the signal that requested an end, or 0.
int signal_seen();

/// Calls \p make and returns its result. Nothing checks signal_seen() while files are read and a large network is
/// built. Therefore a signal during this call removes unfinished files and ends the process at once, with the exit
/// status for the signal.
template <class Make>
auto build_watched(Make make) {
  const exit_on_signal_scope scope("weft: interrupted before the first cycle; no result is written\n");
  return make();
}

/// The exit status for the outcome of a run.
int status_of(outcome how);

/// Whether to show progress on standard error, according to `output.progress`. By default, progress is shown on a
/// terminal unless \p quiet.
bool shows_progress(const configuration& c, bool quiet);

/// The hooks of a run that ends when a signal requests it. With \p progress, they also show the progress.
run_hooks hooks_of_session();
run_hooks hooks_of_session(progress_line& progress);

/// Prints on standard error how a run ended if it did not complete, and returns the exit status.
int end_of_run(outcome how, const std::vector<std::string>& explanation, bool quiet);

/// The line of the report for a written file, as in "wrote results/mesh.json".
std::string written_line(const std::filesystem::path& file);

/// A progress line on standard error, as in "3 of 9 points, 12 s left".
class points_line {
 public:
  /// Shows nothing unless \p on.
  explicit points_line(bool on);

  void update(std::size_t done, std::size_t all);
  /// Removes the line. Call it before anything else is printed on standard error.
  void clear() { m_line.clear(); }

 private:
  using clock = std::chrono::steady_clock;
  status_line m_line;
  bool m_on;
  clock::time_point m_start = clock::now();
};

/// Calls run_points() and stops it when a signal requests an end. If \p on, a progress line counts the points.
std::vector<work_result> run_points_of_session(std::size_t points, unsigned jobs, bool on,
                                               const std::function<work_result(std::size_t)>& work);

/// Prints on standard error that a signal ended the runs or, if a point failed, the first such point, named by
/// \p describe. Returns the exit status.
int end_of_points(const std::vector<work_result>& rows, const std::function<std::string(std::size_t)>& describe);

}  // namespace weft::experiment
