// SPDX-License-Identifier: Apache-2.0
/// A network from a file, as a topology that users choose.
#pragma once

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/routing_kind.h"

namespace weft {

const topology_kind& file_topology();
/// What the file says, or up*/down*.
const routing_kind& as_in_file_routing();

}  // namespace weft
