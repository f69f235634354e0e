// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/network.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/core/vc_classes.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/kinds.h"
#include "weft/workload/traffic_loads.h"

namespace weft::experiment {

namespace {

/// The text of an error of a network, in which vcs is the number of VCs of one message class.
std::string with_classes(const configuration& c, const std::string& text) {
  if (c.router.classes == 1 || text.find("vcs is") == std::string::npos) return text;
  return fmt::format("{}; these are the VCs of one of {} message classes", text, c.router.classes);
}

/// The key of the topology of \p c that the error \p text of a generator begins with; empty if it names none.
std::string topology_key_in(const configuration& c, const std::string& text) {
  for (const topology_key& key : c.topology.kind->keys)
    if (text.rfind("topology: " + key.name + " ", 0) == 0) return "network.topology." + key.name;
  return {};
}

/// Returns the result of \p make. Reports errors of \p make at the topology's key that they name, or else at \p keys.
template <class Make>
auto with_error_keys(const configuration& c, std::initializer_list<const char*> keys, Make make) {
  try {
    return make();
  } catch (const input_error&) {  // errors of a file have their own places
    throw;
  } catch (const std::invalid_argument& e) {
    const std::string key = topology_key_in(c, e.what());
    throw configuration_error({{key.empty() ? c.where(keys) : c.where(key), with_classes(c, e.what())}});
  }
}

constexpr std::initializer_list<const char*> NetworkKeys = {
    "network.router.vcs", "nic.ports", "network.routing.algorithm", "network.topology.file", "network.topology.kind"};

/// Makes the network of \p plan and checks that it is well formed.
topology made_by(const configuration& c, const network_plan& plan) {
  return with_error_keys(c, NetworkKeys, [&] {
    topology made = make_network(plan);
    check_structure(made, plan.network.vcs);
    return made;
  });
}

/// Checks that the routers and NICs are possible in this network.
void check_parameters(const configuration& c, const topology& graph) {
  for (const parameter_error& f : find_parameter_errors(graph, c.router, nic_parameters_of(c), "network."))
    throw configuration_error({{c.where_last(f.keys), f.message}});
}

}  // namespace

unsigned phits_of(const configuration& c) { return c.link.width ? c.flit.payload_bits / *c.link.width : 1; }

network_plan plan_of(const configuration& c) {
  network_plan plan{c.topology.kind, c.routing.algorithm};
  plan.topology = c.topology;
  plan.routing_choices = c.routing;
  plan.network.link_cycles = static_cast<unsigned>(c.link.cycles);
  plan.network.node_cycles = static_cast<unsigned>(c.nic.link_cycles);
  plan.network.nic_ports = c.nic.ports;
  plan.network.link_phits = phits_of(c);
  plan.network.vcs = vcs_of_class(c.router);
  plan.seed = c.simulation.seed;
  plan.flit_bits = c.flit.payload_bits;
  return plan;
}

void complete_network(configuration& c) {
  const topology_kind& kind = *c.topology.kind;
  for (const topology_key& k : kind.keys)
    if (c.given_by("network.topology." + k.name) == origin::kind::Default)
      copy_option<topology_options>(k, kind.defaults, c.topology);
  if (c.given_by("network.routing.algorithm") == origin::kind::Default) c.routing.algorithm = kind.usual;
  if (c.routing.order.empty())
    for (unsigned d = 0; d < c.topology.shape.size(); ++d) c.routing.order.push_back(d);
}

std::uint64_t count_nodes(const configuration& c) {
  return with_error_keys(c, NetworkKeys, [&] { return c.topology.kind->count_nodes(plan_of(c)); });
}

topology build_channels(const configuration& c) {
  constexpr unsigned EnoughForAnyRouting = 16;
  network_plan plan = plan_of(c);
  plan.network.vcs = EnoughForAnyRouting;
  return made_by(c, plan);
}

topology build_network(const configuration& c) {
  topology graph = made_by(c, plan_of(c));
  check_parameters(c, graph);
  if (c.routing.allow_deadlock) return graph;
  const std::vector<channel_vc> cycle = find_dependency_cycle(graph, c.router);
  if (cycle.empty()) return graph;
  const char* const Anyway = "to simulate the network anyway, set network.routing.allow_deadlock: true";
  if (cycle.front().vc == channel_vc::AnyVc)
    throw configuration_error(
        {{c.where_last({"network.router.buffer.reserved", "network.routing.algorithm"}),
          fmt::format("packets can deadlock: without flits of their own (network.router.buffer.reserved: 0), VCs wait "
                      "for each other, and channels depend on each other in a cycle; set "
                      "network.router.buffer.reserved to 1 or more; {}",
                      Anyway),
          lines_of_cycle(graph, cycle)}});
  throw configuration_error(
      {{c.where("network.routing.algorithm"),
        fmt::format("packets can deadlock: their channels depend on each other in a cycle; {}", Anyway),
        lines_of_cycle(graph, cycle)}});
}

std::vector<regulated_flow> flows_of(const configuration& c, const topology& graph) {
  return read_flows(c.workload.flows.file, {static_cast<std::uint32_t>(graph.nodes.size()), c.router.classes});
}

std::optional<unsigned> least_vcs_of(configuration c, const topology& graph) {
  constexpr std::size_t MaxRouters = 1024;
  if (graph.routers.size() > MaxRouters) return std::nullopt;
  const unsigned most = vcs_of_class(c.router);
  c.router.classes = 1;
  const auto make = [&c](unsigned vcs) {
    c.router.vcs = vcs;
    return build_network(c);
  };
  return least_vcs(make, most, std::max(1U, graph.least_vcs));
}

std::shared_ptr<const network_cost> find_cost(const configuration& c, const topology& graph) {
  const auto& energy = c.output.energy;
  if (!energy.enabled()) return nullptr;
  if (energy.technology == "file" && !std::filesystem::is_regular_file(energy.file))
    throw configuration_error({{c.where("output.energy.file"),
                                fmt::format("output.energy.file: {} is not a readable file; expected a technology file",
                                            printable(energy.file.string()))}});
  if (has_narrow_channels(graph))
    throw configuration_error(
        {{c.where_last({"output.energy.technology", "network.link.width", "network.topology.file"}),
          "output.energy: the energy of narrow links is not modelled; leave output.energy out, or "
          "make all links as wide as flits"}});
  technology cells =
      energy.technology == "file" ? read_technology(energy.file) : built_in_technology(energy.technology);
  const cost_options options{energy.pitch, energy.supply.value_or(0), c.simulation.clock.value_or(0),
                             energy.clock_gating};
  return with_error_keys(c, {"output.energy.file", "output.energy.technology"}, [&] {
    return std::make_shared<network_cost>(graph, c.router, nic_parameters_of(c), c.flit.payload_bits, std::move(cells),
                                          options);
  });
}

std::size_t most_ports_of_node(const topology& graph) {
  std::size_t ports = 0;
  for (const node_attachment& node : graph.nodes) ports = std::max(ports, node.ports.size());
  return ports;
}

std::optional<diagnostic> fault_of_load(const configuration& c, std::size_t ports) {
  if (!has_load(c.workload) || c.nic.compression.enabled()) return std::nullopt;
  if (c.workload.injection.load <= static_cast<double>(ports)) return std::nullopt;
  if (!c.workload.traffics.empty() && c.given_by(LoadKey) == origin::kind::Default)
    return diagnostic{c.where("workload.traffics"),
                      fmt::format("workload.traffics: expected loads whose sum is at most {} (one flit per cycle and "
                                  "port of a node) on average over all nodes, got {:g}; lower them",
                                  ports, c.workload.injection.load)};
  return diagnostic{
      c.where({LoadKey, "nic.ports"}),
      fmt::format("workload.injection.load: expected at most {} (one flit per cycle and port of a node), got {}", ports,
                  c.workload.injection.load)};
}

void check_load(const configuration& c, const topology& graph) {
  if (const std::optional<diagnostic> fault = fault_of_load(c, most_ports_of_node(graph)))
    throw configuration_error({*fault});
}

std::string describe(const topology& graph) {
  std::string network = printable(graph.kind);
  if (graph.shape.size() == 1) network += " of " + number_of(graph.shape.front(), "router");
  if (graph.shape.size() > 1) network = fmt::format("{} {}", fmt::join(graph.shape, "x"), network);
  return fmt::format("{}, {} routing", network, graph.algorithm);
}

}  // namespace weft::experiment
