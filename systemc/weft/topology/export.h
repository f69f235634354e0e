/// A network for other programs (JSON) and for the eye (Graphviz).
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "weft/topology/topology.h"

namespace weft {

/// All of \p t, as
///
///     {"format": "weft-topology-1", "kind": "mesh", "shape": [4, 4],
///      "routers":  [{"coordinates": [0, 0], "ports": ["+x", "-x", "+y", "-y", "local"]}, …],
///      "channels": [{"from": {"router": 0, "port": 0}, "to": {"router": 1, "port": 1}, "cycles": 1}, …],
///      "nodes":    [{"ports": [{"router": 0, "port": 4}], "cycles": 1}, …],
///      "routing":  …}
///
/// where a router's and a node's number is its place in the list, and a port's is that of its name. Routing
/// is one of
/// - {"rule": "dimension_order", "size": [4, 4], "stride": [1, 4], "order": [0, 1], "local_ports": 1, "vcs":
/// [0, 1]}:
///   the constants that all routers share, each at its coordinates;
/// - {"rule": "table", "tables": [[{"port": 4, "vcs": [0]}, …], …]}: by router, then by destination;
/// - {"rule": "mixed", "routers": […]}: for each router one of {"rule": "dimension_order", …, "here": [0, 0]}
/// and
///   {"rule": "table", "table": […]}.
nlohmann::ordered_json to_json(const topology& t);

/// A drawing for `neato -Tsvg`: square routers, round nodes, one line for the two directions between two
/// routers, with its latency where that is not 1. Networks with one or two coordinates lie in place, x to the
/// right and y upwards
/// (`neato -n2 -Tsvg` draws them too); others where neato puts them.
std::string to_graphviz(const topology& t);

}  // namespace weft
