// SPDX-License-Identifier: Apache-2.0
#include "weft/report/progress.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "weft/core/printable.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

namespace {

constexpr std::chrono::milliseconds Interval{200};  ///< between updates

const char* text_of(run_phase phase) {
  switch (phase) {
    case run_phase::WarmUp:
      return "warm-up";
    case run_phase::Measure:
      return "measuring";
    case run_phase::Collective:
      return "simulating";
    case run_phase::Drain:
      break;
  }
  return "draining";
}

}  // namespace

std::string time_text(double seconds) {
  const auto s = static_cast<unsigned long>(seconds + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

std::size_t terminal_columns() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : std::numeric_limits<std::size_t>::max();
}

void status_line::show(const std::string& text) {
  const std::string line = shortened(printable(text), std::max<std::size_t>(m_columns, 2) - 1);
  const std::size_t letters = letters_of(line);
  m_out << '\r' << line << std::string(m_letters > letters ? m_letters - letters : 0, ' ') << std::flush;
  m_letters = letters;
}

void status_line::clear() {
  if (m_letters > 0) m_out << '\r' << std::string(m_letters, ' ') << '\r' << std::flush;
  m_letters = 0;
}

double progress_line::speed(cycle_t cycles) const {
  return static_cast<double>(cycles) / std::chrono::duration<double>(clock::now() - m_start).count();
}

void progress_line::update(const run_progress& p) {
  if (!m_on || clock::now() - m_last < Interval) return;
  m_last = clock::now();
  const double cycles_a_second = speed(p.now);
  std::string text = fmt::format("{} ", text_of(p.phase));
  if (p.phase == run_phase::Drain) {
    text += fmt::format("{} packets in flight", p.packets_awaited);
  } else if (p.phase == run_phase::Collective) {
    text += fmt::format("cycle {}, {} messages left", p.now, p.packets_awaited);
  } else if (p.end_of_window > 0) {
    const auto now = static_cast<double>(p.now), end = static_cast<double>(p.end_of_window);
    text += fmt::format("{:.0f} %, {} left", 100 * now / end, time_text((end - now) / cycles_a_second));
  } else {
    text += fmt::format("cycle {}", p.now);
  }
  m_line.show(fmt::format("{}, {:.0f} cycles/s", text, cycles_a_second));
}

void progress_line::update(const std::string& text) {
  constexpr int Burst = 50;  // updates that may be shown at once
  const clock::time_point now = clock::now();
  if (!m_on || m_budget > now + Burst * Interval) return;
  m_budget = std::max(m_budget, now) + Interval;
  m_line.show(text);
}

void progress_line::clear() { m_line.clear(); }

}  // namespace weft::experiment
