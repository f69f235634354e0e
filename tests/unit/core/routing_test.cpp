// SPDX-License-Identifier: Apache-2.0
#include "weft/core/routing.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft {
namespace {

/// A mesh of some shape, with the routing rule of each router.
struct mesh {
  std::vector<std::uint32_t> size;
  std::vector<std::uint8_t> order;
  unsigned local_ports = 1;

  unsigned dimensions() const { return static_cast<unsigned>(size.size()); }
  std::uint32_t stride(unsigned d) const {
    return std::accumulate(size.begin(), size.begin() + d, 1U, std::multiplies<>());
  }
  std::uint32_t routers() const { return stride(dimensions()); }
  std::vector<std::uint32_t> coordinates(node_id n) const {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t s : size) {
      result.push_back(n % s);
      n /= s;
    }
    return result;
  }
  grid_rule rule_of(node_id router) const {
    grid_rule rule;
    rule.dimensions = dimensions();
    rule.local_ports = local_ports;
    rule.vcs = 0b101;
    const auto here = coordinates(router);
    for (unsigned d = 0; d < dimensions(); ++d) {
      rule.size[d] = size[d];
      rule.stride[d] = stride(d);
      rule.here[d] = here[d];
      rule.order[d] = order[d];
    }
    return rule;
  }
};

mesh random_mesh() {
  mesh m;
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, grid_rule::MaxDimensions + 1);
  for (std::size_t d = 0; d < dimensions; ++d) m.size.push_back(*rc::gen::inRange(1U, 6U));
  std::vector<std::uint8_t> left(dimensions);
  std::iota(left.begin(), left.end(), std::uint8_t{0});
  while (!left.empty()) {
    const auto pick = left.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(left.size()));
    m.order.push_back(*pick);
    left.erase(pick);
  }
  m.local_ports = *rc::gen::inRange(1U, 4U);
  return m;
}

TEST(unit_core_dimension_order, corrects_x_before_y) {
  const mesh m{{4, 3}, {0, 1}};
  const grid_rule rule = m.rule_of(5);                   // (1, 1)
  EXPECT_EQ(rule.answer({0, 0, 7}), (route{0, 0b101}));  // (3, 1): +x
  EXPECT_EQ(rule.answer({0, 0, 8}), (route{1, 0b101}));  // (0, 2): -x first
  EXPECT_EQ(rule.answer({0, 0, 9}), (route{2, 0b101}));  // (1, 2): +y
  EXPECT_EQ(rule.answer({0, 0, 1}), (route{3, 0b101}));  // (1, 0): -y
  EXPECT_EQ(rule.answer({0, 0, 5}), (route{4, 0b101}));  // (1, 1): local
}

TEST(unit_core_dimension_order, corrects_y_before_x_when_the_order_is_yx) {
  const mesh m{{4, 3}, {1, 0}};
  EXPECT_EQ(m.rule_of(5).answer({0, 0, 8}).port, 2);
  EXPECT_EQ(m.rule_of(5).answer({0, 0, 7}).port, 0);
}

TEST(unit_core_dimension_order, input_port_selects_the_local_port) {
  mesh m{{2, 2}, {0, 1}};
  m.local_ports = 3;
  for (unsigned in_port = 0; in_port < 7; ++in_port)
    EXPECT_EQ(m.rule_of(3).answer({in_port, 0, 3}).port, 4 + in_port % 3) << in_port;
}

RC_GTEST_PROP(unit_core_dimension_order, matches_a_reference_implementation, ()) {
  const mesh m = random_mesh();
  const auto here = *rc::gen::inRange<node_id>(0, m.routers());
  const auto there = *rc::gen::inRange<node_id>(0, m.routers());
  const auto in_port = *rc::gen::inRange(0U, MaxPorts);
  const auto a = m.coordinates(here);
  const auto b = m.coordinates(there);
  unsigned expected = 2 * m.dimensions() + in_port % m.local_ports;
  for (const unsigned d : m.order) {
    if (a[d] == b[d]) continue;
    expected = b[d] > a[d] ? 2 * d : 2 * d + 1;
    break;
  }
  const route r = m.rule_of(here).answer({in_port, *rc::gen::inRange(0U, MaxVcs), there});
  RC_ASSERT(r.port == expected);
  RC_ASSERT(r.vcs == vc_set{0b101});
}

