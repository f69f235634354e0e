// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/spreading.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/matching.h"
#include "weft/collectives/schedule/forwarding/portfolio.h"
#include "weft/collectives/schedule/forwarding/routes.h"
#include "weft/collectives/schedule/forwarding/send_bound.h"
#include "weft/collectives/schedule/forwarding/trees.h"
#include "weft/core/quantity.h"

namespace weft::schedule {
namespace {

using answer_status = forwarding_result::status;

/// Solves one problem without sums.
class spreading {
 public:
  spreading(const forwarding_problem& p, const forwarding_question& q, const search_control& control)
      : m_problem(p), m_question(q), m_control(control.reporting([this] { return state(); })) {}

  /// Runs only the methods that take milliseconds, until a result has at most \p enough rounds.
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
    if (!reached() && m_question.conflicts > 0) run_solver();
    return finished();
  }

 private:
  static constexpr std::size_t WorkOfAll = 200'000'000;  // total work of all attempts of matching
  static constexpr const char* NoTime = "no answer in the time";

  /// The best algorithm so far, for progress messages.
  std::string state() const { return m_best ? number_of(m_best->rounds(), "round") : "nothing yet"; }

  /// Whether fewer rounds are requested than the bound allows.
  bool too_few() const { return m_question.rounds && *m_question.rounds < m_result.bound.rounds; }

  std::size_t rounds_found() const { return m_best ? m_best->rounds() : static_cast<std::size_t>(-1); }

  /// Whether the algorithm found satisfies the request.
  bool reached() const { return m_best && rounds_found() <= m_question.rounds.value_or(m_result.bound.rounds); }

  /// Records the latest outcome of a method.
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
    if (m_control.on_progress) m_control.on_progress(method);
  }

  /// Without a solver: takes milliseconds. For many chunks, trees take less time.
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

  /// Computed on first use: for large networks this takes longer than greedy matching.
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

  /// Work of one attempt.
  std::size_t work_of_matching() const {
    return m_problem.list.size() * m_problem.graph.links.size() * (1 + m_result.bound.rounds);
  }

  void try_matching() {
    constexpr std::size_t Tries = 100;
    constexpr const char* Name = "greedy matching over time";
    const std::size_t tries =
        std::clamp<std::size_t>(WorkOfAll / std::max<std::size_t>(work_of_matching(), 1), 2, Tries);
    if (m_control.on_progress) m_control.on_progress(Name);
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

  /// Runs the solver for each number of rounds from the bound on until it finds an algorithm. Each number of rounds
  /// that is impossible raises the bound.
  void run_solver() {
    std::size_t rounds = m_question.rounds ? *m_question.rounds : m_result.bound.rounds;
    for (bool proved = true; rounds < rounds_found() && !m_control.over(); ++rounds) {
      const std::size_t steps = std::min(m_question.steps.value_or(rounds), rounds);
      portfolio_answer answer =
          solve_portfolio(m_problem, symmetries(), steps, rounds, m_question.conflicts, m_control);
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
      if (m_question.rounds || too_large) return;  // with more rounds, the model is even larger
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

}  // namespace

forwarding_result solve_spreading(const forwarding_problem& p, const forwarding_question& q,
                                  const search_control& control) {
  return spreading(p, q, control).run();
}

std::optional<forwarding_algorithm> construct_forwarding(const forwarding_problem& p, std::size_t enough,
                                                         const search_control& control) {
  const forwarding_question any;
  return spreading(p, any, control).run_quickly(enough);
}

}  // namespace weft::schedule
