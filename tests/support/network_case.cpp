#include "support/network_case.h"

#include "support/files.h"
#include "support/random.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "weft/core/network_observer.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/octagon.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/routing/routing_tables.h"

using namespace weft;

namespace {

const char* const PatternNames[] = {"uniform", "transpose", "bit_reversal", "bit_complement", "bit_rotation",
                                    "shuffle", "tornado",   "neighbour",    "hotspot",        "permutation"};
const char* const PayloadNames[] = {"zero", "random", "small_integers", "smooth_doubles", "file"};
const char* const TypeNames[] = {"auto", "other", "int", "double", "double_complex"};
const char* const ModeNames[] = {"none", "always", "selective"};

bool power_of(std::uint32_t n, std::uint32_t base) {
  while (n % base == 0) n /= base;
  return n == 1;
}

std::vector<std::uint32_t> random_shape(dice& d, std::uint32_t most_nodes) {
  for (;;) {
    std::vector<std::uint32_t> shape(d.between(1, 4));
    const std::uint32_t longest = shape.size() == 1 ? 12 : shape.size() == 2 ? 7 : shape.size() == 3 ? 4 : 3;
    std::uint32_t nodes = 1;
    for (std::uint32_t& side : shape) nodes *= side = d.between(1, longest);
    if (d.chance(0.25)) {  // a size that the bit patterns accept
      for (std::uint32_t& side : shape) side = side < 3 ? side : 4;
      nodes = std::accumulate(shape.begin(), shape.end(), 1u, std::multiplies<>());
    }
    if (nodes >= 2 && nodes <= most_nodes) return shape;
  }
}

std::vector<unsigned> random_order(dice& d, std::size_t dimensions) {
  std::vector<unsigned> order(dimensions);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = dimensions; i > 1; --i)
    std::swap(order[i - 1], order[d.between(0, static_cast<std::uint32_t>(i - 1))]);
  return order;
}

pattern_parameters random_pattern(dice& d, const std::vector<std::uint32_t>& shape, std::uint32_t nodes) {
  std::vector<pattern_kind> fitting = {pattern_kind::Uniform, pattern_kind::Hotspot, pattern_kind::Permutation};
  if (!shape.empty()) fitting.insert(fitting.end(), {pattern_kind::Tornado, pattern_kind::Neighbour});
  if (power_of(nodes, 2))
    fitting.insert(fitting.end(), {pattern_kind::BitReversal, pattern_kind::BitComplement, pattern_kind::BitRotation,
                                   pattern_kind::Shuffle});
  if (power_of(nodes, 4) || (shape.size() == 2 && shape[0] == shape[1])) fitting.push_back(pattern_kind::Transpose);
  pattern_parameters p;
  p.kind = fitting[d.between(0, static_cast<std::uint32_t>(fitting.size() - 1))];
  p.to_self = d.chance(0.3);
  for (std::uint32_t i = d.between(1, 2); i > 0; --i) p.hotspots.push_back(d.between(0, nodes - 1));
  if (p.hotspots.size() == 2 && p.hotspots[0] == p.hotspots[1]) p.hotspots.pop_back();
  p.hotspot_share = d.unit() * 0.6;
  return p;
}

length_parameters random_length(dice& d, std::uint32_t longest) {
  length_parameters l;
  l.kind = d.one_of({length_kind::Fixed, length_kind::Uniform, length_kind::Weighted});
  l.flits = d.between(1, longest);
  l.min = d.between(1, longest);
  l.max = d.between(l.min, longest);
  for (std::uint32_t i = d.between(1, 3); i > 0; --i) l.choices.push_back({d.between(1, longest), 0.1 + d.unit()});
  return l;
}

/// Injection whose mean load is \p load.
injection_parameters random_injection(dice& d, double load) {
  injection_parameters i;
  i.kind = d.chance(0.3) ? injection_kind::OnOff : injection_kind::Bernoulli;
  i.load = load;
  i.peak = load + d.unit() * (1 - load);
  i.mean_burst = 1 + d.unit() * 60;
  return i;
}

/// Any compressor, in front of packets of at most \p longest flits.
compression_parameters random_compression(dice& d, std::uint32_t longest) {
  compression_parameters c;
  c.selection.mode = d.one_of({selection_mode::Always, selection_mode::Selective});
  c.selection.length_threshold = d.between(1, 2 * longest);
  c.selection.received_threshold = d.between(0, 50);
  c.selection.queue_threshold = d.between(0, 3);
  if (d.chance(0.5)) c.codec.table.runs = {32, 28, 25, 23, 22, 21};
  c.codec.classic = d.chance(0.4);
  c.codec.cut = d.one_of({0u, 1u, 13u, 28u, 32u, 51u});
  c.codec.exact = d.chance(0.7);
  c.depth = d.one_of({8u, 32u, 512u});
  if (d.chance(0.4)) c.latency = d.one_of({1u, 7u, 100u});
  if (c.latency && d.chance(0.5)) c.ratio = d.one_of({1.0, 1.5, 2.0, 3.7});
  return c;
}

