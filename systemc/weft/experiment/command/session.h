// SPDX-License-Identifier: Apache-2.0
/// A run and the user who started it: signals, progress, messages, exit status.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "weft/experiment/command/points.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/report/progress.h"
#include "weft/experiment/run/run.h"

namespace weft::experiment {

/// From here on SIGINT and SIGTERM ask for an end; a second one of the same kind kills.
void handle_signals();

/// The signal that asked for an end, or 0.
int signal_seen();

/// The exit status of a run.
int status_of(outcome how);

/// Whether there is progress on standard error: on a terminal, unless \p quiet, or as `output.progress` says.
bool shows_progress(const configuration& c, bool quiet);

/// Hooks of a run that ends when a signal asks for it; with \p progress it is shown.
run_hooks hooks_of_session();
run_hooks hooks_of_session(progress_line& progress);

/// Says on standard error how a run ended that did not end well, and gives the exit status.
int end_of_run(outcome how, const std::vector<std::string>& explanation, bool quiet);

/// run_points() until a signal asks for an end, with a line on the terminal, if \p on, that counts the points.
std::vector<sweep_row> run_points_of_session(std::size_t points, unsigned jobs, bool on,
                                             const std::function<sweep_row(std::size_t)>& work);

/// Says on standard error which point failed first, as \p describe calls it, and gives the exit status.
int end_of_points(const std::vector<sweep_row>& rows, const std::function<std::string(std::size_t)>& describe);

}  // namespace weft::experiment
