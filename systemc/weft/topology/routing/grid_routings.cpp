// SPDX-License-Identifier: Apache-2.0
/// The routings of grids as users choose them. grid_rule, in core, makes the decisions.

#include <algorithm>

#include "weft/topology/routing/routing_tables.h"
#include "weft/topology/routing_kind.h"

namespace weft {

namespace {

routing_kind of_grids(grid_algorithm algorithm, const char* name, const char* description) {
  routing_kind kind;
  kind.name = name;
  kind.description = description;
  kind.shortest = algorithm != grid_algorithm::Valiant;
  kind.grid = algorithm;
  return kind;
}

routing_kind turn_model(grid_algorithm algorithm, const char* name, unsigned most_dimensions, const char* description) {
  routing_kind kind = of_grids(algorithm, name, description);
  kind.rings = false;
  kind.most_dimensions = most_dimensions;
  return kind;
}

}  // namespace

namespace {

/// Valiant's routing in any other network extends the usual routing.
routing_kind valiant() {
  routing_kind kind = of_grids(grid_algorithm::Valiant, "valiant",
                               "by the usual routing of the network to a random intermediate node, and then to the "
                               "destination (twice as many as "
                               "the usual routing); in a grid, to a random router (2; torus 4)");
  kind.extend = extend_by_valiant;
  return kind;
}

/// Minimal adaptive routing in any other network needs two VCs.
routing_kind minimal_adaptive() {
  routing_kind kind = of_grids(
      grid_algorithm::MinimalAdaptive, "minimal_adaptive",
      "over any channel that leads nearer to the destination, with preference for the port with the most credits; the "
      "escape VCs follow dimension order in grids, hypercubes and flattened butterflies, and up*/down* in other "
      "networks (2; torus 3)");
  kind.route = [](topology& t, const routing_plan& plan) { route_minimal_adaptive(t, plan.vcs); };
  return kind;
}

}  // namespace

const std::vector<routing_kind>& grid_routings() {
  static const std::vector<routing_kind> All = {
      of_grids(grid_algorithm::DimensionOrder, "dimension_order",
               "one dimension after the other, with datelines in every ring (1; torus 2); in a hypercube, this is "
               "e-cube routing"),
      of_grids(grid_algorithm::O1Turn, "o1turn",
               "dimension order or its reverse, chosen at random for each packet (2; torus 4)"),
      valiant(),
      minimal_adaptive(),
      turn_model(grid_algorithm::WestFirst, "west_first", 2,
                 "turn model for meshes, first in the direction −x, then adaptive (1)"),
      turn_model(grid_algorithm::NorthLast, "north_last", 2,
                 "turn model for meshes, adaptive, but with the direction +y last (1)"),
      turn_model(grid_algorithm::NegativeFirst, "negative_first", grid_rule::MaxDimensions,
                 "turn model for meshes, negative directions first, adaptive wherever turns are allowed (1)"),
  };
  return All;
}

const routing_kind& grid_routing(grid_algorithm algorithm) {
  const auto& all = grid_routings();
  return *std::find_if(all.begin(), all.end(), [algorithm](const routing_kind& r) { return r.grid == algorithm; });
}

const routing_kind* find_grid_routing(const std::string& name) {
  const auto& all = grid_routings();
  const auto found = std::find_if(all.begin(), all.end(), [&](const routing_kind& r) { return r.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace weft
