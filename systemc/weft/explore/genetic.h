// SPDX-License-Identifier: Apache-2.0
/// NSGA-II of pagmo2 for designs (K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective
/// genetic algorithm: NSGA-II", 2002). genetic_pagmo.cpp implements it; in a build without libpagmo-dev,
/// genetic_none.cpp reports that it is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/explore/goals.h"
#include "weft/explore/space.h"

namespace weft::experiment {

struct genetic_problem {
  std::vector<std::size_t> sizes;  ///< number of values of each parameter
  std::size_t objectives = 1;
  std::uint32_t seed = 0;
  /// The costs of the designs of a generation.
  std::function<std::vector<costs>(const std::vector<design_choice>&)> evaluate;
  std::function<bool()> more;  ///< whether to breed another generation
};

/// Evolves the population \p first, whose size is a multiple of 4 and at least 8, as long as problem.more() is true.
/// Whatever evaluate() throws ends the search.
void evolve(const genetic_problem& problem, const std::vector<design_choice>& first);

/// Checks that this build has the algorithm. \throws configuration_error at \p place
void require_genetic_search(const std::string& place);

}  // namespace weft::experiment
