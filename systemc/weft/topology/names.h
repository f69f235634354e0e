// SPDX-License-Identifier: Apache-2.0
/// Names of the parts of a network in messages and drawings.
#pragma once

#include <string>

#include "weft/topology/topology.h"

namespace weft {

/// "router 5 (hub)"; without a name "router 5 (1,1)"; without coordinates, or if \p router is out of range, "router 5".
std::string router_name(const topology& t, router_id router);

/// "+x"; a port without a name is "port 7".
std::string port_name(const topology& t, port_ref port);

/// "router 5 (1,1) +x".
std::string full_name(const topology& t, port_ref port);

/// "router 5 (1,1) +x -> router 6 (2,1) -x".
std::string full_name(const topology& t, const channel& c);

}  // namespace weft
