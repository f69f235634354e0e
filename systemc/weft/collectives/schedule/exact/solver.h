// SPDX-License-Identifier: Apache-2.0
/// Satisfiability solver: interface to CaDiCaL (Biere, Fazekas, Fleury, Heisinger 2020).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/proof.h"

namespace weft::schedule {

/// A variable, from 1, or its negation: minus the variable.
using literal = int;

struct solver_options {
  std::uint64_t seed = 1;
  /// Receives the clauses and the proof of unsatisfiability once the proof is complete. Null: no proof.
  proof_sink* proof = nullptr;
  /// Also interrupts the generation of clauses; must outlive the solver. Null: no interruption.
  const search_control* control = nullptr;
};

/// Clauses, and an assignment that satisfies them. The same calls have the same results unless time runs out.
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
  /// Adds a clause: at least one literal holds. An empty clause is unsatisfiable. \throws time_is_over, checked every
  /// few thousand clauses, if the control in the options is over
  void clause(const std::vector<literal>& any_of);
  /// Adds: if all of \p conditions hold, then \p then holds.
  void implies(const std::vector<literal>& conditions, literal then);
  /// Adds: at most \p most of the literals hold, counted with repetition. Uses pairwise clauses for few literals,
  /// otherwise a sequential counter (Sinz 2005).
  void at_most(const std::vector<literal>& of, std::size_t most);
  void exactly_one(const std::vector<literal>& of);
  /// Sets the value to try first.
  void prefer(literal value);

  /// Searches for an assignment that also satisfies \p assumptions, until \p control is over or for \p conflicts
  /// conflicts.
  answer solve(const search_control& control, std::size_t conflicts = NoLimit,
               const std::vector<literal>& assumptions = {});
  /// After Satisfiable: whether \p of holds.
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
