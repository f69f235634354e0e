#include "weft/experiment/network.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/topology/check.h"
#include "weft/topology/grid.h"

namespace weft::experiment {

namespace {

network_options options_of(const configuration& c) {
  return {static_cast<unsigned>(c.link.cycles), static_cast<unsigned>(c.nic.link_cycles), c.nic.ports, c.router.vcs};
}

topology make_grid(const configuration& c) {
  grid_parameters p;
  p.shape = c.topology.shape;
  p.options = options_of(c);
  p.order = c.routing.order;
  p.algorithm = static_cast<grid_algorithm>(c.routing.algorithm);
  p.rings = c.topology.kind != topology_kind::Mesh;
  p.one_way = c.topology.direction == direction_kind::OneWay;
  p.nodes = c.topology.nodes_per_router;
  p.seed = c.simulation.seed;
  return weft::make_grid(p);
}
static_assert(static_cast<int>(routing_kind::NegativeFirst) == static_cast<int>(grid_algorithm::NegativeFirst));

topology make_hypercube(const configuration& c) {
  hypercube_parameters p;
  p.dimensions = c.topology.dimensions;
  p.options = options_of(c);
  p.adaptive = c.routing.algorithm == routing_kind::MinimalAdaptive;
  p.nodes = c.topology.nodes_per_router;
  if (!p.adaptive && c.routing.algorithm != routing_kind::DimensionOrder) {
    throw std::invalid_argument("a hypercube has dimension_order and minimal_adaptive routing");
  }
  return weft::make_hypercube(p);
}

topology make_network(const configuration& c) {
  switch (c.topology.kind) {
    case topology_kind::Mesh:
    case topology_kind::Torus:
    case topology_kind::Ring:
      return make_grid(c);
    case topology_kind::Hypercube:
      return make_hypercube(c);
  }
  throw std::logic_error("topology_kind");
}

/// Runs \p make; what it finds wrong is blamed on \p keys.
template <class Make>
auto blaming(const configuration& c, std::initializer_list<const char*> keys, Make make) {
  try {
    return make();
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{c.where(keys), e.what()}});
  }
}

/// The buffers of the largest router must fit.
void check_room(const configuration& c, const topology& graph) {
  unsigned ports = 0;
  for (const router_info& r : graph.routers) ports = std::max(ports, r.ports);
  const unsigned flits = ports * c.router.vcs * c.router.depth;
  if (flits <= MaxRouterFlits) return;
  throw configuration_error(
      {{c.where({"network.router.depth", "network.router.vcs", "nic.ports", "network.topology"}),
        fmt::format("network.router: expected ports · vcs · depth of at most {} flits, got {} · {} · {} = {}",
                    MaxRouterFlits, ports, c.router.vcs, c.router.depth, flits)}});
}

}  // namespace

bool is_grid(topology_kind kind) {
  return kind == topology_kind::Mesh || kind == topology_kind::Torus || kind == topology_kind::Ring;
}

std::uint64_t count_nodes(const configuration& c) {
  std::uint64_t count = c.topology.nodes_per_router;
  if (c.topology.kind == topology_kind::Hypercube) return count << c.topology.dimensions;
  for (const std::uint32_t side : c.topology.shape) {
    if (count > (std::uint64_t{1} << 32)) break;  // far too many already
    count *= side;
  }
  return count;
}

topology build_network(const configuration& c) {
  topology graph = blaming(c, {"network.router.vcs", "nic.ports", "network.routing.algorithm", "network.topology.kind"}, [&] {
    topology made = make_network(c);
    check_structure(made, c.router.vcs);
    return made;
  });
  check_room(c, graph);
  if (c.routing.allow_deadlock) return graph;
  const std::vector<channel_vc> cycle = find_dependency_cycle(graph, c.router.vcs);
  if (cycle.empty()) return graph;
  throw configuration_error({{c.where("network.routing"),
                              fmt::format("packets can deadlock: their channels depend on each other in a cycle (with "
                                          "network.routing.allow_deadlock: true it is simulated none the less)\n{}",
                                          describe_cycle(graph, cycle))}});
}

std::string describe(const topology& graph) {
  const std::string shape = fmt::format("{}", fmt::join(graph.shape, "x"));
  return fmt::format("{}{}{}, {} routing", shape, shape.empty() ? "" : " ", graph.kind, graph.algorithm);
}

}  // namespace weft::experiment
