// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/pareto.h"

#include <stdexcept>

#include "weft/schedule/constructions/combining_grid.h"
#include "weft/schedule/constructions/combining_groups.h"
#include "weft/schedule/constructions/combining_halving.h"
#include "weft/schedule/time.h"

namespace weft::schedule {
namespace {

std::vector<schedule_cost> costs_of(const std::vector<step_schedule>& schedules) {
  std::vector<schedule_cost> costs;
  for (const step_schedule& s : schedules) costs.push_back(cost_of(s));
  return costs;
}

void append(std::vector<step_schedule>& to, std::vector<step_schedule>&& more) {
  for (step_schedule& s : more) to.push_back(std::move(s));
}

/// Between groups of all sizes, with the Pareto set of each.
void append_grouped(const problem& p, const search_control& control, const combined_effort& effort,
                    std::vector<step_schedule>& all) {
  round_router router(p);
  const std::size_t nodes = participants_of(p.asked).size();
  for (std::size_t size = 2; 2 * size <= nodes && !control.over(); ++size) {
    const std::optional<collective> asked = between_groups(p.asked, size);
    if (!asked) continue;
    const problem core{p.network, *asked, p.paths, true};
    for (const step_schedule& s : pareto(core, control, effort)) all.push_back(in_groups(p, router, size, s));
  }
}

}  // namespace

std::vector<step_schedule> pareto(const problem& p, const search_control& control, const combined_effort& effort) {
  if (!p.combining) throw std::invalid_argument("pareto: messages are not combined, expected combining schedules");
  if (p.asked.senders.size() == 1) return halvings(p, control.seed);
  std::vector<step_schedule> all = grid_exchanges(p);
  if (unfit_for_combined(p).empty()) {
    append(all, combined_schedules(p, costs_of(all), control, effort));
  } else {
    append_grouped(p, control, effort, all);
  }
  return non_dominated(std::move(all));
}

const method& combining_pareto() {
  static const method Method{"combining_pareto", "combining schedules of all kinds, the one of fewest start-ups",
                             method::kind::Search,
                             [](const problem& p) { return std::string(p.combining ? "" : "combines messages"); },
                             [](const problem& p, const search_control& control) {
                               return search_result{pareto(p, control).front(), 0, {}};
                             }};
  return Method;
}

}  // namespace weft::schedule
