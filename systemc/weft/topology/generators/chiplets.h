// SPDX-License-Identifier: Apache-2.0
/// Generator of networks of several dies in a package.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

struct chiplets_parameters {
  std::vector<std::uint32_t> dies{2, 2};    ///< columns and rows of dies; one number is one row
  std::vector<std::uint32_t> shape{4, 4};   ///< columns and rows of routers of a die
  std::uint32_t links_per_side = 0;         ///< links between two neighboring dies; 0: one for each router of a side
  std::vector<std::uint32_t> interposer{};  ///< columns and rows of interposer routers; empty: no interposer network
  std::vector<std::uint32_t> border_routers{};  ///< routers of a die with a link to the interposer; empty: its corners
  unsigned die_link_cycles = 0;                 ///< cycles of a link that leaves a die; 0: options.link_cycles
  network_options options{};                    ///< at least two VCs
  unsigned nodes = 1;                           ///< ≥ 1: nodes at each router of a die
};

/// Makes a network of dies in a grid. Each die is a mesh.
///
/// Without `interposer`, neighboring dies are connected by links_per_side links. These are at the centers of as many
/// equal parts of the side, rounded towards its ends. With an interposer, dies are connected only by a mesh of
/// interposer routers. Each border router has a link to the interposer router below it: if all dies together have X
/// columns of routers and the interposer has I, this is column x · I div X, and rows correspond.
///
/// Routers of dies are numbered as those of one mesh that consists of all dies: router (x, y) is x + y · X. Interposer
/// routers follow. Within a die, router (x, y) is x + y · (columns of the die). Ports "+x", "-x", "+y" and "-y" lead to
/// neighbors in the mesh, also across sides of dies; "interposer" leads to the interposer, whose ports "r12" lead to
/// router 12.
///
/// The routing is die_by_die. Between dies with direct links, a packet takes y to a row with links, x to a column with
/// links in the column of dies of its destination, y to the row of its destination, and x to its destination. If it
/// needs no other row of dies, it takes x to its destination before y instead. Through an interposer, it goes to the
/// border router on the path with the fewest hops, through the interposer in dimension order, and from the border
/// router to its destination. Of several rows, columns or border routers that are equally near, the number of the
/// destination selects one.
///
/// Two VC classes make the routing free of deadlock. Over direct links, packets use the first half of the VCs until
/// they turn from x to y, and the second half from there on. Through an interposer, they use the first half in the die
/// of their source, and the second half in that of their destination. On links that leave a die, in the interposer, and
/// between two routers of one die, they use all VCs.
/// \throws std::invalid_argument, which names the wrong parameter and a valid value
topology make_chiplets(const chiplets_parameters& parameters);

const topology_kind& chiplets_topology();

/// The routing of make_chiplets().
const routing_kind& die_by_die_routing();

}  // namespace weft