RC_GTEST_PROP(unit_core_dimension_order, follows_a_shortest_path_one_dimension_at_a_time, ()) {
  const mesh m = random_mesh();
  const auto source = *rc::gen::inRange<node_id>(0, m.routers());
  const auto destination = *rc::gen::inRange<node_id>(0, m.routers());
  const auto from = m.coordinates(source);
  const auto to = m.coordinates(destination);
  unsigned distance = 0;
  for (unsigned d = 0; d < m.dimensions(); ++d) distance += from[d] > to[d] ? from[d] - to[d] : to[d] - from[d];

  node_id here = source;
  std::vector<std::size_t> turns;  // for each hop, the index of its dimension in the order of dimensions
  while (true) {
    const unsigned port = m.rule_of(here).answer({0, 0, destination}).port;
    if (port >= 2 * m.dimensions()) break;
    const unsigned d = port / 2;
    here = port % 2 == 0 ? here + m.stride(d) : here - m.stride(d);
    turns.push_back(static_cast<std::size_t>(std::find(m.order.begin(), m.order.end(), d) - m.order.begin()));
    RC_ASSERT(turns.size() <= distance);
  }
  RC_ASSERT(here == destination);
  RC_ASSERT(turns.size() == distance);
  RC_ASSERT(std::is_sorted(turns.begin(), turns.end()));
}

TEST(unit_core_route_rule, may_hold_a_table_or_dimension_order_rule) {
  route_rule rule = mesh{{2}, {0}}.rule_of(0);
  EXPECT_EQ(rule.answer({0, 0, 1}), (route{0, 0b101}));
  rule = table_rule({{3, 0b1}, {2, 0b10}});
  EXPECT_EQ(rule.answer({0, 0, 0}), (route{3, 0b1}));
  EXPECT_EQ(rule.answer({5, 1, 1}), (route{2, 0b10}));
}

TEST(unit_core_table_rule, stores_row_with_few_runs_as_runs) {
  constexpr std::size_t Destinations = 1'000'000;
  table_rule table;
  table.add_row({0, 7, 500'000}, {{3, 0b1}, {2, 0b10}, {3, 0b1}}, Destinations);
  table.add_row({{1, 0b1}, {0, 0b1}, {1, 0b1}, {1, 0b1}});  // stored as one byte per destination
  EXPECT_EQ(table.parts(0), 3U);
  EXPECT_EQ(table.parts(1), 4U);
  for (unsigned row = 0; row < table.rows(); ++row) {
    std::size_t part = 0;
    for (node_id to = 0; to < table.destinations(row); ++to) {
      if (part + 1 < table.parts(row) && table.part_begin(row, part + 1) == to) ++part;
      ASSERT_EQ(table.entry(row, to), table.part_entry(row, part)) << row << ' ' << to;
    }
    EXPECT_EQ(part + 1, table.parts(row));
  }
}

TEST(unit_core_table_rule, each_layer_has_its_assigned_vcs) {
  table_rule table({{3, 0b111111}, {2, 0b000111}});
  table.divide({3, 1, 2});
  const auto vcs = [&](node_id to, std::uint64_t layer) { return table.answer({0, 0, to, layer}).vcs; };
  EXPECT_EQ(vcs(0, 0), 0b000111U);
  EXPECT_EQ(vcs(0, 1), 0b001000U);
  EXPECT_EQ(vcs(0, 2), 0b110000U);
  EXPECT_EQ(vcs(1, 0), 0b000111U);
  EXPECT_EQ(vcs(1, 1), 0U);
  table.divide(3);
  EXPECT_EQ(vcs(0, 0), 0b000011U);
  EXPECT_EQ(vcs(1, 2), 0b000100U);
  table_rule even = table;
  even.divide({2, 2, 2});
  EXPECT_EQ(even, table);
  EXPECT_THROW(table.divide({2, 0}), std::invalid_argument);
  EXPECT_THROW(table.divide({16, 1}), std::invalid_argument);
  EXPECT_THROW(table.divide(std::vector<unsigned>()), std::invalid_argument);
}

}  // namespace
}  // namespace weft
