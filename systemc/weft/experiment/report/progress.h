// SPDX-License-Identifier: Apache-2.0
/// Progress of a run, on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

#include "weft/experiment/run/run.h"

namespace weft::experiment {

/// "12 s", "3:05 min", "1:02 h".
std::string time_text(double seconds);

/// Columns of the terminal that standard error is; very many if it is none.
std::size_t terminal_columns();

/// A line that is written again and again in one place, by blanks and carriage returns: every terminal has those.
class status_line {
 public:
  /// \param columns of the terminal; a line is shorter, so that it does not wrap
  explicit status_line(std::ostream& out, std::size_t columns = terminal_columns()) : m_out(out), m_columns(columns) {}
  ~status_line() { clear(); }
  status_line(const status_line&) = delete;
  status_line& operator=(const status_line&) = delete;

  void show(const std::string& text);
  /// Wipes the line: what is written next begins there.
  void clear();

 private:
  std::ostream& m_out;
  std::size_t m_columns;
  std::size_t m_letters = 0;  ///< that stand there
};

/// One line, rewritten a few times a second and gone at the end: phase, per cent, cycles a second, time left.
class progress_line {
 public:
  /// Silent unless \p on.
  progress_line(std::ostream& out, bool on) : m_line(out), m_on(on), m_start(clock::now()), m_last(m_start) {}

  void update(const run_progress& p);
  /// A line in other words. Only of many lines some are left out, so the one that is shown is not long outdated.
  void update(const std::string& text);
  void clear();

  /// Simulated cycles a second since the construction.
  double speed(cycle_t cycles) const;

 private:
  using clock = std::chrono::steady_clock;

  status_line m_line;
  bool m_on;
  clock::time_point m_start;
  clock::time_point m_last;
  clock::time_point m_budget{};  ///< up to which lines in other words are spent, each 200 ms
};

}  // namespace weft::experiment
