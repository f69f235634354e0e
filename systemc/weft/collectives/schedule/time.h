// SPDX-License-Identifier: Apache-2.0
/// Run times of schedules, and the fastest of several schedules (RINGS eq. 3, FATTREE eq. 2 and Tables V, VI).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/schedule.h"

namespace weft::schedule {

/// The cost of a schedule independent of the message length: the number of steps R and the total channel occupancy TCO.
struct schedule_cost {
  std::size_t start_ups = 0;
  std::size_t occupancy = 0;
  friend bool operator==(const schedule_cost& a, const schedule_cost& b) {
    return a.start_ups == b.start_ups && a.occupancy == b.occupancy;
  }
};

schedule_cost cost_of(const step_schedule& s);

/// Whether \p a is no worse than \p b in R and in TCO and better in one of them. The schedule is then at least as fast
/// for all message lengths.
bool dominates(const schedule_cost& a, const schedule_cost& b);

/// Returns the indices of the non-dominated costs by ascending R. Of equal costs, only one is listed.
std::vector<std::size_t> non_dominated(const std::vector<schedule_cost>& costs);

/// Returns the non-dominated schedules by ascending R. Of schedules with equal cost, only one is listed.
std::vector<step_schedule> non_dominated(std::vector<step_schedule> schedules);

/// The time parameters ts and t1 of the papers, in the same unit of time.
struct time_model {
  double start_up = 0;   ///< ts ≥ 0, the time that each step needs in addition
  double unit_time = 1;  ///< t1 > 0, the time for one unit of a message, such as a word or a byte
};

/// Returns the run time t = R·ts + m·t1·TCO.
/// \param length m > 0, the length of a message in units
double time_of(const schedule_cost& cost, const time_model& model, double length);

/// Returns the value of m·t1/ts at which both schedules take the same time: (R_a - R_b) / (TCO_b - TCO_a). Below this
/// value, the schedule with fewer start-ups is faster; above it, the schedule with less occupancy. Empty if one
/// schedule is at least as fast as the other for all message lengths.
std::optional<double> break_even(const schedule_cost& a, const schedule_cost& b);

/// A range of message lengths and the fastest schedule in it.
struct fastest_range {
  std::size_t position = 0;  ///< index of the schedule in the list of costs
  double from = 0;           ///< start of the range, as m·t1/ts; its end is the start of the next range
};

/// Returns the ranges by ascending message length. If several costs are equal, the first is used. \p costs must not be
/// empty.
std::vector<fastest_range> fastest_ranges(const std::vector<schedule_cost>& costs);

/// Returns the index of the fastest schedule for messages of \p length units. If several are equally fast, the first is
/// used. \p costs must not be empty.
std::size_t fastest(const std::vector<schedule_cost>& costs, const time_model& model, double length);

/// A row of a table of run times: a network, and its schedules for each collective.
struct time_row {
  std::string name;
  std::vector<std::vector<schedule_cost>> of_collective;  ///< costs for each collective; empty: no entry
};

/// Returns a Markdown table of the shortest run times, with a column for each pair of message length and collective
/// (FATTREE, Tables V and VI). Each entry also shows R/TCO.
/// \throws std::invalid_argument for a row whose number of entries differs from the number of \p collectives
std::string time_table(const std::vector<std::string>& collectives, const std::vector<time_row>& rows,
                       const time_model& model, const std::vector<double>& lengths);

}  // namespace weft::schedule
