// SPDX-License-Identifier: Apache-2.0
/// A topology as users choose it: everything about it that is not its generator, in one value. Each stands beside its
/// generator; topology_kinds() (topology/kinds.h) lists all.
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

/// Which router of a part of a hierarchical ring stands in the ring above it.
enum class ring_representative : std::uint8_t {
  Same,    ///< router 0 of the part, whatever the level: it stands in rings of several levels
  Corner,  ///< from level 2 on a router of its own, so that none stands in more than two rings
};

/// What users choose about topologies, each of which reads the fields that it has keys for.
struct topology_options {
  std::vector<std::uint32_t> shape{8, 8};             ///< of a grid: routers in each dimension, x first
  ring_direction direction = ring_direction::TwoWay;  ///< of the channels of rings
  std::uint32_t dimensions = 6;                       ///< of a hypercube
  std::vector<std::uint32_t> children{4, 4, 4};       ///< of a fat tree, by level
  std::vector<std::uint32_t> parents{1, 4, 4};        ///< of a fat tree, by level
  std::vector<std::uint32_t> rings{4, 4};             ///< of a hierarchical ring: members of a ring, by level
  ring_representative representative = ring_representative::Same;
  std::uint32_t routers = 8;  ///< of each Octagon; of a random graph
  std::uint32_t octagons = 1;
  std::uint32_t degree = 4;  ///< of a random graph
  std::uint64_t seed = 1;    ///< of a random graph
  std::filesystem::path file;
  std::uint32_t nodes_per_router = 1;
};

using topology_key = option_key<topology_options>;

struct topology_kind;

/// All that decides what a network is.
struct network_plan {
  const topology_kind* kind;
  const routing_kind* routing;
  topology_options topology{};
  routing_options routing_choices{};
  network_options network{};
  std::uint64_t seed = 1;   ///< of what the sources draw
  unsigned flit_bits = 64;  ///< that the links of a file must be wide
};

/// A mesh, or with rings a torus, in which hops count as in some other network.
struct hop_grid {
  std::vector<std::uint32_t> sides;
  bool rings = false;
};

struct topology_kind {
  std::string name;
  std::string noun;         ///< for messages: "a fat tree"
  std::string description;  ///< what follows its name in the user's guide
  std::vector<topology_key> keys;
  topology_options defaults{};                ///< of its keys
  const routing_kind* usual;                  ///< the routing that it has unless another is asked for
  std::vector<const routing_kind*> routings;  ///< all that its generator makes, the usual one among them
  bool grid = false;                          ///< its routers fill the grid of topology_options::shape
  /// Nodes of the network; any number, if there are far too many. May throw as make() does.
  std::uint64_t (*count_nodes)(const network_plan& plan);
  /// The network with the routing of the plan, or, if that is none of `routings`, with any: it will be replaced.
  /// \throws std::invalid_argument that names what is wrong and says what would do
  topology (*make)(const network_plan& plan);
  /// The grid whose distances are those of the network; nullptr or nothing: they are found by search.
  std::optional<hop_grid> (*hops)(const topology_options& options) = nullptr;
};

}  // namespace weft
