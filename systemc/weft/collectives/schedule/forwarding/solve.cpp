// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/solve.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/send_bound.h"
#include "weft/collectives/schedule/forwarding/spreading.h"
#include "weft/core/quantity.h"

namespace weft::schedule {
namespace {

using answer_status = forwarding_result::status;

/// Returns the owner of a sum, the node at which it is added up first.
node_id owner_of(const forwarding_problem& p, std::size_t chunk) {
  const std::vector<node_id>& receivers = p.list[chunk].receivers;
  return receivers[chunk / p.chunks % receivers.size()];
}

/// Returns the distribution on the reversed graph that corresponds to adding up the sums of \p p at their owners.
forwarding_problem spread_backwards(const forwarding_problem& p) {
  forwarding_problem dual{reversed(p.graph), forwarding_collective::Custom, p.chunks, {}};
  for (std::size_t c = 0; c < p.list.size(); ++c) dual.list.push_back({{owner_of(p, c)}, p.list[c].holders, false});
  return dual;
}

/// Returns the distribution that follows; it has no chunks if the owners are the only receivers.
forwarding_problem spread_after(const forwarding_problem& p) {
  forwarding_problem rest{p.graph, forwarding_collective::Custom, p.chunks, {}};
  for (std::size_t c = 0; c < p.list.size(); ++c) rest.list.push_back({{owner_of(p, c)}, p.list[c].receivers, false});
  return rest;
}

bool is_spread(const forwarding_problem& p) {
  return std::any_of(p.list.begin(), p.list.end(),
                     [](const forwarding_chunk& chunk) { return chunk.summed && chunk.receivers.size() > 1; });
}

/// Whether the summand of each owner must reach all receivers. In this case, a bound of the final distribution is a
/// bound of the whole.
bool owners_hold(const forwarding_problem& p) {
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    if (!has_node(p.list[c].holders, owner_of(p, c))) return false;
  }
  return true;
}

/// Bound of a problem without sums.
forwarding_bound bound_of_spreading(const forwarding_problem& p, const search_control& control) {
  forwarding_bound best = round_bounds(p, control).front();
  if (!is_unicast(p)) {
    forwarding_bound sends = send_bound(p, control);
    return sends.rounds > best.rounds ? sends : best;
  }
  const divided_flow flow = unless_over([&] {
    const auto symmetries = symmetries_of(p, control);
    return divided_flow_bound(p, symmetries.empty() ? no_symmetry(p) : symmetries.front(), control);
  });
  return flow.bound.rounds > best.rounds ? flow.bound : best;
}

/// Solves sums in two phases: first they are added up at their owners, then they are distributed. The two problems
/// share the limits of steps and rounds.
class two_phases {
 public:
  two_phases(const forwarding_problem& p, const forwarding_question& q, const search_control& control)
      : m_question(q), m_control(control), m_sums(spread_backwards(p)), m_spread(spread_after(p)) {
    m_result.bound = least_rounds(p, control);  // refutations cover only adding up and distributing in sequence
  }

  forwarding_result run() {
    if (m_question.rounds && *m_question.rounds < m_result.bound.rounds) {
      m_result.answer = answer_status::Infeasible;
      return std::move(m_result);
    }
    try_division({}, {}, m_question.steps ? 2 : 1);
    if (m_question.steps) try_divisions_of_steps();
    return std::move(m_result);
  }

 private:
  /// Whether the search can end. It can if no division has fewer rounds than the result, or if the result has as few
  /// rounds as requested.
  bool reached() const {
    if (m_result.answer != answer_status::Found) return false;
    return m_result.found.rounds() <= std::max(m_least, m_question.rounds.value_or(0));
  }

  /// Tries the most equal divisions first, because the two problems are alike in most networks.
  void try_divisions_of_steps() {
    const std::size_t steps = *m_question.steps;
    const std::size_t least_up = least_steps(m_sums).rounds, least_down = least_steps(m_spread).rounds;
    if (least_up + least_down > steps) {
      m_result.tried.push_back({"add up, then spread", fmt::format("takes {} steps at least", least_up + least_down)});
      return;
    }
    std::vector<std::size_t> up(steps - least_up - least_down + 1);
    std::iota(up.begin(), up.end(), least_up);
    const auto difference = [steps](std::size_t n) { return std::max(2 * n, steps) - std::min(2 * n, steps); };
    std::stable_sort(up.begin(), up.end(), [&](std::size_t a, std::size_t b) { return difference(a) < difference(b); });
    for (std::size_t i = 0; i < up.size() && !reached() && !m_control.over(); ++i)
      try_division(up[i], steps - up[i], up.size() - i);
  }

