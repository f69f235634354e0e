// SPDX-License-Identifier: Apache-2.0
/// A placement as clauses: each item is in one step, its path is a flow of one unit, and counters hold channels to
/// their capacity.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/schedule/exact/placement.h"
#include "weft/schedule/exact/solver.h"

namespace weft::schedule {

/// Of some items of a placement, alone in a number of steps. A broadcast needs all its items.
class placement_clauses {
 public:
  /// The steps of a scatter can be exchanged: the items of one channel that is much used choose their order.
  placement_clauses(solver& s, const placement& p, std::vector<std::size_t> items, std::size_t steps);

  /// Where they are, after solver::answer::Satisfiable; without those that are not required and nowhere.
  std::vector<placed> solution() const;

 private:
  struct item_literals {
    std::vector<literal> in_step;  // of each step
    std::vector<literal> uses;     // of each usable channel; Always where it is forced
    std::vector<literal> held;     // of each step but the first, in a broadcast: the receiver has it before
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
  std::vector<std::vector<std::vector<literal>>> m_loads;  // of each row in each step
};

}  // namespace weft::schedule
