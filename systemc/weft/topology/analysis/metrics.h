// SPDX-License-Identifier: Apache-2.0
/// Metrics of a network that need no simulation. All functions take a topology that has passed check_structure(). A hop
/// is a channel between routers.
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
  double bisection_flits = 0;          ///< flits per cycle that these channels between routers carry
  bool bisection_exact = true;         ///< no other pair of halves has fewer channels
  std::string bisection_method;        ///< describes the halves and how they were found
  double max_channel_load = 0;         ///< maximum of uniform_channel_loads(), with or without self traffic; 0: unknown
  double ideal_throughput = 0;         ///< upper bound in flits per node and cycle for uniform traffic
  std::string throughput_method;       ///< the resource that limits ideal_throughput
  double accepted_bound = 0;           ///< the same bound for the mean over all nodes if some may send less than others
};

/// Computes the metrics of \p t. If \p self_traffic is set, uniform traffic goes to all nodes including the source,
/// otherwise to all others. Takes seconds for 65,536 nodes: metrics that would take longer are computed from a sample
/// of nodes, and the fields above give the sample size.
/// - Bisection: see find_bisection().
/// - Ideal throughput: 1 / max_channel_load, but at most the injection rate of a node, one flit per cycle and port. If
///   routing is adaptive or the network is large, channel loads are not available; the metric is then a bound for any
///   routing, from the links of a cut or from all links together. Both values are upper bounds, and the bound from
///   channel loads is tight. If only the distances of some nodes are known, the bound of all links together is an
///   estimate, and throughput_method states this.
/// - Accepted bound: an upper bound of the mean over all nodes. A saturated network is not fair, so nodes that do not
///   use the busiest channels may send more than the ideal throughput, and the mean may exceed it. In networks of up to
///   256 nodes, the accepted bound is the optimum of a linear program, otherwise a bound from cuts. In meshes and tori
///   it equals the ideal throughput.
topology_metrics compute_metrics(const topology& t, bool self_traffic = false);

/// Computes the metrics for callers that already have the loads of uniform traffic from find_loads(t). Computing these
/// loads takes most of the time.
topology_metrics compute_metrics(const topology& t, const expected_loads& uniform, bool self_traffic);

/// The share of uniform traffic that uses channels between routers. Packets from a node to itself use no channel,
/// except under Valiant's routing, which routes them through a random router like all other packets.
double part_that_leaves(const topology& t, bool self_traffic);

/// Flits per cycle on each channel of \p t if every node injects one flit per cycle, evenly over its ports, to all
/// other nodes with equal probability. The result is the mean over all path ids that sources may draw. With adaptive
/// routing, all choices of a route have equal weight.
std::vector<double> uniform_channel_loads(const topology& t);

/// The number of VCs that the routes use: the highest used VC plus 1. In a large network, only routes to a sample of
/// destinations are examined.
unsigned vcs_used(const topology& t);

/// The smallest number of VCs in \p first…\p most for which \p make(vcs) returns a network that passes
/// check_structure() and find_dependency_cycle(), or 0 if there is none. A std::invalid_argument thrown by \p make
/// counts as a failed check.
unsigned least_vcs(const std::function<topology(unsigned vcs)>& make, unsigned most, unsigned first = 1);

/// Indices of the channels on one path from \p source to \p destination: that of a packet which is injected at the
/// first port of the source on VC 0, has path id 0 if the source draws one, and always gets the first choice and the
/// lowest admissible VC. Empty if both nodes are at the same router. Takes time linear in the network.
/// \throws std::invalid_argument if the routing does not lead to the destination
std::vector<std::size_t> route_channels(const topology& t, node_id source, node_id destination);

/// The routers on the path of route_channels(), including the routers of source and destination; at least one.
std::vector<router_id> route_path(const topology& t, node_id source, node_id destination);

}  // namespace weft
