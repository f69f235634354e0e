// SPDX-License-Identifier: Apache-2.0
/// Names of the parts of a network in messages and drawings.
#pragma once

#include <string>

#include "weft/topology/topology.h"

namespace weft {

/// The name of a router: "router 5 (hub)"; if it has no name, its coordinates as in "router 5 (1,1)"; if it has
/// neither, or is out of range, "router 5".
std::string router_name(const topology& t, router_id router);

/// The name of a port, such as "+x"; "port 7" if the port has no name.
std::string port_name(const topology& t, port_ref port);

/// The names of a router and its port, such as "router 5 (1,1) +x".
std::string full_name(const topology& t, port_ref port);

/// The names of both ends of a channel, such as "router 5 (1,1) +x -> router 6 (2,1) -x".
std::string full_name(const topology& t, const channel& c);

}  // namespace weft
