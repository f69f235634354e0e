// SPDX-License-Identifier: Apache-2.0
/// Generator of butterflies.
#pragma once

#include <cstdint>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct k_ary_n_fly_parameters {
  std::uint32_t arity = 2;   ///< k ≥ 2: inputs and outputs of a switch
  std::uint32_t stages = 3;  ///< n ≥ 3
  network_options options{};
};

/// Makes a k-ary n-fly, a butterfly of n stages with k^(n - 1) switches of k inputs and k outputs each (Dally and
/// Towles 2004). A packet enters at the first stage and leaves at the last. Node j sends to switch j div k of the first
/// stage, and receives from switch j div k of the last stage.
///
/// A node of a topology sends to and receives from the same router. Router r < k^(n - 1) therefore contains switch r of
/// the first stage, with inputs "local0", … and outputs "link0", …, and switch r of the last stage, with inputs
/// "link0", … and outputs "local0", … The routing never connects one with the other, so each of them behaves as a
/// router of its own. Router s k^(n - 1) + r is switch r of stage s, 0 < s < n - 1.
///
/// Output i of switch (d_(n-2) … d_0) of stage s leads to the switch of stage s + 1 in which digit n - 2 - s is i
/// instead of d; it arrives at input d. Routing by destination tag takes output (destination div k^(n - 1 - s)) mod k
/// at stage s. Each pair of nodes has one path. It is free of deadlock with one VC.
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_k_ary_n_fly(const k_ary_n_fly_parameters& parameters);

const topology_kind& k_ary_n_fly_topology();

/// The routing of make_k_ary_n_fly().
const routing_kind& destination_tag_routing();

}  // namespace weft
