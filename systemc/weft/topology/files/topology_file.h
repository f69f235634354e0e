// SPDX-License-Identifier: Apache-2.0
/// The topology kind `file`: a network that a user describes in a file.
#pragma once

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/routing_kind.h"

namespace weft {

const topology_kind& file_topology();
/// The routing `as_in_file`: that of the file, or the default routing if the file has none.
const routing_kind& as_in_file_routing();

}  // namespace weft
