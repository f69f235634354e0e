// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/topology_file.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "weft/file/read_bytes.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/routing/too_large_to_route.h"

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

/// A network as read from a file, or the reason why it has no routing.
using read_network = std::variant<topology, unrouted_network>;

read_network read_text(const std::string& text, const std::string& name, const std::string& suffix,
                       const read_options& how) {
  try {
    if (suffix == ".graphml" || suffix == ".xml") return read_graphml(text, name, how);
    if (suffix == ".dot" || suffix == ".gv") return read_graphviz(text, name, how);
    return read_topology(text, name, how);
  } catch (const unrouted_network& e) {
    return e;
  }
}

/// Caches the network that was counted last for make(), which is called afterwards; reading a large file takes seconds.
class counted_network {
 public:
  std::uint64_t count(const network_plan& plan) {
    const std::lock_guard lock(m_mutex);
    const read_network& network = look_up(plan);
    if (const auto* unrouted = std::get_if<unrouted_network>(&network)) return unrouted->graph().nodes.size();
    return std::get<topology>(network).nodes.size();
  }

  topology take(const network_plan& plan) {
    const std::lock_guard lock(m_mutex);
    look_up(plan);
    read_network network = *std::exchange(m_network, std::nullopt);
    m_text = std::string();
    if (const auto* unrouted = std::get_if<unrouted_network>(&network)) throw unrouted_network(*unrouted);
    return std::get<topology>(std::move(network));
  }

 private:
  const read_network& look_up(const network_plan& plan) {
    const std::filesystem::path& file = plan.topology.file;
    if (file.empty()) throw std::invalid_argument("network.topology.file is missing; give the path of a topology file");
    std::string text = text_of(file);
    read_options how;
    how.vcs = plan.network.vcs;
    how.flit_bits = plan.flit_bits;
    how.seed = plan.seed;
    if (plan.routing->route) how.routing = plan.routing;
    const bool is_the_same = m_network && file == m_file && how.vcs == m_how.vcs && how.flit_bits == m_how.flit_bits &&
                             how.routing == m_how.routing && how.seed == m_how.seed && text == m_text;
    if (is_the_same) return *m_network;
    m_network.reset();
    m_network = read_text(text, file.string(), file.extension().string(), how);
    m_file = file;
    m_how = how;
    m_text = std::move(text);
    return *m_network;
  }

  std::mutex m_mutex;
  std::optional<read_network> m_network;
  std::filesystem::path m_file;
  read_options m_how;
  std::string m_text;
};

counted_network& last_counted() {
  static counted_network last;
  return last;
}

topology read_planned_file(const network_plan& plan) { return last_counted().take(plan); }

topology_kind make_file_kind() {
  topology_kind kind{};
  kind.name = "file";
  kind.noun = "a network from a file";
  kind.description = "a network from a file";
  kind.keys = {{"file", file_option<topology_options>{&topology_options::file}, "",
                "File with the network, in Weft's own format (YAML, or JSON as `weft topology --json` writes it), in "
                "GraphML (`.graphml`) or in Graphviz format (`.dot`, `.gv`)."}};
  kind.usual = &as_in_file_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) { return last_counted().count(plan); };
  kind.make = read_planned_file;
  return kind;
}

}  // namespace

const routing_kind& as_in_file_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "as_in_file";
    kind.description = "the routing that the file defines; if the file defines none, " + default_routing().description;
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
