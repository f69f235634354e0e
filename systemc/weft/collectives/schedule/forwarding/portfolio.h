// SPDX-License-Identifier: Apache-2.0
/// Runs CaDiCaL with several restrictions in turn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/sat_model.h"

namespace weft::schedule {

struct portfolio_answer {
  solver::answer status = solver::answer::Unknown;  ///< Unsatisfiable holds without any restriction
  forwarding_algorithm found{};
  std::string method{};
  std::size_t forms = 0;      ///< number of forms: restricted ones and the unrestricted one
  std::size_t too_large = 0;  ///< forms skipped because they have more than MostClauses
};

/// Searches for an algorithm with \p steps steps and \p rounds rounds in total. The forms combine: each of
/// \p symmetries, largest first, and none; shortest paths only, and any paths; rounds spread evenly over the steps,
/// over few coarse steps if a step has one round, and freely. A form that is refuted under a restriction is not solved
/// again, and too large ones are skipped. All others are solved with increasing numbers of conflicts, up to
/// \p conflicts.
portfolio_answer solve_portfolio(const forwarding_problem& p, const std::vector<chunk_symmetry>& symmetries,
                                 std::size_t steps, std::size_t rounds, std::size_t conflicts,
                                 const search_control& control);

}  // namespace weft::schedule
