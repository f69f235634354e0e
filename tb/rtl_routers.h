// SPDX-License-Identifier: Apache-2.0
/// The RTL, compiled by Verilator, instead of the routers of a network.
#pragma once

#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft::pin {
struct foreign_routers;
}

namespace weft::tb {

/// Verilated routers for \p graph, all of them if there are none in \p routers. What is a parameter in SystemVerilog
/// is fixed when it is compiled: 5 ports of 4 VCs of 16 flits, 64 nodes, S = 3 or 4, cut-through with S = 4, or what
/// WEFT_RTL_ROUTER_SIZES and WEFT_RTL_MORE_ROUTERS ask for. A network that has less uses a part.
/// \throws std::invalid_argument for others, and for what the RTL does not do, saying which, and the key of the
/// configuration to change
std::shared_ptr<const pin::foreign_routers> make_rtl_routers(const topology& graph, unsigned payload_bits,
                                                             const router_parameters& router, const nic_parameters& nic,
                                                             std::vector<router_id> routers);

}  // namespace weft::tb