std::string describe_compression(const compression_parameters& c) {
  if (!c.enabled()) return "no compression";
  return fmt::format("compression {} (L_th {}, N_th {}, Q_th {}), {}, cut {} {}, buffer {}, latency {}, size {}",
                     ModeNames[static_cast<int>(c.selection.mode)], c.selection.length_threshold,
                     c.selection.received_threshold, c.selection.queue_threshold,
                     c.codec.classic ? "classic" : fmt::format("table [{}]", fmt::join(c.codec.table.runs, ", ")),
                     c.codec.cut, c.codec.exact ? "exact" : "plain", c.depth,
                     c.latency ? std::to_string(*c.latency) : "rtl", c.ratio ? fmt::format("{}", *c.ratio) : "actual");
}

std::string permutation_text(std::uint64_t seed, std::uint32_t nodes) {
  dice d(seed);
  const std::vector<unsigned> order = random_order(d, nodes);
  std::string text;
  for (std::uint32_t n = 0; n < nodes; ++n) text += fmt::format("{} {}\n", n, order[n]);
  return text;
}

std::string payload_text(std::uint64_t seed) {
  dice d(seed);
  std::string text(d.between(1, 5000), '\0');
  for (char& c : text) c = static_cast<char>(d.bits());
  return text;
}

const char* const AlgorithmNames[] = {"dimension order", "O1TURN",     "Valiant",       "minimal adaptive",
                                      "west first",      "north last", "negative first"};

/// Mesh, torus or ring, with any routing that it can have.
void make_random_grid(network_case& c, dice& d, std::uint32_t most_nodes, network_options options) {
  grid_parameters p;
  p.nodes = d.chance(0.15) ? d.between(2, 3) : 1;
  p.shape = random_shape(d, most_nodes / p.nodes);
  p.order = random_order(d, p.shape.size());
  p.rings = d.chance(0.4);
  const std::uint32_t room = MaxPorts - 2 * static_cast<std::uint32_t>(p.shape.size());
  options.nic_ports = std::min(options.nic_ports, room / p.nodes);
  const bool plane = p.shape.size() <= 2;
  p.algorithm = d.chance(0.4) ? grid_algorithm::DimensionOrder
                : p.rings ? d.one_of({grid_algorithm::O1Turn, grid_algorithm::Valiant, grid_algorithm::MinimalAdaptive})
                : plane
                    ? d.one_of({grid_algorithm::O1Turn, grid_algorithm::Valiant, grid_algorithm::MinimalAdaptive,
                                grid_algorithm::WestFirst, grid_algorithm::NorthLast, grid_algorithm::NegativeFirst})
                    : d.one_of({grid_algorithm::O1Turn, grid_algorithm::Valiant, grid_algorithm::MinimalAdaptive,
                                grid_algorithm::NegativeFirst});
  p.one_way = p.rings && p.shape.size() == 1 && p.algorithm == grid_algorithm::DimensionOrder && d.chance(0.5);
  options.vcs = std::max(options.vcs, grid_rule::classes(p.algorithm, p.rings));
  p.options = options;
  p.seed = d.bits();
  c.graph = make_grid(p);
  c.network = fmt::format("{} [{}]{}, {} nodes each, {} [{}]", c.graph.kind, fmt::join(p.shape, ", "),
                          p.one_way ? " one way" : "", p.nodes, AlgorithmNames[static_cast<int>(p.algorithm)],
                          fmt::join(p.order, ", "));
  c.minimal = p.algorithm != grid_algorithm::Valiant;
  c.router.vcs = options.vcs;
}

void make_random_hypercube(network_case& c, dice& d, std::uint32_t most_nodes, network_options options) {
  hypercube_parameters p;
  p.dimensions = d.between(1, most_nodes >= 32 ? 5 : 3);
  p.adaptive = d.chance(0.5);
  options.vcs = std::max(options.vcs, p.adaptive ? 2U : 1U);
  p.options = options;
  c.graph = make_hypercube(p);
  c.network = fmt::format("hypercube {}{}", p.dimensions, p.adaptive ? ", adaptive" : "");
  c.router.vcs = options.vcs;
}

std::uint32_t product(const std::vector<std::uint32_t>& factors) {
  return std::accumulate(factors.begin(), factors.end(), 1u, std::multiplies<>());
}

