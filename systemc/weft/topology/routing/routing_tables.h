// SPDX-License-Identifier: Apache-2.0
/// Routing for networks of any shape. Each function replaces the routing of a network whose routers, channels and nodes
/// are complete (topology::routing and node_attachment::path_ids may be empty).
/// Paths are shortest in the number of channels, or in another path_weight. Of several shortest paths to a
/// destination, each router uses the one whose channels have the fewest routes so far. If a node has several ports at
/// its router, a packet that entered by port i leaves by port number i mod (number of these ports). \p vcs, 1…MaxVcs,
/// is the number of VCs of every port.
/// A table takes at most one byte for each router and destination, or two bytes under up*/down*. It takes less if runs
/// of destinations share a route.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "weft/topology/routing_kind.h"
#include "weft/topology/topology.h"

namespace weft {

/// Maximum number of entries (routers times nodes) of full tables.
inline constexpr std::size_t MaxTableEntries = std::size_t{1} << 24;

/// Routes \p t by up*/down* (Schroeder et al. 1991). Channels towards a root are up, the others are down, and a packet
/// that has gone down never goes up again. This is free of deadlock with one VC; packets may use all VCs.
/// Of two routers, the upper is the one nearer to the root; at the same distance, it is the one with the lower number.
/// If one-way links leave a pair of nodes without a path, distances count both directions instead: the distance of a
/// router is one more than that of the nearest routers with channels both to it and from it. The root is \p root, or by
/// default the router with the smallest eccentricity (of several, the one with the lowest number). With more than 4,096
/// routers, only 64 candidates are examined.
/// Paths are the shortest allowed ones. The table has two rows: one for packets from upper routers, one for packets
/// from lower routers and nodes.
/// If routers times nodes exceeds MaxTableEntries, tables consist of runs of destinations. Packets climb, spread over
/// the upper neighbors on the next level, until the destination is below a lower neighbor in the search tree, and then
/// descend. These paths are allowed but not shortest. The function then rejects networks in which routers are not
/// numbered along the tree, depth first, or nodes are not in the order of their routers. make_random_graph() makes
/// networks with this order.
/// \throws std::invalid_argument if one-way links leave no allowed path, or if tables would be too large
void route_up_down(topology& t, unsigned vcs, std::optional<router_id> root = std::nullopt,
                   path_weight weight = path_weight::Hops);

/// Whether route_up_down() finds a path between any two nodes.
bool allows_up_down(const topology& t);

/// Routes \p t by the default routing: route_up_down() if it allows a path between any two nodes, otherwise
/// route_shortest_layered().
/// \throws std::invalid_argument in the same cases as these functions
void route_by_default(topology& t, unsigned vcs);

/// Maximum of routers times nodes for routing in layers. Larger networks need a VC for each hop.
inline constexpr std::size_t MaxLayeredEntries = std::size_t{1} << 20;

/// Routes \p t by shortest paths in layers (LASH: Skeie, Lysne, Theiss 2002). The paths to a destination form a tree.
/// Each pair of nodes belongs to a layer, and the channels within a layer do not depend on each other in a cycle. The
/// path id of a packet is its layer, and the VCs are divided among the layers. Each pair, in the order of destinations,
/// goes into the first layer that stays acyclic with it. The number of layers is therefore not always minimal; finding
/// the minimum takes too long.
/// Every layer has one VC. Each further VC goes to the layer whose busiest channel has the highest load per VC, so a
/// layer never loses a VC when the total grows. Then pairs move to layers where the busiest channel of their path has a
/// lower load per VC, if those layers stay acyclic.
/// A network with more than MaxLayeredEntries routers times nodes, or with more than MaxVcs layers or \p vcs layers, is
/// routed by route_shortest_by_hops() if its longest path has at most \p vcs hops.
/// \return the number of VCs that the routing needs: the number of layers, or of hops of the longest path
/// \throws std::invalid_argument if \p vcs is less than this number, or if a node cannot be reached; too_large_to_route
/// for more than MaxTableEntries routers times nodes
unsigned route_shortest_layered(topology& t, unsigned vcs, path_weight weight = path_weight::Hops);

/// The number of layers of route_shortest_layered(). Returns nothing if it exceeds MaxVcs or the network is too large.
/// All nodes must be reachable from every router with nodes.
std::optional<unsigned> count_layers(const topology& t);

/// An entry of a user's table: packets to the node `to` leave the router `at` by `port`.
struct table_entry {
  router_id at = 0;
  node_id to = 0;
  unsigned port = 0;
  vc_set vcs = 0;
};

/// Rejects a network that is too large for routing tables. \throws too_large_to_route if routers times nodes exceeds
/// MaxTableEntries
void check_table_size(const topology& t);

/// Routes \p t by the user's table \p entries. Packets for a node at the router itself need no entry.
/// \throws std::invalid_argument for two entries for the same router and destination, entries that lead away from the
/// router of their node, nonexistent routers, nodes, ports and VCs, and routes that end at a router without an entry
void route_from_table(topology& t, const std::vector<table_entry>& entries, unsigned vcs);

enum class source_paths {
  Shortest,  ///< may deadlock; check with find_dependency_cycle()
  UpDown,    ///< shortest of the paths that up*/down* allows
};

/// A path given by the user: all routers on it, including the routers of source and destination.
struct given_path {
  node_id from = 0;
  node_id to = 0;
  std::vector<router_id> through;
};

/// Routes \p t by source routing: the path id of a packet encodes its whole path (source_path), and the packet may use
/// any VC. Pairs of nodes in \p given use the paths given there; \p others selects the paths of all other pairs.
/// \throws std::invalid_argument for a path that does not begin at the source, uses a nonexistent channel, does not end
/// at the destination, passes a router twice, is given twice, or does not fit source_path; for nodes with ports at
/// several routers
void route_by_source(topology& t, unsigned vcs, source_paths others = source_paths::Shortest,
                     const std::vector<given_path>& given = {}, path_weight weight = path_weight::Hops);

/// Routes \p t adaptively over shortest paths. On VCs 1, 2, …, a packet may take any channel that leads nearer to the
/// destination. VC 0 is the escape VC, with the routes of route_up_down(). A packet that has taken it stays on it,
/// because up*/down* would not be free of deadlock if packets could leave it and return (Silla and Duato 2000).
/// \throws std::invalid_argument for fewer than 2 VCs, or if up*/down* has no path between two nodes;
/// too_large_to_route if a router would have more than table_rule::MaxRoutes different routes
void route_minimal_adaptive(topology& t, unsigned vcs, path_weight weight = path_weight::Hops);

/// Valiant's routing and UGAL over the routes that \p t has (see detour_routes). Each part of a path has plan.vcs / 2
/// VCs, for which the routes of \p t were made. Every source draws an intermediate node for each packet.
/// \throws std::invalid_argument if the routes are adaptive or depend on the source's choice
void extend_by_valiant(topology& t, const routing_plan& plan);
void extend_by_ugal(topology& t, const routing_plan& plan);

/// Routes \p t by \p routing, which applies to any network. If it extends another routing, this is route_by_default().
/// \throws std::invalid_argument if the network cannot have this routing
void route_network(topology& t, const routing_kind& routing, const routing_plan& plan);

/// Makes a network with \p routing, which has routing_kind::extend. \p make makes the network with the routing to be
/// extended, for a number of VCs.
/// \throws std::invalid_argument if plan.vcs is too small; the message names the number of VCs that are needed
topology make_extended(const routing_kind& routing, const routing_plan& plan,
                       const std::function<topology(unsigned vcs)>& make);

/// The key of routings whose paths depend on a path_weight.
option_key<routing_options> path_weight_key();

const routing_kind& ugal_routing();      ///< extend_by_ugal()
const routing_kind& up_down_routing();   ///< route_up_down()
const routing_kind& shortest_routing();  ///< route_shortest_layered(); rings and Octagons have their own
const routing_kind& source_routing();    ///< route_by_source(), shortest paths
const routing_kind& default_routing();   ///< route_by_default(); has no name that users can choose

}  // namespace weft
