// SPDX-License-Identifier: Apache-2.0
/// A routing that users can choose: all its properties, and its algorithm, in one value. Each value is defined beside
/// its algorithm. routing_kinds() (topology/kinds.h) lists all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/grid_routing.h"
#include "weft/core/tree_routing.h"
#include "weft/topology/option_key.h"
#include "weft/topology/routing/path_weight.h"
#include "weft/topology/topology.h"

namespace weft {

/// User options of routings. Each routing reads the fields that apply to it.
struct routing_options {
  std::vector<unsigned> order;  ///< for grids: the dimensions in routing order; empty: 0, 1, …
  weft::ascent ascent = weft::ascent::DestinationModulo;   ///< for fat trees
  std::uint32_t threshold = 4;                             ///< of UGAL, in flits; at most MaxDetourThreshold
  selection_rule selection = selection_rule::MostCredits;  ///< for adaptive routings of meshes
  std::uint32_t congestion = UsualCongestion;              ///< of selection_rule::WhenCongested, in percent
  path_weight weight = path_weight::Hops;                  ///< for routings of any network that take shortest paths
};

inline constexpr std::uint32_t MaxDetourThreshold = 1U << 20;

/// The choices that determine the routing of a finished network.
struct routing_plan {
  unsigned vcs = 4;  ///< 1…MaxVcs: VCs of every port
  routing_options choices{};
  std::uint64_t seed = 1;  ///< random seed of the sources
};

struct routing_kind {
  std::string name;
  std::string description;  ///< text after its name in the user's guide: applicable networks, algorithm, VCs
  bool shortest = true;     ///< packets take shortest paths
  bool ordered = false;     ///< in grids, it depends on routing_options::order
  bool rings = true;        ///< for grids: also applies if rows are rings
  unsigned most_dimensions = grid_rule::MaxDimensions;  ///< for grids
  std::optional<grid_algorithm> grid{};                 ///< the algorithm in grids
  /// Routes a finished network of any shape and replaces its previous routing; nullptr if only generators or files make
  /// this routing.
  /// \throws std::invalid_argument if the network cannot have this routing
  void (*route)(topology& graph, const routing_plan& plan) = nullptr;
  /// Routes a network on top of the routing that it already has, which was made for plan.vcs / 2 VCs; nullptr if the
  /// routing is not made in this way.
  /// \throws std::invalid_argument if the present routing is adaptive or depends on the source's choice
  void (*extend)(topology& graph, const routing_plan& plan) = nullptr;
  std::vector<option_key<routing_options>> keys{};
};

/// The names of the rules by which users let heads select a port.
const std::vector<std::pair<std::string, selection_rule>>& selection_rules();

/// The names of the ascents in fat trees that users can choose.
const std::vector<std::pair<std::string, ascent>>& ascents();
const std::string& ascent_name(ascent up);

/// The routings of grids, with one value for each grid_algorithm.
const std::vector<routing_kind>& grid_routings();
/// The routing of grids with \p algorithm.
const routing_kind& grid_routing(grid_algorithm algorithm);
/// The routing of grids called \p name; nullptr if there is none.
const routing_kind* find_grid_routing(const std::string& name);

}  // namespace weft
