// SPDX-License-Identifier: Apache-2.0
/// All topologies and routings that a user can choose, and the function that makes the chosen network.
#pragma once

#include <string>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/routing_kind.h"

namespace weft {

/// In the order of the user's guide.
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

/// Makes the network of \p plan: its topology with a routing of its own, or routed by another function. The network is
/// not checked yet.
/// \throws std::invalid_argument with a valid alternative, for a routing that the topology cannot have; the errors of
/// topology_kind::make and routing_kind::route
topology make_network(const network_plan& plan);

}  // namespace weft
