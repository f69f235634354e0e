// SPDX-License-Identifier: Apache-2.0
/// A store-and-forward schedule with given steps and rounds as a satisfiability problem.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "weft/collectives/schedule/exact/solver.h"
#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/symmetry.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// The question for the solver, and restrictions of the answer.
struct sat_question {
  std::size_t steps = 1;   ///< S ≥ 1
  std::size_t rounds = 1;  ///< R ≥ S, in total
  /// Rounds of each step; empty: any rounds with sum R.
  std::vector<unsigned> split{};
  bool minimal = false;  ///< chunks only move away from their holder, and chunks with one receiver only towards it
  const chunk_symmetry* symmetry = nullptr;  ///< must map the algorithm to itself
};

/// Thrown if a question needs more than MostClauses clauses, about a gigabyte.
struct too_many_clauses {};
constexpr std::size_t MostClauses = 4'000'000;

struct sat_answer {
  solver::answer status = solver::answer::Unknown;
  forwarding_algorithm found{};  ///< valid if Satisfiable
};

/// Time-indexed encoding: for each chunk, node and step, whether the node has the chunk by then; for each link, whether
/// it carries the chunk in that step. Unsatisfiable is a proof within the restrictions of the question.
class sat_search {
 public:
  /// \p p, without sums, and everything that \p q and \p options point to must outlive it. \throws too_many_clauses,
  /// and time_is_over if the options have a control
  sat_search(const forwarding_problem& p, const sat_question& q, const solver_options& options);
  ~sat_search();
  sat_search(sat_search&&) noexcept;

  std::size_t clauses() const;

  /// Continues the search for \p conflicts conflicts.
  sat_answer solve(const search_control& control, std::size_t conflicts = solver::NoLimit);

 private:
  struct parts;
  std::unique_ptr<parts> m_parts;
};

}  // namespace weft::schedule
