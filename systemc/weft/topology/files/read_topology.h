// SPDX-License-Identifier: Apache-2.0
/// Reads networks that a user describes in Weft's own format, in GraphML or in Graphviz DOT. These functions take the
/// text of a file, which the caller has read.
#pragma once

#include <cstdint>
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
  std::uint64_t seed = 1;  ///< random seed of the sources

  /// The plan for \p routing, or for the routing that a file chooses by its name.
  routing_plan plan() const { return {vcs, {}, seed}; }
};

/// Reads a network in Weft's own format, in YAML or JSON (as to_json() writes it); docs/03_reference/topology.md
/// describes it. The network has passed check_structure(…, options.vcs). Use find_dependency_cycle() to check whether
/// it can deadlock.
/// \param file name of the file in messages
/// \throws input_error for errors in the text; its subclass unrouted_network if the only error is that the network is
/// too large to route
topology read_topology(const std::string& text, const std::string& file, const read_options& options = {});

/// Reads a network from a graph in GraphML. Each vertex is a router with one node. An undirected edge is two channels,
/// a directed edge is one.
/// \throws input_error for errors in the text
topology read_graphml(const std::string& text, const std::string& file, const read_options& options = {});

/// Reads a network from a graph in Graphviz DOT, with the same meaning of vertices and edges as in read_graphml().
/// Routers are sorted by name; numbers within names are compared as numbers.
/// \throws input_error for errors in the text
topology read_graphviz(const std::string& text, const std::string& file, const read_options& options = {});

}  // namespace weft
