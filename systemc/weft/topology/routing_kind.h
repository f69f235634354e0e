// SPDX-License-Identifier: Apache-2.0
/// A routing as users choose it: everything about it that is not its algorithm, in one value. Each stands beside its
/// algorithm; routing_kinds() (topology/kinds.h) lists all.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/grid_routing.h"
#include "weft/core/tree_routing.h"
#include "weft/topology/option_key.h"
#include "weft/topology/topology.h"

namespace weft {

/// What users choose about routings, each of which reads the fields that it has a meaning for.
struct routing_options {
  std::vector<unsigned> order;  ///< of a grid: dimensions, first corrected first; empty: 0, 1, …
  weft::ascent ascent = weft::ascent::DestinationModulo;  ///< of a fat tree
};

struct routing_kind {
  std::string name;
  std::string description;  ///< what follows its name in the user's guide: of which networks, how, VCs
  bool shortest = true;     ///< packets take shortest paths
  bool rings = true;        ///< of grids: also where rows are rings
  unsigned most_dimensions = grid_rule::MaxDimensions;  ///< of grids
  std::optional<grid_algorithm> grid{};                 ///< how grids do it
  /// Routes a finished network of any shape, in place of the routing that it has; nullptr where only generators, or
  /// files, make this routing. \throws std::invalid_argument where the network cannot have it
  void (*route)(topology& graph, unsigned vcs) = nullptr;
  std::vector<option_key<routing_options>> keys{};
};

/// What users call the ascents in fat trees.
const std::vector<std::pair<std::string, ascent>>& ascents();
const std::string& ascent_name(ascent up);

/// The routings of grids, one for each grid_algorithm.
const std::vector<routing_kind>& grid_routings();
/// That of \p algorithm, and that of a name; the latter nullptr if there is none.
const routing_kind& grid_routing(grid_algorithm algorithm);
const routing_kind* find_grid_routing(const std::string& name);

}  // namespace weft