void make_random_tree(network_case& c, dice& d, std::uint32_t most_nodes, const network_options& options) {
  fat_tree_parameters p;
  do {
    const std::uint32_t levels = d.between(1, 3);
    p.shape = {};
    for (std::uint32_t l = 0; l < levels; ++l) {
      p.shape.children.push_back(d.between(1, 4));
      p.shape.parents.push_back(l == 0 ? d.between(1, 2) : d.between(1, 4));
    }
  } while (product(p.shape.children) < 2 || product(p.shape.children) > most_nodes);
  p.options = options;
  p.up = d.one_of({ascent::DestinationModulo, ascent::Random, ascent::LeastLoaded});
  p.seed = d.bits();
  c.graph = make_fat_tree(p);
  c.network = fmt::format("fat tree [{}] [{}], {}", fmt::join(p.shape.children, ", "), fmt::join(p.shape.parents, ", "),
                          c.graph.algorithm);
}

void make_random_rings(network_case& c, dice& d, std::uint32_t most_nodes, network_options options) {
  options.vcs = std::max(options.vcs, 2U);
  if (d.chance(0.5)) {
    octagon_parameters p;
    p.routers = d.chance(0.7) ? 8 : 12;
    p.octagons = d.between(1, p.routers == 8 && most_nodes >= 40 ? 3 : 1);
    p.nodes = p.octagons == 1 && p.routers == 8 ? d.between(1, 2) : 1;
    p.options = options;
    c.graph = make_octagon(p);
    c.network = fmt::format("{} Octagons of {}, {} nodes each", p.octagons, p.routers, p.nodes);
  } else {
    hierarchical_ring_parameters p;
    do {
      p.sizes.assign(d.between(1, 3), 0);
      for (std::uint32_t& size : p.sizes) size = d.between(2, 6);
    } while (product(p.sizes) > most_nodes);
    p.one_way = d.chance(0.4);
    p.representative = d.one_of({ring_representative::Same, ring_representative::Corner});
    p.options = options;
    c.graph = make_hierarchical_ring(p);
    c.network = fmt::format("rings [{}]{}, representative {}", fmt::join(p.sizes, ", "), p.one_way ? " one way" : "",
                            static_cast<int>(p.representative));
  }
  c.router.vcs = options.vcs;
}

void make_random_graph_case(network_case& c, dice& d, std::uint32_t most_nodes, network_options options) {
  random_graph_parameters p;
  p.routers = d.between(3, most_nodes / 2) * 2;
  p.degree = d.between(3, std::min(5U, p.routers - 1));
  p.seed = d.bits();
  p.options = options;
  c.graph = make_random_graph(p);
  const auto how = d.one_of({graph_routing::UpDown, graph_routing::Shortest, graph_routing::Source});
  if (how == graph_routing::Shortest) {
    options.vcs = std::max(options.vcs, route_shortest_layered(c.graph, MaxVcs));
    p.options = options;
    c.graph = make_random_graph(p);
    route_shortest_layered(c.graph, options.vcs);
  }
  // Shortest paths in the header can deadlock; these cannot, but some are too long for it.
  if (how == graph_routing::Source) {
    try {
      route_by_source(c.graph, options.vcs, source_paths::UpDown);
    } catch (const std::invalid_argument&) {
      c.graph = make_random_graph(p);
    }
  }
  c.network = fmt::format("random graph of {} routers, degree {}, {}", p.routers, p.degree, c.graph.algorithm);
  c.minimal = how == graph_routing::Shortest;
  c.router.vcs = options.vcs;
}

void make_random_network(network_case& c, dice& d, std::uint32_t most_nodes) {
  const network_options options{d.between(1, 4), d.between(1, 3), d.chance(0.6) ? 1 : d.between(2, 3), d.between(1, 8)};
  c.router.vcs = options.vcs;
  switch (d.between(0, 9)) {
    case 0:
      return make_random_hypercube(c, d, most_nodes, options);
    case 1:
    case 2:
      return make_random_tree(c, d, most_nodes, options);
    case 3:
      return make_random_rings(c, d, most_nodes, options);
    case 4:
      return make_random_graph_case(c, d, most_nodes, options);
    default:
      return make_random_grid(c, d, most_nodes, options);
  }
}

}  // namespace

std::vector<std::uint32_t> network_case::shape() const {
  const std::uint32_t routers = std::accumulate(graph.shape.begin(), graph.shape.end(), 1u, std::multiplies<>());
  return routers == nodes() ? graph.shape : std::vector<std::uint32_t>();
}

unsigned network_case::slowest_channel() const {
  unsigned slowest = 1;
  for (const channel& each : graph.channels) slowest = std::max(slowest, each.cycles);
  for (const node_attachment& each : graph.nodes) slowest = std::max(slowest, each.cycles);
  return slowest;
}

