// SPDX-License-Identifier: Apache-2.0
/// Symmetries of a network that leave what is asked as it is. Schedules that they map to themselves are found sooner: a
/// transfer stands for all its images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/schedule/method.h"
#include "weft/schedule/schedule.h"
#include "weft/schedule/step_network.h"

namespace weft::schedule {

/// A permutation of vertices that maps channels to channels of equal kind and capacity.
struct automorphism {
  std::vector<vertex_id> vertex;    ///< the image of each vertex
  std::vector<channel_id> channel;  ///< the image of each channel
};

/// All elements of a group of automorphisms, the identity first.
using symmetry_group = std::vector<automorphism>;

symmetry_group trivial_group(const step_network& network);

/// Groups of at most \p largest elements that map senders to senders and receivers to receivers, and of which only the
/// identity leaves a pair of sender and receiver as it is. The largest first, the trivial one last; at most
/// \p most_of_an_order that have equally many elements. Found by colour refinement and backtracking, with random
/// choices: not all that there are. \throws time_is_over once \p control is over before they are found
std::vector<symmetry_group> free_groups(const step_network& network, const collective& asked, std::size_t largest,
                                        std::size_t most_of_an_order, std::uint64_t seed,
                                        const search_control& control = {});

}  // namespace weft::schedule
