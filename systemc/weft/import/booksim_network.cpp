// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
#include "weft/core/quote.h"
#include "weft/import/booksim_parts.h"

namespace weft::experiment {

namespace {

constexpr const char* RoutingAlgorithm = "network.routing.algorithm";

/// A list in YAML with \p count times \p value.
std::string repeated(std::uint64_t value, std::uint64_t count) {
  return fmt::format("[{}]", fmt::join(std::vector<std::uint64_t>(count, value), ", "));
}

struct routing_name {
  const char *topology, *name;
};

/// The routing functions that have a counterpart.
constexpr routing_name Routings[] = {
    {"mesh", "dor"},        {"mesh", "dim_order"},  {"mesh", "xy_yx"},           {"mesh", "valiant"},
    {"mesh", "romm"},       {"mesh", "min_adapt"},  {"mesh", "planar_adapt"},    {"torus", "dim_order"},
    {"torus", "valiant"},   {"torus", "min_adapt"}, {"cmesh", "dor_no_express"}, {"cmesh", "dor"},
    {"fattree", "nca"},     {"fattree", "anca"},    {"fly", "dest_tag"},         {"flatfly", "ran_min"},
    {"flatfly", "valiant"}, {"flatfly", "ugal"},    {"dragonflynew", "min"},     {"dragonflynew", "ugal"},
    {"anynet", "min"},
};

void import_grid(imported_settings& in, bool is_torus, converted_configuration& out) {
  out.set("network.topology.kind", is_torus ? "torus" : "mesh", {"topology"});
  out.set("network.topology.shape", repeated(in.whole("k"), in.whole("n")), {"k", "n"});
  // BookSim2 lays out a torus with links of twice the length.
  const std::uint64_t cycles = in.flag("use_noc_latency") && is_torus ? 2 : 1;
  out.set("network.link.cycles", cycles, {"use_noc_latency"});
  if (is_torus)
    in.differ(
        "topology",
        "each ring of Weft's torus has two datelines, a ring of BookSim2 has one; packets therefore use other VCs, "
        "and latencies under load differ");
}

void import_concentrated_mesh(imported_settings& in, converted_configuration& out) {
  const std::uint64_t nodes = in.whole("c");
  const bool has_express = in.use("routing_function").value == "dor";
  out.set("network.topology.kind", has_express ? "express_mesh" : "mesh", {"topology", "routing_function"});
  out.set("network.topology.shape", repeated(in.whole("k"), in.whole("n")), {"k", "n"});
  out.set("network.topology.nodes_per_router", nodes, {"c"});
  const std::uint64_t across = nodes / std::max<std::uint64_t>(1, in.whole("n"));
  out.set("network.link.cycles", in.flag("use_noc_latency") ? std::max<std::uint64_t>(1, across) : 1,
          {"c", "n", "use_noc_latency"});
  if (has_express && in.flag("use_noc_latency") && across != 0)
    out.set("network.topology.express_cycles", std::max<std::uint64_t>(1, nodes / across * in.whole("k") / 2),
            {"c", "n", "k", "use_noc_latency"});
}

void import_butterfly(imported_settings& in, converted_configuration& out) {
  out.set("network.topology.kind", "k_ary_n_fly", {"topology"});
  out.set("network.topology.arity", in.whole("k"), {"k"});
  out.set("network.topology.stages", in.whole("n"), {"n"});
}

void import_fat_tree(imported_settings& in, converted_configuration& out) {
  const std::uint64_t k = in.whole("k"), n = in.whole("n");
  std::vector<std::uint64_t> parents(n, k);
  if (!parents.empty()) parents.front() = 1;
  out.set("network.topology.kind", "fat_tree", {"topology"});
  out.set("network.topology.children", repeated(k, n), {"k", "n"});
  out.set("network.topology.parents", fmt::format("[{}]", fmt::join(parents, ", ")), {"k", "n"});
  const bool is_adaptive = in.use("routing_function").value == "anca";
  out.set("network.routing.ascent", is_adaptive ? "least_loaded" : "random", {"routing_function"});
}

void import_flattened_butterfly(imported_settings& in, converted_configuration& out) {
  out.set("network.topology.kind", "flattened_butterfly", {"topology"});
  out.set("network.topology.shape", repeated(in.whole("k"), in.whole("n")), {"k", "n"});
  out.set("network.topology.nodes_per_router", in.whole("c"), {"c"});
  if (in.use("routing_function").value == "ugal")
    out.set("network.routing.threshold", std::uint64_t{2}, {"routing_function"});
  if (in.flag("use_noc_latency"))
    in.differ("use_noc_latency",
              "in Weft, all links take a cycle; in BookSim2, a link takes as many cycles as its routers are apart");
}

void import_dragonfly(imported_settings& in, converted_configuration& out) {
  const std::uint64_t k = in.whole("k");
  if (in.whole("n") != 1)
    in.error("n", fmt::format("n is {}; BookSim2 makes dragonflies only with n = 1", in.whole("n")));
  out.set("network.topology.kind", "dragonfly", {"topology"});
  out.set("network.topology.group_routers", 2 * k, {"k"});
  out.set("network.topology.global_links", k, {"k"});
  out.set("network.topology.nodes_per_router", k, {"k"});
  out.set("network.topology.arrangement", "consecutive", {"topology"});
  out.set("network.link.cycles", std::uint64_t{10}, {"topology"});
  out.set("network.topology.global_cycles", std::uint64_t{100}, {"topology"});
  if (in.use("routing_function").value == "ugal")
    out.set("network.routing.threshold", std::uint64_t{30}, {"routing_function"});
}

void import_topology(imported_settings& in, const std::string& network_file, converted_configuration& out) {
  const std::string topology = in.use("topology").value;
  in.use("use_noc_latency");
  // A larger network has an error already. Its shape is not made, because it may take all memory.
  if (const simulator_key* const n = in.find("n"); n && static_cast<double>(in.whole("n")) > n->most) return;
  const bool numbers_nodes_by_place = topology == "cmesh" || topology == "flatfly";
  for (const char* const name : {"x", "y", "xr", "yr"})
    in.lack(name, numbers_nodes_by_place
                      ? "Weft numbers the nodes of a router consecutively, BookSim2 by their coordinates"
                      : "Weft computes traffic patterns from the shape of the network");
  if (!numbers_nodes_by_place) in.lack("c", "BookSim2 does not use it for this topology");
  if (topology == "anynet")
    for (const char* const name : {"k", "n"}) in.lack(name, "the shape of the network is in network_file");
  else
    in.lack("network_file", "BookSim2 uses it only with topology = anynet");
  if (topology == "mesh" || topology == "torus") {
    import_grid(in, topology == "torus", out);
  } else if (topology == "cmesh") {
    import_concentrated_mesh(in, out);
  } else if (topology == "fattree") {
    import_fat_tree(in, out);
  } else if (topology == "fly") {
    import_butterfly(in, out);
  } else if (topology == "flatfly") {
    import_flattened_butterfly(in, out);
  } else if (topology == "dragonflynew") {
    import_dragonfly(in, out);
  } else if (topology == "anynet") {
    out.set("network.topology.kind", "file", {"topology"});
    out.set("network.topology.file", quoted_if_necessary(network_file), {"network_file"});
    if (in.use("network_file").value.empty())
      in.error("topology", "the topology anynet requires network_file; add network_file = FILE;");
  } else {
    in.error("topology", not_converted("topology", "network.topology.kind", topology));
  }
}

/// Notes where Weft's routing selects other paths or VCs than \p routing of BookSim2.
void note_routing(imported_settings& in, const std::string& topology, const std::string& routing) {
  const std::uint64_t vcs = in.whole("num_vcs");
  const bool is_torus = topology == "torus";
  if (routing == "min_adapt")
    in.differ("routing_function",
              is_torus
                  ? "of the VCs that are no escape VCs, BookSim2 uses only VC 3, and Weft uses all; Weft selects the "
                    "output port with the most free buffers, and BookSim2 requests all productive ports"
                  : "Weft selects the output port with the most free buffers, and BookSim2 requests all productive "
                    "ports, so paths under load differ");
  if (routing == "planar_adapt")
    in.differ("routing_function",
              "BookSim2 has three VC classes, one of them for the first dimension of a plane, and requests both ports; "
              "Weft uses all VCs in two classes in two dimensions and selects the port with the most free buffers");
  if (routing == "anca")
    in.differ("routing_function",
              "Weft compares the loads of all parents, BookSim2 those of two random ones, so paths differ");
  if (routing == "nca")
    in.differ(
        "routing_function",
        "Weft draws the whole ascent of a packet at its source, BookSim2 a parent in each router, so Weft accepts "
        "slightly more traffic");
  if (topology == "dragonflynew")
    in.differ("routing_function",
              "of each link, BookSim2 uses one VC for each part of a path, and Weft uses all VCs of the part");
  if (topology == "flatfly" && routing == "valiant")
    in.differ(
        "routing_function",
        "BookSim2 draws another coordinate in each dimension in which source and destination differ, Weft any node");
  if (topology == "flatfly" && routing == "ugal")
    in.differ(
        "routing_function",
        "BookSim2 multiplies the flits behind whole output ports by the hops of both paths; Weft counts the VCs that "
        "the packet may use, and takes a detour to be twice as long");
  if (topology == "dragonflynew" && routing == "ugal")
    in.differ("routing_function",
              "BookSim2 decides once for each packet, Weft in each cycle in which the head waits at its source");
  if (topology == "anynet")
    in.differ("routing_function",
              "Weft divides the VCs into as many layers as deadlock freedom requires; in BookSim2, all packets use all "
              "VCs and can deadlock; of several paths of the same latency, the two can select different ones");
  const bool is_split =
      (is_torus && routing == "dim_order") || routing == "valiant" || routing == "romm" || routing == "xy_yx";
  const unsigned classes = is_torus && routing == "valiant" ? 4 : 2;
  if (is_split && vcs % classes != 0)
    in.differ("num_vcs", fmt::format("if it is not a multiple of {}, BookSim2's VC classes share VCs; those of Weft do "
                                     "not, so latencies under load differ",
                                     classes));
}

/// The routing of Weft for \p routing of BookSim2.
std::string routing_in(const std::string& topology, const std::string& routing) {
  if (topology == "dragonflynew" && routing == "min") return "minimal";
  if (topology == "cmesh" && routing == "dor") return "express_order";
  return counterpart(RoutingAlgorithm, routing);
}

void import_routing(imported_settings& in, converted_configuration& out) {
  const std::string topology = in.use("topology").value, routing = in.use("routing_function").value;
  std::vector<std::string> names;
  for (const routing_name& r : Routings) {
    if (topology != r.topology) continue;
    if (routing == r.name) {
      note_routing(in, topology, routing);
      if (topology == "anynet") out.set("network.routing.weight", "cycles", {"topology"});
      return out.set(RoutingAlgorithm, routing_in(topology, routing), {"routing_function", "num_vcs"});
    }
    names.emplace_back(r.name);
  }
  if (names.empty()) return;  // the topology is an error already
  const std::string known = fmt::format("one of {} with the topology {}", fmt::join(names, ", "), topology);
  in.error("routing_function",
           in.has("routing_function")
               ? fmt::format("{}; expected {}", not_converted("routing function", RoutingAlgorithm, routing), known)
               : fmt::format("routing_function is missing, and BookSim2 has no default; add a line such as "
                             "routing_function = {}; ({})",
                             names.front(), known));
}

/// Rejects what changes the network and has no counterpart.
void reject_other_networks(imported_settings& in) {
  if (in.whole("subnets") != 1) in.error("subnets", "an experiment of Weft has one network; expected 1");
  if (in.whole("link_failures") != 0)
    in.error("link_failures",
             "`weft import` does not remove links; a network file can describe a network that lacks some");
  if (!in.use("channel_file").value.empty())
    in.error("channel_file", "`weft import` does not read lengths of channels; a network file can give them");
}

}  // namespace

void import_booksim_network(imported_settings& in, const std::string& network_file, converted_configuration& out) {
  import_topology(in, network_file, out);
  import_routing(in, out);
  reject_other_networks(in);
  // It determines power only, and has no effect on the cycles of a run.
  if (in.has("channel_width")) import_payload_bits(in, "channel_width", out);
}

}  // namespace weft::experiment
