// SPDX-License-Identifier: Apache-2.0
/// Two checks of a network before it is built: whether it is well formed, and whether it can deadlock.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/core/parameter_errors.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft {

/// Throws std::invalid_argument, which names router and port, unless every level can build \p t:
/// - routers have 1…MaxPorts ports, each with a name;
/// - channels and nodes refer to ports that exist, at most one channel or node for each port and direction, and take at
///   least one cycle;
/// - every router has a routing function whose constants fit it;
/// - packets of every node, on whichever of the VCs 0…vcs-1 they are injected and whichever admissible VC they get,
///   reach every destination: each route on the path leads to a connected port, with admissible VCs among 0…vcs-1, and
///   none forms a loop.
///
/// The last point is checked for all destinations if nodes² ≤ 2^22. In a larger network it is checked for 2^22 / nodes
/// destinations, spread over the network, from every node to each of them.
void check_structure(const topology& t, unsigned vcs = MaxVcs);

/// Returns the errors of \p router and \p nic in the network \p t: the buffers of its largest router must fit, and an
/// XOR decoder must receive all packets to its node. find_parameter_errors(router, nic, prefix) finds all other errors.
std::vector<parameter_error> find_parameter_errors(const topology& t, const router_parameters& router,
                                                   const nic_parameters& nic, const std::string& prefix = "");

/// Throws std::invalid_argument, naming the parameter, unless every level can build \p t with these routers and NICs.
void check_parameters(const topology& t, const router_parameters& router, const nic_parameters& nic);

/// One virtual channel of a channel between routers: the resource that a packet holds while it waits for the next.
struct channel_vc {
  std::size_t channel = 0;  ///< index into topology::channels
  unsigned vc = 0;
  friend bool operator==(const channel_vc& a, const channel_vc& b) { return a.channel == b.channel && a.vc == b.vc; }
};

/// Returns a cycle of the channel dependency graph (Dally and Seitz 1987): a packet that holds one pair may request the
/// next, and the last may request the first. An empty result means that no packets can deadlock.
/// The graph contains only the pairs that routes use: for every destination, the search follows all that the routing
/// functions admit from every node and injection VC 0…vcs-1. For adaptive routing with escape channels it is the
/// extended dependency graph (Duato 1993), which also has a dependency where a packet gets from one escape channel to
/// the next over adaptive channels. The extended graph presumes that a packet that waits in an escape channel has left
/// all other channels; select_output() guarantees this.
/// In a mesh with dimension order the check examines only the turns, in linear time. Other networks with more than 2^26
/// pairs times destinations (a torus of 64 x 64) are checked for a sample of the destinations; with adaptive routing
/// and more than 2^14 pairs (a mesh of 32 x 32) the graph has direct dependencies only. \p t must have passed
/// check_structure(t, vcs).
std::vector<channel_vc> find_dependency_cycle(const topology& t, unsigned vcs);

/// The lines of describe_cycle(), without line ends. Control characters in names are escaped.
std::vector<std::string> lines_of_cycle(const topology& t, const std::vector<channel_vc>& cycle);

/// One line for each channel of \p cycle, "router 5 (1,1) +x -> router 6 (2,1) -x, VC 0", and one that closes
/// the ring, "back to router 5 (1,1) +x, VC 0". Empty for an empty cycle.
std::string describe_cycle(const topology& t, const std::vector<channel_vc>& cycle);

}  // namespace weft
