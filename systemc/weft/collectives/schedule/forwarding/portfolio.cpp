// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/portfolio.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"

namespace weft::schedule {
namespace {

struct restriction {
  sat_question question;
  bool refuted = false, too_large = false;
  std::optional<sat_search> search{};  // continues where it stopped
  bool none() const { return question.symmetry == nullptr && !question.minimal && question.split.empty(); }
};

std::string text_of(const restriction& r) {
  std::string text = "CaDiCaL";
  if (r.question.symmetry != nullptr) text += fmt::format(", symmetry of order {}", r.question.symmetry->order());
  if (r.question.minimal) text += ", shortest ways";
  if (!r.question.split.empty()) text += fmt::format(", {} even steps", r.question.steps);
  return text;
}

std::vector<unsigned> even_split(std::size_t rounds, std::size_t steps) {
  std::vector<unsigned> split;
  for (std::size_t t = 0; t < steps; ++t) {
    split.push_back(static_cast<unsigned>(rounds * (t + 1) / steps - rounds * t / steps));
  }
  return split;
}

/// Maximum number of send literals of a model; each occurs in several clauses.
constexpr std::size_t MostSends = MostClauses;
std::size_t sends_of(const forwarding_problem& p, const sat_question& q) {
  const std::size_t chunks = q.symmetry == nullptr ? p.list.size() : q.symmetry->chunk_representatives.size();
  return chunks * p.graph.links.size() * q.steps;
}

std::vector<restriction> restrictions(const forwarding_problem& p, const std::vector<chunk_symmetry>& symmetries,
                                      std::size_t steps, std::size_t rounds) {
  constexpr std::size_t MostOfAnOrder = 2, MostOrders = 4;
  std::vector<const chunk_symmetry*> tried;
  std::map<std::size_t, std::size_t> of_order;
  for (const chunk_symmetry& symmetry : symmetries) {
    if (of_order.size() == MostOrders && of_order.count(symmetry.order()) == 0) break;
    if (++of_order[symmetry.order()] <= MostOfAnOrder) tried.push_back(&symmetry);
  }
  tried.push_back(nullptr);

  std::vector<restriction> list;
  const std::size_t least = least_steps(p).rounds;
  constexpr std::size_t RoundsOfACoarseStep = 4;
  const std::size_t coarse = std::max(least, (rounds + RoundsOfACoarseStep - 1) / RoundsOfACoarseStep);
  const bool unicast = is_unicast(p);
  for (const chunk_symmetry* symmetry : tried) {
    for (const bool minimal : {true, false}) {
      if (minimal && !unicast) continue;
      sat_question q{steps, rounds, {}, minimal, symmetry};
      if (steps == rounds && 2 * coarse <= rounds && p.graph.shared.empty()) {
        list.push_back({{coarse, rounds, even_split(rounds, coarse), minimal, symmetry}});
      }
      if (steps < rounds) list.push_back({{steps, rounds, even_split(rounds, steps), minimal, symmetry}});
      list.push_back({std::move(q)});
    }
  }
  return list;
}

/// Generates the clauses unless there are too many. All searches together keep at most MostClauses clauses; other
/// searches are discarded and restart later.
void begin(restriction& r, const forwarding_problem& p, const search_control& control, std::vector<restriction>& list) {
  if (r.search) return;
  if (sends_of(p, r.question) > MostSends) {
    r.too_large = true;
    return;
  }
  try {
    r.search.emplace(p, r.question, solver_options{control.seed, r.none() ? control.proof : nullptr, &control});
  } catch (const too_many_clauses&) {
    r.too_large = true;
    return;
  }
  std::size_t sum = 0;
  for (const restriction& each : list) sum += each.search ? each.search->clauses() : 0;
  for (restriction& other : list) {
    if (&other != &r && sum > MostClauses) other.search.reset();
  }
}

}  // namespace

portfolio_answer solve_portfolio(const forwarding_problem& p, const std::vector<chunk_symmetry>& symmetries,
                                 std::size_t steps, std::size_t rounds, std::size_t conflicts,
                                 const search_control& control) {
  constexpr std::size_t FirstConflicts = 1000, MoreEachTime = 10;
  std::vector<restriction> list = restrictions(p, symmetries, steps, rounds);
  for (std::size_t most = std::min(FirstConflicts, conflicts);; most = std::min(most * MoreEachTime, conflicts)) {
    for (restriction& r : list) {
      if (r.refuted || r.too_large) continue;
      if (control.over()) return {};
      if (control.on_progress)
        control.on_progress(fmt::format("{} steps, {} rounds: {}", r.question.steps, rounds, text_of(r)));
      if (!unless_over([&] { return begin(r, p, control, list), true; })) return {};
      if (r.too_large) continue;
      sat_answer answer = r.search->solve(control, most);
      r.refuted = answer.status == solver::answer::Unsatisfiable;
      if (r.refuted) r.search.reset();
      if (r.refuted && r.none()) return {answer.status, {}, text_of(r)};
      if (answer.status != solver::answer::Satisfiable) continue;
      if (steps == rounds) answer.found = in_unit_steps(p, answer.found);
      return {answer.status, std::move(answer.found), text_of(r)};
    }
    if (most == conflicts) break;
  }
  portfolio_answer open;
  open.forms = list.size();
  for (const restriction& r : list) open.too_large += r.too_large ? 1 : 0;
  return open;
}

}  // namespace weft::schedule
