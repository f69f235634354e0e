// SPDX-License-Identifier: Apache-2.0
/// The channels between NICs and routers.
#pragma once

#include <cstdint>

#include "weft/core/types.h"
#include "weft/engine/base/packet_pool.h"

namespace weft::engine {

/// The number of a bidirectional channel between a NIC and a router. Channels are numbered node by node.
using nic_port = std::uint32_t;

/// A VC of a channel between a NIC and a router.
struct nic_port_vc {
  static constexpr unsigned VcBits = 4;
  static_assert(MaxVcs <= 1U << VcBits);

  std::uint32_t number = 0;

  nic_port port() const { return number >> VcBits; }
  unsigned vc() const { return number & ((1U << VcBits) - 1); }
};

/// A flit on its way to a NIC.
struct moving_flit {
  nic_port_vc nic;
  stored_flit flit;
};

}  // namespace weft::engine
