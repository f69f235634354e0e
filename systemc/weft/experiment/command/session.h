// SPDX-License-Identifier: Apache-2.0
/// A run and the user who started it: signals, progress, messages, exit status.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/report/progress.h"
#include "weft/experiment/run/run.h"
#include "weft/experiment/study/workers.h"
#include "weft/file/interruption.h"

namespace weft::experiment {

/// From here on SIGINT, SIGTERM, and SIGHUP unless `nohup` has it ignored, ask for an end; a second one of the same
/// kind kills, but not within a second of the first: `timeout` sends each twice. Before, a signal ends the command at
/// once. So this stands right before what looks at signal_seen().
void handle_signals();

/// The signal that asked for an end, or 0.
int signal_seen();

/// What \p make gives. A signal meanwhile ends the process at once, with its exit status, and removes its unfinished
/// files: nothing looks at signal_seen() while files are read and a large network is built.
template <class Make>
auto build_watched(Make make) {
  const exit_on_signal_scope scope("weft: interrupted before the first cycle; nothing is written\n");
  return make();
}

/// The exit status of a run.
int status_of(outcome how);

/// Whether there is progress on standard error: on a terminal, unless \p quiet, or as `output.progress` says.
bool shows_progress(const configuration& c, bool quiet);

/// Hooks of a run that ends when a signal asks for it; with \p progress it is shown.
run_hooks hooks_of_session();
run_hooks hooks_of_session(progress_line& progress);

/// Says on standard error how a run ended that did not end well, and gives the exit status.
int end_of_run(outcome how, const std::vector<std::string>& explanation, bool quiet);

/// The line of a report that names a file which was written, "  wrote results/mesh.json".
std::string written_line(const std::filesystem::path& file);

/// "3 of 9 points, 12 s left" on standard error.
class points_line {
 public:
  /// Silent unless \p on.
  explicit points_line(bool on);

  void update(std::size_t done, std::size_t all);
  /// Before anything else is written there.
  void clear() { m_line.clear(); }

 private:
  using clock = std::chrono::steady_clock;
  status_line m_line;
  bool m_on;
  clock::time_point m_start = clock::now();
};

/// run_points() until a signal asks for an end, with a line on the terminal, if \p on, that counts the points.
std::vector<work_result> run_points_of_session(std::size_t points, unsigned jobs, bool on,
                                               const std::function<work_result(std::size_t)>& work);

/// Says on standard error that a signal ended them, or which point failed first, as \p describe calls it, and gives the
/// exit status.
int end_of_points(const std::vector<work_result>& rows, const std::function<std::string(std::size_t)>& describe);

}  // namespace weft::experiment
