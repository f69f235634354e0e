// SPDX-License-Identifier: Apache-2.0
/// Builds the network that a configuration describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weft/configuration/configuration.h"
#include "weft/core/diagnostic.h"
#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// Sets the topology's defaults for topology and routing keys that were not given.
void complete_network(configuration& c);

/// The network plan in \p c.
network_plan plan_of(const configuration& c);

/// Number of nodes of the network of \p c. \throws configuration_error for a file that cannot be read
std::uint64_t count_nodes(const configuration& c);

/// Routers, nodes and channels only, for analyses without routing: packets may deadlock, or need more VCs.
/// \throws configuration_error at the relevant key if the network is not well formed
topology build_channels(const configuration& c);

/// Builds the network and checks that it is well formed, that the routers and NICs are possible, and that packets
/// cannot deadlock, unless network.routing.allow_deadlock permits deadlocks.
/// \throws configuration_error at the relevant key
topology build_network(const configuration& c);

/// The most ports of any node of \p graph.
std::size_t most_ports_of_node(const topology& graph);

/// The error if the load of generated traffic exceeds what \p ports ports carry; nothing if a compressor may reduce the
/// flits.
std::optional<diagnostic> fault_of_load(const configuration& c, std::size_t ports);

/// Checks that the nodes of \p graph, the network of \p c, have enough ports for the generated flits. Networks with a
/// compressor, which may reduce the flits, are not checked. \throws configuration_error
void check_load(const configuration& c, const topology& graph);

/// "8x8 torus, minimal_adaptive routing".
std::string describe(const topology& graph);

}  // namespace weft::experiment
