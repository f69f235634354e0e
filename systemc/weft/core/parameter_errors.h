// SPDX-License-Identifier: Apache-2.0
/// Checks the ranges of router and NIC parameters and the constraints between them. Every level uses these checks, and
/// so do the readers of files, which add line numbers to the errors.
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

/// Returns all errors in \p router and \p nic that do not depend on the network. Keys and messages begin with \p
/// prefix: a file has the router in its section network, so that its prefix is "network.".
std::vector<parameter_error> find_parameter_errors(const router_parameters& router, const nic_parameters& nic,
                                                   const std::string& prefix = "");

}  // namespace weft
