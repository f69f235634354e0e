// SPDX-License-Identifier: Apache-2.0
/// Writes the routing of a network as parameters and constants of weft_router.
#pragma once

#include <string>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft {

/// The routing rule of one router in SystemVerilog.
struct verilog_rule {
  std::string parameters;  ///< of the instance, a line each: `.Rule (weft_pkg::RuleGrid),` …
  std::string constant;    ///< value of its rule_i
};

/// The routing rule of each router.
/// \throws std::invalid_argument for a rule that the RTL does not support; the message names an alternative
std::vector<verilog_rule> verilog_rules(const topology& t, const router_parameters& router);

/// Number of wires for numbers below \p count, at least one, as the RTL has them.
unsigned bits_for(unsigned count);

/// Number of bits of the path id on the wires of this network; at least 1.
unsigned verilog_path_id_bits(const topology& t);

}  // namespace weft
