/// What can be said about a network without simulating it.
/// All functions take a topology that has passed check_structure(); a "hop" is a channel between routers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

struct topology_figures {
  std::size_t routers = 0;
  std::size_t nodes = 0;
  std::size_t channels = 0;            ///< directed, between routers
  unsigned min_degree = 0;             ///< fewest channels that leave a router, those to nodes not counted
  unsigned max_degree = 0;             ///< most channels that leave a router
  std::uint32_t diameter = 0;          ///< hops of the longest of all shortest paths between routers
  double mean_distance = 0;            ///< hops of the shortest path, mean over ordered pairs of distinct nodes
  double mean_route_length = 0;        ///< hops of the path that routing takes, mean over the same pairs
  std::size_t bisection_channels = 0;  ///< directed channels from one half to the other, one way
  std::string bisection_method;        ///< which halves, and how they were found
  double max_channel_load = 0;         ///< greatest of uniform_channel_loads(), self traffic as chosen
  double ideal_throughput = 0;         ///< flits per node and cycle that uniform traffic cannot exceed
};

/// Figures of \p t. With \p self_traffic a node's uniform traffic goes to all nodes, itself included;
/// without, to all others.
///
/// Bisection: where routers fill a shape (mesh, torus), the axis cut into near halves with the fewest
/// channels, which cuts the longest side in the middle; an odd side is cut just below its middle. Elsewhere,
/// the least cut (maximum flow) between the lower-numbered and the higher-numbered half of the routers with
/// nodes; routers without nodes may fall on either side. bisection_method names the cut.
///
/// Ideal throughput: 1 / max_channel_load, but no more than a node can inject: one flit a cycle for each of
/// its ports.
topology_figures compute_figures(const topology& t, bool self_traffic = false);

/// Flits per cycle on each of \p t's channels when every node injects one flit per cycle, evenly over its
/// ports and evenly to all other nodes. Packets take the path of route_channels().
std::vector<double> uniform_channel_loads(const topology& t);

/// Indices of the channels that a packet takes from \p source to \p destination when it is injected at the
/// source's first port on VC 0 and always gets the lowest admissible VC. Empty when both are at one router.
/// Throws std::invalid_argument when the routing does not lead there. Time linear in the network.
std::vector<std::size_t> route_channels(const topology& t, node_id source, node_id destination);

/// Routers that the same packet traverses, the source's and the destination's included; at least one.
std::vector<router_id> route_path(const topology& t, node_id source, node_id destination);

}  // namespace weft
