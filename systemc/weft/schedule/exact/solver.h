// SPDX-License-Identifier: Apache-2.0
/// Satisfiability of clauses, by CaDiCaL (Biere, Fazekas, Fleury, Heisinger 2020).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "weft/schedule/method.h"
#include "weft/schedule/proof.h"

namespace weft::schedule {

/// A variable from 1, or its negation: minus the variable.
using literal = int;

struct solver_options {
  std::uint64_t seed = 1;
  /// Takes the clauses, and why no assignment fulfils them, once that is complete. None: no proof.
  proof_sink* proof = nullptr;
  /// Also ends the making of clauses; outlives the solver. None: it takes what it takes.
  const search_control* control = nullptr;
};

/// Clauses, and an assignment that fulfils all of them. The same calls have the same answers, unless time runs out.
class solver {
 public:
  enum class answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };
  static constexpr std::size_t NoLimit = std::numeric_limits<std::size_t>::max();

  /// \throws std::invalid_argument where the proof's files cannot be written
  explicit solver(const solver_options& options = {});
  ~solver();
  solver(const solver&) = delete;
  solver& operator=(const solver&) = delete;

  /// A new variable.
  literal fresh();
  /// One of them holds. None of them: there is no solution. \throws time_is_over, at every some thousandth, where the
  /// options have a control that is over
  void clause(const std::vector<literal>& any_of);
  /// If all of \p conditions hold, then \p then.
  void implies(const std::vector<literal>& conditions, literal then);
  /// At most \p most of them, counted with repetition; in pairs where they are few, else by a sequential counter (Sinz
  /// 2005).
  void at_most(const std::vector<literal>& of, std::size_t most);
  void exactly_one(const std::vector<literal>& of);
  /// The value to try first.
  void prefer(literal value);

  /// Looks for an assignment in which \p assumptions hold too, until \p control is over or for \p conflicts.
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
