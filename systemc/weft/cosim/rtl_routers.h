// SPDX-License-Identifier: Apache-2.0
/// Verilated RTL in place of the routers of a network.
#pragma once

#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft::pin {
struct external_routers;
}

namespace weft::tb {

/// Makes verilated routers for \p graph at \p routers or, if this is empty, at all routers. SystemVerilog parameters
/// are fixed at compile time: 5 ports with 4 VCs of 16 flits, 64 nodes, S = 3 or 4, cut-through with S = 4, or the
/// values in WEFT_RTL_ROUTER_SIZES and WEFT_RTL_MORE_ROUTERS. A smaller network uses a part of the router.
/// \throws std::invalid_argument for other routers, and for functions that the RTL does not have, naming the property
/// and the configuration key to change
std::shared_ptr<const pin::external_routers> make_rtl_routers(const topology& graph, unsigned payload_bits,
                                                              const router_parameters& router,
                                                              const nic_parameters& nic,
                                                              std::vector<router_id> routers);

}  // namespace weft::tb
