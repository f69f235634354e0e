// SPDX-License-Identifier: Apache-2.0
#include "weft/command/session.h"

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "weft/command/exit_status.h"
#include "weft/core/printable.h"

namespace weft::experiment {

void handle_signals() { note_signals(); }

int signal_seen() { return noted_signal(); }

int status_of(outcome how) {
  switch (how) {
    case outcome::Complete:
    case outcome::Saturated:
    case outcome::Undecided:
      return Done;
    case outcome::Interrupted:
      return 128 + noted_signal();
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
  hooks.stop = [] { return noted_signal() != 0; };
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
    for (const std::string& line : explanation) std::cerr << "  " << printable(line) << "\n";
  return status;
}

std::string written_line(const std::filesystem::path& file) {
  return fmt::format("  wrote {}\n", printable(file.string()));
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
      points, jobs, work, [&](std::size_t done) { progress.update(done, points); }, [] { return noted_signal() != 0; });
}

int end_of_points(const std::vector<work_result>& rows, const std::function<std::string(std::size_t)>& describe) {
  if (noted_signal() != 0) {
    std::cerr << "weft: interrupted\n";
    return 128 + noted_signal();
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].status == Done) continue;
    std::cerr << fmt::format("weft: the run of {} failed\n", printable(describe(i)));
    return Failed;
  }
  return Done;
}

}  // namespace weft::experiment
