// SPDX-License-Identifier: Apache-2.0
/// Replaces the compression stages of a network by verilated RTL.
#pragma once

#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"

namespace weft::pin {
struct external_stages;
}

namespace weft::tb {

/// Makes verilated compression stages for \p parameters. They replace the stages of \p nodes, or of all nodes if \p
/// nodes is empty. SystemVerilog parameters are fixed at compile time: the stages have the table of COMPRESS or the
/// classic code, exact LSB-cut, and memories of 512 flits. Thresholds and cut are inputs.
/// \throws std::invalid_argument for other stages; the message names the stages that exist
std::shared_ptr<const pin::external_stages> make_rtl_stages(const compression_parameters& parameters,
                                                            std::vector<node_id> nodes);

}  // namespace weft::tb
