// SPDX-License-Identifier: Apache-2.0
/// CaDiCaL with several restrictions in turn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/sat_model.h"

namespace weft::schedule {

struct portfolio_answer {
  solver::answer status = solver::answer::Unknown;  ///< Unsatisfiable: without any restriction
  forwarding_algorithm found{};
  std::string method{};
  std::size_t forms = 0;      ///< restrictions, and none
  std::size_t too_large = 0;  ///< of these, not asked: more than MostClauses
};

/// In \p steps steps of \p rounds rounds in all: each of \p symmetries, the largest first, and none; shortest ways
/// only and any; rounds spread evenly over the steps, over few coarse steps if a step has one round, and at will.
/// What is refuted under a restriction is not asked again, what is too large not at all; all others are asked with more
/// and more conflicts, up to \p conflicts.
portfolio_answer ask_portfolio(const forwarding_problem& p, const std::vector<chunk_symmetry>& symmetries,
                               std::size_t steps, std::size_t rounds, std::size_t conflicts,
                               const search_control& control);

}  // namespace weft::schedule
