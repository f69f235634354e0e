#include "weft/topology/figures.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <fmt/format.h>

#include "weft/core/allocation.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

// ---- Routes ----

/// The paths of many packets to one destination. They join and never part again, so each hop is found once
/// and knows its successor: all pairs of a network take time N² instead of N² times the path length.
class route_forest {
 public:
  static constexpr std::uint32_t None = std::numeric_limits<std::uint32_t>::max();

  struct hop {
    std::uint32_t channel;
    unsigned vc;
    std::uint32_t next;    ///< index of the next hop; None before the destination's router
    std::uint32_t length;  ///< hops from here to the destination, this one included
  };

  explicit route_forest(const topology& t) : m_topology(t), m_wires(t), m_index(t.channels.size() * MaxVcs, None) {}

  /// Forgets all hops; the paths that follow lead to \p destination.
  void aim(node_id destination) {
    for (const hop& h : m_hops) m_index[h.channel * MaxVcs + h.vc] = None;
    m_hops.clear();
    m_destination = destination;
  }

  /// Index of the first hop of a packet from \p source injected at \p port on VC 0; None when the destination is at that
  /// router. Of a way that is drawn, 0; of adaptive routing, the sure offer or else the first choice.
  std::uint32_t first_hop(node_id source, port_ref port) {
    const way_rule& ways = m_topology.nodes[source].ways;
    std::uint64_t way = ways.drawn() ? 0 : ways(m_destination, 0);
    if (m_topology.routing.front().uses_up_way()) aim(m_destination);  // such paths meet and part again
    m_path.clear();
    std::uint32_t next = None;
    unsigned vc = 0;
    for (port_ref in = port;; in = m_topology.channels[m_path.back().channel].to) {
      const route_rule& rule = m_topology.routing[in.router];
      route asked = rule({in.port, vc, m_destination, way});
      if (asked.vcs == 0 && asked.adaptive())
        asked = {static_cast<std::uint8_t>(lowest(asked.choices)), asked.choice_vcs};
      if (rule.uses_up_way()) way = source_path::rest(way);
      const port_end end = m_wires.output({in.router, asked.port});
      if (end.what == port_end::kind::Node && end.index == m_destination) break;
      if (end.what != port_end::kind::Channel || asked.vcs == 0) lost(in.router);
      vc = lowest(asked.vcs);
      std::uint32_t& known = m_index[end.index * MaxVcs + vc];
      if (known == OnPath) lost(in.router);
      if (known != None) {
        next = known;
        break;
      }
      known = OnPath;
      m_path.push_back({end.index, vc, None, 0});
    }
    std::for_each(m_path.rbegin(), m_path.rend(), [&](hop h) {
      h.next = next;
      h.length = length(next) + 1;
      next = m_index[h.channel * MaxVcs + h.vc] = static_cast<std::uint32_t>(m_hops.size());
      m_hops.push_back(h);
    });
    return next;
  }

  std::uint32_t length(std::uint32_t first) const { return first == None ? 0 : m_hops[first].length; }

  /// Every hop found since aim(), each after its successor.
  const std::vector<hop>& hops() const { return m_hops; }

 private:
  static constexpr std::uint32_t OnPath = None - 1;

  [[noreturn]] void lost(router_id where) const {
    throw std::invalid_argument(fmt::format("topology: the routing leads no packet from {} to node {}",
                                            router_name(m_topology, where), m_destination));
  }

  const topology& m_topology;
  const wiring m_wires;
  node_id m_destination = 0;
  std::vector<hop> m_hops;
  std::vector<hop> m_path;
  std::vector<std::uint32_t> m_index;  ///< of (channel, VC) in m_hops
};

double mean_route_length(const topology& t) {
  const auto nodes = static_cast<node_id>(t.nodes.size());
  if (nodes < 2) return 0;
  route_forest forest(t);
  std::uint64_t hops = 0;
  for (node_id destination = 0; destination < nodes; ++destination) {
    forest.aim(destination);
    for (node_id source = 0; source < nodes; ++source) {
      if (source != destination) hops += forest.length(forest.first_hop(source, t.nodes[source].ports.front()));
    }
  }
  return static_cast<double>(hops) / (static_cast<double>(nodes) * (nodes - 1));
}

// ---- Distances ----

constexpr std::uint32_t Unreached = std::numeric_limits<std::uint32_t>::max();

using neighbour_lists = std::vector<std::vector<router_id>>;

