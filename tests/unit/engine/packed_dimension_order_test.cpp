// SPDX-License-Identifier: Apache-2.0
/// Dimension-order routing on packed coordinates gives the routes of grid_rule.
#include "weft/engine/decisions/packed_dimension_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::engine {
namespace {

using sizes = std::vector<std::uint32_t>;

/// The rule of a mesh that corrects dimensions in \p order and has \p local_ports local ports at each router.
grid_rule rule_of(const sizes& size, const std::vector<std::uint8_t>& order, unsigned local_ports) {
  grid_rule rule;
  rule.dimensions = static_cast<unsigned>(size.size());
  rule.local_ports = local_ports;
  rule.vcs = 0b101;
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < size.size(); ++d) {
    rule.size[d] = size[d];
    rule.stride[d] = stride;
    rule.order[d] = order[d];
    stride *= size[d];
  }
  return rule;
}

std::vector<std::uint8_t> first_order(std::size_t dimensions) {
  std::vector<std::uint8_t> order(dimensions);
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  return order;
}

route by_rule(grid_rule rule, router_id here, node_id there, unsigned in_port) {
  rule.here = rule.position_of(here).at;
  return rule.answer({in_port, 0, there});
}

route by_words(const grid_rule& rule, router_id here, node_id there, unsigned in_port) {
  const packed_dimension_order packed(rule);
  return packed.towards(packed.pack_router(rule.position_of(here).at), packed.pack_node(rule.position_of(there).at),
                        in_port);
}

TEST(unit_engine_packed_dimension_order, matches_the_rule_in_small_meshes) {
  for (const sizes& size :
       {sizes{1}, sizes{2}, sizes{9}, sizes{3, 3}, sizes{4, 5}, sizes{1, 4}, sizes{2, 3, 4}, sizes{3, 3, 3}}) {
    const auto routers = std::accumulate(size.begin(), size.end(), 1U, std::multiplies<>());
    auto order = first_order(size.size());
    do {
      for (unsigned local_ports = 1; local_ports <= 3; ++local_ports) {
        const grid_rule rule = rule_of(size, order, local_ports);
        ASSERT_TRUE(packed_dimension_order::fits(rule));
        for (router_id here = 0; here < routers; ++here)
          for (node_id there = 0; there < routers; ++there)
            for (unsigned in_port = 0; in_port < 2 * rule.dimensions + local_ports; ++in_port)
              ASSERT_EQ(by_words(rule, here, there, in_port), by_rule(rule, here, there, in_port))
                  << "from router " << here << " to " << there << ", input port " << in_port;
      }
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

/// Includes the largest possible coordinates: two dimensions of 2^15 and one of 4 use up the range of node_id.
RC_GTEST_PROP(unit_engine_packed_dimension_order, matches_the_rule_in_large_meshes, ()) {
  sizes size = {1U << 15, *rc::gen::inRange(1U, 1U << 15) + 1, *rc::gen::inRange(1U, 4U)};
  size.resize(*rc::gen::inRange<std::size_t>(1, 4));
  std::rotate(size.begin(),
              size.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(size.size())),
              size.end());
  auto order = first_order(size.size());
  for (unsigned k = *rc::gen::inRange(0U, 6U); k > 0; --k) std::next_permutation(order.begin(), order.end());
  const grid_rule rule = rule_of(size, order, *rc::gen::inRange(1U, 4U));
  RC_ASSERT(packed_dimension_order::fits(rule));

  router_id here = 0, there = 0;
  for (std::size_t d = 0; d < size.size(); ++d) {
    const auto any = rc::gen::oneOf(rc::gen::element(0U, size[d] - 1), rc::gen::inRange(0U, size[d]));
    const std::uint32_t from = *any;
    here += from * rule.stride[d];
    there += *rc::gen::oneOf(rc::gen::just(from), any) * rule.stride[d];
  }
  const auto in_port = *rc::gen::inRange(0U, MaxPorts);
  RC_ASSERT(by_words(rule, here, there, in_port) == by_rule(rule, here, there, in_port));
}

TEST(unit_engine_packed_dimension_order, fits_no_other_routing_rule) {
  const grid_rule mesh = rule_of({4, 4}, {0, 1}, 1);
  const auto fits = [&](auto change) {
    grid_rule rule = mesh;
    change(rule);
    return packed_dimension_order::fits(rule);
  };
  EXPECT_TRUE(fits([](grid_rule&) {}));
  EXPECT_FALSE(fits([](grid_rule& r) { r.rings = true; }));
  EXPECT_FALSE(fits([](grid_rule& r) { r.nodes = 2; }));
  EXPECT_FALSE(fits([](grid_rule& r) { r.dimensions = 4; }));
  EXPECT_FALSE(fits([](grid_rule& r) { r.size[1] = (1U << 15) + 1; }));
  EXPECT_FALSE(fits([](grid_rule& r) { r.algorithm = grid_algorithm::O1Turn; }));
}

}  // namespace
}  // namespace weft::engine
