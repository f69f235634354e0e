// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/forwarding/solve.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/schedule/forwarding/matching.h"
#include "weft/schedule/forwarding/portfolio.h"
#include "weft/schedule/forwarding/routes.h"
#include "weft/schedule/forwarding/trees.h"

namespace weft::schedule {
namespace {

using answer_status = forwarding_result::status;

/// One problem without sums.
class spreading {
 public:
  spreading(const forwarding_problem& p, const forwarding_question& q, const search_control& control)
      : m_problem(p), m_question(q), m_control(control) {}

  forwarding_result run() {
    m_result.bound = round_bounds(m_problem).front();
    if (m_question.steps) {
      const forwarding_bound least = least_steps(m_problem);
      if (least.rounds > *m_question.steps) {
        m_result.answer = answer_status::Infeasible;
        m_result.bound.reason = fmt::format("{}, in {} steps", least.reason, *m_question.steps);
        return std::move(m_result);
      }
    }
    if (!too_few()) construct();
    if (is_unicast(m_problem) && rounds_found() > m_result.bound.rounds) better_bound();
    if (too_few()) return refuted();
    if (!reached()) ask_solver();
    return finished();
  }

 private:
  /// Whether fewer rounds are asked for than the bound allows.
  bool too_few() const { return m_question.rounds && *m_question.rounds < m_result.bound.rounds; }

  std::size_t rounds_found() const { return m_best ? m_best->rounds() : static_cast<std::size_t>(-1); }

  /// Whether what was found is all that is asked for.
  bool reached() const { return m_best && rounds_found() <= m_question.rounds.value_or(m_result.bound.rounds); }

  void keep(forwarding_algorithm a, const std::string& method) {
    if (m_question.steps && a.steps.size() > *m_question.steps) return;
    if (a.rounds() >= rounds_found()) return;
    if (m_control.tell) m_control.tell(fmt::format("{} rounds: {}", a.rounds(), method));
    m_best = std::move(a);
    m_result.method = method;
  }

  /// Without a solver: milliseconds.
  void construct() {
    if (is_unicast(m_problem)) {
      try_routes();
    } else {
      try_matching();
      try_trees();
    }
  }

  /// Found when they are needed first: of large networks that takes longer than greedy matching.
  const std::vector<chunk_symmetry>& symmetries() {
    if (!m_symmetries) m_symmetries = symmetries_of(m_problem);
    return *m_symmetries;
  }

  void try_routes() {
    constexpr std::size_t Tries = 4, Passes = 6;
    std::vector<chunk_symmetry> groups = symmetries();
    groups.push_back(no_symmetry(m_problem));
    for (const chunk_symmetry& symmetry : groups) {
      for (std::size_t i = 0; i < Tries && !reached() && !m_control.over(); ++i) {
        const auto routes = balanced_routes(m_problem, symmetry, m_control.seed + i, Passes);
        if (load_of(m_problem, routes) >= rounds_found()) continue;
        keep(in_time(m_problem, routes, m_control.seed + i),
             fmt::format("balanced routes, symmetry of order {}, farthest to go first", symmetry.order()));
      }
    }
  }

  void try_matching() {
    constexpr std::size_t Tries = 100, WorkOfAll = 200'000'000;
    const std::size_t work = m_problem.list.size() * m_problem.graph.links.size() * (1 + m_result.bound.rounds);
    const std::size_t tries = std::clamp<std::size_t>(WorkOfAll / work, 2, Tries);
    for (std::size_t i = 0; i < tries && !reached() && !m_control.over(); ++i) {
      if (auto found = match_over_time(m_problem, m_control.seed + i, rounds_found() - 1)) {
        keep(std::move(*found), "greedy matching over time");
      }
    }
  }

  void try_trees() {
    if (reached() || !trees_unfit(m_problem).empty()) return;
    const std::size_t rounds = tree_throughput(m_problem).rounded_up();
    keep(in_time(m_problem, packed_trees(m_problem, rounds), m_control.seed), "packed spanning trees");
  }

  void better_bound() {
    const divided_flow flow =
        divided_flow_bound(m_problem, symmetries().empty() ? no_symmetry(m_problem) : symmetries().front());
    if (flow.bound.rounds > m_result.bound.rounds) m_result.bound = flow.bound;
  }

