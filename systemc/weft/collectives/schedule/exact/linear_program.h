// SPDX-License-Identifier: Apache-2.0
/// Wrapper of the linear program solver Clp that respects time limits and leaves the signal handlers of the process
/// unchanged.
#pragma once

#include <vector>

#include <ClpSimplex.hpp>

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Solves \p program from scratch. Without this wrapper, Clp would replace the caller's SIGINT handler while it runs,
/// and report an interruption as a failure.
/// \return whether the optimum is found; false if \p control is over or Clp fails. Throws nothing
bool solve_linear_program(ClpSimplex& program, const search_control& control);

/// Continues from the last basis, by the primal simplex algorithm, after columns were added or removed. \return as
/// above
bool solve_further(ClpSimplex& program, const search_control& control);

/// Rows and columns of a linear program that minimizes total cost. Column values are at least 0.
class linear_rows {
 public:
  int add_row(double lower, double upper);
  int add_column(double cost);
  void add_entry(int row, int column, double value);
  /// Loads \p clp and solves it. \return as solve_linear_program()
  bool solve(ClpSimplex& clp, const search_control& control) const;

 private:
  std::vector<double> m_lower, m_upper, m_cost, m_values;
  std::vector<int> m_rows, m_columns;
};

}  // namespace weft::schedule
