// SPDX-License-Identifier: Apache-2.0
/// Divides all pairs of nodes of a line or a ring into sets whose messages can be sent at the same time.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::schedule {

enum class line_kind : std::uint8_t { Line, Ring, OneWayRing };

/// A move from one position to another, or to the same position. On a ring, it includes the direction.
struct line_move {
  std::uint32_t from = 0, to = 0;
  bool up = true;  ///< whether the move leads towards greater positions
};

/// A piece: moves that form a cycle through two to four positions, or positions that stay where they are.
using line_piece = std::vector<line_move>;

/// A part: pieces that share no channel.
using line_part = std::vector<line_piece>;

/// A class: parts in which each position is the start of at most one move and the end of at most one move.
using line_class = std::vector<line_part>;

/// Returns classes that contain every pair of \p length ≥ 1 positions exactly once, including the pair of each position
/// with itself. All moves are on shortest paths. On a line of n = 4 i positions, there are n classes of n / 4 parts,
/// and each part uses the middle channels completely. On a ring of n = 8 i positions, there are n classes of n / 8
/// parts, and each part uses all channels completely.
std::vector<line_class> line_classes(line_kind kind, std::uint32_t length);

}  // namespace weft::schedule
