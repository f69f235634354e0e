// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/sat.h"

#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/schedule/exact/placement_repair.h"
#include "weft/collectives/schedule/exact/placement_sat.h"
#include "weft/collectives/schedule/exact/step_range.h"

namespace weft::schedule {
namespace {

constexpr std::uint32_t ShortDetour = 2;

std::vector<std::size_t> all_items(const placement& p) {
  std::vector<std::size_t> items(p.items().size());
  std::iota(items.begin(), items.end(), std::size_t{0});
  return items;
}

/// A placement with a number of steps, and its solver state.
struct sat_question {
  sat_question(const placement& p, std::size_t steps, const solver_options& options)
      : s(options), clauses(s, p, all_items(p), steps) {}
  solver s;
  placement_clauses clauses;
};

class sat_search {
 public:
  sat_search(const problem& p, const search_control& control)
      : m_problem(p), m_control(control), m_group(trivial_group(p.network)) {
    m_placements.emplace_back(p, m_group, path_limit{0}, control);
    if (p.paths == path_rule::Minimal) return;
    m_placements.emplace_back(p, m_group, path_limit{ShortDetour}, control);
    m_placements.emplace_back(p, m_group, path_limit{path_limit::AnyLength}, control);
  }

  search_result run() {
    unless_over([this] { search(); });
    return std::move(m_result);
  }

 private:
  void search() {
    constexpr std::size_t FirstConflicts = 10'000, MoreConflicts = 4;
    m_range = first_range(m_placements.back(), m_control);
    find_at_bound();
    const std::size_t one_by_one = demands_of(m_problem.requested).size();  // enough steps whenever all paths exist
    for (std::size_t conflicts = FirstConflicts; !m_range.closed() && !m_control.over(); conflicts *= MoreConflicts) {
      if (m_range.low > one_by_one) break;
      for (const std::size_t steps : m_range.candidates(m_placements.back())) {
        if (m_control.over() || solve(steps, conflicts)) break;
      }
    }
    if (m_control.proof && m_result.refuted_below > 0) write_proof();
  }

  /// Tries to find a schedule at the bound. If ports or channels are busy in every step, tabu search and repair are
  /// faster than the solver.
  void find_at_bound() {
    if (m_range.closed()) return;
    const auto found = find_placement(m_placements.front(), m_range.low, 1, m_control.seed, m_control);
    if (found) keep(m_placements.front(), *found, m_range.low);
  }

  void keep(const placement& p, const std::vector<placed>& all, std::size_t steps) {
    m_result.found = p.schedule(all, steps);
    m_range.high = steps;
    m_questions.erase(m_questions.lower_bound({steps, 0}), m_questions.end());
  }

  /// Whether there is a schedule with \p steps steps.
  bool solve(std::size_t steps, std::size_t conflicts) {
    for (std::size_t i = 0; i < m_placements.size(); ++i) {
      if (steps < m_low[i]) continue;
      std::unique_ptr<sat_question>& question = m_questions[{steps, i}];
      if (!question) question = make_question(m_placements[i], steps, nullptr);
      if (m_control.on_progress) {
        m_control.on_progress(fmt::format("sat: {} steps, {} variables, {} clauses", steps, question->s.variables(),
                                          question->s.clauses()));
      }
      const solver::answer answer = question->s.solve(m_control, conflicts);
      if (answer == solver::answer::Satisfiable) {
        keep(m_placements[i], question->clauses.solution(), steps);
        return true;
      }
      if (answer == solver::answer::Unsatisfiable) refuted(i, steps);
    }
    return false;
  }

  std::unique_ptr<sat_question> make_question(const placement& p, std::size_t steps, proof_sink* proof) const {
    return std::make_unique<sat_question>(p, steps, solver_options{m_control.seed, proof, &m_control});
  }

  void refuted(std::size_t i, std::size_t steps) {
    m_low[i] = steps + 1;
    for (auto it = m_questions.begin(); it != m_questions.end();) {
      it = it->first.second == i && it->first.first <= steps ? m_questions.erase(it) : std::next(it);
    }
    if (i + 1 < m_placements.size()) return;  // only within limits that the problem does not have
    m_range.low = m_result.refuted_below = steps + 1;
    m_result.refuted =
        fmt::format("by CaDiCaL, {}, {}",
                    m_problem.requested.what == operation::Scatter ? "straight from origin to destination"
                                                                   : "passed on by any node",
                    m_problem.paths == path_rule::Minimal ? "on shortest paths" : "on any paths");
  }

  void write_proof() {
    make_question(m_placements.back(), m_result.refuted_below - 1, m_control.proof)->s.solve(m_control);
  }

  const problem& m_problem;
  const search_control& m_control;
  const symmetry_group m_group;
  std::vector<placement> m_placements;  // the last placement has no limits except those of the problem
  std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<sat_question>> m_questions;  // by steps and placement
  std::map<std::size_t, std::size_t> m_low;  // for each placement: fewer steps are impossible
  step_range m_range;
  search_result m_result;
};

std::string sat_unfit(const problem& p) {
  constexpr std::size_t Most = 500'000;
  if (p.combining) return "it places messages one by one: it does not combine them";
  const std::size_t size = demands_of(p.requested).size() * p.network.channels().size();
  if (size <= Most) return "";
  return fmt::format("{} messages on {} channels need too many clauses", demands_of(p.requested).size(),
                     p.network.channels().size());
}

}  // namespace

const method& sat() {
  static const method it{"sat", "CaDiCaL finds a schedule, or proves that no schedule has fewer steps",
                         method::kind::Exact, sat_unfit,
                         [](const problem& p, const search_control& control) { return sat_search(p, control).run(); }};
  return it;
}

}  // namespace weft::schedule
