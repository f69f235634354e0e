// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/linear_program.h"

#include <ClpEventHandler.hpp>
#include <ClpSolve.hpp>
#include <CoinPackedMatrix.hpp>

namespace weft::schedule {
namespace {

/// Interrupts Clp when the control is over.
class clp_until_over final : public ClpEventHandler {
 public:
  explicit clp_until_over(const search_control& control) : m_control(control) {}
  int event(Event what) override {
    constexpr int Stop = 5, GoOn = -1;  // values defined by Clp
    const bool can_stop = what == endOfIteration || what == endOfFactorization;
    return can_stop && m_control.over() ? Stop : GoOn;
  }
  ClpEventHandler* clone() const override { return new clp_until_over(*this); }

 private:
  const search_control& m_control;
};

void prepare(ClpSimplex& program, const search_control& control) {
  program.setLogLevel(0);
  const clp_until_over until(control);
  program.passInEventHandler(&until);
}

}  // namespace

bool solve_linear_program(ClpSimplex& program, const search_control& control) {
  if (control.over()) return false;
  prepare(program, control);
  ClpSolve how;
  how.setSpecialOption(2, 1);  // otherwise initialSolve() installs a SIGINT handler
  program.initialSolve(how);
  return program.isProvenOptimal() && !control.over();
}

bool solve_further(ClpSimplex& program, const search_control& control) {
  if (control.over()) return false;
  prepare(program, control);
  program.primal(0);
  return program.status() == 0;
}

int linear_rows::add_row(double lower, double upper) {
  m_lower.push_back(lower);
  m_upper.push_back(upper);
  return static_cast<int>(m_lower.size()) - 1;
}

int linear_rows::add_column(double cost) {
  m_cost.push_back(cost);
  return static_cast<int>(m_cost.size()) - 1;
}

void linear_rows::add_entry(int row, int column, double value) {
  m_rows.push_back(row);
  m_columns.push_back(column);
  m_values.push_back(value);
}

bool linear_rows::solve(ClpSimplex& clp, const search_control& control) const {
  clp.setLogLevel(0);  // also for loading
  const CoinPackedMatrix matrix(true, m_rows.data(), m_columns.data(), m_values.data(),
                                static_cast<int>(m_values.size()));
  const std::vector<double> zero(m_cost.size(), 0.0), endless(m_cost.size(), COIN_DBL_MAX);
  clp.loadProblem(matrix, zero.data(), endless.data(), m_cost.data(), m_lower.data(), m_upper.data());
  return solve_linear_program(clp, control);
}

}  // namespace weft::schedule