  /// \param left number of divisions that share the remaining time, including this one
  void try_division(std::optional<std::size_t> up, std::optional<std::size_t> down, std::size_t left) {
    const auto now = std::chrono::steady_clock::now();
    search_control whole = m_control;
    if (whole.deadline != std::chrono::steady_clock::time_point::max())
      whole.deadline = now + (whole.deadline - now) / static_cast<std::chrono::steady_clock::rep>(left);
    search_control half = whole;
    if (half.deadline != std::chrono::steady_clock::time_point::max()) half.deadline = now + (half.deadline - now) / 2;
    forwarding_result sums = solved(m_sums, up, half), spread = solved(m_spread, down, whole);
    add_trials(up ? fmt::format("add up in {}: ", number_of(*up, "step")) : "add up: ", sums);
    add_trials(down ? fmt::format("spread in {}: ", number_of(*down, "step")) : "spread: ", spread);
    if (!up) m_least = sums.bound.rounds + spread.bound.rounds;
    if (sums.answer == answer_status::Found && spread.answer == answer_status::Found)
      keep(std::move(sums), std::move(spread));
  }

  forwarding_result solved(const forwarding_problem& phase, std::optional<std::size_t> steps,
                           const search_control& control) const {
    forwarding_question q = m_question;
    q.steps = steps;
    q.rounds.reset();
    return solve_spreading(phase, q, control);
  }

  void keep(forwarding_result sums, forwarding_result spread) {
    const std::size_t rounds = sums.found.rounds() + spread.found.rounds();
    const std::size_t steps = sums.found.steps.size() + spread.found.steps.size();
    m_result.tried.push_back(
        {"add up, then spread", fmt::format("{} in {}", number_of(rounds, "round"), number_of(steps, "step"))});
    if (m_question.steps && steps > *m_question.steps) return;
    if (m_question.rounds && rounds > *m_question.rounds) return;
    if (m_result.answer == answer_status::Found && rounds >= m_result.found.rounds()) return;
    m_result.answer = answer_status::Found;
    m_result.method = fmt::format("{}, inverted; then {}", sums.method, spread.method);
    m_result.optimal_among = rounds <= m_least ? "that add up each sum at one node, then spread it" : "";
    m_result.found = inverted(sums.found);
    for (forwarding_step& step : spread.found.steps) m_result.found.steps.push_back(std::move(step));
  }

  void add_trials(const std::string& phase, const forwarding_result& of) {
    for (const forwarding_trial& trial : of.tried) m_result.tried.push_back({phase + trial.by, trial.outcome});
  }

  const forwarding_question& m_question;
  const search_control& m_control;
  const forwarding_problem m_sums, m_spread;
  std::size_t m_least = 0;  ///< lower bound of the rounds of both phases, for any number of steps
  forwarding_result m_result;
};

forwarding_result solve_sums(const forwarding_problem& p, const forwarding_question& q, const search_control& control) {
  if (is_spread(p)) return two_phases(p, q, control).run();
  const forwarding_problem dual = spread_backwards(p);
  forwarding_result result = solve_spreading(dual, q, control);
  result.found = inverted(result.found);
  if (!result.method.empty()) result.method += ", inverted";
  return result;
}

}  // namespace

forwarding_result solve_forwarding(const forwarding_problem& p, const forwarding_question& q,
                                   const search_control& control) {
  const auto sums =
      std::count_if(p.list.begin(), p.list.end(), [](const forwarding_chunk& chunk) { return chunk.summed; });
  if (sums != 0 && static_cast<std::size_t>(sums) != p.list.size()) {
    throw std::invalid_argument("some chunks are sums and some are not; solve each kind separately");
  }
  forwarding_result result = sums == 0 ? solve_spreading(p, q, control) : solve_sums(p, q, control);
  if (result.answer != answer_status::Found) return result;
  const auto violations = check_forwarding(p, result.found);
  if (!violations.empty()) throw std::logic_error(fmt::format("{}: {}", result.method, violations.front().text));
  return result;
}

forwarding_bound least_rounds(const forwarding_problem& p, const search_control& control) {
  if (std::none_of(p.list.begin(), p.list.end(), [](const forwarding_chunk& chunk) { return chunk.summed; })) {
    return bound_of_spreading(p, control);
  }
  forwarding_bound best = bound_of_spreading(spread_backwards(p), control);
  if (!is_spread(p)) return best;
  if (owners_hold(p)) {
    forwarding_bound after = bound_of_spreading(spread_after(p), control);
    if (after.rounds > best.rounds) best = std::move(after);
  }
  forwarding_bound sends = send_bound(p, control);
  return sends.rounds > best.rounds ? sends : best;
}

}  // namespace weft::schedule
