// SPDX-License-Identifier: Apache-2.0
/// Progress display of a run on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

#include "weft/simulation/run.h"

namespace weft::experiment {

/// "12 s", "3:05 min", "1:02 h".
std::string time_text(double seconds);

/// Number of columns of the terminal on standard error; a large number if it is not a terminal.
std::size_t terminal_columns();

/// A line that is rewritten in place with blanks and carriage returns, which every terminal supports.
class status_line {
 public:
  /// \param columns columns of the terminal; a line stays shorter so that it does not wrap
  explicit status_line(std::ostream& out, std::size_t columns = terminal_columns()) : m_out(out), m_columns(columns) {}
  ~status_line() { clear(); }
  status_line(const status_line&) = delete;
  status_line& operator=(const status_line&) = delete;

  void show(const std::string& text);
  /// Clears the line and moves to its beginning.
  void clear();

 private:
  std::ostream& m_out;
  std::size_t m_columns;
  std::size_t m_letters = 0;  ///< number of letters displayed
};

/// A line that is updated a few times a second and removed at the end: phase, percentage, cycles per second, time left.
class progress_line {
 public:
  /// Shows nothing unless \p on.
  progress_line(std::ostream& out, bool on) : m_line(out), m_on(on), m_start(clock::now()), m_last(m_start) {}

  void update(const run_progress& p);
  /// Shows another text. Some updates are skipped only if there are many, so the text shown is always recent.
  void update(const std::string& text);
  void clear();

  /// Simulated cycles per second since construction.
  double speed(cycle_t cycles) const;

 private:
  using clock = std::chrono::steady_clock;

  status_line m_line;
  bool m_on;
  clock::time_point m_start;
  clock::time_point m_last;
  clock::time_point m_budget{};  ///< time up to which updates with other texts are used up, 200 ms each
};

}  // namespace weft::experiment
