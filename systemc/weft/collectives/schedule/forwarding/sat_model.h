// SPDX-License-Identifier: Apache-2.0
/// Expresses the search for a store-and-forward algorithm with given numbers of steps and rounds as a satisfiability
/// problem.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "weft/collectives/schedule/exact/solver.h"
#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/symmetry.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// The question for the solver, and restrictions of the algorithms that it may find.
struct sat_question {
  std::size_t steps = 1;   ///< number of steps S ≥ 1
  std::size_t rounds = 1;  ///< total number of rounds R ≥ S
  /// Number of rounds of each step. If empty, the solver divides the rounds among the steps.
  std::vector<unsigned> split{};
  bool minimal = false;  ///< chunks only move away from their holder; with a single receiver, also only towards it
  const chunk_symmetry* symmetry = nullptr;  ///< if set, the symmetry that the algorithm must have
};

/// Thrown if a question needs more than MostClauses clauses, which take about a gigabyte.
struct too_many_clauses {};
constexpr std::size_t MostClauses = 4'000'000;

struct sat_answer {
  solver::answer status = solver::answer::Unknown;
  forwarding_algorithm found{};  ///< valid if the answer is Satisfiable
};

/// A time-indexed encoding. For each chunk, node and step, a variable states whether the node has the chunk by then.
/// For each link, a variable states whether the link carries the chunk in the step. The answer Unsatisfiable is a proof
/// within the restrictions of the question.
class sat_search {
 public:
  /// Generates the clauses. \p p must have no sums. \p p and all objects to which \p q and \p options point must
  /// outlive the search.
  /// \throws too_many_clauses, and time_is_over if the options have a control
  sat_search(const forwarding_problem& p, const sat_question& q, const solver_options& options);
  ~sat_search();
  sat_search(sat_search&&) noexcept;

  std::size_t clauses() const;

  /// Continues the search for at most \p conflicts further conflicts.
  sat_answer solve(const search_control& control, std::size_t conflicts = solver::NoLimit);

 private:
  struct parts;
  std::unique_ptr<parts> m_parts;
};

}  // namespace weft::schedule
