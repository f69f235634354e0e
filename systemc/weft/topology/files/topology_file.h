// SPDX-License-Identifier: Apache-2.0
/// The topology kind of networks that come from a file.
#pragma once

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/routing_kind.h"

namespace weft {

const topology_kind& file_topology();
/// The routing that the file gives, or up*/down*.
const routing_kind& as_in_file_routing();

}  // namespace weft
