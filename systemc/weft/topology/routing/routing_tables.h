// SPDX-License-Identifier: Apache-2.0
/// Routing for networks of any shape. Each function replaces the routing of a network whose routers, channels and nodes
/// are there (topology::routing and node_attachment::ways may be empty).
///
/// Paths are shortest in channels, whatever cycles these take. Of several, the router takes for each destination the
/// one over which the fewest routes found so far go. Where a node has several ports at its router, packets leave by the
/// one that their input port's number selects, modulo the number of ports. \p vcs, 1…MaxVcs, is what every port has.
///
/// A table takes at most a byte for each router and destination, up*/down* at most two; less where runs of destinations
/// have the same route.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "weft/topology/routing_kind.h"
#include "weft/topology/topology.h"

namespace weft {

/// Routers times nodes that may have full tables.
inline constexpr std::size_t MaxTableEntries = std::size_t{1} << 24;

/// up*/down* (Schroeder et al. 1991): channels towards a root are up, the others down; a packet that has gone down
/// never goes up again. Free of deadlock with one VC; packets use all.
///
/// Of two routers, the upper is the one nearer to the root, or of the same distance, that with the lower number. Where
/// one-way links leave no path for some pair of nodes then, distances count both ways: a router is one farther than the
/// nearest routers that it has a channel to and a channel from. Paths are the shortest of those allowed. Root: \p root,
/// or the router from which the farthest is nearest, the lowest number first; beyond 4,096 routers, of 64 of them. Two
/// rows: packets that came from above look in another than those from below or from nodes.
///
/// With more than MaxTableEntries routers times nodes, tables are runs of destinations: packets climb, spread over the
/// upper neighbours on the next level, until a neighbour further down has the destination below it in the tree of the
/// search, then descend. Such paths are allowed, but not the shortest. It takes routers that are numbered along this
/// tree, depth first, and nodes in the order of their routers, as in make_random_graph(); others are refused.
///
/// \throws std::invalid_argument where links go one way only so that no path is allowed, or tables would be too large
void route_up_down(topology& t, unsigned vcs, std::optional<router_id> root = std::nullopt);

/// Whether route_up_down() finds a path between any two nodes.
bool allows_up_down(const topology& t);

/// The routing of networks for which none is chosen: route_up_down() where it allows a path between any two nodes, else
/// route_shortest_layered(). \throws std::invalid_argument as these
void route_by_default(topology& t, unsigned vcs);

/// Routers times nodes that may be routed in layers; larger networks take a VC for each hop.
inline constexpr std::size_t MaxLayeredEntries = std::size_t{1} << 20;

/// Shortest paths in layers: the paths to a destination form a tree; each pair of nodes belongs to a layer, such that
/// in none the channels depend on each other in a circle. A packet's way is its layer, and the VCs are divided among
/// layers. Pair after pair, by destination, goes into the first layer that has room for it (LASH: Skeie, Lysne, Theiss
/// 2002); the fewest layers are hard to find, and this does not promise them.
///
/// Every layer has one VC. The others go, one after the other, to the layer whose busiest channel has the most load for
/// each VC that the layer has, so more VCs take none from any layer. Then pairs move to layers where the busiest
/// channel of their path has less load for each VC, if these have room for them.
///
/// Networks of more than MaxLayeredEntries routers times nodes, those of more than MaxVcs layers, and those of more
/// layers than \p vcs are routed by route_shortest_by_hops(), if their longest path has no more hops than \p vcs.
/// \return the layers, or the hops of the longest path
/// \throws std::invalid_argument where \p vcs are fewer than these, or a node cannot be reached; too_large_to_route for
/// more than MaxTableEntries routers times nodes
unsigned route_shortest_layered(topology& t, unsigned vcs);

/// The layers of route_shortest_layered(); nothing where they are more than MaxVcs, or the network is too large. Every
/// router that has nodes reaches all nodes.
std::optional<unsigned> count_layers(const topology& t);

/// What a user's table says: packets for a node that come to a router leave it by a port.
struct table_entry {
  router_id at = 0;
  node_id to = 0;
  unsigned port = 0;
  vc_set vcs = 0;
};

/// \throws too_large_to_route where \p t has more than MaxTableEntries routers times nodes
void check_table_size(const topology& t);

/// The routes of \p entries. Packets for a node at the router itself need none.
/// \throws std::invalid_argument for two entries for the same router and destination, entries that lead away from the
/// router of their node, routers, nodes, ports and VCs that do not exist, and routes that end at a router without an
/// entry
void route_from_table(topology& t, const std::vector<table_entry>& entries, unsigned vcs);

enum class source_paths {
  Shortest,  ///< may deadlock; find_dependency_cycle() tells
  UpDown,    ///< shortest of those that up*/down* allows
};

/// A path that a user wants, by the routers that it goes through, the source's and the destination's included.
struct given_path {
  node_id from = 0;
  node_id to = 0;
  std::vector<router_id> through;
};

/// Source routing: a packet's way is its whole path (source_path), on any VC. Pairs of nodes in \p given take the paths
/// there, all others those that \p others says.
/// \throws std::invalid_argument for paths that do not begin at the source, lead over channels that do not exist, do
/// not end at the destination, pass a router twice, are given twice, or do not fit source_path; for nodes with ports at
/// several routers
void route_by_source(topology& t, unsigned vcs, source_paths others = source_paths::Shortest,
                     const std::vector<given_path>& given = {});

const routing_kind& up_down_routing();   ///< route_up_down()
const routing_kind& shortest_routing();  ///< route_shortest_layered(); rings and Octagons have one of their own
const routing_kind& source_routing();    ///< route_by_source(), shortest paths
const routing_kind& default_routing();   ///< route_by_default(); users do not choose it by name

}  // namespace weft
