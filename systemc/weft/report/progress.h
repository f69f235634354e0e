// SPDX-License-Identifier: Apache-2.0
/// Progress display of a run on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

#include "weft/simulation/run.h"

namespace weft::experiment {

/// A duration as text: "12 s", "3:05 min" or "1:02 h".
std::string time_text(double seconds);

/// Number of columns of the terminal on standard error; a large number if it is not a terminal.
std::size_t terminal_columns();

/// A line that is rewritten in place with blanks and carriage returns, which every terminal supports.
class status_line {
 public:
  /// \param columns number of columns of the terminal; the line stays shorter, so that it does not wrap
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

/// The progress of a run on a line: phase, percentage, cycles per second, and time left. The line is updated a few
/// times a second and removed at the end.
class progress_line {
 public:
  /// \param on whether to show the line
  progress_line(std::ostream& out, bool on) : m_line(out), m_on(on), m_start(clock::now()), m_last(m_start) {}

  void update(const run_progress& p);
  /// Shows \p text on the line. Updates are skipped only if there are very many, so the line always shows a recent
  /// text.
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
  clock::time_point m_budget{};  ///< limits update(text): each update moves it by 200 ms
};

}  // namespace weft::experiment
