// SPDX-License-Identifier: Apache-2.0
/// Routing for networks of any shape. Each function replaces the routing of a network with complete routers, channels
/// and nodes (topology::routing and node_attachment::path_ids may be empty).
/// Paths are shortest in number of channels, whatever their latencies. Of several shortest paths to a destination, each
/// router uses the one with the fewest routes so far. If a node has several ports at its router, packets leave by the
/// port with the number of their input port modulo the number of ports. \p vcs, 1…MaxVcs, is the number of VCs of every
/// port.
/// A table takes at most one byte for each router and destination (up*/down*: two), less if runs of destinations share
/// a route.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "weft/topology/routing_kind.h"
#include "weft/topology/topology.h"

namespace weft {

/// Most entries (routers times nodes) of full tables.
inline constexpr std::size_t MaxTableEntries = std::size_t{1} << 24;

/// up*/down* (Schroeder et al. 1991): channels towards a root are up, the others down; a packet that has gone down
/// never goes up again. Free of deadlock with one VC; packets use all VCs.
/// Of two routers, the upper is the one nearer to the root, or, at the same distance, the one with the lower number. If
/// one-way links then leave a pair of nodes without a path, distances count both directions: the distance of a router
/// is one more than that of the nearest routers with channels to and from it. Paths are the shortest allowed ones. The
/// root is \p root, or the router with the smallest eccentricity, of several the one with the lowest number; with more
/// than 4,096 routers, 64 candidates are examined. The table has two rows: one for packets from upper routers, one for
/// packets from lower routers and nodes.
/// With more than MaxTableEntries routers times nodes, tables are runs of destinations: packets climb, spread over the
/// upper neighbors on the next level, until a lower neighbor has the destination below it in the search tree, then
/// descend. Such paths are allowed but not shortest. This requires routers numbered along the tree, depth first, and
/// nodes in the order of their routers, as in make_random_graph(); the function rejects other networks.
/// \throws std::invalid_argument if one-way links leave no allowed path, or if tables would be too large
void route_up_down(topology& t, unsigned vcs, std::optional<router_id> root = std::nullopt);

/// Whether route_up_down() finds a path between any two nodes.
bool allows_up_down(const topology& t);

/// The default routing: route_up_down() if it allows a path between any two nodes, otherwise route_shortest_layered().
/// \throws std::invalid_argument as these functions do
void route_by_default(topology& t, unsigned vcs);

/// Most routers times nodes for routing in layers; larger networks need a VC for each hop.
inline constexpr std::size_t MaxLayeredEntries = std::size_t{1} << 20;

/// Shortest paths in layers (LASH: Skeie, Lysne, Theiss 2002). The paths to a destination form a tree. Each pair of
/// nodes belongs to a layer, and the channels within a layer do not depend on each other in a cycle. The path id of a
/// packet is its layer, and the VCs are divided among the layers. Each pair, in the order of destinations, goes into
/// the first layer that stays acyclic with it; the number of layers is not always minimal, because the minimum is hard
/// to find.
/// Every layer has one VC. Each further VC goes to the layer whose busiest channel has the highest load per VC, so
/// adding VCs never takes one from a layer. Then pairs move to layers where the busiest channel of their path has a
/// lower load per VC, if those layers stay acyclic.
/// Networks with more than MaxLayeredEntries routers times nodes, with more than MaxVcs layers, or with more layers
/// than \p vcs are routed by route_shortest_by_hops() if their longest path has no more hops than \p vcs.
/// \return the number of layers, or of hops of the longest path
/// \throws std::invalid_argument if \p vcs is less than that, or a node cannot be reached; too_large_to_route for more
/// than MaxTableEntries routers times nodes
unsigned route_shortest_layered(topology& t, unsigned vcs);

/// The number of layers of route_shortest_layered(); nothing if it is more than MaxVcs or the network is too large.
/// Every router with nodes must reach all nodes.
std::optional<unsigned> count_layers(const topology& t);

/// An entry of a user's table: packets to a node that arrive at a router leave it by a port.
struct table_entry {
  router_id at = 0;
  node_id to = 0;
  unsigned port = 0;
  vc_set vcs = 0;
};

/// \throws too_large_to_route if \p t has more than MaxTableEntries routers times nodes
void check_table_size(const topology& t);

/// Routes \p t by \p entries. Packets for a node at the router itself need no entry.
/// \throws std::invalid_argument for two entries for the same router and destination, for entries that lead away from
/// the router of their node, for nonexistent routers, nodes, ports and VCs, and for routes that end at a router without
/// an entry
void route_from_table(topology& t, const std::vector<table_entry>& entries, unsigned vcs);

enum class source_paths {
  Shortest,  ///< may deadlock; check with find_dependency_cycle()
  UpDown,    ///< shortest of the paths that up*/down* allows
};

/// A path given by the user: the routers that it passes, including those of source and destination.
struct given_path {
  node_id from = 0;
  node_id to = 0;
  std::vector<router_id> through;
};

/// Source routing: the path id of a packet encodes its whole path (source_path), on any VC. Pairs of nodes in \p given
/// use the paths there; \p others selects the paths of all other pairs.
/// \throws std::invalid_argument for paths that do not begin at the source, use nonexistent channels, do not end at the
/// destination, pass a router twice, are given twice, or do not fit source_path; for nodes with ports at several
/// routers
void route_by_source(topology& t, unsigned vcs, source_paths others = source_paths::Shortest,
                     const std::vector<given_path>& given = {});

const routing_kind& up_down_routing();   ///< route_up_down()
const routing_kind& shortest_routing();  ///< route_shortest_layered(); rings and Octagons have their own
const routing_kind& source_routing();    ///< route_by_source(), shortest paths
const routing_kind& default_routing();   ///< route_by_default(); has no name that users can choose

}  // namespace weft
