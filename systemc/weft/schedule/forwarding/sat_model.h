// SPDX-License-Identifier: Apache-2.0
/// A store-and-forward schedule of given steps and rounds as a question of satisfiability.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "weft/schedule/exact/solver.h"
#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/forwarding/symmetry.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// What is asked of the solver, and what the answer is restricted to.
struct sat_question {
  std::size_t steps = 1;   ///< S ≥ 1
  std::size_t rounds = 1;  ///< R ≥ S, in all
  /// Rounds of each step; empty: any that make R.
  std::vector<unsigned> split{};
  bool minimal = false;  ///< chunks only move away from their holder, those of one receiver towards it
  const chunk_symmetry* symmetry = nullptr;  ///< the algorithm is mapped onto itself
};

/// Thrown where the clauses of a question would be more than MostClauses, some gigabyte.
struct too_many_clauses {};
constexpr std::size_t MostClauses = 4'000'000;

struct sat_answer {
  solver::answer status = solver::answer::Unknown;
  forwarding_algorithm found{};  ///< if Satisfiable
};

/// Time-indexed: for each chunk, node and step whether the node has the chunk by then, for each link whether it carries
/// the chunk in it. Unsatisfiable is a proof within the restrictions of the question.
class sat_search {
 public:
  /// \p p, without sums, and what \p q and \p options point to outlive it. \throws too_many_clauses, and time_is_over
  /// where the options have a control
  sat_search(const forwarding_problem& p, const sat_question& q, const solver_options& options);
  ~sat_search();
  sat_search(sat_search&&) noexcept;

  std::size_t clauses() const;

  /// Goes on, for so many conflicts.
  sat_answer ask(const search_control& control, std::size_t conflicts = solver::NoLimit);

 private:
  struct parts;
  std::unique_ptr<parts> m_parts;
};

}  // namespace weft::schedule
