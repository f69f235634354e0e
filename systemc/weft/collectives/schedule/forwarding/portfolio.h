// SPDX-License-Identifier: Apache-2.0
/// Runs CaDiCaL on several restricted forms of a problem in turn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/sat_model.h"

namespace weft::schedule {

struct portfolio_answer {
  solver::answer status = solver::answer::Unknown;  ///< Unsatisfiable is a proof for the unrestricted problem
  forwarding_algorithm found{};
  std::string method{};
  std::size_t forms = 0;      ///< number of forms of the problem, including the unrestricted one
  std::size_t too_large = 0;  ///< number of forms skipped because they have more than MostClauses clauses
};

/// Searches for an algorithm with \p steps steps and \p rounds rounds in total. It tries several forms of the problem.
/// Each form makes three choices:
/// - It uses one of \p symmetries (the largest first) or none.
/// - It allows only shortest paths or all paths.
/// - It divides the rounds evenly among all steps, evenly among fewer steps, or freely.
/// Forms that are too large are skipped. The solver runs on all other forms, one after the other, and then again with a
/// higher limit on conflicts, up to \p conflicts. A refuted form is not solved again; if the unrestricted form is
/// refuted, there is no such algorithm.
portfolio_answer solve_portfolio(const forwarding_problem& p, const std::vector<chunk_symmetry>& symmetries,
                                 std::size_t steps, std::size_t rounds, std::size_t conflicts,
                                 const search_control& control);

}  // namespace weft::schedule
