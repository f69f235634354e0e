// SPDX-License-Identifier: Apache-2.0
/// All topologies and routings that a user can choose, and the function that makes the network of a choice.
#pragma once

#include <string>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/routing_kind.h"

namespace weft {

/// All topologies, in the order of the user's guide.
const std::vector<const topology_kind*>& topology_kinds();
const std::vector<const routing_kind*>& routing_kinds();

/// The routings of routing_kinds() that apply to any network.
const std::vector<const routing_kind*>& graph_routings();

/// The names of \p kinds, in the same order.
template <class Kind>
std::vector<std::string> names_of(const std::vector<const Kind*>& kinds) {
  std::vector<std::string> names;
  for (const Kind* kind : kinds) names.push_back(kind->name);
  return names;
}

/// Makes the network that \p plan describes. Its routing comes from the topology, unless the plan names a routing
/// function, which is then applied. The caller must still call check_structure().
/// \throws std::invalid_argument if the topology does not support the routing; the message names an alternative. Also
/// throws the exceptions of topology_kind::make and routing_kind::route.
topology make_network(const network_plan& plan);

}  // namespace weft
