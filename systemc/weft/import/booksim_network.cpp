// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
#include "weft/core/quote.h"
#include "weft/import/booksim_parts.h"

namespace weft::experiment {

namespace {

constexpr const char* RoutingAlgorithm = "network.routing.algorithm";

/// A name as a scalar of YAML.
std::string quoted_if_necessary(const std::string& name) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/'; };
  if (std::all_of(name.begin(), name.end(), is_plain)) return name;
  return quoted(name);
}

/// A list in YAML with \p count times \p value.
std::string repeated(unsigned value, unsigned count) {
  return fmt::format("[{}]", fmt::join(std::vector<unsigned>(count, value), ", "));
}

struct routing_name {
  const char *topology, *name;
};

/// The routing functions that have a counterpart.
constexpr routing_name Routings[] = {
    {"mesh", "dor"},      {"mesh", "dim_order"},  {"mesh", "xy_yx"},
    {"mesh", "valiant"},  {"mesh", "min_adapt"},  {"torus", "dim_order"},
    {"torus", "valiant"}, {"torus", "min_adapt"}, {"cmesh", "dor_no_express"},
    {"fattree", "nca"},   {"fattree", "anca"},    {"anynet", "min"},
};

void import_grid(imported_settings& in, bool is_torus, converted_configuration& out) {
  out.set("network.topology.kind", is_torus ? "torus" : "mesh");
  out.set("network.topology.shape", repeated(in.whole("k"), in.whole("n")));
  // BookSim2 lays out a torus with links of twice the length.
  out.set("network.link.cycles", in.whole("use_noc_latency") == 1 && is_torus ? 2U : 1U);
}

void import_concentrated_mesh(imported_settings& in, converted_configuration& out) {
  const unsigned nodes = in.whole("c");
  out.set("network.topology.kind", "mesh");
  out.set("network.topology.shape", repeated(in.whole("k"), in.whole("n")));
  out.set("network.topology.nodes_per_router", nodes);
  const unsigned across = nodes / std::max(1U, in.whole("n"));
  out.set("network.link.cycles", in.whole("use_noc_latency") == 1 ? std::max(1U, across) : 1U);
}

void import_fat_tree(imported_settings& in, converted_configuration& out) {
  const unsigned k = in.whole("k"), n = in.whole("n");
  std::vector<unsigned> parents(n, k);
  if (!parents.empty()) parents.front() = 1;
  out.set("network.topology.kind", "fat_tree");
  out.set("network.topology.children", repeated(k, n));
  out.set("network.topology.parents", fmt::format("[{}]", fmt::join(parents, ", ")));
  // Among several shortest paths, nca selects one at random, and anca the one with the most credits.
  const bool is_adaptive = in.use("routing_function").value == "anca";
  out.set("network.routing.ascent", is_adaptive ? "least_loaded" : "random");
  if (is_adaptive) in.lack("routing_function", "least_loaded compares all parents, anca two random ones");
}

void import_topology(imported_settings& in, const std::string& network_file, converted_configuration& out) {
  constexpr unsigned MaxDimensions = 20;
  const std::string topology = in.use("topology").value;
  in.use("use_noc_latency");
  if (in.whole("n") > MaxDimensions) return in.error("n", fmt::format("n: expected at most {}", MaxDimensions));
  for (const char* const name : {"x", "y", "xr", "yr"})
    in.lack(name, topology == "cmesh"
                      ? "Weft numbers the nodes of a router consecutively, BookSim2 by their coordinates"
                      : "Weft computes traffic patterns from the shape of the network");
  if (topology != "cmesh") in.lack("c", "BookSim2 does not use it for this topology");
  if (topology == "mesh" || topology == "torus") {
    import_grid(in, topology == "torus", out);
  } else if (topology == "cmesh") {
    import_concentrated_mesh(in, out);
  } else if (topology == "fattree") {
    import_fat_tree(in, out);
  } else if (topology == "anynet") {
    out.set("network.topology.kind", "file");
    out.set("network.topology.file", quoted_if_necessary(network_file));
    if (in.use("network_file").value.empty()) in.error("network_file", "topology anynet requires network_file");
  } else {
    in.error("topology", not_converted("topology", "network.topology.kind", topology));
  }
}

void import_routing(imported_settings& in, converted_configuration& out) {
  const std::string topology = in.use("topology").value, routing = in.use("routing_function").value;
  std::vector<std::string> names;
  for (const routing_name& r : Routings) {
    if (topology != r.topology) continue;
    if (routing == r.name) return out.set(RoutingAlgorithm, counterpart(RoutingAlgorithm, routing));
    names.emplace_back(r.name);
  }
  if (names.empty()) return;  // the topology is an error already
  in.error("routing_function",
           fmt::format("{}; expected one of {} with the topology {}",
                       not_converted("routing function", RoutingAlgorithm, routing), fmt::join(names, ", "), topology));
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
