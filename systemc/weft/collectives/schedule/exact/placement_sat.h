// SPDX-License-Identifier: Apache-2.0
/// Expresses a placement as clauses. Each item is in one step, its path is a flow of one unit, and counters limit the
/// load of channels to their capacity.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/exact/placement.h"
#include "weft/collectives/schedule/exact/solver.h"

namespace weft::schedule {

/// Clauses that place some items in a number of steps in which nothing else is placed. A broadcast must place all its
/// items together.
class placement_clauses {
 public:
  /// Generates the clauses. The steps of a scatter are interchangeable; to break this symmetry, the items of one busy
  /// channel determine the order of the steps.
  placement_clauses(solver& s, const placement& p, std::vector<std::size_t> items, std::size_t steps);

  /// Returns the placed items after the solver has answered Satisfiable. Items that are neither required nor used are
  /// omitted.
  std::vector<placed> solution() const;

 private:
  struct item_literals {
    std::vector<literal> in_step;  // by step
    std::vector<literal> uses;     // for each usable channel, whether the path uses it; Always if forced
    std::vector<literal> held;     // broadcast: whether the receiver has the message before each step but the first
  };
  static constexpr literal Always = 0;

  const placement_item& item(std::size_t i) const { return m_placement.items()[m_items[i]]; }
  std::vector<literal> uses_among(std::size_t i, const std::vector<channel_id>& channels, bool& always) const;
  bool is_start(std::size_t i, vertex_id v) const;
  void add_steps(std::size_t i);
  void add_path(std::size_t i);
  void add_vertex(std::size_t i, vertex_id v);
  void add_senders(std::size_t i);
  void add_loads(std::size_t i);
  void keep_images_apart(std::size_t i);
  void add_capacities();
  void order_steps();
  channel_path path_of(std::size_t i) const;
  std::vector<placed> without_idle(std::vector<placed> all) const;

  solver& m_solver;
  const placement& m_placement;
  const std::vector<std::size_t> m_items;
  const std::size_t m_steps;
  std::vector<item_literals> m_literals;
  std::vector<std::vector<std::vector<literal>>> m_loads;  // by row and step
};

}  // namespace weft::schedule
