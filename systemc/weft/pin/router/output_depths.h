// SPDX-License-Identifier: Apache-2.0
/// The depths of the buffers behind the output ports of a router.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::pin {

/// Capacity in flits of a VC of the next buffer, for each output port: constants of the hardware.
struct output_depths {
  /// The depth that stands for a receiver that accepts every flit and returns no credits.
  static constexpr unsigned Unlimited = 0;

  std::uint16_t of[MaxPorts];

  explicit output_depths(const std::vector<unsigned>& depths) {
    for (unsigned port = 0; port < MaxPorts; ++port)
      of[port] = static_cast<std::uint16_t>(port < depths.size() ? depths[port] : 0);
  }
};

}  // namespace weft::pin