  forwarding_result refuted() {
    m_result.answer = answer_status::Infeasible;
    return std::move(m_result);
  }

  /// From the bound on, until found: each number of rounds that is refuted raises the bound.
  void ask_solver() {
    std::size_t rounds = m_question.rounds ? *m_question.rounds : m_result.bound.rounds;
    for (bool proved = true; rounds < rounds_found() && !m_control.over(); ++rounds) {
      const std::size_t steps = std::min(m_question.steps.value_or(rounds), rounds);
      portfolio_answer answer = ask_portfolio(m_problem, symmetries(), steps, rounds, m_question.conflicts, m_control);
      if (answer.status == solver::answer::Satisfiable) return keep(std::move(answer.found), answer.method);
      proved = proved && answer.status == solver::answer::Unsatisfiable;
      if (proved) {
        m_result.bound = {
            rounds + 1,
            fmt::format("no algorithm of {} steps and {} rounds, however divided: refuted by CaDiCaL", steps, rounds)};
      }
      if (m_question.rounds) return;
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
  const search_control& m_control;
  std::optional<std::vector<chunk_symmetry>> m_symmetries;
  std::optional<forwarding_algorithm> m_best;
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

forwarding_question half(const forwarding_question& q) {
  forwarding_question result = q;
  for (std::optional<std::size_t>* number : {&result.steps, &result.rounds}) {
    if (!*number) continue;
    if (**number % 2 != 0) {
      throw std::invalid_argument(fmt::format(
          "{} steps or rounds: expected an even number, as sums are added up and spread in half of them each",
          **number));
    }
    **number /= 2;
  }
  return result;
}

forwarding_result solve_sums(const forwarding_problem& p, const forwarding_question& q, const search_control& control) {
  const bool spread = std::any_of(p.list.begin(), p.list.end(),
                                  [](const forwarding_chunk& chunk) { return chunk.receivers.size() > 1; });
  const forwarding_question asked = spread ? half(q) : q;
  const forwarding_problem dual = spread_backwards(p);
  forwarding_result result = spreading(dual, asked, control).run();
  result.found = inverted(result.found);
  if (!result.method.empty()) result.method += ", inverted";
  if (!spread) return result;

  const forwarding_problem after = spread_after(p);
  forwarding_result rest = spreading(after, asked, control).run();
  if (rest.bound.rounds > result.bound.rounds) result.bound = rest.bound;
  if (result.answer != answer_status::Found || rest.answer != answer_status::Found) {
    result.answer = answer_status::Unanswered;  // other algorithms need not add up and spread one after the other
    result.found = {};
    return result;
  }
  result.method += "; then " + rest.method;
  for (forwarding_step& step : rest.found.steps) result.found.steps.push_back(std::move(step));
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

std::vector<frontier_point> forwarding_frontier(const link_graph& graph, forwarding_collective what, node_id root,
                                                unsigned most_chunks, std::size_t most_steps,
                                                const search_control& control) {
  std::vector<frontier_point> points;
  const auto better = [](std::size_t rounds, unsigned chunks, const frontier_point& than) {
    return rounds * than.chunks < than.result.found.rounds() * chunks;
  };
  const std::size_t least = least_steps(make_forwarding(graph, what, 1, root)).rounds;
  for (std::size_t steps = least; steps <= most_steps; ++steps) {
    std::optional<frontier_point> best;
    for (unsigned chunks = 1; chunks <= most_chunks && !control.over(); ++chunks) {
      const forwarding_problem p = make_forwarding(graph, what, chunks, root);
      const frontier_point* than = best ? &*best : points.empty() ? nullptr : &points.back();
      if (than != nullptr && !better(round_bounds(p).front().rounds, chunks, *than)) continue;
      forwarding_question q;
      q.steps = steps;
      forwarding_result result = solve_forwarding(p, q, control);
      if (result.answer != answer_status::Found) continue;
      if (than == nullptr || better(result.found.rounds(), chunks, *than)) best = {chunks, steps, std::move(result)};
    }
    if (best) points.push_back(std::move(*best));
  }
  return points;
}

}  // namespace weft::schedule
