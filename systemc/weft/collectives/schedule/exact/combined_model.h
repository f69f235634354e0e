// SPDX-License-Identifier: Apache-2.0
/// The clauses of a combining schedule, used by combined.h.
#pragma once

#include <map>
#include <vector>

#include "weft/collectives/schedule/exact/solver.h"
#include "weft/collectives/schedule/exact/symmetry.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {

/// Whether all steps of the model have the same size: true for a scatter among more than a few nodes.
bool has_equal_steps(const problem& p);

/// A variable represents all its images under the group, so the group maps the schedule to itself.
class combined_model {
 public:
  /// All arguments must outlive it. \throws time_is_over
  combined_model(const problem& p, const schedule_cost& most, const symmetry_group& group,
                 const search_control& control);

  solver::answer solve(std::size_t conflicts) { return m_solver.solve(m_control, conflicts); }
  /// After Satisfiable.
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

  std::vector<node_id> m_nodes;  // participants
  std::vector<message> m_messages;
  std::vector<channel_path> m_paths;
  std::map<channel_path, std::size_t> m_path_number;
  std::vector<std::size_t> m_pair_of;                // pair of each path
  std::vector<std::vector<std::size_t>> m_paths_of;  // paths of each pair

  // The lowest image of each element, at the same index.
  std::vector<std::size_t> m_same_path, m_same_pair, m_same_held;

  // By step: whether a path is used, whether the first node of a pair sends to the second, whether a message arrives at
  // a node, and whether a step carries more than a given number of messages. By step + 1: whether a node holds a
  // message.
  std::vector<table> m_used, m_sends, m_arrives, m_larger, m_holds;
};

}  // namespace weft::schedule
