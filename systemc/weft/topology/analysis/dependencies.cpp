// SPDX-License-Identifier: Apache-2.0
/// The channel dependency graph, and cycles in it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <boost/dynamic_bitset.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/core/vc_classes.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/route_search.h"
#include "weft/topology/names.h"

namespace weft {
namespace {

constexpr std::size_t MaxExactSteps = std::size_t{1} << 26;     ///< pairs explored, summed over all destinations
constexpr std::size_t MaxExtendedPairs = std::size_t{1} << 14;  ///< limit for storing the graph as a matrix

/// Vertex number of a (channel, VC) pair.
using vertex = std::uint32_t;
using edges = std::vector<std::pair<vertex, vertex>>;  ///< sorted
using dependency_graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                            boost::no_property, vertex, std::size_t>;

/// For each vertex and each output port of the router at the end of its channel: the VCs that the holder may request.
using requests = std::vector<std::array<vc_set, MaxPorts>>;

/// Collects requests by following the routes to every destination, or to a sample that the time limit allows.
/// \param choices whether requests for one of several adaptive choices are included
requests follow_routes(const topology& t, unsigned vcs, bool choices) {
  requests requested_by(t.channels.size() * vcs);
  route_search search(t, vcs);
  for (const node_id destination :
       sampled_nodes(t, std::max<std::size_t>(1, MaxExactSteps / (requested_by.size() + 1)))) {
    search.run(
        destination,
        [&](const route_search::request& r) {
          if (r.holder == nullptr || r.end.what != port_end::kind::Channel || (r.by_choice && !choices)) return;
          requested_by[r.holder->channel * vcs + r.holder->vc][r.port] |= r.vcs;
        },
        [](node_id, const channel_vc&) {});  // a returning packet closes a cycle, which the graph then contains
  }
  return requested_by;
}

/// Collects requests from the turns that dimension order takes: straight on, or into a later dimension. In a full mesh
/// some packet takes each of these turns, so the result equals that of follow_routes(), in time linear in the network.
requests take_turns(const topology& t, unsigned vcs) {
  requests requested_by(t.channels.size() * vcs);
  const wiring wires(t);
  for (std::size_t i = 0; i < t.channels.size(); ++i) {
    const port_ref in = t.channels[i].to;
    const grid_rule& rule = *t.routing[in.router].as<grid_rule>();
    const auto add_request = [&](unsigned port) {
      if (wires.output({in.router, port}).what != port_end::kind::Channel) return;
      const vc_set admissible = rule.vcs & first_vcs(vcs);
      for_each_member(admissible, [&](unsigned vc) { requested_by[i * vcs + vc][port] |= admissible; });
    };
    const auto* const come = std::find(rule.order.begin(), rule.order.begin() + rule.dimensions, in.port / 2);
    add_request(in.port ^ 1);  // a packet that entered on the + side leaves on the - side
    for (const auto* later = come + 1; later < rule.order.begin() + rule.dimensions; ++later) {
      add_request(2U * *later);
      add_request(2U * *later + 1);
    }
  }
  return requested_by;
}

bool is_dimension_ordered_mesh(const topology& t) {
  const auto* first = t.routing.front().as<grid_rule>();
  return t.kind == "mesh" && std::all_of(t.routing.begin(), t.routing.end(), [first](const route_rule& rule) {
           const auto* grid = rule.as<grid_rule>();
           return grid != nullptr && grid->algorithm == grid_algorithm::DimensionOrder && !grid->rings &&
                  grid->order == first->order;
         });
}

edges direct_edges(const topology& t, unsigned vcs, bool choices = false) {
  const requests requested_by = is_dimension_ordered_mesh(t) ? take_turns(t, vcs) : follow_routes(t, vcs, choices);
  const wiring wires(t);
  edges found;
  for (vertex holder = 0; holder < requested_by.size(); ++holder) {
    const router_id router = t.channels[holder / vcs].to.router;
    for (unsigned port = 0; port < t.routers[router].ports; ++port) {
      for_each_member(requested_by[holder][port], [&](unsigned v) {
        found.emplace_back(holder, static_cast<vertex>(wires.output({router, port}).index * vcs + v));
      });
    }
  }
  return found;
}

/// The extended dependency graph of adaptive routing (Duato 1993): a packet that holds a pair may, after any number of
/// adaptive channels, wait for the escape offers of a later router.
edges extended_edges(const topology& t, unsigned vcs) {
  using pairs = boost::dynamic_bitset<std::uint64_t>;
  const std::size_t size = t.channels.size() * vcs;
  std::vector<pairs> waits(size, pairs(size)), depends(size, pairs(size));
  std::vector<std::vector<vertex>> chosen(size);
  route_search search(t, vcs);
  for (node_id destination = 0; destination < t.nodes.size(); ++destination) {
    for (vertex v = 0; v < size; ++v) {
      waits[v].reset();
      chosen[v].clear();
    }
    search.run(
        destination,
        [&](const route_search::request& r) {
          if (r.holder == nullptr || r.end.what != port_end::kind::Channel) return;
          const std::size_t holder = r.holder->channel * vcs + r.holder->vc;
          for_each_member(r.vcs & first_vcs(vcs), [&](unsigned v) {
            const std::size_t requested = r.end.index * vcs + v;
            if (r.by_choice)
              chosen[holder].push_back(static_cast<vertex>(requested));
            else
              waits[holder].set(requested);
          });
        },
        [](node_id, const channel_vc&) {},
        [&](const channel_vc& pair) {  // everything that follows the pair has been explored
          const std::size_t v = pair.channel * vcs + pair.vc;
          for (const vertex next : chosen[v]) waits[v] |= waits[next];
          depends[v] |= waits[v];
        });
  }
  edges found;
  for (vertex v = 0; v < size; ++v)
    for (auto w = depends[v].find_first(); w != pairs::npos; w = depends[v].find_next(w))
      found.emplace_back(v, static_cast<vertex>(w));
  return found;
}

/// Stops the search at the first back edge and reports the cycle that it closes.
class cycle_finder : public boost::default_dfs_visitor {
 public:
  struct found {
    std::vector<vertex> cycle;
  };

