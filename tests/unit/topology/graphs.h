// SPDX-License-Identifier: Apache-2.0
/// Networks of many families, built without the generators, for tests of general properties.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// A mesh, or a torus if \p rings, with \p nodes nodes at each router.
inline topology grid_of(const std::vector<std::uint32_t>& shape, bool rings, grid_algorithm algorithm,
                        unsigned nodes = 1, bool one_way = false) {
  grid_rule rule;
  rule.algorithm = algorithm;
  rule.dimensions = static_cast<unsigned>(shape.size());
  rule.rings = rings;
  rule.one_way = one_way;
  rule.nodes = nodes;
  rule.vcs = first_vcs(8);
  std::uint32_t routers = 1;
  for (unsigned d = 0; d < rule.dimensions; ++d) {
    rule.size[d] = shape[d];
    rule.stride[d] = routers;
    rule.order[d] = static_cast<std::uint8_t>(d);
    routers *= shape[d];
  }
  topology t;
  t.kind = rings ? "torus" : "mesh";
  t.shape = shape;
  const unsigned ports = 2 * rule.dimensions + nodes;
  for (router_id r = 0; r < routers; ++r) {
    router_info router{ports, std::vector<std::string>(ports, "p"), {}};
    rule.here = rule.position_of(r).at;
    for (unsigned d = 0; d < rule.dimensions; ++d) {
      const std::uint32_t k = shape[d], place = rule.here[d];
      router.coordinates.push_back(place);
      if (k == 1) continue;
      const router_id up = r - place * rule.stride[d] + (place + 1) % k * rule.stride[d];
      const router_id down = r - place * rule.stride[d] + (place + k - 1) % k * rule.stride[d];
      if (rings || place + 1 < k) t.channels.push_back({{r, 2 * d}, {up, 2 * d + 1}, 1});
      if ((rings && !one_way) || (!rings && place > 0)) t.channels.push_back({{r, 2 * d + 1}, {down, 2 * d}, 1});
    }
    t.routers.push_back(std::move(router));
    t.routing.emplace_back(rule);
    for (unsigned i = 0; i < nodes; ++i) t.nodes.push_back({{{r, 2 * rule.dimensions + i}}, 1, {}});
  }
  for (node_attachment& node : t.nodes) {
    if (algorithm == grid_algorithm::O1Turn) node.path_ids.count = 2;
    if (algorithm == grid_algorithm::Valiant) node.path_ids.count = routers;
  }
  return t;
}

/// A graph of two-way links with \p nodes_at[r] nodes at router r; routes are shortest paths by the lowest port.
inline topology graph_of(const std::vector<std::pair<router_id, router_id>>& links,
                         const std::vector<unsigned>& nodes_at) {
  const std::size_t routers = nodes_at.size();
  topology t;
  t.kind = "custom";
  t.routers.resize(routers);
  const auto port_of = [&](router_id r) {
    t.routers[r].port_names.push_back("p");
    return t.routers[r].ports++;
  };
  std::vector<std::vector<std::pair<router_id, unsigned>>> neighbours(routers);
  for (const auto& [a, b] : links) {
    const unsigned at_a = port_of(a), at_b = port_of(b);
    t.channels.push_back({{a, at_a}, {b, at_b}, 1});
    t.channels.push_back({{b, at_b}, {a, at_a}, 1});
    neighbours[a].emplace_back(b, at_a);
    neighbours[b].emplace_back(a, at_b);
  }
  std::vector<std::vector<route>> tables(routers);
  for (router_id r = 0; r < routers; ++r)
    for (unsigned i = 0; i < nodes_at[r]; ++i) t.nodes.push_back({{{r, port_of(r)}}, 1, {}});
  for (const node_attachment& node : t.nodes) {
    const router_id home = node.ports.front().router;
    std::vector<std::uint32_t> hops(routers, ~0U);
    std::vector<router_id> queue{home};
    hops[home] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const auto& [next, port] : neighbours[queue[i]])
        if (hops[next] == ~0U) {
          hops[next] = hops[queue[i]] + 1;
          queue.push_back(next);
        }
    for (router_id r = 0; r < routers; ++r) {
      route to{static_cast<std::uint8_t>(node.ports.front().port), 1};
      for (const auto& [next, port] : neighbours[r])
        if (r != home && hops[next] + 1 == hops[r]) {
          to.port = static_cast<std::uint8_t>(port);
          break;
        }
      tables[r].push_back(to);
    }
  }
  for (const auto& table : tables) t.routing.emplace_back(table_rule(table));
  return t;
}

/// A k-ary n-tree: n levels of k^(n-1) routers, the nodes at level 0.
inline topology tree_of(unsigned k, unsigned levels, ascent up) {
  std::uint32_t width = 1;
  for (unsigned l = 1; l < levels; ++l) width *= k;
  topology t;
  t.kind = "fat_tree";
  std::uint32_t span = 1;  // number of leaves below each child: k^level
  for (unsigned l = 0; l < levels; ++l, span *= k) {
    for (std::uint32_t i = 0; i < width; ++i) {
      const unsigned parents = l + 1 < levels ? k : 0;
      t.routers.push_back({k + parents, std::vector<std::string>(k + parents, "p"), {i, l}});
      tree_rule rule;
      rule.up = up;
      rule.span = span;
      rule.first = i / span * span * k;
      rule.children = k;
      rule.parents = parents;
      rule.divisor = span;
      rule.vcs = 3;
      t.routing.emplace_back(rule);
      const router_id here = l * width + i;
      for (std::uint32_t p = 0; p < parents; ++p) {
        const router_id above = (l + 1) * width + i - i / span % k * span + p * span;
        t.channels.push_back({{here, k + p}, {above, i / span % k}, 1});
        t.channels.push_back({{above, i / span % k}, {here, k + p}, 1});
      }
    }
  }
  for (std::uint32_t n = 0; n < width * k; ++n) {
    t.nodes.push_back({{{n / k, n % k}}, 1, {}});
    if (up == ascent::Random) t.nodes.back().path_ids.count = width;
  }
  return t;
}

}  // namespace weft
