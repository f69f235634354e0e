// SPDX-License-Identifier: Apache-2.0
/// Generator of dragonflies.
#pragma once

#include <cstdint>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct dragonfly_parameters {
  std::uint32_t group_routers = 4;  ///< a ≥ 1
  std::uint32_t global_links = 2;   ///< h ≥ 1: links of each router to other groups
  std::uint32_t groups = 0;         ///< g, 2 to a · h + 1; 0: a · h + 1
  network_options options{};        ///< at least two VCs
  unsigned nodes = 2;               ///< p ≥ 1: nodes at each router
  unsigned global_cycles = 0;       ///< cycles of a link between groups; 0: options.link_cycles
  dragonfly_arrangement arrangement = dragonfly_arrangement::PalmTree;
};

/// Makes a dragonfly (Kim, Dally, Scott, Abts 2008): g groups of a routers each. The routers of a group are connected
/// with each other, and each router has h links to other groups.
///
/// Router r is at position r mod a of group r div a. The ports to the other routers of the group come first: port "r2"
/// leads to position 2. The ports to other groups follow, "g0", "g1", …, and then the ports to the nodes: "local", or
/// "local0", "local1", … Port "gi" at position s is global port s · h + i of its group.
///
/// A group has a · h global ports, so every two groups are connected by m = a · h div (g - 1) links. The global ports
/// from m · (g - 1) on are not connected. Global port k of group i leads to the group that k mod (g - 1) determines:
/// see dragonfly_arrangement.
///
/// Minimal routing takes at most three hops: to the router of the group that has a link to the group of the
/// destination, over this link, and to the router of the destination. If there are several such links, a router uses
/// one of its own if it has one; otherwise the number of the destination selects the link. Two VC classes make the
/// routing free of deadlock: a packet that still has a global hop before it uses the first half of the VCs on the link
/// within its group, and a packet that has crossed to another group the second half. Links between groups, and hops
/// within one group, use all VCs.
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_dragonfly(const dragonfly_parameters& parameters);

const topology_kind& dragonfly_topology();

/// The routing of make_dragonfly().
const routing_kind& minimal_routing();

}  // namespace weft
