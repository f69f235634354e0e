// SPDX-License-Identifier: Apache-2.0
/// `weft topology`: prints metrics of a network without simulation.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/core/printable.h"
#include "weft/core/vc_classes.h"
#include "weft/simulation/expected_traffic.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/files/export.h"
#include "weft/topology/files/verilog.h"
#include "weft/topology/routing/too_large_to_route.h"
#include "weft/workload/pattern.h"
#include "weft/workload/workload.h"

namespace weft::experiment {

namespace {

constexpr const char* TopologyHelp = R"(Examples:
  weft topology examples/quickstart.yaml
  weft topology examples/quickstart.yaml --set 'network.topology.shape=[4, 4, 4]'
  weft topology examples/quickstart.yaml --svg mesh.svg
  weft topology examples/quickstart.yaml --verilog mesh --nics axi --set nic.ejection_depth=8
  weft topology examples/quickstart.yaml --graphviz - | neato -n2 -Tsvg > mesh.svg)";

/// The files to write in place of the metrics. The name of a file that is not requested is empty.
struct topology_files {
  std::string json, graphml, graphviz, svg;
  std::string verilog;                     ///< a folder
  verilog_nics nics = verilog_nics::None;  ///< NICs in the generated hardware
  bool any() const { return !(json.empty() && graphml.empty() && graphviz.empty() && svg.empty() && verilog.empty()); }
};

void write_row(const char* name, const std::string& value, const std::string& unit) {
  std::cout << fmt::format("  {:<20}{:>10}{}{}\n", name, value, unit.empty() ? "" : "  ", unit);
}

/// The unit of distances: "hops" or, if only a sample of \p count nodes was examined, "hops, nodes looked at: 100".
std::string hops_text(std::size_t count, const char* what) {
  return count == 0 ? "hops" : fmt::format("hops, {} {}", what, count);
}

void print_metrics(const configuration& c, const topology& graph, const expected_loads& uniform, bool is_routed) {
  const topology_metrics f = compute_metrics(graph, uniform, c.workload.pattern.to_self);
  std::cout << fmt::format("{}: {}\n\n", printable(c.output.name),
                           is_routed ? describe(graph) : printable(graph.kind) + ", not routed");
  write_row("routers", std::to_string(f.routers), "");
  write_row("nodes", std::to_string(f.nodes), "");
  write_row("links", std::to_string(f.channels), "directed, between routers");
  write_row(
      "degree",
      f.min_degree == f.max_degree ? std::to_string(f.max_degree) : fmt::format("{} to {}", f.min_degree, f.max_degree),
      "links that leave a router");
  write_row("diameter", std::to_string(f.diameter), hops_text(f.distance_sources, "or more; nodes looked at:"));
  write_row("mean distance", fmt::format("{:.3f}", f.mean_distance), hops_text(f.distance_sources, "nodes looked at:"));
  if (is_routed)
    write_row("mean route", fmt::format("{:.3f}", f.mean_route_length),
              hops_text(f.route_destinations, "destinations looked at:"));
  write_row("bisection", std::to_string(f.bisection_channels), "links each way: " + f.bisection_method);
  if (has_narrow_channels(graph))
    write_row("  its width", fmt::format("{:g}", f.bisection_flits * c.flit.payload_bits),
              "bits per cycle each way, of these links");
  write_row("ideal throughput", fmt::format("{:.4f}", f.ideal_throughput),
            "flits/node/cycle of uniform traffic: " + f.throughput_method);
  if (f.accepted_bound > f.ideal_throughput * 1.0001)
    write_row("accepted, at most", fmt::format("{:.4f}", f.accepted_bound),
              "flits/node/cycle, if some nodes send less than others");
}

/// Prints the expected traffic of the pattern of the workload. Prints nothing for packet lists, programs and
/// collectives, which have no pattern.
void print_traffic(const configuration& c, const topology& graph, const expected_loads& uniform) {
  if (!has_pattern(c)) return;
  const bool has_several = !c.workload.traffics.empty();
  const std::string pattern = has_several ? "this" : c.workload.pattern.kind->name;
  const expected_traffic e = expect_traffic(c, graph, uniform);
  const bool is_silent = has_several && e.offered == 0.0;
  if (pattern != "uniform" && !is_silent)
    write_row(has_several ? "  of the traffics" : ("  of " + pattern).c_str(),
              fmt::format("{:.4f}", e.ideal_throughput),
              (!has_several && is_closed_loop(c.workload) ? "flits/cycle of each sending node, requests only: "
                                                          : "flits/node/cycle: ") +
                  e.limit);
  if (e.offered)
    write_row("offered", fmt::format("{:.4f}", *e.offered),
              fmt::format("flits/node/cycle, mean of the {}", has_several ? "traffics" : "matrix"));
  const zero_load_parts& parts = e.zero_load;
  const auto row = [](const char* name, double cycles, const std::string& what) {
    write_row(name, fmt::format("{:.3f}", cycles), what);
  };
  const std::string sampled = e.destinations == 0 ? "" : fmt::format(", destinations looked at: {}", e.destinations);
  if (is_silent) return;
  row("zero-load latency", parts.sum(), fmt::format("cycles of {} traffic, mean of all packets{}", pattern, sampled));
  row("  injection", parts.injection, "NIC and its channel to the router");
  row("  routers", parts.routers, "pipelines");
  if (parts.arrival != 0) row("  arrival", parts.arrival, "flits behind the head, in every router");
  row("  links", parts.links, "channels between routers");
  row("  ejection", parts.ejection, "channel to the node");
  row("  serialisation", parts.serialisation, "flits behind the head");
  for (const auto& [name, cycles] : e.of_traffics) row(("  of " + name).c_str(), cycles, "cycles, mean of its packets");
}

/// Prints area, clock and power without traffic, in the technology of output.energy. Prints nothing without one.
void print_cost(const std::shared_ptr<const network_cost>& cost) {
  if (!cost) return;
  constexpr double SquareMillimetres = 1e-6;
  const auto row = [](const char* name, double value, const std::string& what) {
    write_row(name, fmt::format("{:.4g}", value), what);
  };
  const double routers = cost->routers().area, nics = cost->nics().area, links = cost->links().area;
  row("area", (routers + nics + links) * SquareMillimetres,
      fmt::format("mm² of cells in {}: routers {:.4g}, NICs {:.4g}, links {:.4g}", cost->cells().name,
                  routers * SquareMillimetres, nics * SquareMillimetres, links * SquareMillimetres));
  row("wire length", cost->wire_length(), fmt::format("mm, links of {} wires", cost->flit_bits()));
  row("clock", cost->reached_clock(), fmt::format("GHz, limited by {}", cost->slowest()));
  row("static power", cost->static_power(),
      fmt::format("mW without traffic, at {:.4g} GHz and {:g} V", cost->clock(), cost->supply()));
  for (const std::string& note : cost->notes()) std::cout << fmt::format("  note: {}\n", printable(note));
}

void print_deadlock_check(const configuration& c, const topology& graph) {
  if (const std::optional<unsigned> vcs = least_vcs_of(c, graph))
    write_row("VCs needed", *vcs == 0 ? "none" : std::to_string(*vcs), fmt::format("of {}", vcs_of_class(c.router)));
  const std::vector<channel_vc> cycle =
      c.routing.allow_deadlock ? find_dependency_cycle(graph, c.router) : std::vector<channel_vc>();
  if (cycle.empty())
    std::cout << "\n  deadlock-free: the channel dependency graph has no cycle\n";
  else
    std::cout << "\n  packets can deadlock: their channels depend on each other in a cycle\n"
              << describe_cycle(graph, cycle);
}

/// Prints the metrics that need no routing, and the reason in \p e why routing failed.
void print_unrouted(const configuration& c, const unrouted_network& e) {
  expected_loads unknown;
  unknown.destinations = 1;  // marks the loads as sampled, so that they set no limit
  print_metrics(c, e.graph(), unknown, false);
  std::cout << "\n  not computed: mean route, zero-load latency, VCs needed and the check for deadlock, because "
               "routing failed:\n";
  for (const diagnostic& d : e.found())
    std::cout << fmt::format("    {}: {}\n", printable(d.place), printable(d.message));
}

/// The network as SystemVerilog. \throws configuration_error for features that the RTL does not support
verilog_network verilog_of(const configuration& c, const topology& graph, const topology_files& files) {
  try {
    return to_verilog(graph,
                      {c.output.name + "_network", c.router, c.flit.payload_bits, nic_parameters_of(c), files.nics});
  } catch (const verilog_error& e) {
    if (c.given_by(e.key()) == origin::kind::Default) fail("--verilog " + files.verilog, e.what());
    fail(c.where(e.key()), fmt::format("--verilog: {}", e.what()));
  }
}

void write_verilog(const input& in, const configuration& c, const verilog_network& made, const std::string& folder) {
  std::vector<std::pair<std::string, const std::string*>> files{{made.name + "_pkg.sv", &made.package},
                                                                {made.name + ".sv", &made.top},
                                                                {made.name + ".f", &made.list},
                                                                {made.outer + ".sdc", &made.constraints}};
  if (!made.nics.empty()) files.emplace_back(made.outer + ".sv", &made.nics);
  std::vector<file_argument> outputs;
  for (auto& [name, text] : files) {
    name = (std::filesystem::path(folder) / name).string();
    outputs.push_back({"--verilog", name});
  }
  check_outputs(outputs, inputs_of(in, c));
  for (const auto& [name, text] : files) write_text("--verilog", name, *text);
}

int do_topology(const input& in, const topology_files& files) {
  const configuration c = in.load();
  check_outputs(
      {{"--json", files.json}, {"--graphml", files.graphml}, {"--graphviz", files.graphviz}, {"--svg", files.svg}},
      inputs_of(in, c));
  std::optional<topology> routed;
  try {
    routed = build_network(c);
  } catch (const unrouted_network& e) {
    if (files.any()) throw;
    print_unrouted(c, e);
    return Done;
  }
  const topology& graph = *routed;
  if (!files.verilog.empty()) write_verilog(in, c, verilog_of(c, graph, files), files.verilog);
  if (!files.json.empty()) write_text("--json", files.json, to_text(to_json(graph)));
  if (!files.graphml.empty()) write_text("--graphml", files.graphml, to_graphml(graph));
  if (!files.graphviz.empty()) write_text("--graphviz", files.graphviz, to_graphviz(graph));
  if (!files.svg.empty()) write_text("--svg", files.svg, to_svg(graph));
  if (files.any()) return Done;

  const std::shared_ptr<const network_cost> cost = find_cost(c, graph);
  if (isatty(STDERR_FILENO) != 0 && graph.nodes.size() > 4096) std::cerr << "computing the loads …\r" << std::flush;
  const expected_loads uniform = find_loads(graph);
  print_metrics(c, graph, uniform, true);
  print_traffic(c, graph, uniform);
  print_cost(cost);
  print_deadlock_check(c, graph);
  return Done;
}

struct topology_options {
  input in;
  topology_files files;
};

}  // namespace

