// SPDX-License-Identifier: Apache-2.0
/// Combining schedules of small networks with one port, by satisfiability: of so many steps and so much occupancy.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/schedule/exact/solver.h"
#include "weft/schedule/exact/symmetry.h"
#include "weft/schedule/method.h"
#include "weft/schedule/time.h"

namespace weft::schedule {

/// How hard combined_search tries.
struct combined_effort {
  /// Of CaDiCaL, for one occupancy and group, in the last pass; 0: no pass. With a deadline passes go on until that.
  std::size_t conflicts = 20'000;
  std::size_t failures = 2;        ///< occupancies without an answer, of one R in a pass but the first
  std::size_t more_start_ups = 3;  ///< than the least R
  std::size_t largest_group = 8;   ///< elements of a group of symmetries that a schedule is to have
  std::size_t groups = 8;          ///< of equally many elements
};

/// Why there is no model of \p p: with more ports than one, or too many messages. Empty where there is.
std::string unfit_for_combined(const problem& p);

struct combined_answer {
  std::optional<step_schedule> found;
  bool refuted = false;  ///< there is none of the kind that was looked for
};

/// A schedule of at most \p most, of this kind: transfers take some of the shortest paths, all steps of a scatter among
/// more than six nodes carry the same, and \p group maps the schedule to itself. \throws time_is_over
combined_answer find_combined(const problem& p, const schedule_cost& most, const symmetry_group& group,
                              const search_control& control, std::size_t conflicts);

/// Looks for schedules that no known one dominates, for each R from the least, in passes of which each makes twice the
/// effort of the one before.
class combined_search {
 public:
  /// \p p, \p control and \p effort outlive it. \p known: what is not to be found again.
  combined_search(const problem& p, std::vector<schedule_cost> known, const search_control& control,
                  const combined_effort& effort);

  /// For each R as little occupancy as the effort reaches. \p keep: gets each schedule as it is found; what it throws
  /// ends the pass.
  void pass(const std::function<void(const step_schedule&)>& keep);
  /// Nothing is left to be found: all is refuted, or what is known meets a bound; or so much effort was not asked for.
  bool is_done() const;

 private:
  /// What is known of schedules of some R that a group maps to themselves.
  struct group_state {
    bool may_reach = false;   // there are so many steps in which all can get word of all
    std::size_t refuted = 0;  // so much occupancy, and less, is not enough
  };

  using keeper = std::function<void(const step_schedule&)>;

  bool improve(std::size_t r, const keeper& keep);
  std::optional<step_schedule> look_for(const schedule_cost& most);
  std::optional<step_schedule> ask(const schedule_cost& most, std::size_t group, const search_control& control);
  bool may_reach(std::size_t r, std::size_t group, const search_control& control);
  std::size_t refuted(std::size_t r);

  const problem& m_p;
  const problem m_word;  // the broadcast among the same nodes
  const search_control& m_control;
  const combined_effort& m_effort;
  std::vector<schedule_cost> m_known;
  std::vector<symmetry_group> m_groups;
  std::map<std::size_t, std::vector<group_state>> m_states;  // by R
  const std::size_t m_least;                                 // occupancy, whatever R
  std::size_t m_conflicts;                                   // of the next pass
  std::size_t m_width = 2;                                   // groups that it tries
  std::size_t m_failures = 1;                                // occupancies without an answer, of one R
  bool m_is_settled = false;
};

}  // namespace weft::schedule
