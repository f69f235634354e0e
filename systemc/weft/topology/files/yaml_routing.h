// SPDX-License-Identifier: Apache-2.0
/// Reads the section `routing` of a topology file: an algorithm, a table, paths, or one routing function for each
/// router.
#pragma once

#include "weft/topology/files/read_topology.h"
#include "weft/topology/files/yaml_graph.h"
#include "weft/topology/topology.h"
#include "weft/yaml/section.h"

namespace weft {

/// Routes \p t, which \p graph has read, as the file describes, or by the routing of \p options if the file has none.
/// \throws input_error for errors in the file; std::invalid_argument for a routing that this network cannot have
void read_routing(topology& t, const yaml_section& top, const yaml_graph& graph, const read_options& options);

/// Reads the routing function \p n of one router of \p t. The format is that of to_json().
route_rule read_rule(yaml_errors& errors, const YAML::Node& n, const std::string& path, const topology& t,
                     unsigned vcs);

}  // namespace weft
