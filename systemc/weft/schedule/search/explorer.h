// SPDX-License-Identifier: Apache-2.0
/// What looks for a schedule of a given number of steps, and a team of such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/schedule/method.h"
#include "weft/schedule/search/timetable.h"

namespace weft::schedule {

/// Keeps its state from one call of explore() to the next.
class explorer {
 public:
  explorer(const explorer&) = delete;
  explorer& operator=(const explorer&) = delete;
  virtual ~explorer() = default;

  /// So many moves, each a new position of an item or two; fewer once best() has no conflict or \p control is over.
  virtual void explore(std::size_t moves, const search_control& control) = 0;

  /// Conflicts of the best that was found, and that.
  std::size_t least() const { return m_least; }
  const std::vector<position>& best() const { return m_best; }

 protected:
  explorer() = default;
  void remember(const std::vector<position>& where, std::size_t conflicts);

  static constexpr std::size_t MovesBetweenLooks = 256;  ///< at the control

 private:
  std::size_t m_least = std::numeric_limits<std::size_t>::max();
  std::vector<position> m_best;
};

using explorer_maker = std::unique_ptr<explorer> (*)(const choices& all, std::size_t steps, std::uint64_t seed);

/// How long a search goes on.
struct effort {
  std::size_t round = 2000;      ///< moves of each explorer between two looks at which have succeeded
  std::size_t attempt = 40'000;  ///< moves of each for a number of steps while a larger one is not reached either
  std::size_t last = 400'000;    ///< moves of each for one step less than the best, where no deadline is set
};
/// Where a move looks at one position, not at all of an item.
inline constexpr effort CheapMoves{20'000, 400'000, 4'000'000};

/// Explorers of a team, whatever the number of threads.
inline constexpr std::size_t Team = 8;

/// A schedule of fewer steps than `control.less_than`, or else of up to twice as many as list scheduling takes, by as
/// many explorers as Team says. The search halves the way to `control.enough`, comes up again from what it cannot reach
/// and in the end tries one step less than the best until time is over. Nothing where there is none.
search_result explore(const std::string& name, const problem& p, const search_control& control, explorer_maker make,
                      const effort& limits = {});

/// Why local search does not fit: no path, messages that are combined, or too many places. Empty where it does.
std::string unfit_for_search(const problem& p);

}  // namespace weft::schedule
