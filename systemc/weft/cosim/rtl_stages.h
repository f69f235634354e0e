// SPDX-License-Identifier: Apache-2.0
/// Verilated RTL in place of the compression stages of a network.
#pragma once

#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"

namespace weft::pin {
struct external_stages;
}

namespace weft::tb {

/// Makes verilated stages for \p parameters at \p nodes or, if this is empty, at all nodes. SystemVerilog parameters
/// are fixed at compile time: the table of COMPRESS or the classic code, exact LSB-cut, and memories of 512 flits.
/// Thresholds and cut are inputs. \throws std::invalid_argument for other stages, listing those that exist
std::shared_ptr<const pin::external_stages> make_rtl_stages(const compression_parameters& parameters,
                                                            std::vector<node_id> nodes);

}  // namespace weft::tb
