// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/kinds.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "weft/core/join_with_and.h"
#include "weft/topology/files/topology_file.h"
#include "weft/topology/generators/chiplets.h"
#include "weft/topology/generators/dragonfly.h"
#include "weft/topology/generators/express_mesh.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/flattened_butterfly.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/k_ary_n_fly.h"
#include "weft/topology/generators/octagon.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/generators/slim_fly.h"
#include "weft/topology/generators/tsv_mesh.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {

namespace {

/// "shortest, up_down and source".
std::string names_of(const std::vector<const routing_kind*>& routings) {
  std::vector<std::string> names;
  for (const routing_kind* routing : routings) names.emplace_back(routing->name);
  return join_with_and(names);
}

bool applies_to_any(const routing_kind& routing) { return routing.route != nullptr || routing.extend != nullptr; }

[[noreturn]] void reject_routing_of(const topology_kind& kind) {
  std::vector<const routing_kind*> own;
  for (const routing_kind* r : kind.routings)
    if (!applies_to_any(*r)) own.push_back(r);
  throw std::invalid_argument(own.empty() ? fmt::format("{} supports {} routing", kind.noun, names_of(graph_routings()))
                                          : fmt::format("{} supports {} routing; any network supports {}", kind.noun,
                                                        names_of(own), names_of(graph_routings())));
}

}  // namespace

const std::vector<const topology_kind*>& topology_kinds() {
  static const std::vector<const topology_kind*> All = {
      &mesh_topology(),        &torus_topology(),
      &ring_topology(),        &hypercube_topology(),
      &fat_tree_topology(),    &hierarchical_ring_topology(),
      &octagon_topology(),     &flattened_butterfly_topology(),
      &dragonfly_topology(),   &slim_fly_topology(),
      &k_ary_n_fly_topology(), &express_mesh_topology(),
      &tsv_mesh_topology(),    &chiplets_topology(),
      &random_topology(),      &file_topology(),
  };
  return All;
}

const std::vector<const routing_kind*>& routing_kinds() {
  static const std::vector<const routing_kind*> All = [] {
    std::vector<const routing_kind*> all;
    for (const routing_kind& r : grid_routings()) all.push_back(&r);
    all.insert(all.end(),
               {&nearest_common_ancestor_routing(), &minimal_routing(), &destination_tag_routing(),
                &express_order_routing(), &elevator_first_routing(), &die_by_die_routing(), &shortest_routing(),
                &up_down_routing(), &ugal_routing(), &source_routing(), &as_in_file_routing()});
    return all;
  }();
  return All;
}

const std::vector<const routing_kind*>& graph_routings() {
  static const std::vector<const routing_kind*> Some = [] {
    std::vector<const routing_kind*> some;
    for (const routing_kind* r : routing_kinds())
      if (applies_to_any(*r)) some.push_back(r);
    return some;
  }();
  return Some;
}

namespace {

/// Makes the network with its own routing, and sets the phits of its channels.
topology make_with_phits(const network_plan& plan) {
  topology graph = plan.kind->make(plan);
  for (channel& c : graph.channels)
    if (c.phits == 1) c.phits = plan.network.link_phits;
  if (plan.kind->set_phits != nullptr) plan.kind->set_phits(plan, graph);
  return graph;
}

}  // namespace

topology make_network(const network_plan& plan) {
  const topology_kind& kind = *plan.kind;
  const routing_kind& routing = *plan.routing;
  if (std::count(kind.routings.begin(), kind.routings.end(), &routing) > 0) {
    if (plan.routing_choices.weight != path_weight::Hops)
      throw std::invalid_argument(fmt::format(
          "{} does not weigh the paths of {} routing; leave out network.routing.weight", kind.noun, routing.name));
    return make_with_phits(plan);
  }
  if (&routing == &as_in_file_routing())
    throw std::invalid_argument("as_in_file routing needs a topology from a file; use another routing");
  const routing_plan chosen{plan.network.vcs, plan.routing_choices, plan.seed};
  network_plan other = plan;
  if (routing.extend) {
    other.routing = kind.usual;
    return make_extended(routing, chosen, [&](unsigned vcs) {
      other.network.vcs = vcs;
      return make_with_phits(other);
    });
  }
  if (!routing.route) reject_routing_of(kind);
  other.network.vcs = MaxVcs;  // for any routing that the replaced one might need
  topology graph = make_with_phits(other);
  routing.route(graph, chosen);
  return graph;
}

}  // namespace weft