std::string describe(const network_case& c) {
  const length_parameters& l = c.workload.length;
  std::string length;
  if (l.kind == length_kind::Fixed) length = fmt::format("{}", l.flits);
  if (l.kind == length_kind::Uniform) length = fmt::format("{}-{}", l.min, l.max);
  if (l.kind == length_kind::Weighted)
    for (const length_choice& choice : l.choices) length += fmt::format("{}*{:.2f} ", choice.flits, choice.weight);
  const injection_parameters& i = c.workload.injection;
  return fmt::format(
      "{}, link {}, node link {}, NIC ports {}; S {}, VCs {} in {} classes, depth {}, {}, ejection depth "
      "{}, {}, buckets {}; {} "
      "bits, gating {}; {}, {} load {:.3f}, length {}, payload {} of type {}, traffic seed {}, until {}",
      c.network, c.graph.channels.empty() ? 0 : c.graph.channels.front().cycles, c.graph.nodes.front().cycles,
      c.graph.nodes.front().ports.size(), c.router.pipeline, c.router.vcs, c.router.classes, c.router.depth,
      c.router.flow == flow_control::Wormhole ? "wormhole" : "cut-through", c.nic.ejection_depth,
      describe_compression(c.nic.compression), c.nic.buckets, c.payload_bits, c.clock_gating ? "on" : "off",
      PatternNames[static_cast<int>(c.workload.pattern.kind)],
      i.kind == injection_kind::OnOff ? fmt::format("on/off (peak {:.3f}, burst {:.1f})", i.peak, i.mean_burst)
                                      : "bernoulli",
      i.load, length, PayloadNames[static_cast<int>(c.workload.payload.kind)],
      TypeNames[static_cast<int>(c.workload.payload.type)], c.seed, c.stop);
}

network_case random_case(std::uint64_t seed, std::uint32_t most_nodes) {
  dice d(seed);
  network_case c;
  make_random_network(c, d, most_nodes);
  c.router.depth = d.between(1, 10);
  c.router.pipeline = d.one_of({3u, 4u, 5u, 7u, 9u});
  c.router.flow = d.chance(0.3) ? flow_control::VirtualCutThrough : flow_control::Wormhole;
  const bool whole = c.router.flow == flow_control::VirtualCutThrough;  // buffers hold whole packets
  const std::uint32_t longest = whole ? c.router.depth : d.one_of({1u, 3u, 8u, 20u});
  c.nic.window = d.between(1, 300);
  if (d.chance(0.4)) c.nic.ejection_depth = d.between(whole ? longest : 1, 12);
  c.payload_bits = d.one_of({32u, 64u, 128u, 256u});
  c.clock_gating = d.chance(0.7);
  c.workload.pattern = random_pattern(d, c.shape(), c.nodes());
  c.workload.length = random_length(d, longest);
  const double load = d.chance(0.2) ? 1 : std::exp(std::log(0.01) * d.unit());
  c.workload.injection = random_injection(d, load);
  c.workload.payload.kind = d.one_of({payload_kind::Zero, payload_kind::Random, payload_kind::SmallIntegers,
                                      payload_kind::SmoothDoubles, payload_kind::File});
  if (d.chance(0.4)) {
    c.nic.compression = random_compression(d, longest);
    if (c.nic.compression.in_hardware() && c.nic.ejection_depth == 0)
      c.nic.ejection_depth = d.between(whole ? longest : 1, 12);
    if (c.nic.window % 5 == 0) c.nic.buckets = 5;
    if (d.chance(0.5)) c.workload.payload.type = d.one_of({declared_type::Int, declared_type::Double});
  }
  c.router.classes = d.one_of({1u, 1u, 2u, 4u});
  while (c.router.vcs * c.router.classes > MaxVcs) c.router.classes /= 2;
  c.router.vcs *= c.router.classes;
  c.seed = d.bits() >> 32;
  c.stop = static_cast<cycle_t>(std::clamp(3000 / (load * c.nodes()), 60.0, 1500.0));
  return c;
}

/// The traffic of a case; files that it needs exist just long enough to be read.
std::unique_ptr<packet_source> make_traffic(const network_case& c) {
  const temporary_file permutation(permutation_text(c.seed, c.nodes()));
  const temporary_file payload(payload_text(c.seed));
  workload_parameters parameters = c.workload;
  parameters.pattern.permutation_file = permutation.path();
  parameters.payload.file = payload.path();
  auto traffic = make_workload(parameters, {c.nodes(), c.shape(), c.seed});
  if (c.router.classes == 1) return traffic;
  return std::make_unique<classed_source>(std::move(traffic), c.router.classes);
}

built_case::built_case(const network_case& c, network_observer& observer)
    : m_graph(c.graph),
      m_source(make_traffic(c), c.stop),
      m_model(pin::make_model(m_graph, c.router, c.nic, {c.payload_bits, c.clock_gating, {}, {}}, m_source, observer)) {
}
