// SPDX-License-Identifier: Apache-2.0
/// The section `routing` of a topology file: an algorithm, a table, paths, or a function for each router.
#pragma once

#include "weft/topology/files/read_topology.h"
#include "weft/topology/files/yaml_graph.h"
#include "weft/topology/topology.h"
#include "weft/yaml/section.h"

namespace weft {

/// Gives \p t, which \p graph has read, the routing that the file describes, or that of \p options if it has none.
/// \throws input_error; std::invalid_argument for a routing that cannot be in this network
void read_routing(topology& t, const yaml_section& top, const yaml_graph& graph, const read_options& options);

/// The routing function \p n of a router of \p t, as to_json() writes it.
route_rule read_rule(yaml_faults& faults, const YAML::Node& n, const std::string& path, const topology& t,
                     unsigned vcs);

}  // namespace weft
