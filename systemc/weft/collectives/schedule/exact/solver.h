// SPDX-License-Identifier: Apache-2.0
/// An interface to the satisfiability solver CaDiCaL (Biere, Fazekas, Fleury, Heisinger 2020).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/proof.h"

namespace weft::schedule {

/// A literal: the number of a variable, from 1, or its negative, which stands for the negation.
using literal = int;

struct solver_options {
  std::uint64_t seed = 1;
  /// Receives the clauses and the proof of unsatisfiability when the proof is complete. Null: no proof is written.
  proof_sink* proof = nullptr;
  /// If set, also interrupts the generation of clauses. Must outlive the solver.
  const search_control* control = nullptr;
};

/// A set of clauses, and the search for an assignment that satisfies them. The same sequence of calls always has the
/// same result unless time runs out.
class solver {
 public:
  enum class answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };
  static constexpr std::size_t NoLimit = std::numeric_limits<std::size_t>::max();

  /// \throws std::invalid_argument if the proof files cannot be written
  explicit solver(const solver_options& options = {});
  ~solver();
  solver(const solver&) = delete;
  solver& operator=(const solver&) = delete;

  /// Returns a new variable.
  literal fresh();
  /// Adds a clause: at least one of the literals holds. An empty clause makes the problem unsatisfiable.
  /// \throws time_is_over if the control in the options is over; this is checked every few thousand clauses
  void clause(const std::vector<literal>& any_of);
  /// Adds the condition that \p then holds if all of \p conditions hold.
  void implies(const std::vector<literal>& conditions, literal then);
  /// Adds the condition that at most \p most of the literals hold. A literal that occurs several times counts several
  /// times. Uses pairwise clauses for few literals, otherwise a sequential counter (Sinz 2005).
  void at_most(const std::vector<literal>& of, std::size_t most);
  void exactly_one(const std::vector<literal>& of);
  /// Sets the value that the solver tries first for the variable.
  void prefer(literal value);

  /// Searches for an assignment that also satisfies \p assumptions. Ends without an answer (Unknown) when \p control is
  /// over or after \p conflicts conflicts.
  answer solve(const search_control& control, std::size_t conflicts = NoLimit,
               const std::vector<literal>& assumptions = {});
  /// Returns whether \p of holds in the assignment found. Valid after the answer Satisfiable.
  bool value(literal of) const;

  std::size_t variables() const { return m_variables; }
  std::size_t clauses() const { return m_clauses; }

 private:
  struct backend;
  std::unique_ptr<backend> m_backend;
  const search_control* m_control;
  std::size_t m_variables = 0;
  std::size_t m_clauses = 0;
};

}  // namespace weft::schedule
