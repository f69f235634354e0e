// SPDX-License-Identifier: Apache-2.0
/// Where a packet waited between the NIC that sent it and the last router, exact to the cycle.
/// docs/03_reference/statistics.md#waits defines it.
#pragma once

#include <cstdint>

#include "weft/core/types.h"

namespace weft {

/// Cycles by which a flit is later than it would be if its packet were alone, by what it waited for. Of a packet: those
/// of its tail. Each below 2^32.
struct router_waits {
  std::uint32_t vc_allocation = 0;      ///< for an output VC; behind another packet in the same input VC, too
  std::uint32_t switch_allocation = 0;  ///< for the switch, with an output VC and a credit
  std::uint32_t credit = 0;             ///< for a credit, with an output VC; of flits behind the head, in the NIC too
  std::uint32_t nic = 0;                ///< for stages of the NIC, which had sent the head and not the flit behind it

  cycle_t sum() const { return cycle_t{vc_allocation} + switch_allocation + credit + nic; }

  friend bool operator==(const router_waits& a, const router_waits& b) {
    return a.vc_allocation == b.vc_allocation && a.switch_allocation == b.switch_allocation && a.credit == b.credit &&
           a.nic == b.nic;
  }
};

}  // namespace weft
