// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/exact/combined.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/schedule/combined_bounds.h"
#include "weft/schedule/exact/combined_model.h"

namespace weft::schedule {
namespace {

/// Participants of the largest problems; their messages make the clauses.
constexpr std::size_t MostNodes = 20;

/// The search for ever less occupancy, for one R after the other.
class combined_search {
 public:
  combined_search(const problem& p, const std::vector<schedule_cost>& known, const search_control& control,
                  const combined_effort& effort)
      : m_p(p), m_control(control), m_effort(effort), m_known(known) {
    m_groups = free_groups(p.network, p.asked, effort.largest_group, effort.groups, control.seed);
  }

  std::vector<step_schedule> run() {
    const std::size_t least = least_start_ups(m_p);
    for (std::size_t r = least; r <= least + m_effort.more_start_ups && !m_control.over(); ++r) {
      if (!improve(r)) break;
    }
    return non_dominated(std::move(m_found));
  }

 private:
  /// False where no occupancy below the known one is possible, whatever R.
  bool improve(std::size_t r) {
    std::size_t below = NoneKnown;
    for (const schedule_cost& c : m_known) below = c.start_ups <= r ? std::min(below, c.occupancy) : below;
    if (below <= least_occupancy(m_p, 0)) return false;
    // Scatter has equal steps: only multiples of R are worth while.
    const std::size_t unit = m_p.asked.what == operation::Scatter ? r : 1;
    std::size_t low = (std::max(least_occupancy(m_p, r), r) + unit - 1) / unit;
    std::size_t high = below == NoneKnown ? 4 * low : (below - 1) / unit;
    std::size_t occupancy = low;
    for (std::size_t failures = 0; low <= high && failures < m_effort.failures && !m_control.over();) {
      if (look_for({r, occupancy * unit})) {
        high = std::min(occupancy, m_found.back().occupancy() / unit) - 1;
      } else {
        low = occupancy + 1;
        ++failures;
      }
      occupancy = (low + high) / 2;
    }
    return true;
  }

  bool look_for(const schedule_cost& most) {
    for (const symmetry_group& group : m_groups) {
      auto found = find_combined(m_p, most, group, m_control, m_effort.conflicts);
      if (!found) continue;
      if (m_control.tell) m_control.tell(fmt::format("combined: {}/{}", found->start_ups(), found->occupancy()));
      m_known.push_back(cost_of(*found));
      m_found.push_back(std::move(*found));
      return true;
    }
    return false;
  }

  static constexpr std::size_t NoneKnown = static_cast<std::size_t>(-1);

  const problem& m_p;
  const search_control& m_control;
  const combined_effort& m_effort;
  std::vector<schedule_cost> m_known;
  std::vector<symmetry_group> m_groups;
  std::vector<step_schedule> m_found;
};

search_result run_combined(const problem& p, const search_control& control) {
  const std::vector<step_schedule> found = combined_schedules(p, {}, control);
  if (found.empty()) return {};
  return {found.front(), 0, {}};
}

}  // namespace

std::string unfit_for_combined(const problem& p) {
  if (!p.combining) return "combines messages";
  const std::vector<node_id> nodes = participants_of(p.asked);
  if (nodes.size() > MostNodes) return fmt::format("is for at most {} senders and receivers", MostNodes);
  for (const node_id n : nodes) {
    if (p.network.ports_in(n) != 1) return "is for nodes of one port";
  }
  return "";
}

std::optional<step_schedule> find_combined(const problem& p, const schedule_cost& most, const symmetry_group& group,
                                           const search_control& control, std::size_t conflicts) {
  if (most.occupancy < most.start_ups) return std::nullopt;
  combined_model model(p, most, group, control.seed);
  if (model.solve(control, conflicts) != solver::answer::Satisfiable) return std::nullopt;
  return model.schedule();
}

std::vector<step_schedule> combined_schedules(const problem& p, const std::vector<schedule_cost>& known,
                                              const search_control& control, const combined_effort& effort) {
  return combined_search(p, known, control, effort).run();
}

const method& combining_sat() {
  static const method Method{"combined_sat", "combining schedules of small networks with one port, by CaDiCaL",
                             method::kind::Search, unfit_for_combined, run_combined};
  return Method;
}

}  // namespace weft::schedule
