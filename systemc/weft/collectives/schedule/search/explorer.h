// SPDX-License-Identifier: Apache-2.0
/// Interface of local searches for a schedule with a given number of steps, and a driver that runs a team of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/search/timetable.h"

namespace weft::schedule {

/// A local search, which keeps its state between calls of explore().
class explorer {
 public:
  explorer(const explorer&) = delete;
  explorer& operator=(const explorer&) = delete;
  virtual ~explorer() = default;

  /// Makes \p moves moves. Each move gives one or two items a new position. Ends earlier if best() has no conflicts or
  /// \p control is over.
  virtual void explore(std::size_t moves, const search_control& control) = 0;

  /// Returns the number of conflicts of the best positions found (least()), and these positions (best()).
  std::size_t least() const { return m_least; }
  const std::vector<position>& best() const { return m_best; }

 protected:
  explorer() = default;
  void store_best(const std::vector<position>& where, std::size_t conflicts);

  static constexpr std::size_t MovesBetweenPolls = 256;  ///< number of moves between two checks of the control

 private:
  std::size_t m_least = std::numeric_limits<std::size_t>::max();
  std::vector<position> m_best;
};

using explorer_maker = std::unique_ptr<explorer> (*)(const choices& all, std::size_t steps, std::uint64_t seed);

/// Limits of a search, in moves of each explorer.
struct effort {
  std::size_t round = 2000;      ///< between two checks of whether an explorer has succeeded
  std::size_t attempt = 40'000;  ///< for one number of steps, during the bisection
  std::size_t last = 400'000;    ///< for one step less than the best schedule, if there is no deadline
};
/// Limits for explorers with cheap moves, which examine one position instead of all positions of an item.
inline constexpr effort CheapMoves{20'000, 400'000, 4'000'000};

/// Number of explorers in a team. It does not depend on the number of threads.
inline constexpr std::size_t Team = 8;

/// Finds a schedule with fewer steps than `control.less_than` or, if this is 0, with at most twice the steps of list
/// scheduling. A team of explorers bisects the number of steps towards `control.enough`; if it does not reach a number
/// within the limits, it tries a higher one. Finally, it tries one step less than the best schedule until time is over.
/// The result contains no schedule if none is found.
search_result explore(const std::string& name, const problem& p, const search_control& control, explorer_maker make,
                      const effort& limits = {});

/// Returns the reason why local search does not fit \p p: a missing path, combined messages, or too many positions.
/// Empty if it fits.
std::string unfit_for_search(const problem& p);

}  // namespace weft::schedule
