// SPDX-License-Identifier: Apache-2.0
/// The network that a configuration describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weft/core/diagnostic.h"
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

/// Ports of the node of \p graph that has most.
std::size_t most_ports_of_node(const topology& graph);

/// What is wrong with the load of generated traffic where nodes have \p ports ports; nothing where a compressor may
/// make fewer flits.
std::optional<diagnostic> fault_of_load(const configuration& c, std::size_t ports);

/// Whether the nodes of \p graph, the network of \p c, have ports enough for the flits that generated traffic creates.
/// A compressor may make fewer of them, so nothing is said of networks with one. \throws configuration_error
void check_load(const configuration& c, const topology& graph);

/// "8x8 torus, minimal_adaptive routing".
std::string describe(const topology& graph);

}  // namespace weft::experiment
