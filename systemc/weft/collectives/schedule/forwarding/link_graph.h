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

/// A bandwidth that several links share: all links from a node in `from` to a node in `to`. Shared limits model SCCL's
/// switches and the ports of a node.
struct shared_limit {
  std::string name;
  std::vector<node_id> from;  ///< ascending
  std::vector<node_id> to;    ///< ascending
  unsigned bandwidth = 1;     ///< chunks per round on all these links together, ≥ 1
};

struct link_graph {
  std::string name;
  std::size_t nodes = 0;
  std::vector<graph_link> links;  ///< at most one link from any node to any other
  std::vector<shared_limit> shared;
};

/// Returns \p graph if it is valid. A shared limit may apply to no link and then has no effect.
/// \throws std::invalid_argument for nodes that are not in the graph, links from a node to itself, duplicate links, a
/// bandwidth of 0, and a graph without nodes
link_graph checked(link_graph graph);

/// Returns the routers of \p t as nodes, and the channels between them as links. Parallel channels become the bandwidth
/// of one link. The links of a router are in the order of its ports.
link_graph links_of(const topology& t);

/// Returns NVIDIA's DGX-1 with eight V100 GPUs: 32 links, with a total bandwidth of 6 into and out of each node (SCCL,
/// section 2).
link_graph dgx1();

/// Returns \p graph with additional shared limits: a node sends and receives at most \p ports chunks per round.
/// \throws std::invalid_argument if \p ports is 0
link_graph with_ports(link_graph graph, unsigned ports);

/// Returns \p graph with the direction of every link reversed.
link_graph reversed(const link_graph& graph);

/// The number of chunks that a set of links can carry in a round. limits_of() returns a limit for each link, followed
/// by the shared limits that other limits do not imply.
struct bandwidth_limit {
  std::string name;
  std::vector<link_id> links;
  unsigned bandwidth = 1;
};
std::vector<bandwidth_limit> limits_of(const link_graph& graph);

/// Returns the names of the shared limits that apply to no link.
std::vector<std::string> idle_limits(const link_graph& graph);

/// Returns, for each node, the links that leave it (links_out()) or enter it (links_in()).
std::vector<std::vector<link_id>> links_out(const link_graph& graph);
std::vector<std::vector<link_id>> links_in(const link_graph& graph);

inline bool has_node(const std::vector<node_id>& ascending, node_id node) {
  return std::binary_search(ascending.begin(), ascending.end(), node);
}

/// Returns, for each node, the number of links from the nearest node in \p from. Unreached if there is no path.
std::vector<std::uint32_t> hops_from(const link_graph& graph, const std::vector<node_id>& from);
/// Returns, for each node, the number of links to the nearest node in \p to. Unreached if there is no path.
std::vector<std::uint32_t> hops_to(const link_graph& graph, const std::vector<node_id>& to);

}  // namespace weft::schedule
