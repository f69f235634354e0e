// SPDX-License-Identifier: Apache-2.0
/// Verilated RTL in place of the NICs of a network.
#pragma once

#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft::pin {
struct external_nics;
}

namespace weft::tb {

/// Makes verilated NICs, with their stages, for the network \p graph, at \p nodes or, if this is empty, at all nodes.
/// SystemVerilog parameters are fixed at compile time, so only these NICs exist:
/// - one port with 4 VCs of 8 flits, or with the sizes in WEFT_RTL_MORE_NICS, in one or two classes;
/// - ejection VCs of up to 16 flits, or no ejection buffer;
/// - no stages with 32 or 64 payload bits; or, with 64 payload bits, compressor and decompressor of the default codecs,
///   XOR stages, or both;
/// - path ids that depend on the destination, and XOR stages, in networks of up to 64 nodes;
/// - XOR stages of 16 flits, with 16 entries and XORs that take no cycle, or with 64 entries and XORs of one cycle.
/// \throws std::invalid_argument for other NICs, naming the property and the configuration key to change
std::shared_ptr<const pin::external_nics> make_rtl_nics(const topology& graph, unsigned payload_bits,
                                                        const router_parameters& router, const nic_parameters& nic,
                                                        std::vector<node_id> nodes);

}  // namespace weft::tb
