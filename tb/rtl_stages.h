// SPDX-License-Identifier: Apache-2.0
/// The RTL, compiled by Verilator, instead of the compression stages of a network.
#pragma once

#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"

namespace weft::pin {
struct foreign_stages;
}

namespace weft::tb {

/// Verilated stages for \p parameters at \p nodes, all of them if there are none in the list. What is a parameter in
/// SystemVerilog is fixed when it is compiled: here the table of COMPRESS or the classic code, exact LSB-cut, and
/// memories of 512 flits. Thresholds and cut are inputs. \throws std::invalid_argument for others, naming what there is
std::shared_ptr<const pin::foreign_stages> make_rtl_stages(const compression_parameters& parameters,
                                                           std::vector<node_id> nodes);

}  // namespace weft::tb
