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

/// Searches for an algorithm with \p steps steps and \p rounds rounds in total. A form of the problem combines one of
/// \p symmetries, largest first, or none; only shortest paths, or any; and the rounds divided evenly among the steps,
/// or among fewer steps, or freely. Forms that are too large are skipped, and so are forms with a restriction that has
/// been refuted. The others are solved with an increasing limit on conflicts, up to \p conflicts.
portfolio_answer solve_portfolio(const forwarding_problem& p, const std::vector<chunk_symmetry>& symmetries,
                                 std::size_t steps, std::size_t rounds, std::size_t conflicts,
                                 const search_control& control);

}  // namespace weft::schedule
