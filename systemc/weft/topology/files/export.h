// SPDX-License-Identifier: Apache-2.0
/// Exports a network as text for other programs (JSON, GraphML) and as a drawing (Graphviz, SVG).
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "weft/topology/topology.h"

namespace weft {

/// Returns all of \p t as JSON:
///
///     {"format": "weft-topology-1", "kind": "mesh", "algorithm": "dimension_order", "shape": [4, 4],
///      "routers":  [{"coordinates": [0, 0], "ports": ["+x", "-x", "+y", "-y", "local"]}, …],
///      "channels": [{"from": {"router": 0, "port": 0}, "to": {"router": 1, "port": 1}, "cycles": 1}, …],
///      "nodes":    [{"ports": [{"router": 0, "port": 4}], "cycles": 1}, …],
///      "routing":  [{"rule": …}, …]}
///
/// The number of a router or node is its index in the list; the number of a port is the index of its name. "routing"
/// has an element for each router:
/// - {"rule": "dimension_order", "size": [4, 4], "stride": [1, 4], "here": [0, 0], "order": [0, 1], "local_ports": 1,
///   "vcs": [0, 1]}, and likewise the other algorithms of a grid (grid_rule), with "nodes" and "rings" if there are
///   any, and with "selection" and "congestion" unless heads select ports by credits;
/// - {"rule": "nearest_common_ancestor", "ascent": "random", …} for a tree_rule;
/// - {"rule": "e_cube", …} for a cube_rule;
/// - {"rule": "valiant_by_table", …} or {"rule": "ugal", …} for a detour_rule;
/// - {"rule": "table", "rows": [[{"from": 0, "port": 4, "vcs": [0]}, …], …]} for a table, whose rows are runs of
///   destinations; with "inputs" [{"port": 0, "vc": 1, "row": 1}, …] if not all inputs use row 0, and with "layers" if
///   there are several;
/// - {"rule": "source", "vcs": [0, 1]} for source routing, with the path in the header.
/// Adaptive routes have "choices", a list of ports, and "choice_vcs". A router that has a name has "name". A node that
/// sends packets with a path id other than 0 has "ways": {"count": 2, "seed": 1} or {"by_destination": [0, 1, …]}.
/// read_topology() reads this format.
nlohmann::ordered_json to_json(const topology& t);

/// Returns \p t as a GraphML graph, without routing and path ids. It has routers r0, r1, … with their ports, nodes n0,
/// n1, …, a directed edge for each channel, and an undirected edge between a node and each of its ports. read_graphml()
/// reads this format.
std::string to_graphml(const topology& t);

/// Returns a drawing in DOT for `neato -Tsvg`: square routers, round nodes, and one line for both directions between
/// two routers, with its latency if that is not 1. Networks with one or two coordinates have fixed positions, x to the
/// right and y upwards (`neato -n2 -Tsvg` draws them too). In other networks, neato selects the positions.
std::string to_graphviz(const topology& t);

/// Draws the network as SVG without another program: square routers, round nodes, a line for the two channels between
/// two ports, and an arrow for a one-way channel. A latency other than 1 is shown beside its channel, or below the
/// title if all channels have the same latency. Routers are placed by their coordinates:
///
/// | kind contains       | coordinates                          | drawn                                               |
/// |---------------------|--------------------------------------|-----------------------------------------------------|
/// | (of a full grid)    | one for each side of the shape       | in place, y upwards; z aslant, w beside each other; |
/// |                     |                                      | links round the end beside their row; a ring of one |
/// |                     |                                      | dimension as a circle                               |
/// | "tree"              | index in the level, level            | in levels, the one with the nodes at the bottom     |
/// | "hypercube"         | none needed                          | as a mesh with sides of 2                           |
///
/// Other networks with two coordinates use these as positions. If their routers fill a grid of more dimensions, they
/// are in place as in a full grid, without links round the end. Networks without coordinates are laid out by graph
/// distance, or on a circle if they have more than 400 routers.
/// \param title text above the drawing; by default, the shape and the kind of the network
std::string to_svg(const topology& t, const std::string& title = "");

}  // namespace weft
