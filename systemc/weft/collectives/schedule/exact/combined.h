// SPDX-License-Identifier: Apache-2.0
/// Combining schedules of small one-port networks, by satisfiability, for given numbers of steps and occupancy.
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

/// Effort limits of combined_search.
struct combined_effort {
  /// Conflicts of CaDiCaL for one occupancy and group in the last pass; 0: no pass. With a deadline, passes continue
  /// until then.
  std::size_t conflicts = 20'000;
  std::size_t failures = 2;        ///< occupancies without an answer for one R, in all passes except the first
  std::size_t more_start_ups = 3;  ///< beyond the least R
  std::size_t largest_group = 8;   ///< most elements of a symmetry group of a schedule
  std::size_t groups = 8;          ///< most groups with the same number of elements
};

/// The reason why the model does not fit \p p: more than one port, or too many messages. Empty if it fits.
std::string unfit_for_combined(const problem& p);

struct combined_answer {
  std::optional<step_schedule> found;
  bool refuted = false;  ///< no schedule of the requested kind exists
};

/// Finds a schedule with at most cost \p most whose transfers use some of the shortest paths, which \p group maps to
/// itself, and in which, for a scatter among more than six nodes, all steps carry the same number of messages.
/// \throws time_is_over
combined_answer find_combined(const problem& p, const schedule_cost& most, const symmetry_group& group,
                              const search_control& control, std::size_t conflicts);

/// Searches for non-dominated schedules for each R from the minimum on, in passes; each pass doubles the effort.
class combined_search {
 public:
  /// \p p, \p control and \p effort must outlive it. \param known costs of schedules that are not to be found again
  combined_search(const problem& p, std::vector<schedule_cost> known, const search_control& control,
                  const combined_effort& effort);

  /// Reduces the occupancy for each R as far as the effort allows. \param keep receives each schedule as it is found;
  /// an exception from it ends the pass
  void pass(const std::function<void(const step_schedule&)>& keep);
  /// Whether nothing is left to find: everything else is refuted, known schedules meet a bound, or the effort limit is
  /// reached.
  bool is_done() const;

 private:
  /// State of the schedules of some R that a group maps to themselves.
  struct group_state {
    bool may_reach = false;   // there are enough steps for all nodes to receive from all others
    std::size_t refuted = 0;  // this occupancy and less is impossible
  };

  using keeper = std::function<void(const step_schedule&)>;

  bool improve(std::size_t r, const keeper& keep);
  std::optional<step_schedule> search_for(const schedule_cost& most);
  std::optional<step_schedule> solve(const schedule_cost& most, std::size_t group, const search_control& control);
  bool may_reach(std::size_t r, std::size_t group, const search_control& control);
  std::size_t refuted(std::size_t r);

  const problem& m_p;
  const problem m_word;  // the broadcast among the same nodes
  const search_control& m_control;
  const combined_effort& m_effort;
  std::vector<schedule_cost> m_known;
  std::vector<symmetry_group> m_groups;
  std::map<std::size_t, std::vector<group_state>> m_states;  // by R
  const std::size_t m_least;                                 // least occupancy for any R
  std::size_t m_conflicts;                                   // limit for the next pass
  std::size_t m_width = 2;                                   // groups to try in the next pass
  std::size_t m_failures = 1;                                // occupancies without an answer for one R in the next pass
  bool m_is_settled = false;
};

}  // namespace weft::schedule
