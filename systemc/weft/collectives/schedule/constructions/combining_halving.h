// SPDX-License-Identifier: Apache-2.0
/// One-to-all communication by recursive halving: the binary jumping of RINGS and FATTREE, on any network.
/// The nodes, in the order of their numbers or each followed by the nearest one, are split into two equal halves, one
/// of which contains the source; a node of the other half becomes its source; and so on. Each half communicates
/// internally, so few paths conflict. Scatter sends all messages for the rest of the half together: R = ceil(log2 P),
/// TCO = P - 1, both of which are minimal with one port.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/constructions/combining_relay.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// A part of \p nodes, [first, last), and the position of its source.
struct halving_part {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t source = 0;
};

/// A round: which node becomes the source of which part.
struct halving_round {
  node_pairs pairs;
  std::vector<halving_part> parts;  ///< the part of the receiver of each pair
};

/// Rounds that split every part of \p start into \p ways ≥ 2 parts until each has one node. New sources are chosen so
/// that a round takes few steps: near ones first, then at random; with a \p seed above 0, all at random.
std::vector<halving_round> halve(const problem& p, round_router& router, const std::vector<node_id>& nodes,
                                 std::vector<halving_part> start, std::size_t ways, std::uint64_t seed);

/// Non-dominated schedules of OAB, OAS and one-to-several collectives, with one message per transfer or combining.
/// Empty if \p control is over before the first is found.
std::vector<step_schedule> halvings(const problem& p, const search_control& control);

/// The schedule with the fewest start-ups; of several, the least occupancy.
const method& combining_halving();

}  // namespace weft::schedule
