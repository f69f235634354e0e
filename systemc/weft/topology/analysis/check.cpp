// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/analysis/route_search.h"
#include "weft/topology/names.h"
#include "weft/topology/routing_kind.h"

namespace weft {
namespace {

constexpr std::size_t MaxExactPairs = std::size_t{1} << 22;

template <class... Arguments>
[[noreturn]] void reject(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument("topology: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

// ---- Structure ----

void check_routers(const topology& t) {
  if (t.routers.empty()) reject("the network has no routers; add at least one");
  if (t.nodes.empty()) reject("the network has no nodes; add at least one");
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const router_info& router = t.routers[r];
    if (router.ports == 0 || router.ports > MaxPorts) {
      reject("{} has {} ports; give 1 to {}", router_name(t, r), router.ports, MaxPorts);
    }
    if (router.port_names.size() != router.ports) {
      reject("{} has {} ports but {} port names; give one for each", router_name(t, r), router.ports,
             router.port_names.size());
    }
  }
}

void check_port_exists(const topology& t, port_ref port, const std::string& whose) {
  if (port.router >= t.routers.size()) {
    reject("{}: there is no router {}, expected 0 to {}", whose, port.router, t.routers.size() - 1);
  }
  if (port.port >= t.routers[port.router].ports) {
    reject("{}: {} has no port {}, expected 0 to {}", whose, router_name(t, port.router), port.port,
           t.routers[port.router].ports - 1);
  }
}

/// The users of each port in one direction.
class port_register {
 public:
  /// Kinds of users in messages; channels and nodes also have a number.
  enum user_kind : std::uint8_t { Unused, Channel, Node };

  port_register(const topology& t, const char* direction)
      : m_topology(t), m_direction(direction), m_users(t.routers.size()) {}

  void enter(port_ref port, user_kind kind, std::size_t number) {
    user& entry = m_users[port.router][port.port];
    if (entry.kind != Unused) {
      reject("{}: {} used twice, by {} and {}; give each its own port", full_name(m_topology, port), m_direction,
             name_of(entry.kind, entry.number), name_of(kind, number));
    }
    entry = {kind, static_cast<std::uint32_t>(number)};
  }

  static std::string name_of(user_kind kind, std::size_t number) {
    return fmt::format("{} {}", kind == Channel ? "channel" : "node", number);
  }

 private:
  struct user {
    user_kind kind = Unused;
    std::uint32_t number = 0;
  };

  const topology& m_topology;
  const char* m_direction;
  std::vector<std::array<user, MaxPorts>> m_users;
};

void check_connections(const topology& t) {
  port_register outputs(t, "output"), inputs(t, "input");
  for (std::size_t i = 0; i < t.channels.size(); ++i) {
    const channel& c = t.channels[i];
    const std::string name = port_register::name_of(port_register::Channel, i);
    check_port_exists(t, c.from, name);
    check_port_exists(t, c.to, name);
    if (c.cycles == 0) reject("{} ({}) takes 0 cycles; give at least 1", name, full_name(t, c));
    if (c.phits == 0 || c.phits > MaxPhits)
      reject("{} ({}) cuts flits into {} phits; give 1 to {}", name, full_name(t, c), c.phits, MaxPhits);
    outputs.enter(c.from, port_register::Channel, i);
    inputs.enter(c.to, port_register::Channel, i);
  }
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    const std::string name = port_register::name_of(port_register::Node, n);
    if (t.nodes[n].ports.empty()) reject("{} has no port; attach it to a router", name);
    for (const port_ref port : t.nodes[n].ports) {
      check_port_exists(t, port, name);
      outputs.enter(port, port_register::Node, n);
      inputs.enter(port, port_register::Node, n);
    }
    if (t.nodes[n].cycles == 0) {
      reject("{} at {}: its channels take 0 cycles; give at least 1", name, full_name(t, t.nodes[n].ports.front()));
    }
  }
}

void check_rule(const topology& t, router_id router, const grid_rule& rule) {
  const std::string name = router_name(t, router);
  if (rule.dimensions == 0 || rule.dimensions > grid_rule::MaxDimensions) {
    reject("{}: its routing function is for a grid of {} dimensions; give 1 to {}", name, rule.dimensions,
           grid_rule::MaxDimensions);
  }
  std::array<bool, grid_rule::MaxDimensions> ordered{};
  for (unsigned d = 0; d < rule.dimensions; ++d) {
    if (rule.size[d] == 0 || rule.stride[d] == 0) {
      reject("{}: the grid of its routing function has size {} and stride {} in dimension {}; give at least 1 for both",
             name, rule.size[d], rule.stride[d], d);
    }
    const unsigned next = rule.order[d];
    if (next >= rule.dimensions || std::exchange(ordered[next], true)) {
      reject("{}: the order of dimension-order routing must name each dimension once", name);
    }
  }
  if (rule.nodes == 0) reject("{}: the grid of its routing function has 0 nodes at a router; give at least 1", name);
  if (rule.local_ports == 0) reject("{}: the grid of its routing function has 0 local ports; give at least 1", name);
  const routing_kind& routing = grid_routing(rule.algorithm);
  if (rule.dimensions > routing.most_dimensions) {
    reject("{}: {} routing in {} dimensions can deadlock; use it in 1 or 2 dimensions", name, routing.name,
           rule.dimensions);
  }
}

void check_rule(const topology& t, router_id router, const table_rule& rule) {
  const std::string name = router_name(t, router);
  if (rule.rows() == 0) reject("{}: its routing table is empty; give at least one row", name);
  for (unsigned row = 0; row < rule.rows(); ++row) {
    if (rule.destinations(row) != t.nodes.size()) {
      reject("{}: its routing table has {} entries for {} nodes; give one for each", name, rule.destinations(row),
             t.nodes.size());
    }
  }
  for (unsigned port = 0; port < MaxPorts; ++port) {
    for (unsigned vc = 0; vc < MaxVcs; ++vc) {
      if (rule.row_of(port, vc) >= rule.rows()) {
        reject("{}: input {}, VC {} uses row {} of its routing table, which has {} rows", name,
               port_name(t, {router, port}), vc, rule.row_of(port, vc), rule.rows());
      }
    }
  }
}

void check_rule(const topology& t, router_id router, const tree_rule& rule) {
  const std::string name = router_name(t, router);
  if (rule.children == 0 || rule.span == 0 || rule.child_ports == 0 || rule.divisor == 0) {
    reject(
        "{}: the tree of its routing function has {} children of {} leaves, {} ports to each child and divisor {}; "
        "give at least 1 for each number",
        name, rule.children, rule.span, rule.child_ports, rule.divisor);
  }
  const bool all_below = rule.first == 0 && std::uint64_t{rule.span} * rule.children >= t.nodes.size();
  if (rule.parents == 0 && !all_below)
    reject("{}: it has no parents, but not all nodes are below it; connect it to a parent", name);
}

void check_rule(const topology& t, router_id router, const cube_rule& rule) {
  if (rule.dimensions == 0 || rule.dimensions >= MaxPorts || rule.nodes == 0) {
    reject(
        "{}: the hypercube of its routing function has {} dimensions and {} nodes at a router; give 1 to {} dimensions "
        "and at least 1 node",
        router_name(t, router), rule.dimensions, rule.nodes, MaxPorts - 1);
  }
}

void check_rule(const topology& t, router_id router, const detour_rule& rule) {
  check_rule(t, router, rule.table());
  const std::string name = router_name(t, router);
  if (rule.part_vcs == 0 || 2 * rule.part_vcs > MaxVcs)
    reject("{}: each part of its paths has {} VCs; give 1 to {}", name, rule.part_vcs, MaxVcs / 2);
  if (rule.layers() != 1) reject("{}: the table of its detours has {} layers; give 1", name, rule.layers());
  for (const route& r : rule.routes()) {
    if (r.adaptive()) reject("{}: the table of its detours has a route with choices; give one port to each", name);
    if ((r.vcs & ~first_vcs(rule.part_vcs)) != 0) {
      reject("{}: the table of its detours admits VCs (bits {:#x}) beyond the {} VCs of a part of a path", name, r.vcs,
             rule.part_vcs);
    }
  }
}

/// Rejects routers that select among several outputs in different ways, because a network has one rule for it.
void check_choices(const topology& t) {
  std::optional<router_id> first;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    if (!t.routing[r].adaptive()) continue;
    if (!first) first = r;
    if (!(t.routing[r].choice() == t.routing[*first].choice())) {
      reject(
          "{}: it selects among several outputs in another way than {}; give both the same selection, congestion "
          "and threshold",
          router_name(t, r), router_name(t, *first));
    }
  }
}

void check_rules(const topology& t) {
  if (t.routing.size() < t.routers.size()) {
    reject("there are {} routers but {} routing functions; give one for {}", t.routers.size(), t.routing.size(),
           router_name(t, static_cast<router_id>(t.routing.size())));
  }
  if (t.routing.size() > t.routers.size()) {
    reject("there are {} routers but {} routing functions; give one for each router", t.routers.size(),
           t.routing.size());
  }
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const route_rule& rule = t.routing[r];
    if (const auto* grid = rule.as<grid_rule>()) check_rule(t, r, *grid);
    if (const auto* table = rule.as<table_rule>()) check_rule(t, r, *table);
    if (const auto* tree = rule.as<tree_rule>()) check_rule(t, r, *tree);
    if (const auto* cube = rule.as<cube_rule>()) check_rule(t, r, *cube);
    if (const auto* detour = rule.as<detour_rule>()) check_rule(t, r, *detour);
  }
  check_choices(t);
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    const path_selector& path_ids = t.nodes[n].path_ids;
    if (path_ids.count == 0) reject("node {} has 0 path ids; give at least 1", n);
    if (!path_ids.by_destination.empty() && path_ids.by_destination.size() != t.nodes.size()) {
      reject("node {} has path ids for {} of {} nodes; give one for each", n, path_ids.by_destination.size(),
             t.nodes.size());
    }
    for (const sequenced_packet& p : path_ids.send_sequence) {
      if (p.port >= t.nodes[n].ports.size())
        reject("node {} sends through port {}, but has {} ports", n, p.port, t.nodes[n].ports.size());
    }
  }
}

