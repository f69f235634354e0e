// SPDX-License-Identifier: Apache-2.0
/// From one node to all by recursive halving: the binary jumping of RINGS and FATTREE, on any network.
///
/// The nodes, in the order of their numbers or each followed by the nearest one, are cut into an even half that has
/// the source and another; a node of that becomes a source of its own; and so on. Each half stays among itself, so
/// that few paths meet. Scatter sends with a message all those for the rest of the half: R = ceil(log2 P), TCO = P -
/// 1, both least with one port.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/schedule/constructions/combining_relay.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// A part of \p nodes, [first, last), and the position of its source.
struct halving_part {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t source = 0;
};

/// Which node takes over which part in a round.
struct halving_round {
  node_pairs pairs;
  std::vector<halving_part> parts;  ///< of the second of each pair
};

/// Rounds in which every part of \p start is cut into \p ways ≥ 2 parts again and again, until each has one node. The
/// new sources are chosen so that a round takes few steps: near ones first, then at random; with a \p seed above 0 all
/// at random.
std::vector<halving_round> halve(const problem& p, round_router& router, const std::vector<node_id>& nodes,
                                 std::vector<halving_part> start, std::size_t ways, std::uint64_t seed);

/// Schedules of OAB, OAS, and of one to several, that no other dominates; with one message a transfer, or combining.
/// None if \p control is over before the first is found.
std::vector<step_schedule> halvings(const problem& p, const search_control& control);

/// Of fewest start-ups; of those, of least occupancy.
const method& combining_halving();

}  // namespace weft::schedule
