// SPDX-License-Identifier: Apache-2.0
/// Route computation: its answers and their cycles.
#include "weft/pin/router/route_computation.h"

#include "levels/bench.h"
#include <array>
#include <memory>
#include <vector>

#include "weft/pin/router/route_memory.h"

namespace weft::pin {
namespace {

/// Packets for node n leave by port n mod 5, on the VCs of mask n + 1.
route_rule table_of(unsigned nodes) {
  std::vector<route> by_destination;
  for (unsigned n = 0; n < nodes; ++n) by_destination.push_back({static_cast<std::uint8_t>(n % 5), n + 1});
  return table_rule(by_destination);
}

class route_bench : public bench {
 public:
  explicit route_bench(unsigned ports, const route_rule& rule, bool lookahead = false)
      : head("head", ports),
        routes("route", ports),
        dut(make_route_computation("dut", ports, rule, MaxVcs, lookahead)) {
    clock(*dut);
    dut->head_i.bind(head);
    dut->route_o.bind(routes);
    start();
  }
  sc_core::sc_vector<sc_core::sc_signal<head_announcement>> head;
  sc_core::sc_vector<sc_core::sc_signal<route_announcement>> routes;
  std::unique_ptr<route_computation> dut;
};

TEST(levels_pin_route_computation, outputs_a_route_one_cycle_later_for_one_cycle) {
  route_bench b(3, table_of(16));
  head_announcement h;
  announce(h, 1, 3, 7, 20);
  b.head[2].write(h);
  b.settle();
  EXPECT_EQ(b.routes[2].read(), route_announcement());
  b.step();
  b.head[2].write(head_announcement());
  route_announcement r;
  answer(r, 1, 3, {2, 8}, 20);
  EXPECT_EQ(b.routes[2].read(), r);
  EXPECT_EQ(b.routes[0].read(), route_announcement());
  b.step();
  EXPECT_EQ(b.routes[2].read(), route_announcement());
}

TEST(levels_pin_route_computation, outputs_a_route_in_the_same_cycle_with_lookahead) {
  route_bench b(3, table_of(16), true);
  head_announcement h;
  announce(h, 1, 3, 7, 20);
  b.head[2].write(h);
  b.settle();
  route_announcement r;
  answer(r, 1, 3, {2, 8}, 20);
  EXPECT_EQ(b.routes[2].read(), r);
  EXPECT_EQ(b.routes[0].read(), route_announcement());
  b.step();
  b.head[2].write(head_announcement());
  b.settle();
  EXPECT_EQ(b.routes[2].read(), route_announcement());
}

TEST(levels_pin_route_computation, route_depends_on_the_input_port) {
  grid_rule rule;  // two local ports: the number of the input port selects the one by which a flit leaves
  rule.dimensions = 1;
  rule.size = {4};
  rule.stride = {1};
  rule.here = {1};
  rule.local_ports = 2;
  rule.vcs = 0b11;
  route_bench b(4, rule);
  for (unsigned port = 0; port < 4; ++port) {
    head_announcement h;
    announce(h, 0, 0, 1, 1);
    announce(h, 1, 1, port, 1);
    b.head[port].write(h);
  }
  b.step();
  const std::array<std::uint8_t, 4> towards{1, 3, 0, 0};  // node 0: -x, node 1: local port 1, nodes 2 and 3: +x
  for (unsigned port = 0; port < 4; ++port) {
    EXPECT_EQ(route_of(b.routes[port].read(), 0), (route{static_cast<std::uint8_t>(2 + port % 2), 0b11})) << port;
    EXPECT_EQ(route_of(b.routes[port].read(), 1), (route{towards[port], 0b11})) << port;
  }
}

TEST(levels_pin_route_computation, routes_every_head_of_random_traffic) {
  constexpr unsigned Ports = 5, Nodes = 40;
  random_numbers random;
  route_bench b(Ports, table_of(Nodes));
  unsigned answered = 0;
  std::vector<route_announcement> due(Ports);
  for (unsigned cycle = 0; cycle < 3000; ++cycle) {
    for (unsigned port = 0; port < Ports; ++port) {
      head_announcement h;
      due[port] = route_announcement();
      for (unsigned slot = 0; slot < head_announcement::Slots; ++slot) {
        if (!random.chance(0.3)) continue;
        const node_id to = random.below(Nodes);
        announce(h, slot, random.below(MaxVcs), to, random.below(100));
        answer(due[port], slot, h.vc[slot], {static_cast<std::uint8_t>(to % 5), to + 1}, h.flits[slot]);
        ++answered;
      }
      b.head[port].write(h);
    }
    b.step();
    for (unsigned port = 0; port < Ports; ++port) ASSERT_EQ(b.routes[port].read(), due[port]) << "cycle " << cycle;
  }
  EXPECT_GT(answered, 6000U);
}

/// A table with several rows, layers and choices.
table_rule any_table(random_numbers& random, unsigned nodes) {
  const unsigned rows = 3, layers = 1 + random.below(4);
  table_rule table;
  for (unsigned row = 0; row < rows; ++row) {
    std::vector<route> by_destination;
    for (unsigned n = 0; n < nodes; ++n)
      by_destination.push_back({random.below(2), random.below(16), random.below(4), random.below(2)});
    table.add_row(by_destination);
  }
  for (unsigned vc = 0; vc < 4; ++vc) table.use_row(1, vc, random.below(rows));
  if (random.chance(0.5))
    table.divide(layers);
  else
    table.divide(std::vector<unsigned>{1 + random.below(2), 1 + random.below(2), 2 + random.below(3)});
  return table;
}

route_query any_query(random_numbers& random, unsigned nodes, unsigned layers) {
  return {random.below(2), random.below(4), random.below(nodes), random.below(layers)};
}

TEST(levels_pin_route_computation, route_memory_equals_its_table) {
  random_numbers random;
  for (unsigned nodes = 1; nodes <= 256 / 3; ++nodes) {
    const table_rule table = any_table(random, nodes);
    const route_memory<256> memory(table);
    for (unsigned i = 0; i < 200; ++i) {
      const route_query q = any_query(random, nodes, table.layers());
      ASSERT_EQ(memory.answer(q), table.answer(q))
          << nodes << " nodes, from port " << q.in_port << " to node " << q.destination;
    }
  }
}

TEST(levels_pin_route_computation, supports_a_table_of_2000_nodes) {
  constexpr unsigned Nodes = 2000;  // more than 4,096 entries in three rows
  random_numbers random;
  const table_rule table = any_table(random, Nodes);
  route_bench b(2, table);
  for (unsigned cycle = 0; cycle < 3000; ++cycle) {
    const route_query q = any_query(random, Nodes, table.layers());
    head_announcement h;
    announce(h, 0, q.in_vc, q.destination, 1, q.path_id);
    b.head[q.in_port].write(h);
    b.step();
    b.head[q.in_port].write(head_announcement());
    ASSERT_EQ(route_of(b.routes[q.in_port].read(), 0), table.answer(q)) << "cycle " << cycle;
  }
}

TEST(levels_pin_route_computation, reset_withdraws_routes_without_clock_edge) {
  route_bench b(2, table_of(4));
  head_announcement h;
  announce(h, 0, 0, 1, 1);
  b.head[0].write(h);
  b.step();
  b.head[0].write(head_announcement());
  ASSERT_TRUE(asserted(b.routes[0].read()));
  b.assert_reset();
  EXPECT_EQ(b.routes[0].read(), route_announcement());
  b.release_reset();
  EXPECT_EQ(b.routes[0].read(), route_announcement());
  b.head[0].write(h);
  b.step();
  EXPECT_TRUE(asserted(b.routes[0].read()));
}

}  // namespace
}  // namespace weft::pin
