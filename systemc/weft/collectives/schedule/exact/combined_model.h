// SPDX-License-Identifier: Apache-2.0
/// The clauses that describe a combining schedule; combined.h uses them.
#pragma once

#include <map>
#include <vector>

#include "weft/collectives/schedule/exact/solver.h"
#include "weft/collectives/schedule/exact/symmetry.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {

/// Whether all steps of the model have the same size. This holds for a scatter among more than six nodes.
bool has_equal_steps(const problem& p);

/// The clauses for one problem, cost and symmetry group. Each variable represents all its images under the group, so
/// that the group maps the schedule to itself.
class combined_model {
 public:
  /// Generates the clauses. All arguments must outlive the model. \throws time_is_over
  combined_model(const problem& p, const schedule_cost& most, const symmetry_group& group,
                 const search_control& control);

  solver::answer solve(std::size_t conflicts) { return m_solver.solve(m_control, conflicts); }
  /// Returns the schedule. Valid after solve() has returned Satisfiable.
  step_schedule schedule() const;

 private:
  using table = std::vector<literal>;

  void find_images();
  void add_path(const channel_path& path);
  void make_variables();
  void require_paths(std::size_t k);
  void require_arrivals(std::size_t k);
  void require_sizes();
  void count(std::size_t k, const std::vector<literal>& of);

  std::size_t size_limit(std::size_t k) const;
  std::size_t held_index(std::size_t node, std::size_t what) const { return node * m_messages.size() + what; }
  std::size_t pair_index(std::size_t from, std::size_t to) const { return from * m_nodes.size() + to; }
  channel_path image_of(const channel_path& path, const automorphism& a) const;

  const problem& m_p;
  const bool m_equal_steps;
  const schedule_cost m_most;
  const symmetry_group& m_group;
  const search_control& m_control;
  solver m_solver;

  std::vector<node_id> m_nodes;  // the participating nodes
  std::vector<message> m_messages;
  std::vector<channel_path> m_paths;
  std::map<channel_path, std::size_t> m_path_number;
  std::vector<std::size_t> m_pair_of;                // the pair of nodes that each path connects
  std::vector<std::vector<std::size_t>> m_paths_of;  // the paths of each pair of nodes

  // For each path, pair of nodes, and pair of node and message: its lowest image under the group.
  std::vector<std::size_t> m_same_path, m_same_pair, m_same_held;

  // Variables of each step: whether a path is used, whether the first node of a pair sends to the second, whether a
  // message arrives at a node, and whether the step carries more than a given number of messages. m_holds has one more
  // entry: whether a node holds a message before each step and at the end.
  std::vector<table> m_used, m_sends, m_arrives, m_larger, m_holds;
};

}  // namespace weft::schedule
