// SPDX-License-Identifier: Apache-2.0
/// Two questions to ask of a network before it is built: is it whole, and can it deadlock?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/core/parameter_faults.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft {

/// Throws std::invalid_argument, naming router and port, unless \p t is a network that every level can build:
/// - routers have 1…MaxPorts ports, each with a name;
/// - channels and nodes refer to ports that exist, at most one channel or node for each port and direction, and take at
///   least one cycle;
/// - every router has a routing function whose constants fit it;
/// - packets of every node, on whichever of the VCs 0…vcs-1 they are injected and whichever admissible VC they get,
///   reach every destination: each route that they meet leads to a connected port, with admissible VCs among 0…vcs-1,
///   and none leads in a circle.
///
/// The last point is checked for all destinations where nodes² ≤ 2^22; in a larger network for 2^22 / nodes
/// destinations, spread over it, and from every node to each of them.
void check_structure(const topology& t, unsigned vcs = MaxVcs);

/// What is wrong with \p router and \p nic in the network \p t: the buffers of its largest router must fit, and a XOR
/// decoder must see all packets to its node. All else is found by find_parameter_faults(router, nic, prefix).
std::vector<parameter_fault> find_parameter_faults(const topology& t, const router_parameters& router,
                                                   const nic_parameters& nic, const std::string& prefix = "");

/// Throws std::invalid_argument, naming the parameter, unless routers and NICs of \p t can be so at every level.
void check_parameters(const topology& t, const router_parameters& router, const nic_parameters& nic);

/// One virtual channel of a channel between routers: the resource that a packet holds while it waits for the next.
struct channel_vc {
  std::size_t channel = 0;  ///< index into topology::channels
  unsigned vc = 0;
  friend bool operator==(const channel_vc& a, const channel_vc& b) { return a.channel == b.channel && a.vc == b.vc; }
};

/// A cycle of the channel dependency graph (Dally and Seitz 1987): each pair is held by a packet that may ask for the
/// next, the last for the first. Empty when there is none, and then no packets can deadlock.
///
/// The graph has the pairs that routes really use: for every destination it follows, from every node and injection VC
/// 0…vcs-1, all that the routing functions admit. For adaptive routing with escape channels it is the
/// extended graph of these (Duato 1993): there is a dependency also where a packet gets from one to the next over
/// channels taken by choice. It presumes that a packet that stands in line there has left all other channels, which
/// take_up() assures.
///
/// A mesh with dimension order is judged by its turns, in linear time. In other networks of more than 2^26 pairs times
/// destinations (a torus of 64 x 64) some of the destinations stand for all; with adaptive routing and more than 2^14
/// pairs (a mesh of 32 x 32) only direct dependencies count. \p t has passed check_structure(t, vcs).
std::vector<channel_vc> find_dependency_cycle(const topology& t, unsigned vcs);

/// The lines of describe_cycle(), without their ends; control characters in names are written out.
std::vector<std::string> lines_of_cycle(const topology& t, const std::vector<channel_vc>& cycle);

/// One line for each channel of \p cycle, "router 5 (1,1) +x -> router 6 (2,1) -x, VC 0", and one that closes
/// the ring, "back to router 5 (1,1) +x, VC 0". Empty for an empty cycle.
std::string describe_cycle(const topology& t, const std::vector<channel_vc>& cycle);

}  // namespace weft
