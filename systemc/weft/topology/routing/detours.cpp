// SPDX-License-Identifier: Apache-2.0
/// Valiant's routing and UGAL in a network of any shape.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/random.h"
#include "weft/topology/routing/graph_tables.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

/// The routes of \p rule as a table. Inputs with the same routes share a row.
/// \param vcs VCs of a part of a path; heads on higher ones are routed as on the last
table_rule tabulate(const route_rule& rule, unsigned ports, unsigned vcs, node_id nodes) {
  table_rule table;
  std::vector<std::vector<route>> rows;
  const auto number_of = [&](unsigned port, unsigned vc) {
    std::vector<route> row(nodes);
    for (node_id n = 0; n < nodes; ++n) row[n] = rule.answer({port, vc, n, 0});
    const auto known = std::find(rows.begin(), rows.end(), row);
    const auto number = static_cast<unsigned>(known - rows.begin());
    if (known == rows.end()) {
      table.add_row(row);
      rows.push_back(std::move(row));
    }
    return number;
  };
  for (unsigned port = 0; port < ports; ++port) {
    unsigned number = 0;
    for (unsigned vc = 0; vc < MaxVcs; ++vc) {
      if (vc < vcs) number = number_of(port, vc);
      if (number != 0) table.use_row(port, vc, number);
    }
  }
  return table;
}

std::vector<port_set> ports_to_nodes(const topology& t) {
  std::vector<port_set> ports(t.routers.size());
  for (const node_attachment& node : t.nodes)
    for (const port_ref port : node.ports) ports[port.router] |= port_set{1} << port.port;
  return ports;
}

/// Rejects a network whose routes depend on the source's choice or on credits.
void check_extensible(const topology& t, const std::string& algorithm) {
  const bool adaptive = std::any_of(t.routing.begin(), t.routing.end(), [](const auto& r) { return r.adaptive(); });
  const bool chosen = std::any_of(t.nodes.begin(), t.nodes.end(), [](const auto& n) { return n.path_ids.chooses(); });
  const bool extended = t.routing.front().as<detour_rule>() != nullptr;
  if (extended)
    reject_routing("the routes of the network already lead over intermediate nodes; leave out {} routing", algorithm);
  if (!adaptive && !chosen) return;
  reject_routing(
      "{} routing leads packets over the routes that the network has without it, but these are {}; use another "
      "routing, "
      "or routes that depend only on the destination",
      algorithm, adaptive ? "adaptive" : "selected by the source of a packet");
}

void extend_by_detours(topology& t, const routing_plan& plan, const std::string& algorithm, bool selects) {
  check_extensible(t, algorithm);
  check_table_size(t);
  const unsigned part = plan.vcs / 2;
  const std::vector<port_set> node_ports = ports_to_nodes(t);
  const auto nodes = static_cast<node_id>(t.nodes.size());
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const auto* table = t.routing[r].as<table_rule>();
    detour_rule rule(table != nullptr ? *table : tabulate(t.routing[r], t.routers[r].ports, part, nodes));
    rule.part_vcs = part;
    rule.node_ports = node_ports[r];
    rule.selects = selects;
    if (selects) rule.threshold = plan.choices.threshold;
    t.routing[r] = std::move(rule);
  }
  for (node_id n = 0; n < nodes; ++n) {
    t.nodes[n].path_ids.count = nodes;
    t.nodes[n].path_ids.seed = stream_key(plan.seed, n, stream_purpose::PathId);
  }
  t.algorithm = algorithm;
  t.least_vcs = 2 * t.least_vcs;
}

}  // namespace

void extend_by_valiant(topology& t, const routing_plan& plan) { extend_by_detours(t, plan, "valiant", false); }
void extend_by_ugal(topology& t, const routing_plan& plan) { extend_by_detours(t, plan, "ugal", true); }

void route_network(topology& t, const routing_kind& routing, const routing_plan& plan) {
  if (routing.route != nullptr) return routing.route(t, plan);
  t = make_extended(routing, plan, [&t](unsigned vcs) {
    topology routed = t;
    route_by_default(routed, vcs);
    return routed;
  });
}

topology make_extended(const routing_kind& routing, const routing_plan& plan,
                       const std::function<topology(unsigned vcs)>& make) {
  const auto attempt = [&](unsigned vcs) {
    routing_plan whole = plan;
    whole.vcs = vcs;
    topology t = make(vcs / 2);
    routing.extend(t, whole);
    return t;
  };
  std::exception_ptr reason;
  if (plan.vcs >= 2) {
    try {
      return attempt(plan.vcs);
    } catch (const too_large_to_route&) {
      throw;
    } catch (const std::invalid_argument&) {
      // The error names the VCs of one part of a path. If more VCs are a remedy, the message below names their number.
      reason = std::current_exception();
    }
  }
  for (unsigned vcs = plan.vcs / 2 * 2 + 2; vcs <= MaxVcs; vcs += 2) {
    try {
      attempt(vcs);
    } catch (const std::invalid_argument&) {
      if (!reason) reason = std::current_exception();
      continue;
    }
    reject_routing(
        "{} routing needs at least {} VCs in this network, {} for each of the two parts of a path, but vcs is {}",
        routing.name, vcs, vcs / 2, plan.vcs);
  }
  std::rethrow_exception(reason);
}

const routing_kind& ugal_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "ugal";
    kind.description =
        "each packet takes the usual route of the network, or, if the queue there is long, a detour over a random node "
        "(twice as many as the usual routing)";
    kind.shortest = false;
    kind.ordered = true;
    kind.extend = extend_by_ugal;
    kind.keys = {{"threshold",
                  integer_option<routing_options, std::uint32_t>{&routing_options::threshold, 0, MaxDetourThreshold},
                  "flits",
                  "A packet takes the detour if the flits in the buffers behind the first hop of the usual route are "
                  "more than twice those behind the first hop of the detour plus this number. Only buffers of VCs that "
                  "the packet may use count. A higher threshold causes fewer detours."}};
    return kind;
  }();
  return Kind;
}

}  // namespace weft
