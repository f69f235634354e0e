// SPDX-License-Identifier: Apache-2.0
/// A wrapper of the linear-program solver Clp. It respects time limits and does not change the signal handlers of the
/// process.
#pragma once

#include <vector>

#include <ClpSimplex.hpp>

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Solves \p program from scratch. Without this wrapper, Clp would replace the caller's SIGINT handler while it runs,
/// and would report an interruption as a failure. Throws nothing.
/// \return whether the optimum is found; false if \p control is over or Clp fails
bool solve_linear_program(ClpSimplex& program, const search_control& control);

/// Solves \p program again after columns were added or removed. Continues from the last basis by the primal simplex
/// algorithm.
/// \return whether the optimum is found
bool solve_further(ClpSimplex& program, const search_control& control);

/// The rows and columns of a linear program that minimizes the total cost. All variables are at least 0.
class linear_rows {
 public:
  int add_row(double lower, double upper);
  int add_column(double cost);
  void add_entry(int row, int column, double value);
  /// Loads the program into \p clp and solves it. \return whether the optimum is found
  bool solve(ClpSimplex& clp, const search_control& control) const;

 private:
  std::vector<double> m_lower, m_upper, m_cost, m_values;
  std::vector<int> m_rows, m_columns;
};

}  // namespace weft::schedule
