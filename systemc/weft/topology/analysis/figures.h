// SPDX-License-Identifier: Apache-2.0
/// What can be said about a network without simulating it.
/// All functions take a topology that has passed check_structure(); a "hop" is a channel between routers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

struct expected_loads;

struct topology_figures {
  std::size_t routers = 0;
  std::size_t nodes = 0;
  std::size_t channels = 0;          ///< directed, between routers
  unsigned min_degree = 0;           ///< fewest channels that leave a router, those to nodes not counted
  unsigned max_degree = 0;           ///< most channels that leave a router
  std::uint32_t diameter = 0;        ///< hops of the longest of all shortest paths between routers
  double mean_distance = 0;          ///< hops of the shortest path, mean over ordered pairs of distinct nodes
  std::size_t distance_sources = 0;  ///< if not 0, diameter (at least) and mean are from so many sources, not from all
  double mean_route_length = 0;      ///< hops of the path that routing takes, mean over the same pairs and all ways
  std::size_t route_destinations = 0;  ///< if not 0, the mean route is to so many destinations, not to all
  std::size_t bisection_channels = 0;  ///< directed channels from one half to the other, the more of both directions
  bool bisection_exact = true;         ///< no halves have fewer channels between them
  std::string bisection_method;        ///< which halves, and how they were found
  double max_channel_load = 0;         ///< greatest of uniform_channel_loads(), self traffic as chosen; 0: not known
  double ideal_throughput = 0;         ///< flits per node and cycle that uniform traffic cannot exceed
  std::string throughput_method;       ///< what limits it
  double accepted_bound = 0;           ///< the same for the mean of nodes of which some send less than others
};

/// Figures of \p t. With \p self_traffic a node's uniform traffic goes to all nodes, itself included; without, to all
/// others. Seconds for 65,536 nodes: what would take longer is from some nodes, spread over the network, and says so.
///
/// Bisection: see find_bisection().
///
/// Ideal throughput: 1 / max_channel_load, but no more than a node can inject, one flit a cycle for each of its ports.
/// Where routing is adaptive, loads are a matter of chance; and in a large network they would take too long. Then it is
/// a bound for any routing: the least that the links of a cut, or all links together, allow. It is an upper bound in
/// either case; the least one if channel loads set it. Where distances are those of some nodes, what all links together
/// allow is an estimate, and the method says so.
///
/// Accepted bound: a saturated network is not fair. Nodes that do not use its busiest channels may send more than
/// others, and the mean of all more than the ideal throughput, but not more than this: the optimum of a linear program
/// in networks of up to 256 nodes, else from the cuts. Equal to the ideal throughput in meshes and tori.
topology_figures compute_figures(const topology& t, bool self_traffic = false);

/// The same for who has the loads of uniform traffic, find_loads(t), already: finding them takes most of the time.
topology_figures compute_figures(const topology& t, const expected_loads& uniform, bool self_traffic);

/// Part of uniform traffic that takes channels between routers as traffic to all other nodes does. A packet to its own
/// node takes none, but by Valiant's routing, where it does as all others do.
double part_that_leaves(const topology& t, bool self_traffic);

/// Flits per cycle on each of \p t's channels when every node injects one flit per cycle, evenly over its ports and
/// evenly to all other nodes: the mean over all ways that sources may draw. Where routing is adaptive, as if packets
/// took any of their choices, each as often.
std::vector<double> uniform_channel_loads(const topology& t);

/// Highest VC that routes ask for, plus 1. Of some destinations in a large network.
unsigned vcs_used(const topology& t);

/// The fewest VCs, \p first to \p most, for which \p make(vcs) makes a network that passes check_structure() and
/// find_dependency_cycle(); 0 if none. What std::invalid_argument \p make throws counts as not passed.
unsigned least_vcs(const std::function<topology(unsigned vcs)>& make, unsigned most, unsigned first = 1);

/// Indices of the channels that a packet takes from \p source to \p destination when it is injected at the
/// source's first port on VC 0 and always gets the lowest admissible VC. Of a way that is drawn, way 0; of choices, the
/// first. Empty when both are at one router.
/// Throws std::invalid_argument when the routing does not lead there. Time linear in the network.
std::vector<std::size_t> route_channels(const topology& t, node_id source, node_id destination);

/// Routers that the same packet traverses, the source's and the destination's included; at least one.
std::vector<router_id> route_path(const topology& t, node_id source, node_id destination);

}  // namespace weft
