// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/forwarding/solve.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/core/quantity.h"
#include "weft/schedule/forwarding/matching.h"
#include "weft/schedule/forwarding/portfolio.h"
#include "weft/schedule/forwarding/routes.h"
#include "weft/schedule/forwarding/send_bound.h"
#include "weft/schedule/forwarding/trees.h"

namespace weft::schedule {
namespace {

using answer_status = forwarding_result::status;

/// One problem without sums.
class spreading {
 public:
  spreading(const forwarding_problem& p, const forwarding_question& q, const search_control& control)
      : m_problem(p), m_question(q), m_control(control.reporting([this] { return state(); })) {}

  /// Only what takes milliseconds, until \p enough rounds are reached.
  std::optional<forwarding_algorithm> run_quickly(std::size_t enough) {
    m_result.bound.rounds = enough;
    construct();
    return std::move(m_best);
  }

  forwarding_result run() {
    m_result.bound = round_bounds(m_problem, m_control).front();
    if (m_question.steps) {
      const forwarding_bound least = least_steps(m_problem);
      if (least.rounds > *m_question.steps) {
        m_result.answer = answer_status::Infeasible;
        m_result.bound.reason = fmt::format("{}, S is at most {}", least.reason, *m_question.steps);
        return std::move(m_result);
      }
    }
    if (!too_few()) construct();
    if (rounds_found() > m_result.bound.rounds) better_bound();
    if (too_few()) return refuted();
    if (!reached() && m_question.conflicts > 0) ask_solver();
    return finished();
  }

 private:
  static constexpr std::size_t WorkOfAll = 200'000'000;  // of all tries of matching
  static constexpr const char* NoTime = "no answer in the time";

  /// The best algorithm so far, for lines of progress.
  std::string state() const { return m_best ? number_of(m_best->rounds(), "round") : "nothing yet"; }

  /// Whether fewer rounds are asked for than the bound allows.
  bool too_few() const { return m_question.rounds && *m_question.rounds < m_result.bound.rounds; }

  std::size_t rounds_found() const { return m_best ? m_best->rounds() : static_cast<std::size_t>(-1); }

  /// Whether what was found is all that is asked for.
  bool reached() const { return m_best && rounds_found() <= m_question.rounds.value_or(m_result.bound.rounds); }

  /// The last outcome of a method stands.
  void note(const std::string& by, const std::string& outcome) {
    const auto known = std::find_if(m_result.tried.begin(), m_result.tried.end(),
                                    [&](const forwarding_trial& trial) { return trial.by == by; });
    if (known == m_result.tried.end()) {
      m_result.tried.push_back({by, outcome});
    } else {
      known->outcome = outcome;
    }
  }

  void keep(forwarding_algorithm a, const std::string& method) {
    std::size_t& best = m_best_of.emplace(method, static_cast<std::size_t>(-1)).first->second;
    if (a.rounds() < best)
      note(method, fmt::format("{} in {}", number_of(a.rounds(), "round"), number_of(a.steps.size(), "step")));
    best = std::min(best, a.rounds());
    if (m_question.steps && a.steps.size() > *m_question.steps) return;
    if (a.rounds() >= rounds_found()) return;
    m_best = std::move(a);
    m_result.method = method;
    if (m_control.tell) m_control.tell(method);
  }

  /// Without a solver: milliseconds. Of many chunks trees take less time.
  void construct() {
    if (is_unicast(m_problem)) {
      try_routes();
    } else if (work_of_matching() > WorkOfAll) {
      try_trees();
      try_matching();
    } else {
      try_matching();
      try_trees();
    }
  }

  /// Found when they are needed first: of large networks that takes longer than greedy matching.
  const std::vector<chunk_symmetry>& symmetries() {
    if (!m_symmetries) m_symmetries = unless_over([&] { return symmetries_of(m_problem, m_control); });
    return *m_symmetries;
  }

