// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/time.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

namespace weft::schedule {

schedule_cost cost_of(const step_schedule& s) { return {s.start_ups(), s.occupancy()}; }

bool dominates(const schedule_cost& a, const schedule_cost& b) {
  return a.start_ups <= b.start_ups && a.occupancy <= b.occupancy && !(a == b);
}

std::vector<std::size_t> non_dominated(const std::vector<schedule_cost>& costs) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(costs[a].start_ups, costs[a].occupancy) < std::tie(costs[b].start_ups, costs[b].occupancy);
  });
  std::vector<std::size_t> kept;
  for (const std::size_t i : order) {
    if (kept.empty() || costs[i].occupancy < costs[kept.back()].occupancy) kept.push_back(i);
  }
  return kept;
}

std::vector<step_schedule> non_dominated(std::vector<step_schedule> schedules) {
  std::vector<schedule_cost> costs;
  for (const step_schedule& s : schedules) costs.push_back(cost_of(s));
  std::vector<step_schedule> kept;
  for (const std::size_t i : non_dominated(costs)) kept.push_back(std::move(schedules[i]));
  return kept;
}

double time_of(const schedule_cost& cost, const time_model& model, double length) {
  return static_cast<double>(cost.start_ups) * model.start_up +
         length * model.unit_time * static_cast<double>(cost.occupancy);
}

std::optional<double> break_even(const schedule_cost& a, const schedule_cost& b) {
  if (a == b || dominates(a, b) || dominates(b, a)) return std::nullopt;
  const auto difference = [](std::size_t x, std::size_t y) { return static_cast<double>(x) - static_cast<double>(y); };
  return difference(a.start_ups, b.start_ups) / difference(b.occupancy, a.occupancy);
}

std::vector<fastest_range> fastest_ranges(const std::vector<schedule_cost>& costs) {
  if (costs.empty()) throw std::invalid_argument("costs: none, expected at least one");
  std::vector<fastest_range> ranges;
  for (const std::size_t i : non_dominated(costs)) {
    double from = 0;
    while (!ranges.empty()) {
      from = *break_even(costs[ranges.back().position], costs[i]);
      if (from > ranges.back().from) break;
      ranges.pop_back();  // the new one overtakes it before it begins to win
      from = 0;
    }
    ranges.push_back({i, from});
  }
  return ranges;
}

std::size_t fastest(const std::vector<schedule_cost>& costs, const time_model& model, double length) {
  if (costs.empty()) throw std::invalid_argument("costs: none, expected at least one");
  const auto first = std::min_element(costs.begin(), costs.end(), [&](const schedule_cost& a, const schedule_cost& b) {
    return time_of(a, model, length) < time_of(b, model, length);
  });
  return static_cast<std::size_t>(first - costs.begin());
}

std::string time_table(const std::vector<std::string>& collectives, const std::vector<time_row>& rows,
                       const time_model& model, const std::vector<double>& lengths) {
  std::string head = "| network |", rule = "|---|";
  for (const double m : lengths) {
    for (const std::string& c : collectives) {
      head += fmt::format(" {}, m = {:g} |", c, m);
      rule += "---|";
    }
  }
  std::string text = head + "\n" + rule + "\n";
  for (const time_row& row : rows) {
    if (row.of_collective.size() != collectives.size()) {
      throw std::invalid_argument(fmt::format("row \"{}\": {} entries, expected {}, one for each collective", row.name,
                                              row.of_collective.size(), collectives.size()));
    }
    text += "| " + row.name + " |";
    for (const double m : lengths) {
      for (const std::vector<schedule_cost>& costs : row.of_collective) {
        if (costs.empty()) {
          text += " |";
          continue;
        }
        const schedule_cost best = costs[fastest(costs, model, m)];
        text += fmt::format(" {:g} ({}/{}) |", time_of(best, model, m), best.start_ups, best.occupancy);
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace weft::schedule
