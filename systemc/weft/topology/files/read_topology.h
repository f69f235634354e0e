// SPDX-License-Identifier: Apache-2.0
/// Networks that a user describes: in Weft's own format, in GraphML or as Graphviz DOT.
///
/// These functions take the text of a file; the caller opens it.
#pragma once

#include <string>

#include "weft/core/diagnostic.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/topology/topology.h"

namespace weft {

struct read_options {
  unsigned vcs = 4;        ///< 1…MaxVcs, of every port: what routing may use
  unsigned flit_bits = 0;  ///< what links must be wide, where a file says; 0: all alike
  const routing_kind* routing =
      &default_routing();  ///< of files that say nothing about it; one that routes any network
};

/// A network in Weft's format, YAML or JSON (what to_json() writes): docs/03_reference/topology.md.
/// It has passed check_structure(…, options.vcs); whether it can deadlock is for find_dependency_cycle() to say.
/// \param file its name, for messages
/// \throws input_error; unrouted_network, which is one, where only the routing is impossible, for the network's size
topology read_topology(const std::string& text, const std::string& file, const read_options& options = {});

/// A graph in GraphML: each vertex a router with one node, an undirected edge two channels, a directed one one channel.
/// \throws input_error
topology read_graphml(const std::string& text, const std::string& file, const read_options& options = {});

/// The same from Graphviz DOT. Routers are in the order of their names, numbers in them compared as numbers.
/// \throws input_error
topology read_graphviz(const std::string& text, const std::string& file, const read_options& options = {});

}  // namespace weft
