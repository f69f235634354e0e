// SPDX-License-Identifier: Apache-2.0
/// How long schedules take, and which of several is the fastest (RINGS eq. 3, FATTREE eq. 2 and Tables V, VI).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/schedule/schedule.h"

namespace weft::schedule {

/// What a schedule costs, whatever the messages: R and TCO.
struct schedule_cost {
  std::size_t start_ups = 0;
  std::size_t occupancy = 0;
  friend bool operator==(const schedule_cost& a, const schedule_cost& b) {
    return a.start_ups == b.start_ups && a.occupancy == b.occupancy;
  }
};

schedule_cost cost_of(const step_schedule& s);

/// No worse in both, better in one: of lower cost for all messages.
bool dominates(const schedule_cost& a, const schedule_cost& b);

/// Positions of those that no other dominates, one of each cost, by ascending R.
std::vector<std::size_t> non_dominated(const std::vector<schedule_cost>& costs);

/// Those of \p schedules that no other dominates, one of each cost, by ascending R.
std::vector<step_schedule> non_dominated(std::vector<step_schedule> schedules);

/// ts and t1, in any one unit of time.
struct time_model {
  double start_up = 0;   ///< ts ≥ 0, of each step
  double unit_time = 1;  ///< t1 > 0, of a unit of a message: a word or a byte
};

/// t = R·ts + m·t1·TCO. \p length: m > 0, units of one message.
double time_of(const schedule_cost& cost, const time_model& model, double length);

/// m·t1/ts at which both take the same time: (R_a - R_b) / (TCO_b - TCO_a). Below, the one with fewer start-ups is
/// faster; above, the one with less occupancy. Nothing where one is at least as fast for messages of any length.
std::optional<double> break_even(const schedule_cost& a, const schedule_cost& b);

/// Which of several is the fastest for which messages.
struct fastest_range {
  std::size_t position = 0;  ///< in the list
  double from = 0;           ///< m·t1/ts; to the next one's `from`, the last without end
};

/// By ascending length. Of equal costs the first. \p costs: at least one.
std::vector<fastest_range> fastest_ranges(const std::vector<schedule_cost>& costs);

/// Position of the fastest; of equally fast ones the first. \p costs: at least one.
std::size_t fastest(const std::vector<schedule_cost>& costs, const time_model& model, double length);

/// A row of a table of times: a network, and for each collective the schedules that there are.
struct time_row {
  std::string name;
  std::vector<std::vector<schedule_cost>> of_collective;  ///< as many as columns; none: no entry
};

/// The shortest times as a Markdown table, a column for each length and collective (FATTREE, Tables V and VI), each
/// with the R/TCO that it takes. \throws std::invalid_argument for a row that has not as many entries as \p collectives
std::string time_table(const std::vector<std::string>& collectives, const std::vector<time_row>& rows,
                       const time_model& model, const std::vector<double>& lengths);

}  // namespace weft::schedule
