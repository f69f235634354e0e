// SPDX-License-Identifier: Apache-2.0
/// Replaces routers of a network by verilated RTL.
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

/// Makes verilated routers for \p graph. They replace the routers \p routers, or all routers if \p routers is empty.
/// SystemVerilog parameters are fixed at compile time. The compiled routers have 5 ports with 4 VCs of 16 flits and
/// tables for 64 nodes. Their pipeline depth S is 3 or 4; virtual cut-through is available for S = 4.
/// WEFT_RTL_ROUTER_SIZES and WEFT_RTL_MORE_ROUTERS change these values. A smaller network uses a part of the router.
/// \throws std::invalid_argument for other routers, and for features that the RTL does not have; the message names the
///         property and the configuration key to change
std::shared_ptr<const pin::external_routers> make_rtl_routers(const topology& graph, unsigned payload_bits,
                                                              const router_parameters& router,
                                                              const nic_parameters& nic,
                                                              std::vector<router_id> routers);

}  // namespace weft::tb
