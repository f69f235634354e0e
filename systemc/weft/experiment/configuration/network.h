// SPDX-License-Identifier: Apache-2.0
/// The network that a configuration describes.
#pragma once

#include <cstdint>
#include <string>

#include "weft/experiment/configuration/configuration.h"
#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// Gives what was not given of topology and routing the defaults that the topology has.
void complete_network(configuration& c);

/// All that \p c says of the network to be made.
network_plan plan_of(const configuration& c);

/// Nodes of the network of \p c. \throws configuration_error for a file that cannot be read
std::uint64_t count_nodes(const configuration& c);

/// Routers, nodes and channels alone, for what needs no routing: packets may deadlock in it, or need more VCs.
/// \throws configuration_error at the key that is to blame, unless the network is whole
topology build_channels(const configuration& c);

/// Builds and checks it: that it is whole, that routers and NICs can be so, and that packets cannot deadlock, unless
/// network.routing.allow_deadlock says that they may.
/// \throws configuration_error at the key that is to blame
topology build_network(const configuration& c);

/// Whether the nodes of \p graph, the network of \p c, have ports enough for the flits that generated traffic creates.
/// A compressor may make fewer of them, so nothing is said of networks with one. \throws configuration_error
void check_load(const configuration& c, const topology& graph);

/// "8x8 torus, minimal_adaptive routing".
std::string describe(const topology& graph);

}  // namespace weft::experiment
