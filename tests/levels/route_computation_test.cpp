// SPDX-License-Identifier: Apache-2.0
/// Route computation: what it answers, and when.
#include "weft/pin/router/route_computation.h"

#include "levels/bench.h"
#include <array>
#include <vector>

namespace weft::pin {
namespace {

/// Node n is reached by port n mod 5, by VCs n + 1.
route_rule table_of(unsigned nodes) {
  std::vector<route> by_destination;
  for (unsigned n = 0; n < nodes; ++n) by_destination.push_back({static_cast<std::uint8_t>(n % 5), n + 1});
  return table_rule(by_destination);
}

class route_bench : public bench {
 public:
  explicit route_bench(unsigned ports, const route_rule& rule)
      : head("head", ports), routes("route", ports), dut("dut", ports, rule) {
    clock(dut);
    dut.head_i.bind(head);
    dut.route_o.bind(routes);
    start();
  }
  sc_core::sc_vector<sc_core::sc_signal<head_announcement>> head;
  sc_core::sc_vector<sc_core::sc_signal<route_announcement>> routes;
  route_computation dut;
};

TEST(levels_pin_route_computation, answers_one_cycle_later_for_one_cycle) {
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

TEST(levels_pin_route_computation, knows_by_which_port_a_head_came) {
  grid_rule rule;  // two local ports: a flit leaves by the one of the number by which it came
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
    EXPECT_EQ(b.routes[port].read().wanted(0), (route{static_cast<std::uint8_t>(2 + port % 2), 0b11})) << port;
    EXPECT_EQ(b.routes[port].read().wanted(1), (route{towards[port], 0b11})) << port;
  }
}

TEST(levels_pin_route_computation, answers_every_head_of_random_traffic) {
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

TEST(levels_pin_route_computation, reset_takes_answers_back_without_a_clock_edge) {
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
