// SPDX-License-Identifier: Apache-2.0
/// All pairs of nodes of a line or a ring, in sets that can be carried out at once.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::schedule {

enum class line_kind : std::uint8_t { Line, Ring, OneWayRing };

/// From one position to another, or from one to itself; which way round a ring.
struct line_move {
  std::uint32_t from = 0, to = 0;
  bool up = true;  ///< towards greater positions
};

/// Moves that belong together: a circle through two to four positions, or positions that stay.
using line_piece = std::vector<line_move>;

/// Pieces without a channel in common.
using line_part = std::vector<line_piece>;

/// Parts in which no position moves to two, or comes from two.
using line_class = std::vector<line_part>;

/// Classes that have every pair of \p length positions once, those of a position with itself included. In a line of n = 4 i
/// positions there are n classes of n / 4 parts, in a ring of n = 8 i there are n of n / 8: each part fills the middle
/// channels, or all. Shortest ways only. \p length ≥ 1.
std::vector<line_class> line_classes(line_kind kind, std::uint32_t length);

}  // namespace weft::schedule
