// SPDX-License-Identifier: Apache-2.0
/// What is wrong with the parameters of routers and NICs: the one place where their ranges and their dependences are
/// checked. Every level asks it, and so do the readers of files, which add the line.
#pragma once

#include <string>
#include <vector>

#include "weft/core/parameters.h"

namespace weft {

/// One thing that is wrong.
struct parameter_fault {
  std::vector<std::string> keys;  ///< parameters that are to blame, the first of them in doubt: "router.depth"
  std::string message;            ///< "router: expected vcs · depth of at most 512 flits, got 16 · 33 = 528"
};

/// All that is wrong with \p router and \p nic, whatever the network. \p prefix stands before "router" in keys and
/// messages: "network." for files, where the router is in the section network.
std::vector<parameter_fault> find_parameter_faults(const router_parameters& router, const nic_parameters& nic,
                                                   const std::string& prefix = "");

}  // namespace weft
