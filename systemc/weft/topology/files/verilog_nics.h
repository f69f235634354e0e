// SPDX-License-Identifier: Apache-2.0
/// Generates the module that contains a SystemVerilog network and its NICs.
#pragma once

#include <string>

#include "weft/topology/files/verilog.h"
#include "weft/topology/topology.h"

namespace weft {

/// Generates the module NAME_with_nics. It contains the network of \p t (module and package \p name), a NIC of rtl/ at
/// every node, and the window timer that all NICs share.
/// \throws verilog_error for a feature that the RTL does not support
std::string nics_to_verilog(const topology& t, const verilog_options& options, const std::string& name);

}  // namespace weft
