// SPDX-License-Identifier: Apache-2.0
/// Two checks of a network before it is built: whether it is complete and consistent, and whether it can deadlock.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/core/parameter_errors.h"
#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft {

/// Checks whether every level can build \p t:
/// - Routers have 1…MaxPorts ports, each with a name.
/// - Channels and nodes refer to ports that exist. Each port has at most one channel or node in each direction.
///   Channels take at least one cycle.
/// - Every router has a routing function with valid constants.
/// - Packets from every node reach every destination, on whichever of the VCs 0…vcs-1 they are injected and whichever
///   admissible VC they get. Each hop leads to a connected port, with admissible VCs among 0…vcs-1, and no path forms a
///   loop.
///
/// The last point is checked for all destinations if nodes² ≤ 2^22. In a larger network it is checked for 2^22 / nodes
/// destinations, which are spread over the network, from every node to each of them.
/// \throws std::invalid_argument, which names the router and the port, if a check fails
void check_structure(const topology& t, unsigned vcs = MaxVcs);

/// Returns those errors of \p router and \p nic that depend on the network \p t: the buffers of its largest router must
/// not be too large, and an XOR decoder must receive all packets to its node. find_parameter_errors(router, nic,
/// prefix) returns all other errors.
std::vector<parameter_error> find_parameter_errors(const topology& t, const router_parameters& router,
                                                   const nic_parameters& nic, const std::string& prefix = "");

/// Checks whether every level can build \p t with these routers and NICs.
/// \throws std::invalid_argument, which names the parameter, if not
void check_parameters(const topology& t, const router_parameters& router, const nic_parameters& nic);

/// One VC of a channel between routers: the resource that a packet holds while it waits for the next one.
struct channel_vc {
  static constexpr unsigned AnyVc = MaxVcs;  ///< stands for all VCs of a channel together
  std::size_t channel = 0;                   ///< index into topology::channels
  unsigned vc = 0;
  friend bool operator==(const channel_vc& a, const channel_vc& b) { return a.channel == b.channel && a.vc == b.vc; }
};

/// Returns a cycle of the channel dependency graph (Dally and Seitz 1987), whose vertices are (channel, VC) pairs: a
/// packet that holds one pair of the cycle may request the next, and a packet that holds the last may request the
/// first. If the result is empty, packets cannot deadlock.
/// The graph contains only pairs that routes use. For every destination, the search follows all routes that the routing
/// functions admit, from every node and every injection VC 0…vcs-1. For adaptive routing with escape channels, the
/// graph is the extended dependency graph (Duato 1993). It also has a dependency where a packet gets from one escape
/// channel to the next over adaptive channels. It presumes that a packet that waits in an escape channel has left all
/// other channels; select_output() guarantees this.
/// In a mesh with dimension order the check examines only the turns, in linear time. In other networks with more than
/// 2^26 pairs times destinations (a torus of 64 x 64), it examines a sample of the destinations. With adaptive routing
/// and more than 2^14 pairs (a mesh of 32 x 32), the graph has direct dependencies only.
/// \param t   a network that has passed check_structure(t, vcs)
std::vector<channel_vc> find_dependency_cycle(const topology& t, unsigned vcs);

/// The same for a network of routers with the parameters \p router. If their VCs share a buffer and have no flits of it
/// for themselves (buffer_parameters::reserved), a packet in one VC may wait for packets in any VC of the same channel.
/// The vertices of the graph are then whole channels (channel_vc::AnyVc), and adaptive routes count like all others.
std::vector<channel_vc> find_dependency_cycle(const topology& t, const router_parameters& router);

/// Returns the lines of describe_cycle(), without line ends. Control characters in names are escaped.
std::vector<std::string> lines_of_cycle(const topology& t, const std::vector<channel_vc>& cycle);

/// Describes \p cycle: one line for each channel, such as "router 5 (1,1) +x -> router 6 (2,1) -x, VC 0", and a last
/// line such as "back to router 5 (1,1) +x, VC 0". Returns an empty string for an empty cycle.
std::string describe_cycle(const topology& t, const std::vector<channel_vc>& cycle);

}  // namespace weft
