// SPDX-License-Identifier: Apache-2.0
/// Replaces NICs of a network by verilated RTL.
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

/// Makes verilated NICs, including their stages, for the network \p graph. They replace the NICs of \p nodes, or all
/// NICs if \p nodes is empty. SystemVerilog parameters are fixed at compile time, so only these NICs exist:
/// - They have one port with 4 VCs of 8 flits, or with the sizes in WEFT_RTL_MORE_NICS, and one or two classes.
/// - Their ejection VCs have up to 16 flits, or there is no ejection buffer.
/// - NICs without stages have 32 or 64 payload bits. NICs with 64 payload bits may have compressor and decompressor
///   with the default codecs, XOR stages, or both.
/// - Path ids that depend on the destination, and XOR stages, are available in networks of up to 64 nodes.
/// - XOR stages hold 16 flits. They have either 16 entries and combine in 0 cycles, or 64 entries and combine in 1
///   cycle.
///
/// \throws std::invalid_argument for other NICs; the message names the property and the configuration key to change
std::shared_ptr<const pin::external_nics> make_rtl_nics(const topology& graph, unsigned payload_bits,
                                                        const router_parameters& router, const nic_parameters& nic,
                                                        std::vector<node_id> nodes);

}  // namespace weft::tb