neighbour_lists neighbours_of(const topology& t) {
  neighbour_lists neighbours(t.routers.size());
  for (const channel& c : t.channels) neighbours[c.from.router].push_back(c.to.router);
  return neighbours;
}

/// Hops from the nearest of \p starts to each router, breadth first.
std::vector<std::uint32_t> distances(const neighbour_lists& neighbours, const std::vector<router_id>& starts) {
  std::vector<std::uint32_t> hops(neighbours.size(), Unreached);
  std::vector<router_id> queue;
  const auto reach = [&](router_id r, std::uint32_t h) {
    if (hops[r] != Unreached) return;
    hops[r] = h;
    queue.push_back(r);
  };
  for (const router_id r : starts) reach(r, 0);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const router_id here = queue[i];
    for (const router_id next : neighbours[here]) reach(next, hops[here] + 1);
  }
  return hops;
}

std::vector<router_id> routers_of(const node_attachment& node) {
  std::vector<router_id> routers;
  for (const port_ref port : node.ports) routers.push_back(port.router);
  return routers;
}

std::uint32_t diameter(const neighbour_lists& neighbours) {
  std::uint32_t longest = 0;
  for (router_id r = 0; r < neighbours.size(); ++r) {
    for (const std::uint32_t hops : distances(neighbours, {r})) {
      if (hops != Unreached) longest = std::max(longest, hops);
    }
  }
  return longest;
}

double mean_distance(const topology& t, const neighbour_lists& neighbours) {
  const std::size_t nodes = t.nodes.size();
  if (nodes < 2) return 0;
  std::uint64_t sum = 0;
  for (const node_attachment& source : t.nodes) {
    const std::vector<std::uint32_t> hops = distances(neighbours, routers_of(source));
    for (const node_attachment& destination : t.nodes) {  // the source adds 0
      std::uint32_t least = Unreached;
      for (const port_ref port : destination.ports) least = std::min(least, hops[port.router]);
      sum += least;
    }
  }
  return static_cast<double>(sum) / (static_cast<double>(nodes) * static_cast<double>(nodes - 1));
}

// ---- Bisection ----

struct bisection {
  std::size_t channels = 0;
  std::string method;
};

bool fills_shape(const topology& t) {
  const std::size_t places =
      std::accumulate(t.shape.begin(), t.shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
  return !t.shape.empty() && places == t.routers.size() &&
         std::all_of(t.routers.begin(), t.routers.end(),
                     [&](const router_info& r) { return r.coordinates.size() == t.shape.size(); });
}

bisection axis_cut(const topology& t) {
  std::optional<bisection> best;
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    const std::uint32_t middle = t.shape[d] / 2;
    if (middle == 0) continue;
    const auto low = [&](port_ref port) { return t.routers[port.router].coordinates[d] < middle; };
    const auto crosses = [&](const channel& c) { return low(c.from) && !low(c.to); };
    const auto channels = static_cast<std::size_t>(std::count_if(t.channels.begin(), t.channels.end(), crosses));
    if (best && best->channels <= channels) continue;
    const auto below =
        std::count_if(t.nodes.begin(), t.nodes.end(), [&](const node_attachment& n) { return low(n.ports.front()); });
    const std::string axis = d < 4 ? std::string(1, "xyzw"[d]) : fmt::format("dimension {}", d);
    best = {channels, fmt::format("axis cut {} < {}: {} | {} nodes", axis, middle, below,
                                  static_cast<std::ptrdiff_t>(t.nodes.size()) - below)};
  }
  return best.value_or(bisection{0, "a single router has no bisection"});
}

/// Least number of channels that separate the routers of \p low from those of \p high.
std::size_t least_cut(const topology& t, const std::vector<router_id>& low, const std::vector<router_id>& high) {
  using namespace boost;
  using edge = adjacency_list_traits<vecS, vecS, directedS>::edge_descriptor;
  using flow_graph = adjacency_list<
      vecS, vecS, directedS, no_property,
      property<edge_capacity_t, long, property<edge_residual_capacity_t, long, property<edge_reverse_t, edge>>>>;

  const std::size_t source = t.routers.size(), sink = source + 1;
  flow_graph g(sink + 1);
  const auto connect = [&g](std::size_t a, std::size_t b, long capacity) {
    const edge forth = add_edge(a, b, g).first;
    const edge back = add_edge(b, a, g).first;
    put(edge_capacity, g, forth, capacity);
    put(edge_capacity, g, back, 0);
    put(edge_reverse, g, forth, back);
    put(edge_reverse, g, back, forth);
  };
  const long unlimited = static_cast<long>(t.channels.size()) + 1;
  for (const channel& c : t.channels) connect(c.from.router, c.to.router, 1);
  for (const router_id r : low) connect(source, r, unlimited);
  for (const router_id r : high) connect(r, sink, unlimited);
  return static_cast<std::size_t>(push_relabel_max_flow(g, source, sink));
}

