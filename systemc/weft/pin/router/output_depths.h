// SPDX-License-Identifier: Apache-2.0
/// The buffers and the channels behind the output ports of a router.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/router/buffer_sharing.h"

namespace weft::pin {

/// The initial credits of a VC of each output port: constants of the hardware. They are the capacity in flits of the VC
/// of the next buffer, or, if its VCs share this buffer, the maximum number of flits of a VC.
struct output_depths {
  /// The depth that stands for a receiver that accepts every flit and returns no credits.
  static constexpr unsigned Unlimited = 0;
  /// The depth that stands for a router whose VCs share the buffer of an input port (buffer_sharing).
  static constexpr unsigned Shared = 0xffff;

  /// The depth that stands for the buffers of routers with the parameters \p p.
  static unsigned of_routers(const router_parameters& p) { return shares_buffer(p) ? Shared : p.depth; }

  std::uint16_t of[MaxPorts];
  port_set shared = 0;  ///< output ports before shared buffers

  /// \param depths for each output port, the capacity of a VC in flits, or one of the values above
  output_depths(const std::vector<unsigned>& depths, const buffer_sharing& sharing) {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      of[port] = static_cast<std::uint16_t>(port < depths.size() ? depths[port] : 0);
      if (of[port] == Shared) {
        of[port] = sharing.limit;
        shared |= 1U << port;
      }
    }
  }
};

/// The output ports with a narrow channel. \param phits for each output port, channel::phits; may be empty
inline port_set narrow_ports(const std::vector<unsigned>& phits) {
  port_set narrow = 0;
  for (unsigned port = 0; port < phits.size(); ++port) narrow |= static_cast<port_set>(phits[port] > 1) << port;
  return narrow;
}

}  // namespace weft::pin
