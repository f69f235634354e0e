// SPDX-License-Identifier: Apache-2.0
/// Generates the top with NICs around a generated SystemVerilog network.
#pragma once

#include <string>

#include "weft/topology/files/verilog.h"
#include "weft/topology/topology.h"

namespace weft {

/// Generates the module NAME_with_nics: the network of \p t (module and package \p name), a NIC of rtl/ at every node,
/// and the window timer that all share. \throws verilog_error
std::string nics_to_verilog(const topology& t, const verilog_options& options, const std::string& name);

}  // namespace weft
