// SPDX-License-Identifier: Apache-2.0
/// Checks the ranges of router and NIC parameters and the constraints between them, in one place. Every level uses it,
/// and so do the readers of files, which add the line number.
#pragma once

#include <string>
#include <vector>

#include "weft/core/parameters.h"

namespace weft {

/// One violated constraint.
struct parameter_error {
  std::vector<std::string> keys;  ///< parameters that cause it, most likely first: "router.depth"
  std::string message;            ///< "router: expected vcs · depth of at most 512 flits, got 16 · 33 = 528"
};

/// Returns all errors in \p router and \p nic that do not depend on the network. \p prefix precedes "router" in keys
/// and messages: "network." for files, where the router is in the section network.
std::vector<parameter_error> find_parameter_errors(const router_parameters& router, const nic_parameters& nic,
                                                   const std::string& prefix = "");

}  // namespace weft