// ---- Routes ----

void check_routes(const topology& t, unsigned vcs) {
  route_search search(t, vcs);
  for (const node_id destination : sampled_nodes(t, std::max<std::size_t>(1, MaxExactPairs / t.nodes.size()))) {
    search.run(
        destination,
        [&](const route_search::request& r) {
          const auto where = [&] {
            return fmt::format("{}: the route from node {} to node {} leaves by {}", router_name(t, r.router), r.source,
                               destination, port_name(t, {r.router, r.port}));
          };
          if (r.end.what == port_end::kind::Nothing) {
            reject("{}, which {}", where(), r.port < t.routers[r.router].ports ? "is not connected" : "does not exist");
          }
          if (r.end.what == port_end::kind::Node && r.end.index != destination) {
            reject("{}, where node {} is", where(), r.end.index);
          }
          if (r.vcs == 0) reject("{} with no admissible VC; give at least one", where());
          if (r.vcs & ~first_vcs(vcs)) {
            reject(
                "{} with admissible VCs (bits {:#x}) beyond the {} VCs of a port; make the topology with vcs = {}, or "
                "set router.vcs to the vcs of the topology",
                where(), r.vcs, vcs, vcs);
          }
        },
        [&](node_id source, const channel_vc& pair) {
          reject("the route from node {} to node {} has a loop through {}, VC {}", source, destination,
                 full_name(t, t.channels[pair.channel]), pair.vc);
        });
  }
}

}  // namespace

