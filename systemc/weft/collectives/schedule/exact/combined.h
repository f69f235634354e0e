// SPDX-License-Identifier: Apache-2.0
/// Finds combining schedules of small one-port networks by satisfiability, for given numbers of steps and a given
/// occupancy.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/exact/solver.h"
#include "weft/collectives/schedule/exact/symmetry.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/time.h"

namespace weft::schedule {

/// Limits for the effort of combined_search.
struct combined_effort {
  /// Maximum number of CaDiCaL conflicts for one occupancy and one symmetry group in the last pass; 0: no pass. If
  /// there is a deadline, passes continue until then.
  std::size_t conflicts = 20'000;
  std::size_t failures = 2;        ///< maximum of occupancies without an answer for one R (first pass: 1)
  std::size_t more_start_ups = 3;  ///< maximum number of steps beyond the least R
  std::size_t largest_group = 8;   ///< maximum number of elements of a symmetry group
  std::size_t groups = 8;          ///< maximum number of groups with equally many elements
};

/// Returns the reason why the model does not fit \p p: nodes with more than one port, or too many messages. Empty if it
/// fits.
std::string unfit_for_combined(const problem& p);

struct combined_answer {
  std::optional<step_schedule> found;
  bool refuted = false;  ///< whether it is proved that no such schedule exists
};

/// Finds a schedule whose cost is at most \p most and which \p group maps to itself. Its transfers use some of the
/// shortest paths. For a scatter among more than six nodes, all its steps carry the same number of messages. CaDiCaL
/// gives up after \p conflicts conflicts.
/// \throws time_is_over
combined_answer find_combined(const problem& p, const schedule_cost& most, const symmetry_group& group,
                              const search_control& control, std::size_t conflicts);

/// Searches for non-dominated schedules in passes. A pass examines each R from the minimum on, and each pass doubles
/// the effort.
class combined_search {
 public:
  /// \p p, \p control and \p effort must outlive the search.
  /// \param known costs of schedules that are already known, so that the search does not find them again
  combined_search(const problem& p, std::vector<schedule_cost> known, const search_control& control,
                  const combined_effort& effort);

  /// Runs a pass: reduces the occupancy for each R as far as the effort allows.
  /// \param keep receives each schedule as soon as it is found; if it throws an exception, the pass ends
  void pass(const std::function<void(const step_schedule&)>& keep);
  /// Whether the search has ended. It ends if no better schedule is possible or if the effort limit is reached.
  bool is_done() const;

 private:
  /// What is known about the schedules that have a certain R and that a certain group maps to themselves.
  struct group_state {
    bool may_reach = false;   // whether all nodes can receive from all others in so few steps
    std::size_t refuted = 0;  // schedules of this occupancy or less are impossible
  };

  using keeper = std::function<void(const step_schedule&)>;

  bool improve(std::size_t r, const keeper& keep);
  std::optional<step_schedule> search_for(const schedule_cost& most);
  std::optional<step_schedule> solve(const schedule_cost& most, std::size_t group, const search_control& control);
  bool may_reach(std::size_t r, std::size_t group, const search_control& control);
  std::size_t refuted(std::size_t r);

  const problem& m_p;
  const problem m_word;  // the broadcast among the nodes of m_p
  const search_control& m_control;
  const combined_effort& m_effort;
  std::vector<schedule_cost> m_known;
  std::vector<symmetry_group> m_groups;
  std::map<std::size_t, std::vector<group_state>> m_states;  // states of all groups, by R
  const std::size_t m_least;                                 // lower bound of the occupancy for any R
  std::size_t m_conflicts;                                   // limit on conflicts in the next pass
  std::size_t m_width = 2;                                   // number of groups to try in the next pass
  std::size_t m_failures = 1;                                // limit on occupancies without an answer, for one R
  bool m_is_settled = false;
};

}  // namespace weft::schedule
