// SPDX-License-Identifier: Apache-2.0
/// Reads networks that a user describes in Weft's format, in GraphML or as Graphviz DOT.
/// These functions take the text of a file; the caller opens it.
#pragma once

#include <string>

#include "weft/core/diagnostic.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/topology/topology.h"

namespace weft {

struct read_options {
  unsigned vcs = 4;        ///< 1…MaxVcs: VCs of every port, which routing may use
  unsigned flit_bits = 0;  ///< required width of the links, if the file gives one; 0: all links must be equally wide
  const routing_kind* routing =
      &default_routing();  ///< for files that choose no routing; must be one that routes any network
};

/// Reads a network in Weft's format, YAML or JSON (as to_json() writes it); see docs/03_reference/topology.md. The
/// network has passed check_structure(…, options.vcs). Use find_dependency_cycle() to check whether it can deadlock.
/// \param file its name, for messages
/// \throws input_error; the subclass unrouted_network if the network is only too large to route
topology read_topology(const std::string& text, const std::string& file, const read_options& options = {});

/// Reads a graph in GraphML: each vertex is a router with one node, an undirected edge is two channels, a directed edge
/// is one.
/// \throws input_error
topology read_graphml(const std::string& text, const std::string& file, const read_options& options = {});

/// Reads the same from Graphviz DOT. Routers are sorted by name; numbers within names compare as numbers.
/// \throws input_error
topology read_graphviz(const std::string& text, const std::string& file, const read_options& options = {});

}  // namespace weft
