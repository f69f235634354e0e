// SPDX-License-Identifier: Apache-2.0
/// The waits of a packet between the NIC that sent it and the last router, exact to the cycle.
/// docs/03_reference/statistics.md#waits defines them.
#pragma once

#include <cstdint>

#include "weft/core/types.h"

namespace weft {

/// Wait cycles of a flit by cause. They add up to its lateness relative to an empty network. The waits of a packet are
/// those of its tail. Each value is below 2^32.
struct router_waits {
  std::uint32_t vc_allocation = 0;      ///< for an output VC, and behind another packet in the same input VC
  std::uint32_t switch_allocation = 0;  ///< for the switch, with an output VC and a credit
  std::uint32_t credit = 0;             ///< for a credit, with an output VC; for body and tail flits also in the NIC
  std::uint32_t nic = 0;                ///< for stages of the NIC that had sent the head but not this flit

  cycle_t sum() const { return cycle_t{vc_allocation} + switch_allocation + credit + nic; }

  friend bool operator==(const router_waits& a, const router_waits& b) {
    return a.vc_allocation == b.vc_allocation && a.switch_allocation == b.switch_allocation && a.credit == b.credit &&
           a.nic == b.nic;
  }
};

}  // namespace weft
