// SPDX-License-Identifier: Apache-2.0
/// A network as store-and-forward schedules see it (SCCL, PPoPP 2021): nodes that keep what they get, and directed
/// links with a bandwidth. Routers are nodes; there are no ports.
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
  unsigned bandwidth = 1;  ///< chunks in a round, ≥ 1
};

/// Links that share a bandwidth: all that lead from one of `from` to one of `to`. SCCL's switches; ports of a node.
struct shared_limit {
  std::string name;
  std::vector<node_id> from;  ///< ascending
  std::vector<node_id> to;    ///< ascending
  unsigned bandwidth = 1;     ///< chunks in a round, on all of them together, ≥ 1
};

struct link_graph {
  std::string name;
  std::size_t nodes = 0;
  std::vector<graph_link> links;  ///< one at most from a node to another
  std::vector<shared_limit> shared;
};

/// \throws std::invalid_argument for nodes that the graph has not, a link from a node to itself, two from one node to
/// the same other, a bandwidth of 0, and no nodes. A shared limit may be on no link: it limits nothing then
link_graph checked(link_graph graph);

/// The routers of \p t and the channels between them; parallel channels are the bandwidth of one link. Links of a
/// router are in the order of its ports.
link_graph links_of(const topology& t);

/// NVIDIA's DGX-1 with eight V100: 32 links, six times bandwidth 1 into and out of each node (SCCL, section 2).
link_graph dgx1();

/// \p graph, where a node sends and receives at most \p ports chunks in a round. \throws std::invalid_argument for 0
link_graph with_ports(link_graph graph, unsigned ports);

/// All links the other way.
link_graph reversed(const link_graph& graph);

/// What limits a round: each link, then each shared limit that is not met anyway.
struct bandwidth_limit {
  std::string name;
  std::vector<link_id> links;
  unsigned bandwidth = 1;
};
std::vector<bandwidth_limit> limits_of(const link_graph& graph);

/// Names of the shared limits of which no link leads from one of `from` to one of `to`.
std::vector<std::string> idle_limits(const link_graph& graph);

/// Links that leave, and that enter, each node.
std::vector<std::vector<link_id>> links_out(const link_graph& graph);
std::vector<std::vector<link_id>> links_in(const link_graph& graph);

inline bool has_node(const std::vector<node_id>& ascending, node_id node) {
  return std::binary_search(ascending.begin(), ascending.end(), node);
}

/// Links from one of \p from to each node on the shortest path, Unreached where none leads there.
std::vector<std::uint32_t> hops_from(const link_graph& graph, const std::vector<node_id>& from);
/// Links from each node to the next of \p to.
std::vector<std::uint32_t> hops_to(const link_graph& graph, const std::vector<node_id>& to);

}  // namespace weft::schedule
