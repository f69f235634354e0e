// SPDX-License-Identifier: Apache-2.0
/// Networks and helpers for several tests of topologies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include "weft/topology/generators/grid.h"

namespace weft {

using shape_t = std::vector<std::uint32_t>;

inline topology mesh_of(shape_t shape, std::vector<unsigned> order = {}) {
  grid_parameters p;
  p.shape = std::move(shape);
  p.order = std::move(order);
  return make_grid(p);
}

/// A one-way ring of \p routers routers with ports "next", "previous" and "local", routed by tables. \p vcs(here,
/// destination) gives the admissible VCs.
inline topology ring_of(std::uint32_t routers, const std::function<vc_set(router_id, node_id)>& vcs) {
  topology t;
  t.kind = "ring";
  for (router_id r = 0; r < routers; ++r) {
    t.routers.push_back({3, {"next", "previous", "local"}, {}});
    t.channels.push_back({{r, 0}, {(r + 1) % routers, 1}, 1});
    t.nodes.push_back({{{r, 2}}, 1, {}});
    std::vector<route> by_destination;
    for (node_id d = 0; d < routers; ++d)
      by_destination.push_back({static_cast<std::uint8_t>(d == r ? 2 : 0), vcs(r, d)});
    t.routing.emplace_back(table_rule(by_destination));
  }
  return t;
}

/// The 2x2 mesh in which every packet goes clockwise, 0 -> 2 -> 3 -> 1 -> 0, on VC 0: the smallest deadlock.
inline topology clockwise_square() {
  topology t = mesh_of({2, 2});
  const std::uint8_t onwards[] = {2, 1, 0, 3};  // +y, -x, +x, -y
  for (router_id r = 0; r < 4; ++r) {
    std::vector<route> by_destination(4, {onwards[r], first_vcs(1)});
    by_destination[r].port = 4;
    t.routing[r] = table_rule(by_destination);
  }
  return t;
}

/// The message of the std::invalid_argument that \p action throws; empty if it throws nothing.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return {};
}

/// A random mesh shape of \p dimensions dimensions with sides from 1 to \p longest and at least two nodes.
inline shape_t random_shape(std::size_t dimensions, std::uint32_t longest) {
  return *rc::gen::suchThat(
      rc::gen::container<shape_t>(dimensions, rc::gen::inRange<std::uint32_t>(1, longest + 1)),
      [](const shape_t& s) { return std::any_of(s.begin(), s.end(), [](std::uint32_t k) { return k > 1; }); });
}

/// A random order of \p dimensions dimensions.
inline std::vector<unsigned> random_order(std::size_t dimensions) {
  std::vector<unsigned> order(dimensions),
      ranks = *rc::gen::container<std::vector<unsigned>>(dimensions, rc::gen::arbitrary<unsigned>());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return ranks[a] < ranks[b]; });
  return order;
}

}  // namespace weft
