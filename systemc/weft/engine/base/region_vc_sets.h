// SPDX-License-Identifier: Apache-2.0
/// Sets of VCs of the routers of a region, which are simulated together.
#pragma once

#include <array>
#include <cstdint>

#include "weft/engine/base/router_vc_set.h"

namespace weft::engine {

inline constexpr unsigned RegionRouters = 64;

/// A set of VCs for each of 64 routers.
template <unsigned RouterVcs>
using router_vc_sets = std::array<router_vc_set<RouterVcs>, RegionRouters>;

/// The flits that leave in one cycle.
template <unsigned RouterVcs>
struct departures {
  alignas(64) router_vc_sets<RouterVcs> ended_outputs{};  ///< output VCs to which a tail is sent
  alignas(64) router_vc_sets<RouterVcs> winners{};        ///< input VCs that send a flit
  alignas(64) router_vc_sets<RouterVcs> sent{};           ///< output VCs to which they send it
  alignas(64) std::array<char, 128> margin{};  ///< lets code read `winners` and `sent` beyond both of their ends
};

}  // namespace weft::engine
