// SPDX-License-Identifier: Apache-2.0
/// Finds symmetries of a network that preserve the request. A schedule that has such a symmetry is faster to find,
/// because each transfer represents all its images.
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

/// A group of automorphisms: all its elements, the identity first.
using symmetry_group = std::vector<automorphism>;

symmetry_group trivial_group(const step_network& network);

/// Finds groups of at most \p largest automorphisms. The automorphisms map senders to senders and receivers to
/// receivers; only the identity fixes a pair of sender and receiver. The groups are sorted from the largest to the
/// trivial group; there are at most \p most_of_an_order groups of the same size. The search uses color refinement and
/// backtracking with random choices, so it may miss some groups.
/// \throws time_is_over if \p control is over first
std::vector<symmetry_group> free_groups(const step_network& network, const collective& requested, std::size_t largest,
                                        std::size_t most_of_an_order, std::uint64_t seed,
                                        const search_control& control = {});

}  // namespace weft::schedule
