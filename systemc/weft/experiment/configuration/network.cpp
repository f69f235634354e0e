#include "weft/experiment/configuration/network.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/vc_classes.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/octagon.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft::experiment {

namespace {

network_options options_of(const configuration& c) {
  return {static_cast<unsigned>(c.link.cycles), static_cast<unsigned>(c.nic.link_cycles), c.nic.ports,
          vcs_of_class(c.router)};
}

grid_algorithm grid_algorithm_of(routing_kind routing) { return static_cast<grid_algorithm>(routing); }
static_assert(static_cast<int>(routing_kind::NegativeFirst) == static_cast<int>(grid_algorithm::NegativeFirst));

bool is_for_any_graph(routing_kind routing) {
  return routing == routing_kind::UpDown || routing == routing_kind::Source || routing == routing_kind::Shortest;
}

graph_routing graph_routing_of(routing_kind routing) {
  return routing == routing_kind::Source     ? graph_routing::Source
         : routing == routing_kind::Shortest ? graph_routing::Shortest
                                             : graph_routing::UpDown;
}

topology make_grid(const configuration& c, const network_options& options, routing_kind routing) {
  if (routing > routing_kind::NegativeFirst) {
    throw std::invalid_argument(
        "a grid has dimension_order, o1turn, valiant, minimal_adaptive, west_first, north_last and negative_first "
        "routing; any network has shortest, up_down and source");
  }
  grid_parameters p;
  p.shape = c.topology.shape;
  p.options = options;
  p.order = c.routing.order;
  p.algorithm = grid_algorithm_of(routing);
  p.rings = c.topology.kind != topology_kind::Mesh;
  p.one_way = c.topology.kind == topology_kind::Ring && c.topology.direction == direction_kind::OneWay;
  p.nodes = c.topology.nodes_per_router;
  p.seed = c.simulation.seed;
  return weft::make_grid(p);
}

topology make_hypercube(const configuration& c, const network_options& options, routing_kind routing) {
  if (routing != routing_kind::DimensionOrder && routing != routing_kind::MinimalAdaptive) {
    throw std::invalid_argument(
        "a hypercube has dimension_order and minimal_adaptive routing; any network has shortest, up_down and source");
  }
  return weft::make_hypercube(
      {c.topology.dimensions, options, routing == routing_kind::MinimalAdaptive, c.topology.nodes_per_router});
}

topology make_fat_tree(const configuration& c, const network_options& options, routing_kind routing) {
  if (routing != routing_kind::NearestCommonAncestor) {
    throw std::invalid_argument(
        "a fat tree has nearest_common_ancestor routing; any network has shortest, up_down and source");
  }
  return weft::make_fat_tree({{c.topology.children, c.topology.parents}, options, c.routing.ascent, c.simulation.seed});
}

topology read_file(const configuration& c, const network_options& options) {
  if (c.topology.file.empty()) throw std::invalid_argument("network.topology.file is missing: which file?");
  const std::string name = c.topology.file.string(), suffix = c.topology.file.extension().string();
  std::ifstream in(c.topology.file, std::ios::binary);
  std::error_code error;
  if (std::filesystem::is_directory(c.topology.file, error)) throw std::invalid_argument(name + " is a directory");
  if (!in) throw std::invalid_argument(name + " cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  read_options how;
  how.vcs = options.vcs;
  how.flit_bits = c.flit.payload_bits;
  how.routing = graph_routing_of(c.routing.algorithm);
  if (suffix == ".graphml" || suffix == ".xml") return read_graphml(text, name, how);
  if (suffix == ".dot" || suffix == ".gv") return read_graphviz(text, name, how);
  return read_topology(text, name, how);
}

/// The graph, with the routing that its generator has for it.
topology make_graph(const configuration& c, const network_options& options, routing_kind routing) {
  const auto& t = c.topology;
  const bool one_way = t.direction == direction_kind::OneWay;
  const auto require = [routing](routing_kind only, const char* message) {
    if (routing != only) throw std::invalid_argument(message);
  };
  switch (t.kind) {
    case topology_kind::Mesh:
    case topology_kind::Torus:
    case topology_kind::Ring:
      return make_grid(c, options, routing);
    case topology_kind::Hypercube:
      return make_hypercube(c, options, routing);
    case topology_kind::FatTree:
      return make_fat_tree(c, options, routing);
    case topology_kind::HierarchicalRing:
      require(routing_kind::Shortest, "hierarchical rings have shortest, up_down and source routing");
      return make_hierarchical_ring({t.rings, options, one_way, t.representative, t.nodes_per_router});
    case topology_kind::Octagon:
      require(routing_kind::Shortest, "an Octagon has shortest, up_down and source routing");
      return make_octagon({t.routers, options, t.nodes_per_router, t.octagons});
    case topology_kind::Random:
      require(routing_kind::UpDown, "a random graph has shortest, up_down and source routing");
      return make_random_graph({t.routers, t.degree, t.nodes_per_router, t.seed, options});
    case topology_kind::File:
      return read_file(c, options);
  }
  throw std::logic_error("topology_kind");
}

topology make_network(const configuration& c) {
  const routing_kind routing = c.routing.algorithm, usual = usual_routing(c.topology.kind);
  network_options options = options_of(c);
  if (routing == routing_kind::AsInFile && c.topology.kind != topology_kind::File)
    throw std::invalid_argument("as_in_file routing is for a topology from a file");
  if (routing == usual || !is_for_any_graph(routing)) return make_graph(c, options, routing);
  options.vcs = MaxVcs;  // whatever the generator's own routing, which is replaced, would need
  topology graph = make_graph(c, options, usual);
  route_graph(graph, graph_routing_of(routing), vcs_of_class(c.router));
  return graph;
}

/// Runs \p make; what it finds wrong is blamed on \p keys.
template <class Make>
auto blaming(const configuration& c, std::initializer_list<const char*> keys, Make make) {
  try {
    return make();
  } catch (const input_error&) {  // of a file: it has its own places
    throw;
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{c.where(keys), e.what()}});
  }
}