  void try_routes() {
    constexpr std::size_t Tries = 4, Passes = 6;
    std::vector<chunk_symmetry> groups = symmetries();
    groups.push_back(no_symmetry(m_problem));
    constexpr const char* Name = "balanced routes";
    for (const chunk_symmetry& symmetry : groups) {
      for (std::size_t i = 0; i < Tries && !reached() && !m_control.over(); ++i) {
        auto found = unless_over([&]() -> std::optional<forwarding_algorithm> {
          const auto routes = balanced_routes(m_problem, symmetry, m_control.seed + i, Passes, m_control);
          if (load_of(m_problem, routes) >= rounds_found()) return std::nullopt;
          return in_time(m_problem, routes, m_control.seed + i, m_control);
        });
        if (found) {
          keep(std::move(*found),
               fmt::format("{}, symmetry of order {}, farthest to go first", Name, symmetry.order()));
        }
      }
    }
    if (m_control.over() && !m_best) note(Name, NoTime);
  }

  /// Of one try.
  std::size_t work_of_matching() const {
    return m_problem.list.size() * m_problem.graph.links.size() * (1 + m_result.bound.rounds);
  }

  void try_matching() {
    constexpr std::size_t Tries = 100;
    constexpr const char* Name = "greedy matching over time";
    const std::size_t tries =
        std::clamp<std::size_t>(WorkOfAll / std::max<std::size_t>(work_of_matching(), 1), 2, Tries);
    if (m_control.tell) m_control.tell(Name);
    for (std::size_t i = 0; i < tries && !reached() && !m_control.over(); ++i) {
      auto found =
          unless_over([&] { return match_over_time(m_problem, m_control.seed + i, rounds_found() - 1, m_control); });
      if (found) keep(std::move(*found), Name);
    }
    if (m_control.over() && m_best_of.count(Name) == 0) note(Name, NoTime);
  }

  void try_trees() {
    if (reached() || !trees_unfit(m_problem).empty()) return;
    constexpr const char* Name = "packed spanning trees";
    auto found = unless_over([&]() -> std::optional<forwarding_algorithm> {
      const std::size_t rounds = tree_throughput(m_problem, m_control).rounded_up();
      return in_time(m_problem, packed_trees(m_problem, rounds, m_control), m_control.seed, m_control);
    });
    if (found) {
      keep(std::move(*found), Name);
    } else {
      note(Name, NoTime);
    }
  }

  void better_bound() {
    if (!is_unicast(m_problem)) {
      if (forwarding_bound sends = send_bound(m_problem, m_control); sends.rounds > m_result.bound.rounds)
        m_result.bound = std::move(sends);
      return;
    }
    const divided_flow flow = unless_over([&] {
      return divided_flow_bound(m_problem, symmetries().empty() ? no_symmetry(m_problem) : symmetries().front(),
                                m_control);
    });
    if (flow.bound.rounds > m_result.bound.rounds) m_result.bound = flow.bound;
  }

  forwarding_result refuted() {
    m_result.answer = answer_status::Infeasible;
    return std::move(m_result);
  }

  std::string outcome_of(const portfolio_answer& answer) const {
    if (answer.status == solver::answer::Unsatisfiable) return "refuted";
    if (m_control.over()) return NoTime;
    std::string too_large = fmt::format("too large for CaDiCaL: more than {} clauses", MostClauses);
    if (answer.too_large == answer.forms) return too_large;
    std::string none = fmt::format("no answer in {} conflicts", m_question.conflicts);
    if (answer.too_large == 0) return none;
    return fmt::format("{}; {} of {} forms of it are {}", none, answer.too_large, answer.forms, too_large);
  }

  /// From the bound on, until found: each number of rounds that is refuted raises the bound.
  void ask_solver() {
    std::size_t rounds = m_question.rounds ? *m_question.rounds : m_result.bound.rounds;
    for (bool proved = true; rounds < rounds_found() && !m_control.over(); ++rounds) {
      const std::size_t steps = std::min(m_question.steps.value_or(rounds), rounds);
      portfolio_answer answer = ask_portfolio(m_problem, symmetries(), steps, rounds, m_question.conflicts, m_control);
      if (answer.status != solver::answer::Satisfiable) {
        note(fmt::format("CaDiCaL, {}, {}", number_of(steps, "step"), number_of(rounds, "round")), outcome_of(answer));
      }
      if (answer.status == solver::answer::Satisfiable) return keep(std::move(answer.found), answer.method);
      proved = proved && answer.status == solver::answer::Unsatisfiable;
      if (proved) {
        m_result.bound = {rounds + 1, fmt::format("no algorithm of {} and {}, however divided: refuted by CaDiCaL",
                                                  number_of(steps, "step"), number_of(rounds, "round"))};
        m_result.refuted = true;
      }
      const bool too_large = answer.forms > 0 && answer.too_large == answer.forms;
      if (m_question.rounds || too_large) return;  // with more rounds it is larger
    }
  }

