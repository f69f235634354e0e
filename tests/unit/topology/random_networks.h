// SPDX-License-Identifier: Apache-2.0
/// Random networks for tests of general properties. Only inside RapidCheck properties.
#pragma once

#include "unit/topology/graphs.h"
#include "unit/topology/networks.h"
#include <cstdint>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "weft/topology/topology.h"

namespace weft {

/// A random connected graph of 2 to \p most routers with up to \p most_nodes nodes each.
inline topology random_graph(std::uint32_t most, unsigned most_nodes) {
  const auto routers = *rc::gen::inRange<std::uint32_t>(2, most + 1);
  std::vector<std::pair<router_id, router_id>> links;
  for (router_id r = 1; r < routers; ++r) links.emplace_back(r, *rc::gen::inRange<router_id>(r > 5 ? r - 5 : 0, r));
  const auto more = *rc::gen::inRange<std::uint32_t>(0, 2 * routers);
  std::vector<unsigned> degree(routers);
  for (const auto& [a, b] : links) ++degree[a], ++degree[b];
  for (std::uint32_t i = 0; i < more; ++i) {
    const auto a = *rc::gen::inRange<router_id>(0, routers), b = *rc::gen::inRange<router_id>(0, routers);
    if (a == b || degree[a] > 9 || degree[b] > 9) continue;
    links.emplace_back(a, b);
    ++degree[a], ++degree[b];
  }
  auto nodes = *rc::gen::container<std::vector<unsigned>>(routers, rc::gen::inRange(0U, most_nodes + 1));
  nodes.front() = nodes.back() = 1;
  return graph_of(links, nodes);
}

/// A routing of grids whose paths do not depend on the traffic.
inline grid_algorithm random_oblivious() {
  return *rc::gen::element(grid_algorithm::DimensionOrder, grid_algorithm::O1Turn, grid_algorithm::Valiant);
}

/// A mesh or torus of one to three dimensions; in one or two dimensions its sides are up to \p longest.
inline topology random_grid(grid_algorithm algorithm, std::uint32_t longest = 6) {
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 4);
  const auto rings = *rc::gen::arbitrary<bool>();
  return grid_of(random_shape(dimensions, dimensions < 3 ? longest : 3), rings, algorithm, *rc::gen::inRange(1U, 4U),
                 rings && algorithm == grid_algorithm::DimensionOrder && *rc::gen::arbitrary<bool>());
}

}  // namespace weft
