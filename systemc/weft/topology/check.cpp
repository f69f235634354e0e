#include "weft/topology/check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <fmt/format.h>

#include "weft/core/allocation.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

constexpr std::size_t MaxExactPairs = std::size_t{1} << 22;

template <class... Arguments>
[[noreturn]] void reject(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument("topology: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

// ---- Structure ----

void check_routers(const topology& t) {
  if (t.routers.empty()) reject("it has no routers");
  if (t.nodes.empty()) reject("it has no nodes");
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const router_info& router = t.routers[r];
    if (router.ports == 0 || router.ports > MaxPorts) {
      reject("{} has {} ports; give 1 to {}", router_name(t, r), router.ports, MaxPorts);
    }
    if (router.port_names.size() != router.ports) {
      reject("{} has {} ports but {} port names; give one for each", router_name(t, r), router.ports,
             router.port_names.size());
    }
  }
}

void check_port_exists(const topology& t, port_ref port, const std::string& whose) {
  if (port.router >= t.routers.size()) {
    reject("{} dangles: there is no router {}, only 0 to {}", whose, port.router, t.routers.size() - 1);
  }
  if (port.port >= t.routers[port.router].ports) {
    reject("{}: {} has no port {}, only 0 to {}", whose, router_name(t, port.router), port.port,
           t.routers[port.router].ports - 1);
  }
}

/// Who uses each port, in one direction.
class port_register {
 public:
  port_register(const topology& t, const char* direction)
      : m_topology(t), m_direction(direction), m_users(t.routers.size()) {}

  void enter(port_ref port, std::string user) {
    std::string& entry = m_users[port.router][port.port];
    if (!entry.empty()) {
      reject("{}: {} used twice, by {} and {}; give each its own port", full_name(m_topology, port), m_direction, entry,
             user);
    }
    entry = std::move(user);
  }

 private:
  const topology& m_topology;
  const char* m_direction;
  std::vector<std::array<std::string, MaxPorts>> m_users;
};

void check_connections(const topology& t) {
  port_register outputs(t, "output"), inputs(t, "input");
  for (std::size_t i = 0; i < t.channels.size(); ++i) {
    const channel& c = t.channels[i];
    const std::string name = fmt::format("channel {}", i);
    check_port_exists(t, c.from, name);
    check_port_exists(t, c.to, name);
    if (c.cycles == 0) reject("{} ({}) takes 0 cycles; give at least 1", name, full_name(t, c));
    outputs.enter(c.from, name);
    inputs.enter(c.to, name);
  }
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    const std::string name = fmt::format("node {}", n);
    if (t.nodes[n].ports.empty()) reject("{} has no port; attach it to a router", name);
    for (const port_ref port : t.nodes[n].ports) {
      check_port_exists(t, port, name);
      outputs.enter(port, name);
      inputs.enter(port, name);
    }
    if (t.nodes[n].cycles == 0) {
      reject("{} at {}: its channels take 0 cycles; give at least 1", name, full_name(t, t.nodes[n].ports.front()));
    }
  }
}

void check_dimension_order(const topology& t, router_id router, const dimension_order_rule& rule) {
  const std::string name = router_name(t, router);
  if (rule.dimensions == 0 || rule.dimensions > dimension_order_rule::MaxDimensions) {
    reject("{}: dimension-order routing in {} dimensions; give 1 to {}", name, rule.dimensions,
           dimension_order_rule::MaxDimensions);
  }
  std::array<bool, dimension_order_rule::MaxDimensions> ordered{};
  for (unsigned d = 0; d < rule.dimensions; ++d) {
    if (rule.size[d] == 0 || rule.stride[d] == 0) {
      reject("{}: dimension-order routing with size {} and stride {} in dimension {}; give at least 1", name,
             rule.size[d], rule.stride[d], d);
    }
    const unsigned next = rule.order[d];
    if (next >= rule.dimensions || std::exchange(ordered[next], true)) {
      reject("{}: the order of dimension-order routing must name each dimension once", name);
    }
  }
  if (rule.local_ports == 0) reject("{}: dimension-order routing with 0 local ports; give at least 1", name);
}

