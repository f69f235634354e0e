// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/topology_file.h"

#include <stdexcept>
#include <string>

#include "weft/file/read_bytes.h"
#include "weft/topology/files/read_topology.h"

namespace weft {

namespace {

/// \throws std::invalid_argument if it cannot be read
std::string text_of(const std::filesystem::path& file) {
  try {
    return read_bytes(file);
  } catch (const file_error& e) {
    throw std::invalid_argument(file.string() + " " + e.what());
  }
}

topology read_planned_file(const network_plan& plan) {
  const std::filesystem::path& file = plan.topology.file;
  if (file.empty()) throw std::invalid_argument("network.topology.file is missing: which file?");
  const std::string name = file.string(), suffix = file.extension().string();
  const std::string text = text_of(file);
  read_options how;
  how.vcs = plan.network.vcs;
  how.flit_bits = plan.flit_bits;
  if (plan.routing->route) how.routing = plan.routing;
  if (suffix == ".graphml" || suffix == ".xml") return read_graphml(text, name, how);
  if (suffix == ".dot" || suffix == ".gv") return read_graphviz(text, name, how);
  return read_topology(text, name, how);
}

topology_kind make_file_kind() {
  topology_kind kind{};
  kind.name = "file";
  kind.noun = "a network from a file";
  kind.description = "a network from a file";
  kind.keys = {{"file", file_option<topology_options>{&topology_options::file}, "",
                "The network: Weft's own format (YAML, or JSON as `weft topology --json` writes), GraphML (`.graphml`) "
                "or Graphviz (`.dot`, `.gv`)."}};
  kind.usual = &as_in_file_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) { return std::uint64_t{read_planned_file(plan).nodes.size()}; };
  kind.make = read_planned_file;
  return kind;
}

}  // namespace

const routing_kind& as_in_file_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "as_in_file";
    kind.description = "what the file says, or " + default_routing().description;
    kind.shortest = false;
    return kind;
  }();
  return Kind;
}

const topology_kind& file_topology() {
  static const topology_kind Kind = make_file_kind();
  return Kind;
}

}  // namespace weft
