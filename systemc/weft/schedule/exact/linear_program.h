// SPDX-License-Identifier: Apache-2.0
/// How linear programs are given to Clp: it ends when the time is over, and leaves the signals of the process alone.
#pragma once

#include <vector>

#include <ClpSimplex.hpp>

#include "weft/schedule/method.h"

namespace weft::schedule {

/// Solves \p program from scratch. Clp by itself would take SIGINT from the caller's handler while it runs, and end as
/// if it had failed.
/// \return whether the optimum is found; false once \p control is over, and where Clp fails. Throws nothing
bool solve_program(ClpSimplex& program, const search_control& control);

/// Goes on from the last basis, by the primal simplex algorithm, after columns were added or removed. \return as above
bool solve_further(ClpSimplex& program, const search_control& control);

/// Rows and columns of a linear program. Columns are at least 0, their cost in all is to be the least.
class linear_rows {
 public:
  int add_row(double lower, double upper);
  int add_column(double cost);
  void add_entry(int row, int column, double value);
  /// Loads \p clp and solves it. \return as solve_program()
  bool solve(ClpSimplex& clp, const search_control& control) const;

 private:
  std::vector<double> m_lower, m_upper, m_cost, m_values;
  std::vector<int> m_rows, m_columns;
};

}  // namespace weft::schedule
