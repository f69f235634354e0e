// SPDX-License-Identifier: Apache-2.0
/// A network for store-and-forward schedules (SCCL, PPoPP 2021): nodes that store what they receive, and directed links
/// with a bandwidth. Routers are nodes; there are no ports.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft::schedule {

using link_id = std::uint32_t;

struct graph_link {
  node_id from = 0;
  node_id to = 0;
  unsigned bandwidth = 1;  ///< chunks per round, ≥ 1
};

/// Links that share a bandwidth: all from a node in `from` to a node in `to`. Models SCCL's switches and the ports of a
/// node.
struct shared_limit {
  std::string name;
  std::vector<node_id> from;  ///< ascending
  std::vector<node_id> to;    ///< ascending
  unsigned bandwidth = 1;     ///< chunks per round on all of them together, ≥ 1
};

struct link_graph {
  std::string name;
  std::size_t nodes = 0;
  std::vector<graph_link> links;  ///< at most one from a node to another
  std::vector<shared_limit> shared;
};

/// Returns \p graph. \throws std::invalid_argument for nodes that are not in the graph, links from a node to itself,
/// duplicate links, a bandwidth of 0, and a graph without nodes. A shared limit may apply to no link; it then has no
/// effect
link_graph checked(link_graph graph);

/// The routers of \p t and the channels between them; parallel channels become the bandwidth of one link. Links of a
/// router are in the order of its ports.
link_graph links_of(const topology& t);

/// NVIDIA's DGX-1 with eight V100: 32 links, with total bandwidth 6 into and out of each node (SCCL, section 2).
link_graph dgx1();

/// \p graph in which a node sends and receives at most \p ports chunks per round. \throws std::invalid_argument for 0
link_graph with_ports(link_graph graph, unsigned ports);

/// The graph with all links reversed.
link_graph reversed(const link_graph& graph);

/// A limit of a round. limits_of() returns one for each link, then each shared limit that other limits do not imply.
struct bandwidth_limit {
  std::string name;
  std::vector<link_id> links;
  unsigned bandwidth = 1;
};
std::vector<bandwidth_limit> limits_of(const link_graph& graph);

/// Names of the shared limits that apply to no link.
std::vector<std::string> idle_limits(const link_graph& graph);

/// Links that leave, and links that enter, each node.
std::vector<std::vector<link_id>> links_out(const link_graph& graph);
std::vector<std::vector<link_id>> links_in(const link_graph& graph);

inline bool has_node(const std::vector<node_id>& ascending, node_id node) {
  return std::binary_search(ascending.begin(), ascending.end(), node);
}

/// Number of links from the nearest node in \p from to each node; Unreached if there is no path.
std::vector<std::uint32_t> hops_from(const link_graph& graph, const std::vector<node_id>& from);
/// Number of links from each node to the nearest node in \p to.
std::vector<std::uint32_t> hops_to(const link_graph& graph, const std::vector<node_id>& to);

}  // namespace weft::schedule