  forwarding_result finished() {
    if (m_best && (!m_question.rounds || rounds_found() <= *m_question.rounds)) {
      m_result.answer = answer_status::Found;
      m_result.found = std::move(*m_best);
    } else if (too_few()) {
      m_result.answer = answer_status::Infeasible;
    }
    return std::move(m_result);
  }

  const forwarding_problem& m_problem;
  const forwarding_question& m_question;
  const search_control m_control;
  std::optional<std::vector<chunk_symmetry>> m_symmetries;
  std::optional<forwarding_algorithm> m_best;
  std::map<std::string, std::size_t> m_best_of;  // rounds, by method
  forwarding_result m_result;
};

/// Where each sum is added up first.
node_id owner_of(const forwarding_problem& p, std::size_t chunk) {
  const std::vector<node_id>& receivers = p.list[chunk].receivers;
  return receivers[chunk / p.chunks % receivers.size()];
}

/// What spreads on the reversed graph as the sums of \p p come together at their owners.
forwarding_problem spread_backwards(const forwarding_problem& p) {
  forwarding_problem dual{reversed(p.graph), forwarding_collective::Custom, p.chunks, {}};
  for (std::size_t c = 0; c < p.list.size(); ++c) dual.list.push_back({{owner_of(p, c)}, p.list[c].holders, false});
  return dual;
}

/// What spreads afterwards; no chunks where the owners are the only receivers.
forwarding_problem spread_after(const forwarding_problem& p) {
  forwarding_problem rest{p.graph, forwarding_collective::Custom, p.chunks, {}};
  for (std::size_t c = 0; c < p.list.size(); ++c) rest.list.push_back({{owner_of(p, c)}, p.list[c].receivers, false});
  return rest;
}

bool is_spread(const forwarding_problem& p) {
  return std::any_of(p.list.begin(), p.list.end(),
                     [](const forwarding_chunk& chunk) { return chunk.summed && chunk.receivers.size() > 1; });
}

/// Whether the part that each owner holds must reach all receivers, so that what spreads afterwards bounds the whole.
bool owners_hold(const forwarding_problem& p) {
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    if (!has_node(p.list[c].holders, owner_of(p, c))) return false;
  }
  return true;
}

/// Of a problem without sums.
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

/// Sums that are first added up at their owners, then spread: two problems with common limits of steps and rounds.
class two_phases {
 public:
  two_phases(const forwarding_problem& p, const forwarding_question& q, const search_control& control)
      : m_question(q), m_control(control), m_sums(spread_backwards(p)), m_spread(spread_after(p)) {
    m_result.bound = least_rounds(p, control);  // refuted is only what adds up and spreads one after the other
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
  /// Whether no other division has fewer rounds than what was found, or as few as are requested.
  bool reached() const {
    if (m_result.answer != answer_status::Found) return false;
    return m_result.found.rounds() <= std::max(m_least, m_question.rounds.value_or(0));
  }

  /// The most equal divisions first: the two problems are alike in most networks.
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

  /// \p left: divisions that are to share the time, this one included.
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
    return spreading(phase, q, control).run();
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
  std::size_t m_least = 0;  ///< rounds of both phases, whatever their steps
  forwarding_result m_result;
};

forwarding_result solve_sums(const forwarding_problem& p, const forwarding_question& q, const search_control& control) {
  if (is_spread(p)) return two_phases(p, q, control).run();
  const forwarding_problem dual = spread_backwards(p);
  forwarding_result result = spreading(dual, q, control).run();
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
    throw std::invalid_argument("some chunks are sums and some are not: ask for each kind alone");
  }
  forwarding_result result = sums == 0 ? spreading(p, q, control).run() : solve_sums(p, q, control);
  if (result.answer != answer_status::Found) return result;
  const auto faults = check_forwarding(p, result.found);
  if (!faults.empty()) throw std::logic_error(fmt::format("{}: {}", result.method, faults.front().text));
  return result;
}

std::optional<forwarding_algorithm> construct_forwarding(const forwarding_problem& p, std::size_t enough,
                                                         const search_control& control) {
  const forwarding_question any;
  return spreading(p, any, control).run_quickly(enough);
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
