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
  kind.ordered = true;
  return kind;
}

/// The keys of the adaptive routings of meshes.
std::vector<option_key<routing_options>> selection_keys() {
  return {{"selection", choice_of<routing_options, selection_rule, &routing_options::selection>(selection_rules()), "",
           "The output port that a packet requests if it may use several. `credits`: the one with the most free "
           "buffers. `first`: the first of +x, −x, +y, … that has an available VC. `when_congested`: only the first, "
           "unless the buffers behind one of the ports are congested; then as with `credits`. With `odd_even` routing, "
           "this is DyAD."},
          {"congestion",
           integer_option<routing_options, std::uint32_t>{&routing_options::congestion, 0, 100},
           "%",
           "The buffers behind a port are congested if more than this part of their flits is occupied.",
           {"selection", "when_congested"}}};
}

routing_kind turn_model(grid_algorithm algorithm, const char* name, unsigned most_dimensions, const char* description) {
  routing_kind kind = of_grids(algorithm, name, description);
  kind.rings = false;
  kind.ordered = algorithm == grid_algorithm::PlanarAdaptive;
  kind.most_dimensions = most_dimensions;
  kind.keys = selection_keys();
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
  kind.route = [](topology& t, const routing_plan& plan) { route_minimal_adaptive(t, plan.vcs, plan.choices.weight); };
  kind.keys = {path_weight_key()};
  return kind;
}

}  // namespace

const std::vector<std::pair<std::string, selection_rule>>& selection_rules() {
  static const std::vector<std::pair<std::string, selection_rule>> All = {
      {"credits", selection_rule::MostCredits},
      {"first", selection_rule::First},
      {"when_congested", selection_rule::WhenCongested}};
  return All;
}

const std::vector<routing_kind>& grid_routings() {
  static const std::vector<routing_kind> All = {
      of_grids(grid_algorithm::DimensionOrder, "dimension_order",
               "one dimension after the other, with datelines in every ring (1; torus 2); in a hypercube, this is "
               "e-cube routing"),
      of_grids(grid_algorithm::O1Turn, "o1turn",
               "dimension order or its reverse, chosen at random for each packet (2; torus 4)"),
      valiant(),
      of_grids(grid_algorithm::Romm, "romm",
               "by dimension order to a router on a shortest path, chosen at random for each packet, and then to the "
               "destination (2; torus 4)"),
      minimal_adaptive(),
      turn_model(grid_algorithm::WestFirst, "west_first", 2,
                 "turn model for meshes, first in the direction −x, then adaptive (1)"),
      turn_model(grid_algorithm::NorthLast, "north_last", 2,
                 "turn model for meshes, adaptive, but with the direction +y last (1)"),
      turn_model(grid_algorithm::NegativeFirst, "negative_first", grid_rule::MaxDimensions,
                 "turn model for meshes, negative directions first, adaptive wherever turns are allowed (1)"),
      turn_model(grid_algorithm::OddEven, "odd_even", 2,
                 "turn model for meshes, adaptive, but turns from +x to y only in odd columns and turns from y to −x "
                 "only in even columns (1)"),
      turn_model(grid_algorithm::PlanarAdaptive, "planar_adaptive", grid_rule::MaxDimensions,
                 "for meshes, adaptive in two dimensions at a time (2; three and more dimensions 3)"),
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