void add_topology(command_set& commands) {
  const auto options = std::make_shared<topology_options>();
  CLI::App& command = commands.add("topology", "Prints metrics of a network, or exports it.", TopologyHelp,
                                   [options] { return do_topology(options->in, options->files); });
  add_input(command, options->in);
  add_seed(command, options->in);
  topology_files& files = options->files;
  add_file_option(command, "--json", files.json, "write routers, channels, nodes and routing; - for standard output");
  add_file_option(command, "--graphml", files.graphml, "write the graph as GraphML; - for standard output");
  add_file_option(command, "--graphviz", files.graphviz, "write a drawing for neato; - for standard output");
  add_file_option(command, "--svg", files.svg, "write a drawing; - for standard output");
  add_file_option(command, "--verilog", files.verilog, "write the network as SystemVerilog into this folder")
      ->type_name("DIR");
  command
      .add_option_function<std::string>(
          "--nics",
          [&files](const std::string& kind) { files.nics = kind == "axi" ? verilog_nics::Axi : verilog_nics::Streams; },
          "add a NIC at every node, with streams of flits (streams) or with AXI4-Stream (axi)")
      ->check(CLI::IsMember({"streams", "axi"}))
      ->type_name("KIND")
      ->needs("--verilog");
}

}  // namespace weft::experiment
