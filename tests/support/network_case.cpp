// SPDX-License-Identifier: Apache-2.0
#include "support/network_case.h"

#include "support/files.h"
#include "support/random.h"
#include "support/random_plan.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/network_observer.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/workload/pattern.h"
#include "weft/workload/traffic_loads.h"

using namespace weft;

namespace {

const char* const PayloadNames[] = {"zero", "random", "small_integers", "smooth_doubles", "file"};
const char* const TypeNames[] = {"auto", "other", "int", "double", "double_complex"};
const char* const ModeNames[] = {"none", "always", "selective"};

std::vector<unsigned> random_order(rng& d, std::size_t dimensions) {
  std::vector<unsigned> order(dimensions);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = dimensions; i > 1; --i)
    std::swap(order[i - 1], order[d.between(0, static_cast<std::uint32_t>(i - 1))]);
  return order;
}

std::string permutation_text(std::uint64_t seed, std::uint32_t nodes) {
  rng d(seed);
  const std::vector<unsigned> order = random_order(d, nodes);
  std::string text;
  for (std::uint32_t n = 0; n < nodes; ++n) text += fmt::format("{} {}\n", n, order[n]);
  return text;
}

/// A traffic matrix in which every node sends to one to three nodes, with at most \p load flits per cycle.
std::string matrix_text(std::uint64_t seed, std::uint32_t nodes, double load) {
  rng d(seed);
  std::string text;
  for (std::uint32_t source = 0; source < nodes; ++source) {
    const std::uint32_t count = d.between(1, std::min(3u, nodes)), first = d.between(0, nodes - 1);
    for (std::uint32_t i = 0; i < count; ++i)
      text += fmt::format("{} {} {}\n", source, (first + i) % nodes, load * (0.2 + 0.8 * d.unit()) / count);
  }
  return text;
}

/// The content of pattern_parameters::file.
std::string file_text(const pattern_kind& kind, std::uint64_t seed, std::uint32_t nodes, double load) {
  return kind.name == "matrix" ? matrix_text(seed, nodes, load) : permutation_text(seed, nodes);
}