void check_rules(const topology& t) {
  if (t.routing.size() < t.routers.size()) {
    reject("{} routers but {} routing functions; {} has none", t.routers.size(), t.routing.size(),
           router_name(t, static_cast<router_id>(t.routing.size())));
  }
  if (t.routing.size() > t.routers.size()) {
    reject("{} routers but {} routing functions; give one for each", t.routers.size(), t.routing.size());
  }
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const route_rule& rule = t.routing[r];
    if (rule.which == route_rule::kind::DimensionOrder) check_dimension_order(t, r, rule.dimension_order);
    if (rule.which == route_rule::kind::Table && rule.table.by_destination.size() != t.nodes.size()) {
      reject("{}: its routing table has {} entries for {} nodes; give one for each", router_name(t, r),
             rule.table.by_destination.size(), t.nodes.size());
    }
  }
}

// ---- Routes ----

/// All that packets to one destination may do, depth first over the (channel, VC) pairs they may hold. Time
/// is linear in the pairs reached, whatever the number of sources: what one source explored, the next one
/// skips.
class route_search {
 public:
  route_search(const topology& t, unsigned vcs) : m_topology(t), m_vcs(vcs), m_wires(t) {}

  /// Calls \p on_request(source, holder, router, route, end) for every request a packet may make: \p holder
  /// is what it holds then, nullptr in the injection port, and \p end what the output port leads to; and \p
  /// on_return(source, pair) where a packet may come to hold a pair a second time.
  template <class OnRequest, class OnReturn>
  void run(node_id destination, OnRequest on_request, OnReturn on_return) {
    m_open.assign(m_topology.channels.size(), 0);
    m_done.assign(m_topology.channels.size(), 0);

    const auto request = [&](node_id source, const channel_vc* holder, port_ref in, unsigned in_vc) {
      const route asked = m_topology.routing[in.router]({in.port, in_vc, destination});
      const port_end end = m_wires.output({in.router, asked.port});
      on_request(source, holder, in.router, asked, end);
      if (end.what != port_end::kind::Channel) return;
      const vc_set fresh = asked.vcs & ~m_done[end.index];
      for (unsigned v = 0; v < m_vcs; ++v) {
        if (fresh >> v & 1) m_stack.push_back({{end.index, v}, false});
      }
    };

    const auto explore = [&](node_id source) {
      while (!m_stack.empty()) {
        const step now = m_stack.back();
        m_stack.pop_back();
        const vc_set bit = vc_set{1} << now.pair.vc;
        vc_set& open = m_open[now.pair.channel];
        vc_set& done = m_done[now.pair.channel];
        if (now.leaving) {
          open &= ~bit;
          done |= bit;
        } else if (open & bit) {  // open are just the pairs on the way from the source to here
          on_return(source, now.pair);
        } else if (!(done & bit)) {
          open |= bit;
          m_stack.push_back({now.pair, true});
          request(source, &now.pair, m_topology.channels[now.pair.channel].to, now.pair.vc);
        }
      }
    };

    for (node_id source = 0; source < m_topology.nodes.size(); ++source) {
      for (const port_ref in : m_topology.nodes[source].ports) {
        for (unsigned in_vc = 0; in_vc < m_vcs; ++in_vc) {
          request(source, nullptr, in, in_vc);
          explore(source);
        }
      }
    }
  }

 private:
  struct step {
    channel_vc pair;
    bool leaving;  ///< all that follows the pair has been explored
  };

  const topology& m_topology;
  const unsigned m_vcs;
  const wiring m_wires;
  std::vector<step> m_stack;
  std::vector<vc_set> m_open;  ///< of each channel
  std::vector<vc_set> m_done;
};

void check_routes(const topology& t, unsigned vcs) {
  route_search search(t, vcs);
  const std::size_t nodes = t.nodes.size();
  const std::size_t samples = std::clamp<std::size_t>(MaxExactPairs / nodes, 1, nodes);
  for (std::size_t i = 0; i < samples; ++i) {
    const auto destination = static_cast<node_id>(i * nodes / samples);
    search.run(
        destination,
        [&](node_id source, const channel_vc*, router_id router, const route& asked, port_end end) {
          const auto where = [&] {
            return fmt::format("{}: the route from node {} to node {} leaves by {}", router_name(t, router), source,
                               destination, port_name(t, {router, asked.port}));
          };
          if (end.what == port_end::kind::Nothing) {
            reject("{}, which {}", where(),
                   asked.port < t.routers[router].ports ? "is not connected" : "does not exist");
          }
          if (end.what == port_end::kind::Node && end.index != destination) {
            reject("{}, where node {} is", where(), end.index);
          }
          if (asked.vcs == 0) reject("{} with no admissible VC; give at least one", where());
          if (asked.vcs & ~first_vcs(vcs)) {
            reject("{} with admissible VCs (bits {:#x}) beyond the {} VCs of a port", where(), asked.vcs, vcs);
          }
        },
        [&](node_id source, const channel_vc& pair) {
          reject("the route from node {} to node {} goes in a circle through {}, VC {}", source, destination,
                 full_name(t, t.channels[pair.channel]), pair.vc);
        });
  }
}

