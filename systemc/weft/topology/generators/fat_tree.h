// SPDX-License-Identifier: Apache-2.0
/// Generator of fat trees.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

/// The numbers of children and parents by level, m1 … mh and w1 … wh. A router of level l has m_l children, and each of
/// these children has w_l parents. The nodes are the children of level 1. The routers of level h have no parents.
struct fat_tree_shape {
  std::vector<std::uint32_t> children;  ///< m, of h ≥ 1 levels, each ≥ 1
  std::vector<std::uint32_t> parents;   ///< w, of as many, each ≥ 1; w1: routers that a node is attached to
  friend bool operator==(const fat_tree_shape& a, const fat_tree_shape& b) {
    return a.children == b.children && a.parents == b.parents;
  }
};

/// The shape of FT(m, h), a tree of routers with m = \p ports ports: XGFT(h; m/2, …, m/2, m; 1, m/2, …, m/2), with 2
/// (m/2)^h nodes. \p ports must be even and at least 2.
fat_tree_shape fixed_arity_tree(std::uint32_t ports, std::uint32_t levels);

/// The shape of GFT(h, m, w), with m children and w parents on every level and m^h nodes.
fat_tree_shape generalised_tree(std::uint32_t levels, std::uint32_t children, std::uint32_t parents);

/// The shape of the k-ary n-tree, XGFT(n; k, …, k; 1, k, …, k), with k^n nodes.
fat_tree_shape k_ary_n_tree(std::uint32_t arity, std::uint32_t levels);

struct fat_tree_parameters {
  fat_tree_shape shape{{4, 4}, {1, 4}};
  network_options options{};  ///< one VC is enough
  ascent up = ascent::DestinationModulo;
  std::uint64_t seed = 1;  ///< random seed of the nodes, for ascent::Random
};

/// Makes an extended generalized fat tree, XGFT(h; m1 … mh; w1 … wh) (Öhring et al. 1995; FATTREE, Fig. 1), of up to
/// 2^20 nodes and 2^20 routers. FT, GFT and k-ary n-trees are special cases; the functions above return their shapes.
///
/// Let M_l = m1 · … · m_l and W_l = w1 · … · w_l. Routers are numbered level by level, level 1 first. Router u · W_l +
/// v of level l (v < W_l) has the nodes u · M_l … (u + 1) · M_l - 1 below it. Its parents are the routers (u / m_{l+1})
/// · W_{l+1} + v + i · W_l, i = 0 … w_{l+1} - 1. Node n is attached to the routers (n / m1) · w1 + i of level 1, i = 0
/// … w1 - 1.
///
/// The ports to the children come first: "down0", "down1", …, or on level 1 "local0", …, with k ports for each node if
/// nodes have k ports. The ports to the parents follow: "up0", "up1", … The coordinates of a router are its position
/// from left to right, and its level minus one.
///
/// | metric              |                                                                                         |
/// |---------------------|-----------------------------------------------------------------------------------------|
/// | nodes               | M_h = N                                                                                 |
/// | routers             | Σ W_l · N / M_l over the levels l                                                       |
/// | degree              | m_l + w_{l+1} on level l; on level h m_h                                                |
/// | channels, directed  | 2 Σ W_l · N / M_{l-1} over l = 2 … h                                                    |
/// | diameter            | 2 (h - 1), all m ≥ 2                                                                    |
/// | mean distance       | Σ 2 (l - 1) (M_l - M_{l-1}) / (N - 1) over the levels l, M_0 = 1                        |
/// | bisection, each way | N / 2 · the least W_l / M_{l-1} over l = 2 … h, with w1 > 1 also l = 1; m_h even        |
///
/// Routing goes up to a nearest common ancestor and down again. The path is shortest, and one VC is enough, because no
/// packet turns upwards after it has gone down. If w1 > 1, only nodes connect the trees of different parents of a node,
/// so a packet stays in the tree into which it was injected. parameters.up selects how a packet chooses among the
/// parents; with ascent::Random a node draws evenly from all W_h / w1 ascents.
///
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_fat_tree(const fat_tree_parameters& parameters);

const topology_kind& fat_tree_topology();
/// The routing `nearest_common_ancestor` of fat trees.
const routing_kind& nearest_common_ancestor_routing();

}  // namespace weft
