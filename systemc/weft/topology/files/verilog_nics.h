// SPDX-License-Identifier: Apache-2.0
/// The NICs of a network as SystemVerilog: a top around that of routers and links.
#pragma once

#include <string>

#include "weft/topology/files/verilog.h"
#include "weft/topology/topology.h"

namespace weft {

/// The module NAME_with_nics: the network of \p t, the module and package \p name, with a NIC of rtl/ at every node and
/// the window timer of all. \throws verilog_refusal
std::string nics_to_verilog(const topology& t, const verilog_options& options, const std::string& name);

}  // namespace weft
