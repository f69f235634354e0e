// SPDX-License-Identifier: Apache-2.0
/// The RTL, compiled by Verilator, instead of the NICs of a network.
#pragma once

#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft::pin {
struct foreign_nics;
}

namespace weft::tb {

/// Verilated NICs, with their stages, for a network of the shape \p graph, at all nodes if there are none in \p nodes.
/// What is a parameter in SystemVerilog is fixed when it is compiled: one port of 4 VCs of 8 flits, or what
/// WEFT_RTL_MORE_NICS asks for, in one class or two; ejection VCs of up to 16 flits or none; either without stages for
/// 32 and 64 payload bits, or for 64 with compressor and decompressor of the default codecs, XOR stages or both; ways
/// that the destination decides, and XOR stages, in networks of up to 64 nodes. XOR stages hold 16 flits; the decoder
/// has 16 entries and an XOR takes no cycle, or 64 entries and it takes one.
/// \throws std::invalid_argument for others, saying which, and the key of the configuration to change
std::shared_ptr<const pin::foreign_nics> make_rtl_nics(const topology& graph, unsigned payload_bits,
                                                       const router_parameters& router, const nic_parameters& nic,
                                                       std::vector<node_id> nodes);

}  // namespace weft::tb