// ---- Deadlock ----

/// Vertex of (channel, VC).
using vertex = std::uint32_t;
using dependency_graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                            boost::no_property, vertex, std::size_t>;

/// VCs that the holder of a vertex may ask for, by output port of the router where its channel ends.
using requests = std::vector<std::array<vc_set, MaxPorts>>;

/// By following the routes to every destination.
requests follow_routes(const topology& t, unsigned vcs) {
  requests asked_by(t.channels.size() * vcs);
  route_search search(t, vcs);
  for (node_id destination = 0; destination < t.nodes.size(); ++destination) {
    search.run(
        destination,
        [&](node_id, const channel_vc* holder, router_id, const route& asked, port_end end) {
          if (!holder || end.what != port_end::kind::Channel) return;
          asked_by[holder->channel * vcs + holder->vc][asked.port] |= asked.vcs;
        },
        [](node_id, const channel_vc&) {});  // a packet that returns closes a cycle, which the graph has then
  }
  return asked_by;
}

/// By the turns that dimension order takes: straight on, or into a dimension that comes later. In a whole mesh some packet
/// takes each of them, so this is what follow_routes() finds, in time linear in the network.
requests take_turns(const topology& t, unsigned vcs) {
  requests asked_by(t.channels.size() * vcs);
  const wiring wires(t);
  for (std::size_t i = 0; i < t.channels.size(); ++i) {
    const port_ref in = t.channels[i].to;
    const dimension_order_rule& rule = t.routing[in.router].dimension_order;
    const auto ask = [&](unsigned port) {
      if (wires.output({in.router, port}).what != port_end::kind::Channel) return;
      const vc_set admissible = rule.vcs & first_vcs(vcs);
      for_each_member(admissible, [&](unsigned vc) { asked_by[i * vcs + vc][port] |= admissible; });
    };
    const auto* const come = std::find(rule.order.begin(), rule.order.begin() + rule.dimensions, in.port / 2);
    ask(in.port ^ 1);  // what came from the + side leaves by the - side
    for (const auto* later = come + 1; later < rule.order.begin() + rule.dimensions; ++later) {
      ask(2U * *later);
      ask(2U * *later + 1);
    }
  }
  return asked_by;
}

bool is_dimension_ordered_mesh(const topology& t) {
  return t.kind == "mesh" && std::all_of(t.routing.begin(), t.routing.end(), [&t](const route_rule& rule) {
           return rule.which == route_rule::kind::DimensionOrder &&
                  rule.dimension_order.order == t.routing.front().dimension_order.order;
         });
}

dependency_graph build_dependencies(const topology& t, unsigned vcs) {
  const requests asked_by = is_dimension_ordered_mesh(t) ? take_turns(t, vcs) : follow_routes(t, vcs);
  const wiring wires(t);
  std::vector<std::pair<vertex, vertex>> edges;
  for (vertex holder = 0; holder < asked_by.size(); ++holder) {
    const router_id router = t.channels[holder / vcs].to.router;
    for (unsigned port = 0; port < t.routers[router].ports; ++port) {
      for (unsigned v = 0; v < vcs; ++v) {
        if (asked_by[holder][port] >> v & 1) {
          edges.emplace_back(holder, static_cast<vertex>(wires.output({router, port}).index * vcs + v));
        }
      }
    }
  }
  return {boost::edges_are_sorted, edges.begin(), edges.end(), static_cast<vertex>(asked_by.size()), edges.size()};
}

