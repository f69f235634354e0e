// SPDX-License-Identifier: Apache-2.0
/// Interface of searches for a schedule with a given number of steps, and teams of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/search/timetable.h"

namespace weft::schedule {

/// Keeps its state between calls of explore().
class explorer {
 public:
  explorer(const explorer&) = delete;
  explorer& operator=(const explorer&) = delete;
  virtual ~explorer() = default;

  /// Makes \p moves moves, each a new position of an item or two; fewer if best() reaches no conflicts or \p control is
  /// over.
  virtual void explore(std::size_t moves, const search_control& control) = 0;

  /// Number of conflicts of the best positions found, and these positions.
  std::size_t least() const { return m_least; }
  const std::vector<position>& best() const { return m_best; }

 protected:
  explorer() = default;
  void store_best(const std::vector<position>& where, std::size_t conflicts);

  static constexpr std::size_t MovesBetweenPolls = 256;  ///< moves between checks of the control

 private:
  std::size_t m_least = std::numeric_limits<std::size_t>::max();
  std::vector<position> m_best;
};

using explorer_maker = std::unique_ptr<explorer> (*)(const choices& all, std::size_t steps, std::uint64_t seed);

/// Limits of a search.
struct effort {
  std::size_t round = 2000;      ///< moves of each explorer between two checks of whether any has succeeded
  std::size_t attempt = 40'000;  ///< moves of each explorer while no larger number of steps has been reached
  std::size_t last = 400'000;    ///< moves of each explorer for one step less than the best, if there is no deadline
};
/// For explorers whose moves examine one position instead of all positions of an item.
inline constexpr effort CheapMoves{20'000, 400'000, 4'000'000};

/// Explorers in a team, independent of the number of threads.
inline constexpr std::size_t Team = 8;

/// Finds a schedule of fewer steps than `control.less_than`, or else of at most twice the steps of list scheduling,
/// with a team of explorers. The search bisects towards `control.enough`, goes back up from numbers of steps that it
/// cannot reach, and finally tries one step less than the best until time is over. Contains no schedule if none is
/// found.
search_result explore(const std::string& name, const problem& p, const search_control& control, explorer_maker make,
                      const effort& limits = {});

/// The reason why local search does not fit: no path, combined messages, or too many positions. Empty if it fits.
std::string unfit_for_search(const problem& p);

}  // namespace weft::schedule