void check_structure(const topology& t, unsigned vcs) {
  if (vcs == 0 || vcs > MaxVcs) reject("vcs is {}; give 1 to {}", vcs, MaxVcs);
  check_routers(t);
  check_connections(t);
  check_rules(t);
  check_routes(t, vcs);
}

std::vector<parameter_error> find_parameter_errors(const topology& t, const router_parameters& router,
                                                   const nic_parameters& nic, const std::string& prefix) {
  std::vector<parameter_error> found;
  unsigned ports = 0;
  for (const router_info& r : t.routers) ports = std::max(ports, r.ports);
  if (ports > MaxPorts)
    found.push_back(
        {{prefix + "topology"}, fmt::format("topology: a router has {} ports; give 1 to {}", ports, MaxPorts)});
  const std::uint64_t flits = std::uint64_t{ports} * router.vcs * router.depth;
  if (flits > MaxRouterFlits)
    found.push_back({{prefix + "router.depth", prefix + "router.vcs", "nic.ports", prefix + "topology"},
                     fmt::format("{}router: expected ports · vcs · depth of at most {} flits, got {} · {} · {} = {}",
                                 prefix, MaxRouterFlits, ports, router.vcs, router.depth, flits)});
  if (ports <= MaxPorts && ports * router.input_speedup > MaxSwitchInputs)
    found.push_back(
        {{prefix + "router.input_speedup", prefix + "topology"},
         fmt::format(
             "{}router.input_speedup: expected ports · input_speedup of at most {}, got {} · {} = {}; set it to {} "
             "or less",
             prefix, MaxSwitchInputs, ports, router.input_speedup, ports * router.input_speedup,
             MaxSwitchInputs / ports)});
  const bool has_sequences = std::any_of(
      t.nodes.begin(), t.nodes.end(), [](const node_attachment& node) { return !node.path_ids.send_sequence.empty(); });
  if (has_sequences && nic.queues == source_queues::PerClass)
    found.push_back({{"nic.source_queues"},
                     "nic.source_queues: expected shared, because a schedule gives the order in which each node sends "
                     "its packets, got per_class"});
  for (node_id n = 0; nic.coding.enabled && n < t.nodes.size(); ++n) {
    const std::size_t channels = t.nodes[n].ports.size();
    if (channels == 1) continue;
    found.push_back(
        {{"nic.ports", "nic.coding.enabled", prefix + "topology"},
         fmt::format("nic.coding: expected one channel from the network to every node, because its XOR decoder must "
                     "receive all packets, got {} to node {}; give nic.ports: 1 and a topology with one router at each "
                     "node",
                     channels, n)});
    break;
  }
  return found;
}

void check_parameters(const topology& t, const router_parameters& router, const nic_parameters& nic) {
  std::vector<parameter_error> found = find_parameter_errors(router, nic);
  if (found.empty()) found = find_parameter_errors(t, router, nic);
  if (!found.empty()) throw std::invalid_argument(found.front().message);
}

}  // namespace weft
