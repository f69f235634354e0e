// SPDX-License-Identifier: Apache-2.0
/// Progress of a run, on a terminal.
#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include "weft/experiment/run/run.h"

namespace weft::experiment {

/// "12 s", "3:05 min", "1:02 h".
std::string time_text(double seconds);

/// One line, rewritten a few times a second and gone at the end: phase, per cent, cycles a second, time left.
class progress_line {
 public:
  /// Silent unless \p on.
  progress_line(std::ostream& out, bool on) : m_out(out), m_on(on), m_start(clock::now()), m_last(m_start) {}
  ~progress_line() { clear(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void update(const run_progress& p);
  /// A line in other words.
  void update(const std::string& text);
  void clear();

  /// Simulated cycles a second since the construction.
  double speed(cycle_t cycles) const;

 private:
  using clock = std::chrono::steady_clock;

  std::ostream& m_out;
  bool m_on;
  bool m_shown = false;
  clock::time_point m_start;
  clock::time_point m_last;
};

}  // namespace weft::experiment