/// Stops the search at the first back edge, with the cycle that it closes.
class cycle_finder : public boost::default_dfs_visitor {
 public:
  struct found {
    std::vector<vertex> cycle;
  };

  /// \p parents has an element for each vertex; Boost copies its visitors, so it lives outside.
  explicit cycle_finder(std::vector<vertex>& parents) : m_parents(parents) {}

  template <class Edge, class Graph>
  void tree_edge(Edge e, const Graph& g) {
    m_parents[target(e, g)] = source(e, g);
  }

  template <class Edge, class Graph>
  void back_edge(Edge e, const Graph& g) {
    std::vector<vertex> cycle{source(e, g)};
    while (cycle.back() != target(e, g)) cycle.push_back(m_parents[cycle.back()]);
    std::reverse(cycle.begin(), cycle.end());
    throw found{std::move(cycle)};
  }

 private:
  std::vector<vertex>& m_parents;
};

}  // namespace

void check_structure(const topology& t, unsigned vcs) {
  if (vcs == 0 || vcs > MaxVcs) reject("vcs is {}; give 1 to {}", vcs, MaxVcs);
  check_routers(t);
  check_connections(t);
  check_rules(t);
  check_routes(t, vcs);
}

void check_parameters(const topology& graph, const router_parameters& router, const nic_parameters& nic) {
  const auto require = [](bool condition, const char* text) {
    if (!condition) throw std::invalid_argument(text);
  };
  require(router.vcs >= 1 && router.vcs <= MaxVcs, "router.vcs must be 1 to 16");
  require(router.depth >= 1 && router.vcs * router.depth <= MaxBufferFlits,
          "router.vcs * router.depth must be 1 to 512");
  for (const router_info& r : graph.routers)
    require(r.ports <= MaxPorts && r.ports * router.vcs * router.depth <= MaxRouterFlits,
            "a router has at most 16 ports, and ports * router.vcs * router.depth must be at most 4096");
  const unsigned s = router.pipeline;
  require(s == 3 || s == 4 || s == 5 || s == 7 || s == 9, "router.pipeline must be 3, 4, 5, 7 or 9");
  require(nic.window >= 1, "nic.window must be at least 1");
  require(nic.buckets >= 1 && nic.window % nic.buckets == 0, "nic.buckets must be a divisor of nic.window");
  const compression_parameters& c = nic.compression;
  require(!c.in_hardware() || nic.ejection_depth > 0, "a decompressor needs nic.ejection_depth of at least 1");
  require(c.codec.table.valid(), "nic.compression.table must be six run lengths of 1 to 32, falling");
  require(c.codec.cut <= MaxCut, "nic.compression.cut must be at most 51");
  require(c.depth >= 8 && c.depth <= MaxCompressorFlits && (c.depth & (c.depth - 1)) == 0,
          "nic.compression.depth must be a power of two from 8 to 4096");
  require(!c.latency || *c.latency >= 1, "nic.compression.latency must be at least 1");
  require(!c.ratio || (c.latency && *c.ratio >= 1), "nic.compression.ratio must be at least 1, with a latency");
  require(router.vcs * nic.ejection_depth <= MaxBufferFlits, "router.vcs * nic.ejection_depth must be at most 512");
}

std::vector<channel_vc> find_dependency_cycle(const topology& t, unsigned vcs) {
  if (vcs == 0 || vcs > MaxVcs) reject("vcs is {}; give 1 to {}", vcs, MaxVcs);
  const dependency_graph graph = build_dependencies(t, vcs);
  std::vector<vertex> parents(num_vertices(graph));
  std::vector<channel_vc> pairs;
  try {
    boost::depth_first_search(graph, boost::visitor(cycle_finder(parents)));
  } catch (const cycle_finder::found& found) {
    for (const vertex v : found.cycle) pairs.push_back({v / vcs, v % vcs});
  }
  return pairs;
}

std::string describe_cycle(const topology& t, const std::vector<channel_vc>& cycle) {
  if (cycle.empty()) return {};
  std::string text;
  for (const channel_vc& pair : cycle) {
    text += fmt::format("{}, VC {}\n", full_name(t, t.channels[pair.channel]), pair.vc);
  }
  const channel_vc& first = cycle.front();
  return text + fmt::format("back to {}, VC {}\n", full_name(t, t.channels[first.channel].from), first.vc);
}

}  // namespace weft
