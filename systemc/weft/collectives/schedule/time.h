// SPDX-License-Identifier: Apache-2.0
/// Run times of schedules, and the fastest of several (RINGS eq. 3, FATTREE eq. 2 and Tables V, VI).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/schedule.h"

namespace weft::schedule {

/// The cost of a schedule for any messages: R and TCO.
struct schedule_cost {
  std::size_t start_ups = 0;
  std::size_t occupancy = 0;
  friend bool operator==(const schedule_cost& a, const schedule_cost& b) {
    return a.start_ups == b.start_ups && a.occupancy == b.occupancy;
  }
};

schedule_cost cost_of(const step_schedule& s);

/// Whether \p a is no worse in both and better in one: faster for all messages.
bool dominates(const schedule_cost& a, const schedule_cost& b);

/// Indices of the non-dominated costs, one for each cost, by ascending R.
std::vector<std::size_t> non_dominated(const std::vector<schedule_cost>& costs);

/// The non-dominated schedules, one for each cost, by ascending R.
std::vector<step_schedule> non_dominated(std::vector<step_schedule> schedules);

/// ts and t1, in the same unit of time.
struct time_model {
  double start_up = 0;   ///< ts ≥ 0, for each step
  double unit_time = 1;  ///< t1 > 0, for a unit of a message: a word or a byte
};

/// t = R·ts + m·t1·TCO. \param length m > 0, units of one message
double time_of(const schedule_cost& cost, const time_model& model, double length);

/// The value of m·t1/ts at which both take the same time: (R_a - R_b) / (TCO_b - TCO_a). Below, the schedule with fewer
/// start-ups is faster; above, the one with less occupancy. Nothing if one is at least as fast for all message lengths.
std::optional<double> break_even(const schedule_cost& a, const schedule_cost& b);

/// A range of message lengths and the fastest schedule in it.
struct fastest_range {
  std::size_t position = 0;  ///< index in the list
  double from = 0;           ///< m·t1/ts; the range ends at the next `from`, the last one is unlimited
};

/// By ascending length. Of equal costs, the first. \p costs must not be empty.
std::vector<fastest_range> fastest_ranges(const std::vector<schedule_cost>& costs);

/// Index of the fastest, the first of several. \p costs must not be empty.
std::size_t fastest(const std::vector<schedule_cost>& costs, const time_model& model, double length);

/// A row of a table of times: a network, and its schedules for each collective.
struct time_row {
  std::string name;
  std::vector<std::vector<schedule_cost>> of_collective;  ///< one for each column; empty: no entry
};

/// A Markdown table of the shortest times, with a column for each length and collective (FATTREE, Tables V and VI);
/// each entry includes R/TCO. \throws std::invalid_argument for a row whose number of entries differs from
/// \p collectives
std::string time_table(const std::vector<std::string>& collectives, const std::vector<time_row>& rows,
                       const time_model& model, const std::vector<double>& lengths);

}  // namespace weft::schedule
