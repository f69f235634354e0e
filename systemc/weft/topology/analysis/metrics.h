// SPDX-License-Identifier: Apache-2.0
/// Metrics of a network that need no simulation.
/// All functions take a topology that has passed check_structure(). A hop is a channel between routers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

struct expected_loads;

struct topology_metrics {
  std::size_t routers = 0;
  std::size_t nodes = 0;
  std::size_t channels = 0;            ///< directed, between routers
  unsigned min_degree = 0;             ///< fewest channels that leave a router, excluding channels to nodes
  unsigned max_degree = 0;             ///< most channels that leave a router, excluding channels to nodes
  std::uint32_t diameter = 0;          ///< hops of the shortest path between the two routers farthest apart
  double mean_distance = 0;            ///< hops of the shortest path, mean over ordered pairs of distinct nodes
  std::size_t distance_sources = 0;    ///< if not 0, diameter (at least) and mean are from this many sources
  double mean_route_length = 0;        ///< hops of the routed path, mean over the same pairs and all path ids
  std::size_t route_destinations = 0;  ///< if not 0, the mean route length is over this many sampled destinations
  std::size_t bisection_channels = 0;  ///< directed channels from one half to the other, in the direction that has more
  bool bisection_exact = true;         ///< no other pair of halves has fewer channels
  std::string bisection_method;        ///< describes the halves and how they were found
  double max_channel_load = 0;         ///< maximum of uniform_channel_loads(), with or without self traffic; 0: unknown
  double ideal_throughput = 0;         ///< upper bound in flits per node and cycle for uniform traffic
  std::string throughput_method;       ///< the resource that limits ideal_throughput
  double accepted_bound = 0;           ///< the same bound for the mean over all nodes if some may send less than others
};

/// Computes the metrics of \p t. With \p self_traffic, uniform traffic goes to all nodes including the source,
/// otherwise to all others. Takes seconds for 65,536 nodes: metrics that would take longer are computed from a sample
/// of nodes, and the fields above give the sample size.
/// Bisection: see find_bisection().
/// Ideal throughput: 1 / max_channel_load, at most what a node can inject, which is one flit per cycle and port. If
/// routing is adaptive or the network is large, channel loads are not available. The metric is then a bound that holds
/// for any routing: the minimum that the links of a cut, or all links together, allow. In both cases it is an upper
/// bound; it is tight if it comes from channel loads. If the distances are those of some nodes, the bound of all links
/// together is an estimate, and the method states this.
/// Accepted bound: a saturated network is not fair. Nodes that do not use the busiest channels may send more than
/// others, so the mean over all nodes may exceed the ideal throughput, but not this bound: the optimum of a linear
/// program in networks of up to 256 nodes, otherwise a bound from cuts. It equals the ideal throughput in meshes and
/// tori.
topology_metrics compute_metrics(const topology& t, bool self_traffic = false);

/// The same for callers that already have the loads of uniform traffic, find_loads(t), which take most of the time to
/// compute.
topology_metrics compute_metrics(const topology& t, const expected_loads& uniform, bool self_traffic);

/// Share of uniform traffic that loads channels between routers. Packets from a node to itself use no channel, except
/// under Valiant's routing, which routes them like all others.
double part_that_leaves(const topology& t, bool self_traffic);

/// Flits per cycle on each channel of \p t when every node injects one flit per cycle, evenly over its ports and evenly
/// to all other nodes: the mean over all path ids that sources may draw. With adaptive routing, the choices of a route
/// count equally.
std::vector<double> uniform_channel_loads(const topology& t);

/// Highest VC that the routes use, plus 1. In a large network the routes to a sample of destinations are examined.
unsigned vcs_used(const topology& t);

/// The fewest VCs in \p first…\p most for which \p make(vcs) returns a network that passes check_structure() and
/// find_dependency_cycle(); 0 if there is none. A std::invalid_argument thrown by \p make counts as a failed check.
unsigned least_vcs(const std::function<topology(unsigned vcs)>& make, unsigned most, unsigned first = 1);

/// Indices of the channels that a packet takes from \p source to \p destination if it is injected at the source's first
/// port on VC 0 and always gets the lowest admissible VC. Uses path id 0 where the source draws one and the first of
/// several choices. Empty if both nodes are at the same router.
/// \throws std::invalid_argument if the routing does not lead there. Takes time linear in the network.
std::vector<std::size_t> route_channels(const topology& t, node_id source, node_id destination);

/// Routers that this packet traverses, including those of source and destination; at least one.
std::vector<router_id> route_path(const topology& t, node_id source, node_id destination);

}  // namespace weft