/// Whether a network of \p nodes nodes with \p shape supports the pattern \p p.
bool fits(pattern_parameters p, std::uint32_t nodes, const std::vector<std::uint32_t>& shape) {
  const temporary_file file(file_text(*p.kind, 1, nodes, 1));
  p.file = file.path();
  try {
    traffic_pattern(p, nodes, shape);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

pattern_parameters random_pattern(rng& d, const std::vector<std::uint32_t>& shape, std::uint32_t nodes) {
  pattern_parameters p;
  p.to_self = d.chance(0.3);
  for (std::uint32_t i = d.between(1, 2); i > 0; --i) p.hotspots.push_back(d.between(0, nodes - 1));
  if (p.hotspots.size() == 2 && p.hotspots[0] == p.hotspots[1]) p.hotspots.pop_back();
  p.hotspot_share = d.unit() * 0.6;
  p.rates = matrix_rates::Absolute;
  do {
    p.kind = &pattern_kinds()[d.between(0, static_cast<std::uint32_t>(pattern_kinds().size() - 1))];
  } while (!fits(p, nodes, shape));
  return p;
}

length_parameters random_length(rng& d, std::uint32_t longest) {
  length_parameters l;
  l.kind = d.one_of({length_kind::Fixed, length_kind::Uniform, length_kind::Weighted});
  l.flits = d.between(1, longest);
  l.min = d.between(1, longest);
  l.max = d.between(l.min, longest);
  for (std::uint32_t i = d.between(1, 3); i > 0; --i) l.choices.push_back({d.between(1, longest), 0.1 + d.unit()});
  return l;
}

/// Returns a random injection process with the mean load \p load.
injection_parameters random_injection(rng& d, double load) {
  injection_parameters i;
  i.kind = d.chance(0.3) ? injection_kind::OnOff : injection_kind::Bernoulli;
  i.load = load;
  i.peak = load + d.unit() * (1 - load);
  i.mean_burst = 1 + d.unit() * 60;
  return i;
}

/// Returns two to four random traffics, which replace the traffic of \p c.
std::vector<named_traffic> random_traffics(rng& d, const network_case& c, std::uint32_t longest, double load) {
  std::vector<named_traffic> all(d.between(2, 4));
  for (named_traffic& t : all) {
    t.name = fmt::format("t{}", &t - all.data());
    t.pattern = random_pattern(d, c.shape(), c.nodes());
    t.length = random_length(d, longest);
    t.injection = random_injection(d, load / static_cast<double>(all.size()));
    t.payload = c.workload.payload;
    t.message_class = d.between(0, c.router.classes - 1);
    if (t.pattern.kind->name == "matrix") continue;
    for (node_id node = 0; node < c.nodes(); ++node)
      if (d.chance(0.7)) t.sources.push_back(node);
  }
  return all;
}

/// Returns the parameters of a random compressor for packets of at most \p longest flits.
compression_parameters random_compression(rng& d, std::uint32_t longest) {
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

std::string payload_text(std::uint64_t seed) {
  rng d(seed);
  std::string text(d.between(1, 5000), '\0');
  for (char& c : text) c = static_cast<char>(d.bits());
  return text;
}

/// Returns the network of \p plan with the routing \p routing, which must suit any network. Returns nothing if this
/// network does not support the routing or would deadlock.
std::optional<topology> routed_anew(network_plan plan, const routing_kind& routing) {
  plan.routing = &routing;
  try {
    topology graph = make_network(plan);
    // Shortest source routes can deadlock. Up*/down* routes cannot, but some of them are too long for the header.
    if (&routing == &source_routing()) route_by_source(graph, plan.network.vcs, source_paths::UpDown);
    return find_dependency_cycle(graph, plan.network.vcs).empty() ? std::optional<topology>(graph) : std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// Whether all packets of \p graph with the routing \p kind take shortest paths. Those of minimal_adaptive do in grids.
/// In other networks, which are routed by tables, packets on the escape VC follow up*/down* paths.
bool takes_shortest_paths(const topology& graph, const routing_kind& kind) {
  const bool escapes_by_table = kind.name == "minimal_adaptive" && graph.routing.front().as<table_rule>() != nullptr;
  return kind.shortest && !escapes_by_table;
}

void make_random_network(network_case& c, rng& d, std::uint32_t most_nodes) {
  const network_options options{d.between(1, 4), d.between(1, 3), d.chance(0.6) ? 1 : d.between(2, 3), d.between(1, 8)};
  const std::vector<const topology_kind*> kinds = generated_kinds();
  const topology_kind& kind = *kinds[d.between(0, static_cast<std::uint32_t>(kinds.size() - 1))];
  const network_plan plan = random_plan(d, kind, most_nodes, options);
  c.graph = make_network(plan);
  c.network = describe(plan);
  c.minimal = takes_shortest_paths(c.graph, *plan.routing);
  c.router.vcs = plan.network.vcs;
  if (!d.chance(0.2)) return;
  const auto& others = graph_routings();
  const routing_kind& other = *others[d.between(0, static_cast<std::uint32_t>(others.size() - 1))];
  if (std::optional<topology> graph = routed_anew(plan, other)) {
    c.graph = *std::move(graph);
    c.network += ", routed anew: " + other.name;
    c.minimal = takes_shortest_paths(c.graph, other) && &other != &source_routing();
  }
}

/// Makes all channels, or some of them, narrower than flits.
void narrow_some_channels(network_case& c, rng& d) {
  const bool all = d.chance(0.3);
  const unsigned phits = d.one_of({2u, 3u, 4u, 16u});
  for (channel& each : c.graph.channels) each.phits = all || d.chance(0.3) ? phits : 1;
  c.network += fmt::format(", {} channels of {} phits", all ? "all" : "some", phits);
}

}  // namespace

std::vector<std::uint32_t> network_case::shape() const {
  const std::uint32_t routers = std::accumulate(graph.shape.begin(), graph.shape.end(), 1u, std::multiplies<>());
  return routers == nodes() ? graph.shape : std::vector<std::uint32_t>();
}

unsigned network_case::slowest_channel() const {
  unsigned slowest = 1;
  for (const channel& each : graph.channels) slowest = std::max(slowest, each.cycles + each.phits - 1);
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
      "{}, {}, buckets {}, {}; {} "
      "bits, gating {}; {} traffics, {}, {}{} load {:.3f}, length {}, payload {} of type {}, traffic seed {}, until {}",
      c.network, c.graph.channels.empty() ? 0 : c.graph.channels.front().cycles, c.graph.nodes.front().cycles,
      c.graph.nodes.front().ports.size(), c.router.pipeline, c.router.vcs, c.router.classes, c.router.depth,
      c.router.flow == flow_control::Wormhole            ? "wormhole"
      : c.router.flow == flow_control::VirtualCutThrough ? "cut-through"
                                                         : "store and forward",
      c.nic.ejection_depth, describe_compression(c.nic.compression), c.nic.buckets,
      c.nic.queues == source_queues::PerClass ? "a queue per class" : "one queue", c.payload_bits,
      c.clock_gating ? "on" : "off", c.workload.traffics.size(), c.workload.pattern.kind->name,
      c.urgent ? "some of them urgent, " : "",
      i.kind == injection_kind::OnOff ? fmt::format("on/off (peak {:.3f}, burst {:.1f})", i.peak, i.mean_burst)
                                      : "bernoulli",
      i.load, length, PayloadNames[static_cast<int>(c.workload.payload.kind)],
      TypeNames[static_cast<int>(c.workload.payload.type)], c.seed, c.stop);
}

network_case random_case(std::uint64_t seed, std::uint32_t most_nodes) {
  rng d(seed);
  network_case c;
  make_random_network(c, d, most_nodes);
  c.router.depth = d.between(1, 10);
  c.router.pipeline = d.one_of({3u, 4u, 5u, 7u, 9u});
  c.router.flow = d.chance(0.3) ? flow_control::VirtualCutThrough : flow_control::Wormhole;
  const bool whole = c.router.flow == flow_control::VirtualCutThrough;  // every buffer must hold a whole packet
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
  c.urgent = d.chance(0.3);
  if (d.chance(0.25)) {
    c.workload.traffics = random_traffics(d, c, longest, load);
    c.workload.injection.load = sum_of_loads(c.workload, c.nodes());
    c.urgent = false;
  }
  if (c.router.classes > 1 && !c.nic.compression.enabled() && d.chance(0.5)) c.nic.queues = source_queues::PerClass;
  if (d.chance(0.2)) narrow_some_channels(c, d);
  return c;
}

std::string state_of(const network_case& c, const network_model& model) {
  std::string text = fmt::format("cycle {}:", model.now());
  for (node_id n = 0; n < c.nodes(); ++n) text += fmt::format(" {}/{}", model.queued(n), model.received_in_window(n));
  text += "\n";
  for (const channel_count& count : model.channel_counts())
    text += fmt::format("{}.{}: {}\n", count.router, count.port, count.flits);
  for (const channel_activity& a : model.activity())
    text +=
        fmt::format("{} flits, {} heads, {} + {} toggles\n", a.flits, a.packets, a.payload_toggles, a.header_toggles);
  return text + fmt::format("flits in FIFOs: {}\n", fmt::join(model.buffered(), " "));
}

/// Makes the traffic of a case. The files that it needs exist only while it reads them.
std::unique_ptr<packet_source> make_traffic(const network_case& c) {
  const temporary_file file(file_text(*c.workload.pattern.kind, c.seed, c.nodes(), c.workload.injection.load));
  const temporary_file payload(payload_text(c.seed));
  workload_parameters parameters = c.workload;
  parameters.pattern.file = file.path();
  parameters.payload.file = payload.path();
  std::vector<std::unique_ptr<temporary_file>> files;
  for (named_traffic& t : parameters.traffics) {
    files.push_back(std::make_unique<temporary_file>(file_text(*t.pattern.kind, c.seed, c.nodes(), t.injection.load)));
    t.pattern.file = files.back()->path();
    t.payload.file = payload.path();
  }
  auto traffic = make_workload(parameters, {c.nodes(), c.shape(), c.seed, c.router.classes});
  if (parameters.traffics.empty() && (c.router.classes > 1 || c.urgent))
    traffic = std::make_unique<classed_source>(std::move(traffic), c.router.classes, c.urgent);
  if (c.together) traffic = std::make_unique<multiplied_source>(std::move(traffic), *c.together);
  return traffic;
}

built_case::built_case(const network_case& c, network_observer& observer)
    : m_graph(c.graph),
      m_source(make_traffic(c), c.stop),
      m_model(pin::make_model(m_graph, c.router, c.nic, {c.payload_bits, c.clock_gating, {}, {}}, m_source, observer)) {
}