bisection flow_cut(const topology& t) {
  std::vector<std::size_t> nodes_at(t.routers.size());
  for (const node_attachment& node : t.nodes) ++nodes_at[node.ports.front().router];

  std::vector<router_id> low, high;
  std::size_t below = 0;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    if (nodes_at[r] == 0) continue;
    const bool lower = low.empty() || 2 * (below + nodes_at[r]) <= t.nodes.size();
    (lower ? low : high).push_back(r);
    if (lower) below += nodes_at[r];
  }
  if (high.empty()) return {0, "all nodes are at one router, which has no bisection"};
  return {least_cut(t, low, high),
          fmt::format("least cut between the nodes of routers {} to {} and of routers {} to {}: "
                      "{} | {} nodes",
                      low.front(), low.back(), high.front(), high.back(), below, t.nodes.size() - below)};
}

}  // namespace

std::vector<std::size_t> route_channels(const topology& t, node_id source, node_id destination) {
  route_forest forest(t);
  forest.aim(destination);
  std::vector<std::size_t> channels;
  for (std::uint32_t h = forest.first_hop(source, t.nodes[source].ports.front()); h != route_forest::None;
       h = forest.hops()[h].next) {
    channels.push_back(forest.hops()[h].channel);
  }
  return channels;
}

std::vector<router_id> route_path(const topology& t, node_id source, node_id destination) {
  std::vector<router_id> path{t.nodes[source].ports.front().router};
  for (const std::size_t c : route_channels(t, source, destination)) path.push_back(t.channels[c].to.router);
  return path;
}

std::vector<double> uniform_channel_loads(const topology& t) {
  std::vector<double> loads(t.channels.size());
  const std::size_t nodes = t.nodes.size();
  route_forest forest(t);
  std::vector<double> flow;  // of each hop of the forest
  for (node_id destination = 0; destination < nodes; ++destination) {
    forest.aim(destination);
    flow.clear();
    for (node_id source = 0; source < nodes; ++source) {
      if (source == destination) continue;
      const std::vector<port_ref>& ports = t.nodes[source].ports;
      for (const port_ref port : ports) {
        const std::uint32_t first = forest.first_hop(source, port);
        flow.resize(forest.hops().size());
        if (first != route_forest::None) flow[first] += 1.0 / static_cast<double>(ports.size() * (nodes - 1));
      }
    }
    for (std::size_t i = flow.size(); i-- > 0;) {  // upstream before downstream
      const route_forest::hop& h = forest.hops()[i];
      loads[h.channel] += flow[i];
      if (h.next != route_forest::None) flow[h.next] += flow[i];
    }
  }
  return loads;
}

topology_figures compute_figures(const topology& t, bool self_traffic) {
  topology_figures f;
  f.routers = t.routers.size();
  f.nodes = t.nodes.size();
  f.channels = t.channels.size();

  const neighbour_lists neighbours = neighbours_of(t);
  const auto [fewest, most] = std::minmax_element(neighbours.begin(), neighbours.end(),
                                                  [](const auto& a, const auto& b) { return a.size() < b.size(); });
  f.min_degree = static_cast<unsigned>(fewest->size());
  f.max_degree = static_cast<unsigned>(most->size());
  f.diameter = diameter(neighbours);
  f.mean_distance = mean_distance(t, neighbours);
  f.mean_route_length = mean_route_length(t);

  bisection halves = fills_shape(t) ? axis_cut(t) : flow_cut(t);
  f.bisection_channels = halves.channels;
  f.bisection_method = std::move(halves.method);

  const std::vector<double> loads = uniform_channel_loads(t);
  if (!loads.empty()) f.max_channel_load = *std::max_element(loads.begin(), loads.end());
  // A packet to its own node loads no channel between routers.
  if (self_traffic) f.max_channel_load *= static_cast<double>(f.nodes - 1) / static_cast<double>(f.nodes);
  std::size_t injection = MaxPorts;
  for (const node_attachment& node : t.nodes) injection = std::min(injection, node.ports.size());
  f.ideal_throughput = static_cast<double>(injection);
  if (f.max_channel_load > 0) f.ideal_throughput = std::min(f.ideal_throughput, 1 / f.max_channel_load);
  return f;
}

}  // namespace weft
