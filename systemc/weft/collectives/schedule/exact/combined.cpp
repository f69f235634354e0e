// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/combined.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/bounds/bounds.h"
#include "weft/collectives/schedule/combined_bounds.h"
#include "weft/collectives/schedule/exact/combined_model.h"
#include "weft/collectives/schedule/exact/first_success.h"

namespace weft::schedule {
namespace {

/// The maximum number of participants. The number of messages determines the number of clauses.
constexpr std::size_t MostNodes = 20;
constexpr std::size_t ConflictsOfFirstPass = 8'000;
constexpr std::size_t NoLimit = std::numeric_limits<std::size_t>::max();

/// Removes useless transfers: keeps only the first arrival of each message at a node and, of these arrivals, only those
/// on the path to a receiver.
step_schedule without_waste(const problem& p, step_schedule s) {
  std::set<std::pair<node_id, message>> held, needed;
  for (const demand& d : demands_of(p.requested)) {
    held.emplace(d.what.origin, d.what);
    needed.emplace(d.receiver, d.what);
  }
  const auto keep_if = [](transfer& t, const auto& is_needed) {
    const auto end =
        std::remove_if(t.payload.begin(), t.payload.end(), [&](const message& m) { return !is_needed(m); });
    t.payload.erase(end, t.payload.end());
  };
  for (step& now : s.steps) {
    for (transfer& t : now) keep_if(t, [&](const message& m) { return held.emplace(t.to, m).second; });
  }
  for (auto now = s.steps.rbegin(); now != s.steps.rend(); ++now) {
    for (transfer& t : *now) {
      keep_if(t, [&](const message& m) { return needed.erase({t.to, m}) > 0; });
      for (const message& m : t.payload) needed.emplace(t.from, m);
    }
    now->erase(std::remove_if(now->begin(), now->end(), [](const transfer& t) { return t.payload.empty(); }),
               now->end());
  }
  s.steps.erase(std::remove_if(s.steps.begin(), s.steps.end(), [](const step& now) { return now.empty(); }),
                s.steps.end());
  return s;
}

}  // namespace

std::string unfit_for_combined(const problem& p) {
  if (!p.combining) return "combining is off";
  const std::vector<node_id> nodes = participants_of(p.requested);
  if (nodes.size() > MostNodes) return fmt::format("it is for at most {} senders and receivers", MostNodes);
  for (const node_id n : nodes) {
    if (p.network.ports_in(n) != 1) return "it is for nodes of one port";
  }
  return "";
}

combined_answer find_combined(const problem& p, const schedule_cost& most, const symmetry_group& group,
                              const search_control& control, std::size_t conflicts) {
  if (most.occupancy < most.start_ups) return {std::nullopt, true};
  combined_model model(p, most, group, control);
  const solver::answer answer = model.solve(conflicts);
  if (answer != solver::answer::Satisfiable) return {std::nullopt, answer == solver::answer::Unsatisfiable};
  return {without_waste(p, model.schedule()), false};
}

combined_search::combined_search(const problem& p, std::vector<schedule_cost> known, const search_control& control,
                                 const combined_effort& effort)
    : m_p(p),
      m_word{p.network, {operation::Broadcast, p.requested.senders, p.requested.receivers}, p.paths, true},
      m_control(control),
      m_effort(effort),
      m_known(std::move(known)),
      m_groups(unless_over([&] {
        return free_groups(p.network, p.requested, effort.largest_group, effort.groups, control.seed, control);
      })),
      m_least(best_of(find_bounds(p).occupancy).steps),
      m_conflicts(std::clamp<std::size_t>(effort.conflicts, 1, ConflictsOfFirstPass)) {}

void combined_search::pass(const keeper& keep) {
  m_is_settled = true;
  const std::size_t least = least_start_ups(m_p);
  for (std::size_t r = least; r <= least + m_effort.more_start_ups; ++r) {
    if (m_control.over() || !improve(r, keep)) break;
  }
  m_conflicts *= 2;
  m_width *= 2;
  m_failures = std::min(m_failures + 1, m_effort.failures);
}

bool combined_search::is_done() const {
  const bool is_timed = m_control.deadline != std::chrono::steady_clock::time_point::max();
  return m_is_settled || (!is_timed && m_conflicts > m_effort.conflicts);
}

/// Reduces the occupancy for \p r steps. Returns false if no lower occupancy is possible for any number of steps.
bool combined_search::improve(std::size_t r, const keeper& keep) {
  std::size_t below = NoLimit;
  for (const schedule_cost& c : m_known) below = c.start_ups <= r ? std::min(below, c.occupancy) : below;
  if (below <= m_least) return false;
  // If all steps have the same size, the occupancy is a multiple of R.
  const std::size_t unit = has_equal_steps(m_p) ? r : 1;
  const std::size_t least = std::max({least_occupancy(m_p, r), m_least, r}), out = refuted(r);
  if (out == NoLimit) return true;
  std::size_t low = std::max((least + unit - 1) / unit, out / unit + 1);
  std::size_t high = below == NoLimit ? 4 * low : (below - 1) / unit;
  m_is_settled &= low > high;
  std::size_t occupancy = low;
  for (std::size_t failures = 0; low <= high && failures < m_failures && !m_control.over();) {
    if (const auto found = search_for({r, occupancy * unit})) {
      high = std::min(occupancy, found->occupancy() / unit) - 1;
      m_known.push_back(cost_of(*found));
      keep(*found);
    } else {
      low = occupancy + 1;
      ++failures;
    }
    occupancy = (low + high) / 2;
  }
  return true;
}

std::optional<step_schedule> combined_search::search_for(const schedule_cost& most) {
  m_states[most.start_ups].resize(m_groups.size());
  auto found =
      first_success(std::min(m_width, m_groups.size()), m_control,
                    [&](std::size_t group, const search_control& control) { return solve(most, group, control); });
  if (found && m_control.on_progress)
    m_control.on_progress(fmt::format("combined: {}/{}", found->start_ups(), found->occupancy()));
  return found;
}

std::optional<step_schedule> combined_search::solve(const schedule_cost& most, std::size_t group,
                                                    const search_control& control) {
  group_state& state = m_states.at(most.start_ups)[group];
  if (state.refuted >= most.occupancy || !may_reach(most.start_ups, group, control)) return std::nullopt;
  combined_answer answer = find_combined(m_p, most, m_groups[group], control, m_conflicts);
  if (answer.refuted) state.refuted = most.occupancy;
  return std::move(answer.found);
}

/// Returns false if the scatter is impossible. To this end, it checks whether a broadcast among the same nodes, with
/// steps of any size, is impossible. This check is fast, and the scatter is impossible if the broadcast is.
bool combined_search::may_reach(std::size_t r, std::size_t group, const search_control& control) {
  group_state& state = m_states.at(r)[group];
  if (m_p.requested.what == operation::Broadcast || state.may_reach) return true;
  const std::size_t any_size = (std::size_t{1} << std::min<std::size_t>(r, 20)) + r;
  const combined_answer answer = find_combined(m_word, {r, any_size}, m_groups[group], control, m_conflicts);
  state.may_reach = answer.found.has_value();
  if (answer.refuted) state.refuted = NoLimit;
  return !answer.refuted;
}

/// Returns the highest occupancy that is impossible for all groups.
std::size_t combined_search::refuted(std::size_t r) {
  std::vector<group_state>& states = m_states[r];
  states.resize(m_groups.size());
  std::size_t least = NoLimit;
  for (const group_state& state : states) least = std::min(least, state.refuted);
  return least;
}

}  // namespace weft::schedule
