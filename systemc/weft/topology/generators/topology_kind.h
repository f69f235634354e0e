// SPDX-License-Identifier: Apache-2.0
/// A topology that users can choose: all its properties, and its generator, in one value. Each value is defined beside
/// its generator. topology_kinds() (topology/kinds.h) lists all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/topology/option_key.h"
#include "weft/topology/options.h"
#include "weft/topology/routing_kind.h"
#include "weft/topology/topology.h"

namespace weft {

enum class ring_direction : std::uint8_t { TwoWay, OneWay };

/// Selects the router of each part of a hierarchical ring that belongs to the ring of the next level.
enum class ring_representative : std::uint8_t {
  Same,    ///< router 0 of the part at every level; it belongs to rings of several levels
  Corner,  ///< from level 2 on, a router of its own, so that no router belongs to more than two rings
};

/// Selects the groups of a dragonfly that its global ports lead to. With o = k modulo (groups - 1), global port
/// k of group i leads to
enum class dragonfly_arrangement : std::uint8_t {
  PalmTree,     ///< group i - o - 1 (Camarero, Vallejo, Beivide 2014)
  Consecutive,  ///< group o, or o + 1 from o = i on (Kim, Dally, Scott, Abts 2008)
  Circulant,    ///< groups i + 1, i - 1, i + 2, i - 2, … for o = 0, 1, 2, 3, … (Hastings et al. 2015)
};

/// User options of topologies. Each topology reads the fields that it declares keys for.
struct topology_options {
  std::vector<std::uint32_t> shape{8, 8};             ///< of a grid: routers in each dimension, x first
  ring_direction direction = ring_direction::TwoWay;  ///< for rings: direction of the channels
  std::uint32_t dimensions = 6;                       ///< of a hypercube
  std::vector<std::uint32_t> children{4, 4, 4};       ///< of a fat tree, by level
  std::vector<std::uint32_t> parents{1, 4, 4};        ///< of a fat tree, by level
  std::vector<std::uint32_t> rings{4, 4};             ///< of a hierarchical ring: members of a ring, by level
  ring_representative representative = ring_representative::Same;
  std::uint32_t routers = 8;  ///< of each Octagon; of a random graph
  std::uint32_t octagons = 1;
  std::uint32_t degree = 4;  ///< of a random graph
  std::uint64_t seed = 1;    ///< of a random graph
  // Of a dragonfly
  std::uint32_t group_routers = 4;
  std::uint32_t global_links = 2;
  std::uint32_t groups = 0;
  std::uint32_t global_cycles = 0;
  std::uint32_t global_width = 0;
  dragonfly_arrangement arrangement = dragonfly_arrangement::PalmTree;
  std::uint32_t order = 5;  ///< of a Slim Fly
  // Of chiplets
  std::vector<std::uint32_t> dies{2, 2};  ///< columns and rows
  std::uint32_t links_per_side = 0;
  std::vector<std::uint32_t> interposer{};
  std::vector<std::uint32_t> border_routers{};
  std::uint32_t die_link_cycles = 0;
  std::uint32_t die_link_width = 0;
  // Of a butterfly
  std::uint32_t arity = 2;
  std::uint32_t stages = 3;
  std::uint32_t express_cycles = 0;  ///< of a mesh with express channels
  // Of a mesh with TSVs
  std::uint32_t tsv_pitch = 2;
  std::vector<std::uint32_t> tsv_columns{};
  std::uint32_t vertical_cycles = 0;
  std::uint32_t vertical_width = 0;
  std::filesystem::path file;
  std::uint32_t nodes_per_router = 1;
};

using topology_key = option_key<topology_options>;

struct topology_kind;

/// All choices that determine a network.
struct network_plan {
  const topology_kind* kind;
  const routing_kind* routing;
  topology_options topology{};
  routing_options routing_choices{};
  network_options network{};
  std::uint64_t seed = 1;   ///< random seed of the sources
  unsigned flit_bits = 64;  ///< required width of links in a file
};

/// A mesh, or a torus if `rings` is set, with the same hop counts as another network.
struct hop_grid {
  std::vector<std::uint32_t> sides;
  bool rings = false;
};

struct topology_kind {
  std::string name;
  std::string noun;         ///< in messages: "a fat tree"
  std::string description;  ///< text after its name in the user's guide
  std::vector<topology_key> keys;
  topology_options defaults{};                ///< of its keys
  const routing_kind* usual;                  ///< the default routing
  std::vector<const routing_kind*> routings;  ///< all routings that its generator makes, including the default
  bool grid = false;                          ///< its routers fill the grid of topology_options::shape
  /// Counts the nodes of the network. Returns some large number if there are far too many. May throw the exceptions of
  /// make().
  std::uint64_t (*count_nodes)(const network_plan& plan);
  /// Makes the network with the routing of the plan. If that is not one of `routings`, the network has any routing,
  /// which the caller replaces.
  /// \throws std::invalid_argument, which names the wrong parameter and a valid value
  topology (*make)(const network_plan& plan);
  /// Sets channel::phits of the channels whose width a key of the topology gives; nullptr if there is no such key. The
  /// other channels have network_options::link_phits.
  /// \throws std::invalid_argument, which names the wrong key and a valid value
  void (*set_phits)(const network_plan& plan, topology& made) = nullptr;
  /// Returns the grid that has the same distances as the network. If it returns nothing or is nullptr, distances must
  /// be found by search.
  std::optional<hop_grid> (*hops)(const topology_options& options) = nullptr;
};

}  // namespace weft