constexpr std::initializer_list<const char*> NetworkKeys = {
    "network.router.vcs", "nic.ports", "network.routing.algorithm", "network.topology.file", "network.topology.kind"};

/// Routers and NICs must be possible in this network.
void check_parameters(const configuration& c, const topology& graph) {
  for (const parameter_fault& f : find_parameter_faults(graph, c.router, nic_parameters_of(c), "network."))
    throw configuration_error({{c.where_last(f.keys), f.message}});
}

}  // namespace

bool is_grid(topology_kind kind) {
  return kind == topology_kind::Mesh || kind == topology_kind::Torus || kind == topology_kind::Ring;
}

routing_kind usual_routing(topology_kind kind) {
  switch (kind) {
    case topology_kind::FatTree:
      return routing_kind::NearestCommonAncestor;
    case topology_kind::HierarchicalRing:
    case topology_kind::Octagon:
      return routing_kind::Shortest;
    case topology_kind::Random:
      return routing_kind::UpDown;
    case topology_kind::File:
      return routing_kind::AsInFile;
    default:
      return routing_kind::DimensionOrder;
  }
}

std::uint64_t count_nodes(const configuration& c) {
  const auto& t = c.topology;
  const auto product = [](std::uint64_t count, const std::vector<std::uint32_t>& factors) {
    for (const std::uint32_t factor : factors)
      if (count <= std::uint64_t{1} << 32) count *= factor;  // else there are far too many already
    return count;
  };
  const std::uint64_t each = t.nodes_per_router;
  switch (t.kind) {
    case topology_kind::Hypercube:
      return each << t.dimensions;
    case topology_kind::FatTree:
      return product(1, t.children);
    case topology_kind::HierarchicalRing:
      return product(each, t.rings);
    case topology_kind::Octagon:
      return each * ((t.routers - 1) * std::uint64_t{t.octagons} + 1);
    case topology_kind::Random:
      return each * t.routers;
    case topology_kind::File:
      return blaming(c, NetworkKeys, [&] { return read_file(c, options_of(c)).nodes.size(); });
    default:
      return product(each, t.shape);
  }
}

topology build_network(const configuration& c) {
  topology graph = blaming(c, NetworkKeys, [&] {
    topology made = make_network(c);
    check_structure(made, vcs_of_class(c.router));
    return made;
  });
  check_parameters(c, graph);
  if (c.routing.allow_deadlock) return graph;
  const std::vector<channel_vc> cycle = find_dependency_cycle(graph, vcs_of_class(c.router));
  if (cycle.empty()) return graph;
  throw configuration_error({{c.where("network.routing.algorithm"),
                              fmt::format("packets can deadlock: their channels depend on each other in a cycle (with "
                                          "network.routing.allow_deadlock: true it is simulated none the less)\n{}",
                                          describe_cycle(graph, cycle))}});
}

std::string describe(const topology& graph) {
  const std::string shape = fmt::format("{}", fmt::join(graph.shape, "x"));
  return fmt::format("{}{}{}, {} routing", shape, shape.empty() ? "" : " ", graph.kind, graph.algorithm);
}

}  // namespace weft::experiment
