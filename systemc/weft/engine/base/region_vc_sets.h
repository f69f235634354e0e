// SPDX-License-Identifier: Apache-2.0
/// Sets of VCs of the routers of a region, which are simulated together.
#pragma once

#include <array>
#include <cstdint>

#include "weft/engine/base/router_vc_set.h"

namespace weft::engine {

inline constexpr unsigned RegionRouters = 64;

/// One set of VCs for each of the 64 routers of a region.
template <unsigned RouterVcs>
using router_vc_sets = std::array<router_vc_set<RouterVcs>, RegionRouters>;

/// The flits that leave a region in one cycle, as sets of VCs.
template <unsigned RouterVcs>
struct departures {
  alignas(64) router_vc_sets<RouterVcs> ended_outputs{};  ///< output VCs to which an input VC sends a tail
  alignas(64) router_vc_sets<RouterVcs> winners{};        ///< input VCs that send a flit
  alignas(64) router_vc_sets<RouterVcs> sent{};           ///< output VCs to which the winners send these flits
  alignas(64) std::array<char, 128> margin{};  ///< makes reads of `winners` and `sent` beyond both of their ends valid
};

}  // namespace weft::engine