  /// \p parents has an element for each vertex. It is stored by the caller because Boost copies its visitors.
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

/// A cycle of the graph with the edges \p found, which are sorted, or nothing.
std::vector<vertex> find_cycle(std::size_t vertices, const edges& found) {
  const dependency_graph graph(boost::edges_are_sorted, found.begin(), found.end(), static_cast<vertex>(vertices),
                               found.size());
  std::vector<vertex> parents(vertices);
  try {
    boost::depth_first_search(graph, boost::visitor(cycle_finder(parents)));
  } catch (const cycle_finder::found& back) {
    return back.cycle;
  }
  return {};
}

}  // namespace

std::vector<channel_vc> find_dependency_cycle(const topology& t, unsigned vcs) {
  if (vcs == 0 || vcs > MaxVcs)
    throw std::invalid_argument(fmt::format("topology: vcs is {}; give 1 to {}", vcs, MaxVcs));
  const std::size_t vertices = t.channels.size() * vcs;
  const bool adaptive = std::any_of(t.routing.begin(), t.routing.end(), [](const auto& r) { return r.adaptive(); });
  const edges found = adaptive && vertices <= MaxExtendedPairs ? extended_edges(t, vcs) : direct_edges(t, vcs);
  std::vector<channel_vc> pairs;
  for (const vertex v : find_cycle(vertices, found)) pairs.push_back({v / vcs, v % vcs});
  return pairs;
}

std::vector<channel_vc> find_dependency_cycle(const topology& t, const router_parameters& router) {
  const unsigned vcs = vcs_of_class(router);
  std::vector<channel_vc> cycle = find_dependency_cycle(t, vcs);
  if (!cycle.empty() || !shares_all(router.buffer)) return cycle;
  edges found = direct_edges(t, vcs, true);
  for (auto& [holder, requested] : found) {
    holder /= vcs;
    requested /= vcs;
  }
  std::sort(found.begin(), found.end());
  std::vector<channel_vc> channels;
  for (const vertex v : find_cycle(t.channels.size(), found)) channels.push_back({v, channel_vc::AnyVc});
  return channels;
}

std::vector<std::string> lines_of_cycle(const topology& t, const std::vector<channel_vc>& cycle) {
  if (cycle.empty()) return {};
  const auto vc_of = [](const channel_vc& pair) {
    return pair.vc == channel_vc::AnyVc ? std::string("any VC") : fmt::format("VC {}", pair.vc);
  };
  std::vector<std::string> lines;
  for (const channel_vc& pair : cycle)
    lines.push_back(fmt::format("{}, {}", printable(full_name(t, t.channels[pair.channel])), vc_of(pair)));
  const channel_vc& first = cycle.front();
  lines.push_back(fmt::format("back to {}, {}", printable(full_name(t, t.channels[first.channel].from)), vc_of(first)));
  return lines;
}

std::string describe_cycle(const topology& t, const std::vector<channel_vc>& cycle) {
  std::string text;
  for (const std::string& line : lines_of_cycle(t, cycle)) text += line + "\n";
  return text;
}

}  // namespace weft
