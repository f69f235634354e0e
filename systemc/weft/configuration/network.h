// SPDX-License-Identifier: Apache-2.0
/// Builds the network that a configuration describes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/core/diagnostic.h"
#include "weft/energy/network_cost.h"
#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/topology.h"
#include "weft/workload/flows.h"

namespace weft::experiment {

/// Sets topology and routing keys that were not given to the defaults of the topology.
void complete_network(configuration& c);

/// channel::phits of the links that network.link.width describes.
unsigned phits_of(const configuration& c);

/// The input of make_network() for \p c.
network_plan plan_of(const configuration& c);

/// Number of nodes of the network of \p c. \throws configuration_error for a file that cannot be read
std::uint64_t count_nodes(const configuration& c);

/// Builds the network for analyses that use only routers, nodes and channels. The network has enough VCs for any
/// routing, and packets may deadlock in it.
/// \throws configuration_error at the relevant key if the network is not well formed
topology build_channels(const configuration& c);

/// Builds the network and checks that it is well formed, that the routers and NICs are possible, and that packets
/// cannot deadlock, unless network.routing.allow_deadlock permits deadlocks.
/// \throws configuration_error at the relevant key
topology build_network(const configuration& c);

/// The regulated flows of workload.flows. \p graph is the network of \p c.
/// \throws workload_error for a file with errors
std::vector<regulated_flow> flows_of(const configuration& c, const topology& graph);

/// The smallest number of VCs with which the routing of \p c is free of deadlock; 0 if there is none with the VCs of
/// \p c. No value: \p graph, the network of \p c, is too large for the search.
std::optional<unsigned> least_vcs_of(configuration c, const topology& graph);

/// The costs of \p graph, the network of \p c, in the technology of output.energy; null without a technology.
/// \throws configuration_error for a technology file with errors
std::shared_ptr<const network_cost> find_cost(const configuration& c, const topology& graph);

/// The largest number of ports of a node in \p graph.
std::size_t most_ports_of_node(const topology& graph);

/// The error if the load of generated traffic exceeds what \p ports ports carry. Nothing if there is a compressor,
/// because it may reduce the number of flits.
std::optional<diagnostic> fault_of_load(const configuration& c, std::size_t ports);

/// Checks that the nodes of \p graph, the network of \p c, have enough ports for the generated flits. Does not check
/// networks with a compressor, because it may reduce the number of flits. \throws configuration_error
void check_load(const configuration& c, const topology& graph);

/// Describes the network in a few words: "8x8 torus, minimal_adaptive routing".
std::string describe(const topology& graph);

}  // namespace weft::experiment
