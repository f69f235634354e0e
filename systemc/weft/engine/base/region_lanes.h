// SPDX-License-Identifier: Apache-2.0
/// Sets of lanes of the routers of a region, which are simulated together.
#pragma once

#include <array>
#include <cstdint>

#include "weft/engine/base/lane_set.h"

namespace weft::engine {

inline constexpr unsigned RegionRouters = 64;

/// A set of lanes for each of 64 routers.
template <unsigned Lanes>
using lane_sets = std::array<lane_set<Lanes>, RegionRouters>;

/// What leaves in a cycle.
template <unsigned Lanes>
struct departures {
  alignas(64) lane_sets<Lanes> ended_outputs{};  ///< output lanes that a tail is sent to
  alignas(64) lane_sets<Lanes> winners{};        ///< input lanes that send a flit
  alignas(64) lane_sets<Lanes> sent{};           ///< output lanes that they send it to
  alignas(64) std::array<char, 128> margin{};    ///< so `winners` and `sent` may be read as far before and behind
};

}  // namespace weft::engine
