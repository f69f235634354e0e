// SPDX-License-Identifier: Apache-2.0
// The schedule of every construction passes check() and has the number of steps of its formula.
#include "weft/collectives/schedule/constructions/constructions.h"

#include "unit/schedule/networks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/constructions/euler_ring.h"
#include "weft/collectives/schedule/constructions/fat_tree_rounds.h"
#include "weft/collectives/schedule/constructions/flow_scatter.h"
#include "weft/collectives/schedule/constructions/gossip.h"
#include "weft/collectives/schedule/constructions/greedy.h"
#include "weft/collectives/schedule/constructions/grid_product.h"
#include "weft/collectives/schedule/constructions/halving.h"
#include "weft/collectives/schedule/constructions/line_patterns.h"
#include "weft/collectives/schedule/constructions/ring_of_groups.h"
#include "weft/topology/generators/random_graph.h"

namespace weft::schedule {
namespace {

constexpr auto Minimal = path_rule::Minimal;
constexpr auto Any = path_rule::Any;
constexpr auto Broadcast = operation::Broadcast;
constexpr auto Scatter = operation::Scatter;

/// The number of steps of a schedule that passes check(); 0 and a failure if there is no schedule.
std::size_t steps(const method& m, const step_network& network, const collective& requested,
                  path_rule paths = Minimal) {
  const problem p{network, checked(requested, network), paths, false};
  const std::string why = m.unfit(p);
  EXPECT_EQ(why, "") << m.name;
  if (!why.empty()) return 0;
  const search_result found = m.run(p, {});
  EXPECT_TRUE(found.found.has_value()) << m.name;
  if (!found.found) return 0;
  const auto violations = check(p, *found.found);
  EXPECT_TRUE(violations.empty()) << m.name << ": " << (violations.empty() ? "" : violations.front().text);
  return found.found->steps.size();
}

std::string unfit(const method& m, const step_network& network, const collective& requested,
                  path_rule paths = Minimal) {
  return m.unfit({network, checked(requested, network), paths, false});
}

std::size_t log2_up(std::size_t n) {
  std::size_t log = 0;
  while ((std::size_t{1} << log) < n) ++log;
  return log;
}

TEST(unit_schedule_constructions, halving_takes_log2_steps_on_one_port) {
  for (std::uint32_t x = 2; x <= 7; ++x) {
    for (std::uint32_t y = 1; y <= 7; ++y) {
      const step_network network(y == 1 ? mesh({x}) : mesh({x, y}));
      for (node_id root = 0; root < network.nodes(); root += 5) {
        const collective requested = one_to_all(Broadcast, root, network.nodes());
        EXPECT_EQ(steps(halving(), network, requested, Any), log2_up(network.nodes())) << x << 'x' << y << ' ' << root;
      }
    }
  }
  for (const auto& t : {ring(8), h_rings({4, 4}), h_rings({4, 4, 4}), mesh({6, 6}), xgft12(), ft32(), octagon(8, 2)}) {
    const step_network network(t, OnePort);
    EXPECT_EQ(steps(halving(), network, one_to_all(Broadcast, 1, network.nodes())), log2_up(network.nodes())) << t.kind;
  }
  const step_network network(mesh({5, 5}));
  EXPECT_EQ(steps(halving(), network, {Broadcast, {3}, {0, 4, 7, 12, 20, 21, 24}}, Any), 3U);
  EXPECT_NE(unfit(halving(), network, all_to_all(Broadcast, 25)), "");
  EXPECT_NE(unfit(halving(), step_network(ring(5, true)), one_to_all(Broadcast, 0, 5)), "");
}

TEST(unit_schedule_constructions, rotation_takes_one_step_per_other_node) {
  for (std::uint32_t n = 2; n <= 9; ++n) {
    EXPECT_EQ(steps(euler_ring(), step_network(ring(n)), all_to_all(Broadcast, n)), n - 1) << n;
    if (n > 2) {
      EXPECT_EQ(steps(euler_ring(), step_network(ring(n, true)), all_to_all(Broadcast, n)), n - 1) << n;
    }
    for (std::uint32_t m = 2; m <= 6; ++m) {
      const std::uint32_t nodes = n * m;
      EXPECT_EQ(steps(euler_ring(), step_network(mesh({n, m})), all_to_all(Broadcast, nodes)), nodes - 1)
          << n << 'x' << m;
    }
  }
  for (const auto& t : {ft8(), xgft12(), ft32(), h_rings({4, 4}), h_rings({4, 4, 4}), octagon(8), octagon(8, 2)}) {
    const step_network network(t, OnePort);
    EXPECT_EQ(steps(euler_ring(), network, all_to_all(Broadcast, network.nodes())), network.nodes() - 1) << t.kind;
  }
  const step_network network(octagon(8, 2));
  EXPECT_EQ(steps(euler_ring(), network, {Broadcast, {0, 2, 3, 4, 5, 6, 7, 8}, {0, 2, 3, 4, 5, 6, 7, 8}}, Any), 7U);
}

TEST(unit_schedule_constructions, gossip_meets_the_port_bound) {
  const auto bound = [](const step_network& n) {
    std::size_t ports = n.ports_in(0);
    for (node_id i = 0; i < n.nodes(); ++i) ports = std::min<std::size_t>(ports, n.ports_in(i));
    return (n.nodes() - 1 + ports - 1) / ports;
  };
  for (const auto& t : {mesh({2, 4}), mesh({3, 3}), mesh({3, 4}), mesh({4, 4}), mesh({4, 8}), torus({4, 4}), gft16()}) {
    const step_network network(t, AllPorts);
    EXPECT_EQ(steps(gossip(), network, all_to_all(Broadcast, network.nodes())), bound(network)) << t.kind;
  }
  EXPECT_NE(unfit(gossip(), step_network(mesh({3, 3})), all_to_all(Broadcast, 9)), "");
}

TEST(unit_schedule_constructions, one_to_all_scatter_meets_the_flow_bound) {
  const auto all = [](const topology& t, node_id root, path_rule paths) {
    const step_network network(t, AllPorts);
    return steps(flow_scatter(), network, one_to_all(Scatter, root, network.nodes()), paths);
  };
  EXPECT_EQ(all(mesh({2, 4}), 0, Minimal), 4U);
  EXPECT_EQ(all(mesh({4, 4}), 0, Minimal), 8U);
  EXPECT_EQ(all(mesh({4, 4}), 5, Minimal), 4U);
  EXPECT_EQ(all(mesh({4, 4}), 1, Minimal), 6U);  // a mesh node at an edge: its shortest paths share links
  EXPECT_EQ(all(mesh({4, 4}), 1, Any), 5U);
  EXPECT_EQ(all(gft16(), 3, Minimal), 8U);
  const step_network network(mesh({9, 7}));
  EXPECT_EQ(steps(flow_scatter(), network, one_to_all(Scatter, 31, 63)), 62U);
  EXPECT_EQ(steps(flow_scatter(), network, {Broadcast, {1, 2, 3, 40, 62}, {9}}), 5U);
}

TEST(unit_schedule_constructions, list_scheduling_broadcasts_through_all_ports) {
  const auto all = [](const topology& t, node_id root) {
    const step_network network(t, AllPorts);
    return steps(greedy(), network, one_to_all(Broadcast, root, network.nodes()));
  };
  EXPECT_EQ(all(mesh({2, 4}), 0), 2U);
  EXPECT_EQ(all(mesh({3, 3}), 0), 2U);
  EXPECT_EQ(all(mesh({4, 4}), 0), 3U);
  EXPECT_EQ(all(mesh({4, 8}), 0), 3U);
  EXPECT_EQ(all(gft9(), 0), 2U);
  EXPECT_EQ(all(gft16(), 0), 3U);
}

/// Every pair of positions occurs once, no channel twice in a part, no position twice in a class.
void expect_classes(line_kind kind, std::uint32_t length) {
  std::vector<unsigned> pairs(length * length, 0);
  for (const line_class& set : line_classes(kind, length)) {
    std::vector<unsigned> from(length, 0), to(length, 0);
    for (const line_part& part : set) {
      std::vector<unsigned> up(length, 0), down(length, 0);
      for (const line_piece& piece : part) {
        for (const line_move& m : piece) {
          ++pairs[m.from * length + m.to];
          EXPECT_EQ(++from[m.from], 1U);
          EXPECT_EQ(++to[m.to], 1U);
          for (std::uint32_t at = m.from; at != m.to; at = (at + (m.up ? 1 : length - 1)) % length) {
            EXPECT_EQ(++(m.up ? up : down)[at], 1U) << length;
            if (kind == line_kind::Line) {
              EXPECT_NE(at, m.up ? length - 1 : 0) << length;
            }
          }
        }
      }
    }
  }
  for (const unsigned count : pairs) EXPECT_EQ(count, 1U) << length;
}

TEST(unit_schedule_constructions, line_patterns_contain_each_pair_once) {
  for (std::uint32_t length = 1; length <= 24; ++length) {
    expect_classes(line_kind::Line, length);
    if (length < 3) continue;
    expect_classes(line_kind::Ring, length);
    expect_classes(line_kind::OneWayRing, length);
  }
}

TEST(unit_schedule_constructions, grid_products_take_the_known_step_counts) {
  const auto grid = [](const topology& t, port_rule ports = {}) {
    const step_network network(t, ports);
    return steps(grid_product(), network, all_to_all(Scatter, network.nodes()));
  };
  EXPECT_EQ(grid(mesh({4, 4})), 16U);
  EXPECT_EQ(grid(mesh({6, 6})), 54U);
  EXPECT_EQ(grid(mesh({8, 8})), 128U);
  EXPECT_EQ(grid(mesh({8, 4})), 64U);
  EXPECT_EQ(grid(mesh({4, 8}), AllPorts), 64U);
  EXPECT_EQ(grid(mesh({3, 3}), AllPorts), 6U);
  EXPECT_EQ(grid(mesh({3, 4}), AllPorts), 12U);
  EXPECT_EQ(grid(torus({4, 4})), 15U);
  EXPECT_EQ(grid(torus({8, 8})), 64U);
  for (unsigned d = 1; d <= 6; ++d) EXPECT_EQ(grid(hypercube(d)), (std::size_t{1} << d) - 1);
  for (std::uint32_t n = 3; n <= 8; ++n) EXPECT_EQ(grid(ring(n, true)), n * (n - 1) / 2) << n;
  EXPECT_EQ(grid(ring(4)), 3U);
  EXPECT_EQ(grid(ring(8)), 8U);
  EXPECT_EQ(grid(ring(16)), 32U);
  for (std::uint32_t n = 4; n <= 16; n += 4) EXPECT_EQ(grid(mesh({n})), n * n / 4) << n;
}

TEST(unit_schedule_constructions, grid_products_fit_any_grid_and_node_set) {
  for (std::uint32_t x = 2; x <= 7; ++x) {
    for (std::uint32_t y = 2; y <= 5; ++y) {
      steps(grid_product(), step_network(mesh({x, y})), all_to_all(Scatter, x * y));
      steps(grid_product(), step_network(torus({x, y})), all_to_all(Scatter, x * y));
    }
  }
  steps(grid_product(), step_network(mesh({3, 4, 2})), all_to_all(Scatter, 24));
  steps(grid_product(), step_network(torus({5, 5})), {Scatter, {0, 7, 9}, {1, 2, 7, 20, 24}});
  EXPECT_NE(unfit(grid_product(), step_network(octagon(8)), all_to_all(Scatter, 8)), "");
}

TEST(unit_schedule_constructions, fat_tree_rounds_meet_the_port_and_cut_bounds) {
  const auto tree = [](const topology& t, operation what = Scatter, port_rule ports = {}) {
    const step_network network(t, ports);
    return steps(fat_tree_rounds(), network, all_to_all(what, network.nodes()));
  };
  EXPECT_EQ(tree(ft8()), 7U);
  EXPECT_EQ(tree(gft9()), 3U);
  EXPECT_EQ(tree(gft9(), Broadcast), 3U);
  EXPECT_EQ(tree(gft9(), Scatter, OnePort), 8U);
  EXPECT_EQ(tree(xgft12()), 14U);
  EXPECT_EQ(tree(gft16()), 12U);
  EXPECT_EQ(tree(ft32()), 31U);
  // P nodes, m of them at a router with w upward channels: the ports or the cut around the router limit the steps.
  for (std::uint32_t m = 2; m <= 5; ++m) {
    for (std::uint32_t routers = 2; routers <= 4; ++routers) {
      for (std::uint32_t w = 1; w <= 3; ++w) {
        const std::uint32_t nodes = m * routers, cut = (m * (nodes - m) + w - 1) / w;
        EXPECT_EQ(tree(fat_tree({{m, routers}, {1, w}})), std::max(nodes - 1, cut)) << m << ' ' << routers << ' ' << w;
      }
    }
  }
  const step_network network(ft32());
  EXPECT_EQ(steps(fat_tree_rounds(), network, {Scatter, {0, 1, 2, 3}, {3, 4, 5, 6, 7, 20, 31}}), 7U);
  EXPECT_NE(unfit(fat_tree_rounds(), step_network(gft16()), {Scatter, {0, 1}, {2, 3}}), "");
  EXPECT_NE(unfit(fat_tree_rounds(), step_network(mesh({4, 4})), all_to_all(Scatter, 16)), "");
}

TEST(unit_schedule_constructions, ring_of_groups_meets_the_bisection_bound) {
  const auto rings = [](const topology& t) {
    const step_network network(t);
    return steps(ring_of_groups(), network, all_to_all(Scatter, network.nodes()));
  };
  EXPECT_EQ(rings(h_rings({4, 4})), 32U);
  EXPECT_EQ(rings(h_rings({4, 4, 4})), 512U);
  EXPECT_EQ(rings(h_rings({4, 4, 4}, ring_representative::Corner)), 512U);
  EXPECT_EQ(rings(h_rings({4, 3})), 16U);
  EXPECT_EQ(rings(h_rings({4, 8})), 128U);
  EXPECT_NE(unfit(ring_of_groups(), step_network(mesh({4, 4})), all_to_all(Scatter, 16)), "");
}

RC_GTEST_PROP(unit_schedule_constructions, applicable_methods_pass_the_check_on_random_graphs, ()) {
  random_graph_parameters parameters;
  parameters.routers = 2 * *rc::gen::inRange(3U, 7U);
  parameters.degree = *rc::gen::inRange(3U, 5U);
  parameters.seed = *rc::gen::arbitrary<std::uint32_t>();
  const step_network network(make_random_graph(parameters), *rc::gen::element(port_rule{}, AllPorts));
  const auto some = [&] {
    std::vector<node_id> all;
    for (node_id n = 0; n < network.nodes(); ++n) {
      if (*rc::gen::arbitrary<bool>()) all.push_back(n);
    }
    return all;
  };
  collective requested{*rc::gen::element(Broadcast, Scatter), some(), some()};
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      requested.senders = {*rc::gen::inRange<node_id>(0, static_cast<node_id>(network.nodes()))};
      break;
    case 1:
      requested = all_to_all(requested.what, network.nodes());
      break;
    default:
      break;
  }
  RC_PRE(!demands_of(requested).empty());
  const problem p{network, requested, *rc::gen::element(Minimal, Any), false};
  std::size_t best = 0;
  for (const method* m : constructions()) {
    if (!m->unfit(p).empty()) continue;
    const search_result found = m->run(p, {});
    RC_ASSERT(found.found.has_value());
    RC_ASSERT(check(p, *found.found).empty());
    best = best == 0 ? found.found->steps.size() : std::min(best, found.found->steps.size());
  }
  const best_result chosen = best_construction(p, {});
  RC_ASSERT(chosen.found && chosen.found->steps.size() == best);
  RC_ASSERT(best_construction(p, {}).found->steps.size() == best);
}

}  // namespace
}  // namespace weft::schedule
