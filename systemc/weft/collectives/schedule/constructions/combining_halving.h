// SPDX-License-Identifier: Apache-2.0
/// One-to-all communication by recursive halving on any network: the binary jumping of RINGS and FATTREE.
/// The nodes are sorted by number, or such that the nearest node follows each node. They are split into two equal
/// halves, one of which contains the source. The source sends to a node of the other half, which becomes the source of
/// that half, and each half continues in the same way. Each half communicates internally, so few paths conflict. In a
/// scatter, the source sends all messages for a half together: R = ceil(log2 P) and TCO = P - 1, both of which are
/// minimal with one port.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/constructions/combining_relay.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// A part of the node list: the positions from `first` to `last` - 1, and the position of the part's source.
struct halving_part {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t source = 0;
};

/// A round: the sends of the round, each of which makes the receiver the source of a part.
struct halving_round {
  node_pairs pairs;
  std::vector<halving_part> parts;  ///< for each pair, the part whose source the receiver becomes
};

/// Returns rounds that split every part of \p start into \p ways ≥ 2 parts until each part has one node. New sources
/// are chosen so that a round takes few steps. With \p seed 0, near nodes are tried first and then random ones; with
/// any other seed, all choices are random.
std::vector<halving_round> halve(const problem& p, round_router& router, const std::vector<node_id>& nodes,
                                 std::vector<halving_part> start, std::size_t ways, std::uint64_t seed);

/// Returns non-dominated schedules of one-to-all and one-to-several collectives, with or without combining. Empty if \p
/// control is over before the first schedule is found.
std::vector<step_schedule> halvings(const problem& p, const search_control& control);

/// Returns the method that finds the schedule with the fewest start-ups. If several have equally few, it selects the
/// one with the least occupancy.
const method& combining_halving();

}  // namespace weft::schedule
