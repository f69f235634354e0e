// SPDX-License-Identifier: Apache-2.0
/// The RTL, compiled by Verilator, instead of the routers of a network.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/routing.h"
#include "weft/core/types.h"

namespace weft::pin {
struct foreign_routers;
}

namespace weft::tb {

/// What verilated routers need to know of a network.
struct rtl_network {
  const std::vector<route_rule>& routing;  ///< of each router
  unsigned ports;                          ///< of the router with the most
  std::size_t nodes;
  unsigned payload_bits;
};

/// Verilated routers for \p network, all of them if there are none in \p routers. What is a parameter in SystemVerilog
/// is fixed when it is compiled: here 5 ports of 4 VCs of 16 flits, 64 nodes, S = 3 or 4, cut-through with S = 4. A
/// network that has less uses a part. \throws std::invalid_argument for others, and for what the RTL does not do,
/// saying which
std::shared_ptr<const pin::foreign_routers> make_rtl_routers(const rtl_network& network,
                                                             const router_parameters& router, const nic_parameters& nic,
                                                             std::vector<router_id> routers);

}  // namespace weft::tb
