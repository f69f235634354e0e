// SPDX-License-Identifier: Apache-2.0
/// All pairs of nodes of a line or a ring, divided into sets that can be carried out at the same time.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::schedule {

enum class line_kind : std::uint8_t { Line, Ring, OneWayRing };

/// A move from one position to another or to the same; on a ring, including the direction.
struct line_move {
  std::uint32_t from = 0, to = 0;
  bool up = true;  ///< towards greater positions
};

/// Moves that belong together: a cycle through two to four positions, or positions that stay.
using line_piece = std::vector<line_move>;

/// Pieces that share no channel.
using line_part = std::vector<line_piece>;

/// Parts in which each position is the start of at most one move and the end of at most one.
using line_class = std::vector<line_part>;

/// Classes that contain every pair of \p length positions exactly once, including pairs of a position with itself. In a
/// line of n = 4 i positions there are n classes of n / 4 parts, in a ring of n = 8 i there are n classes of n / 8
/// parts: each part uses the middle channels, or all channels, completely. Shortest paths only. \p length ≥ 1.
std::vector<line_class> line_classes(line_kind kind, std::uint32_t length);

}  // namespace weft::schedule
