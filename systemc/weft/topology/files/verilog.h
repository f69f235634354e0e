// SPDX-License-Identifier: Apache-2.0
/// A network as SystemVerilog: the routers and links of rtl/, wired as a topology says.
#pragma once

#include <string>

#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft {

/// What the hardware is, beside the topology.
struct verilog_options {
  std::string name = "weft_network";  ///< of the top module; made an identifier
  router_parameters router{};
  unsigned payload_bits = 64;   ///< a multiple of 32
  unsigned ejection_depth = 0;  ///< flits that a VC of a node's receiver holds; 0: it takes everything, no credits
  bool code = false;            ///< flits carry the code of XOR stages
};

/// Files of SystemVerilog, which go into one folder.
struct verilog_network {
  std::string name;     ///< of the top module
  std::string top;      ///< NAME.sv: the module
  std::string package;  ///< NAME_pkg.sv: its parameters
  std::string list;     ///< NAME.f: the files, those of rtl/ in the folder that the environment calls WEFT_RTL
};

/// The network of \p t. Its top has clock, reset and, at every port of a node, the wires of the channel to the router,
/// repeaters of longer channels included: flit_i with credit_o back, flit_o with credit_i back, as weft_pkg says. A
/// grid in dimension order gets the module for it; other routing that looks neither at the way nor chooses gets tables;
/// source routing reads the way. \throws std::invalid_argument for what the RTL does not do, saying what to change
verilog_network to_verilog(const topology& t, const verilog_options& options);

}  // namespace weft
