// SPDX-License-Identifier: Apache-2.0
/// Exports a network as text for other programs (JSON, GraphML) and as a drawing (Graphviz, SVG).
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "weft/topology/topology.h"

namespace weft {

/// All of \p t, as
///
///     {"format": "weft-topology-1", "kind": "mesh", "algorithm": "dimension_order", "shape": [4, 4],
///      "routers":  [{"coordinates": [0, 0], "ports": ["+x", "-x", "+y", "-y", "local"]}, …],
///      "channels": [{"from": {"router": 0, "port": 0}, "to": {"router": 1, "port": 1}, "cycles": 1}, …],
///      "nodes":    [{"ports": [{"router": 0, "port": 4}], "cycles": 1}, …],
///      "routing":  [{"rule": …}, …]}
///
/// where the number of a router or node is its index in the list, and that of a port the index of its name. "routing"
/// has an element for each router:
/// - {"rule": "dimension_order", "size": [4, 4], "stride": [1, 4], "here": [0, 0], "order": [0, 1], "local_ports": 1,
///   "vcs": [0, 1]} and the other algorithms of a grid (grid_rule), with "nodes" and "rings" if there are any;
/// - {"rule": "nearest_common_ancestor", "ascent": "random", …}: tree_rule; {"rule": "e_cube", …}: cube_rule;
/// - {"rule": "table", "rows": [[{"from": 0, "port": 4, "vcs": [0]}, …], …]}: runs of destinations; with "inputs"
///   [{"port": 0, "vc": 1, "row": 1}, …] if not all use row 0, and "layers" if there are several;
/// - {"rule": "source", "vcs": [0, 1]}: the path is in the header.
/// Adaptive routes have "choices", a list of ports, and "choice_vcs". A router that has a name has "name". A node whose
/// packets do not all have path id 0 has "ways": {"count": 2, "seed": 1} or {"by_destination": [0, 1, …]}.
/// read_topology() reads it back.
nlohmann::ordered_json to_json(const topology& t);

/// The graph of \p t as GraphML, without routing and path ids: routers r0, r1, … with their ports, nodes n0, n1, …, a
/// directed edge for each channel, and an undirected edge between a node and each of its ports. read_graphml() reads it
/// back.
std::string to_graphml(const topology& t);

/// A drawing for `neato -Tsvg`: square routers, round nodes, and one line for the two directions between two routers,
/// with its latency if that is not 1. Networks with one or two coordinates have fixed positions, x to the right and y
/// upwards (`neato -n2 -Tsvg` draws them too); neato places the others.
std::string to_graphviz(const topology& t);

/// Draws the network as SVG without another program: square routers, round nodes, a line for the two channels between
/// two ports, and an arrow for a one-way channel. Latencies other than 1 stand beside their channels, or below the
/// title if all channels have the same. Routers are placed by their coordinates:
///
/// | kind contains       | coordinates                          | drawn                                               |
/// |---------------------|--------------------------------------|-----------------------------------------------------|
/// | (of a full grid)    | one for each side of the shape       | in place, y upwards; z aslant, w beside each other; |
/// |                     |                                      | links round the end beside their row; a ring of one |
/// |                     |                                      | dimension as a circle                               |
/// | "tree"              | index in the level, level            | in levels, the one with the nodes at the bottom     |
/// | "hypercube"         | none needed                          | as a mesh with sides of 2                           |
///
/// Other networks with two coordinates use them as positions. Networks without are laid out by graph distance, or on a
/// circle if they have more than 400 routers. \p title: the text above the drawing, by default shape and kind.
std::string to_svg(const topology& t, const std::string& title = "");

}  // namespace weft
