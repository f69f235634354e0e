// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/report/schedule_times.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft::experiment {

namespace {

std::vector<schedule::schedule_cost> costs_of(const std::vector<timed_schedule>& schedules) {
  std::vector<schedule::schedule_cost> costs;
  for (const timed_schedule& s : schedules) costs.push_back(s.cost);
  return costs;
}

std::string name_of(const timed_schedule& s) {
  return fmt::format("{} {}/{} ({})", s.combining ? "combining" : "direct", s.cost.start_ups, s.cost.occupancy,
                     s.method);
}

}  // namespace

std::vector<timed_schedule> undominated(const schedule::answer& direct, const schedule::answer& combining) {
  std::vector<timed_schedule> all;
  for (const schedule::answer* a : {&direct, &combining})
    for (const schedule::attempt& tried : a->attempts)
      if (tried.found) all.push_back({tried.by->name, tried.combining, *tried.found});
  std::vector<timed_schedule> best;
  for (const std::size_t i : schedule::non_dominated(costs_of(all))) best.push_back(all[i]);
  return best;
}

std::string times_table(const std::vector<timed_schedule>& schedules, const schedule::time_model& model,
                        const std::vector<double>& lengths) {
  std::string text =
      fmt::format("  time       t = R ts + m t1 TCO, ts = {:g}, t1 = {:g}\n", model.start_up, model.unit_time);
  const std::vector<schedule::schedule_cost> costs = costs_of(schedules);
  for (const double length : lengths) {
    const std::size_t fastest = schedule::fastest(costs, model, length);
    text += fmt::format("  {:<10} t = {:<10g} {}", fmt::format("m = {:g}", length),
                        schedule::time_of(costs[fastest], model, length), name_of(schedules[fastest]));
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      if (i != fastest)
        text += fmt::format("; {}/{} {:g}", costs[i].start_ups, costs[i].occupancy,
                            schedule::time_of(costs[i], model, length));
    }
    text += "\n";
  }
  for (const schedule::fastest_range& range : schedule::fastest_ranges(costs)) {
    if (range.from == 0) continue;
    text += fmt::format("  break-even m = {:.4g} (m t1 / ts = {:.4g}); from there {}\n",
                        range.from * model.start_up / model.unit_time, range.from, name_of(schedules[range.position]));
  }
  return text;
}

}  // namespace weft::experiment
