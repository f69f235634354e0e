// SPDX-License-Identifier: Apache-2.0
/// The routing of a network as parameters and constants of weft_router.
#pragma once

#include <string>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft {

/// How one router finds the way of a packet.
struct verilog_rule {
  std::string parameters;  ///< of the instance, a line each: `.Rule (weft_pkg::RuleGrid),` …
  std::string constant;    ///< what its rule_i is
};

/// The rule of each router. \throws std::invalid_argument for one that the RTL does not have, saying what to change
std::vector<verilog_rule> verilog_rules(const topology& t, const router_parameters& router);

/// Bits of the way on the wires of this network, at least one.
unsigned verilog_way_bits(const topology& t);

}  // namespace weft
