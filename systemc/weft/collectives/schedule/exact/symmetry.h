// SPDX-License-Identifier: Apache-2.0
/// Symmetries of a network that preserve the request. Schedules that they map to themselves are found faster, because a
/// transfer represents all its images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// A permutation of vertices that maps channels to channels of the same kind and capacity.
struct automorphism {
  std::vector<vertex_id> vertex;    ///< the image of each vertex
  std::vector<channel_id> channel;  ///< the image of each channel
};

/// All elements of a group of automorphisms, the identity first.
using symmetry_group = std::vector<automorphism>;

symmetry_group trivial_group(const step_network& network);

/// Finds groups of at most \p largest elements that map senders to senders and receivers to receivers, and in which
/// only the identity fixes a pair of sender and receiver. Sorted from the largest to the trivial group; at most
/// \p most_of_an_order groups of the same size. Uses color refinement and backtracking with random choices, so some
/// groups may be missed. \throws time_is_over if \p control is over first
std::vector<symmetry_group> free_groups(const step_network& network, const collective& requested, std::size_t largest,
                                        std::size_t most_of_an_order, std::uint64_t seed,
                                        const search_control& control = {});

}  // namespace weft::schedule
