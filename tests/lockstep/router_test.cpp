// SPDX-License-Identifier: Apache-2.0
/// Compares the router in SystemVerilog, and every module in it, with the pin level in lockstep, with random packets.
/// The variants have several values of S, of ports, VCs and depths, both kinds of flow control, and all routing rules.
/// There are resets in the middle of a run.
#include "Vrouter_cube_s4.h"
#include "Vrouter_cube_s4___024root.h"
#include "Vrouter_cube_s5_cut_through.h"
#include "Vrouter_cube_s5_cut_through___024root.h"
#include "Vrouter_kinds_s3_cut_through.h"
#include "Vrouter_kinds_s3_cut_through___024root.h"
#include "Vrouter_kinds_s4.h"
#include "Vrouter_kinds_s4___024root.h"
#include "Vrouter_kinds_s5.h"
#include "Vrouter_kinds_s5___024root.h"
#include "Vrouter_ring_s5_cut_through.h"
#include "Vrouter_ring_s5_cut_through___024root.h"
#include "Vrouter_row_classes_s3.h"
#include "Vrouter_row_classes_s3___024root.h"
#include "Vrouter_small_table_s4.h"
#include "Vrouter_small_table_s4___024root.h"
#include "Vrouter_source_s9_cut_through.h"
#include "Vrouter_source_s9_cut_through___024root.h"
#include "Vrouter_table_s3.h"
#include "Vrouter_table_s3___024root.h"
#include "Vrouter_table_s4.h"
#include "Vrouter_table_s4___024root.h"
#include "Vrouter_table_s4_cut_through.h"
#include "Vrouter_table_s4_cut_through___024root.h"
#include "Vrouter_torus_s7.h"
#include "Vrouter_torus_s7___024root.h"
#include "Vrouter_tree_by_path_id_s3.h"
#include "Vrouter_tree_by_path_id_s3___024root.h"
#include "Vrouter_tree_s4.h"
#include "Vrouter_tree_s4___024root.h"
#include "lockstep/fixture.h"
#include "lockstep/router_bench.h"
#include <algorithm>
#include <string>

#include <gmock/gmock.h>

#include "weft/cosim/router_shapes.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t RouterCycles = 4000;  // of each load

/// Pairs of loads: nearly idle, moderate, full with a fast receiver, full with a slow one.
struct load {
  double offered, drained;
};
constexpr load Loads[] = {{0.05, 1}, {0.4, 0.6}, {1, 1}, {1, 0.25}};

class lockstep_router : public lockstep_test {
 protected:
  static router_parameters parameters_of(const tb::router_shape& s, unsigned vcs, unsigned depth) {
    router_parameters p;
    p.vcs = vcs;
    p.depth = depth;
    p.pipeline = s.pipeline;
    p.flow = s.cut_through ? flow_control::VirtualCutThrough : flow_control::Wormhole;
    p.classes = s.classes;
    p.vc_allocator = s.vc_allocator;
    p.switch_allocator = s.switch_allocator;
    return p;
  }

  /// Random depths of the next buffers; under cut-through every packet fits. Some ports have no limit.
  std::vector<unsigned> depths_of(const tb::router_shape& s, unsigned ports, unsigned depth) {
    std::vector<unsigned> depths;
    for (unsigned port = 0; port < ports; ++port)
      depths.push_back(random.chance(0.2) ? 0 : random.between(s.cut_through ? depth : 1, s.output_depth));
    return depths;
  }

  /// Random numbers of phits, if the RTL supports narrow channels.
  std::vector<unsigned> phits_of(const tb::router_shape& s, unsigned ports) {
    std::vector<unsigned> phits(ports, 1);
    if (s.narrow && random.chance(0.5))
      for (unsigned& each : phits) each = random.chance(0.5) ? 1 : random.between(2, 5);
    return phits;
  }

  /// Runs all loads, each after a reset in the middle of the traffic of the previous one.
  template <class Bench>
  void run(Bench& bench) {
    for (const load& l : Loads) ASSERT_EQ(bench.run(cycles(RouterCycles), l.offered, l.drained), "") << seed_note();
    const router_traffic& did = bench.traffic();
    EXPECT_GT(did.accepted, cycles(RouterCycles) / 4);
    EXPECT_GT(did.sent, did.accepted / 2);
    EXPECT_GT(did.waits, cycles(RouterCycles) / 100);
    EXPECT_GT(did.stalls, cycles(RouterCycles) / 100);
  }

  /// Tests a router with a random table for each input VC and destination. It has \p ports ports and \p vcs VCs
  /// of \p depth flits; further ports and VCs of the RTL are idle. The source selects one of \p layers path
  /// ids.
  template <class Model>
  void by_table(const tb::router_shape& s, unsigned ports, unsigned vcs, unsigned depth, unsigned layers = 1) {
    router_traffic traffic;
    traffic.path_id_count = layers;
    traffic.nodes = random.between(16, s.destinations);
    traffic.longest = s.cut_through ? depth : 12;
    traffic.depths = depths_of(s, ports, depth);
    traffic.phits = phits_of(s, ports);
    table_rule table;
    for (unsigned row = 0; row < ports * vcs; ++row) {
      std::vector<route> routes;
      for (node_id n = 0; n < traffic.nodes; ++n)
        routes.push_back({static_cast<std::uint8_t>(random.between(0, ports - 1)),
                          static_cast<vc_set>(layers == 1 ? random.between(1, (1U << vcs) - 1) : first_vcs(vcs))});
      table.add_row(routes);
      table.use_row(row / vcs, row % vcs, row);
    }
    table.divide(layers);
    router_bench<64, Model> bench("bench", s, parameters_of(s, vcs, depth), route_rule(table), traffic,
                                  random.chance(0.5), random);
    tb::put_table(bench.rtl().rule_i, s, traffic.nodes, layers,
                  [&](unsigned port, unsigned vc, node_id n, unsigned path_id) {
                    return port < ports && vc < vcs ? table.answer({port, vc, n, path_id}) : route();
                  });
    run(bench);
  }

  /// \param constant the constant inputs of this router, as the RTL gets them
  template <unsigned PayloadBits, class Model>
  void by_rule(const tb::router_shape& s, const route_rule& rule, std::uint64_t constant, router_traffic traffic) {
    traffic.longest = s.cut_through ? s.depth : 12;
    traffic.depths = depths_of(s, s.ports, s.depth);
    traffic.phits = phits_of(s, s.ports);
    router_bench<PayloadBits, Model> bench("bench", s, parameters_of(s, s.vcs, s.depth), rule, traffic,
                                           random.chance(0.5), random);
    tb::put_bits(bench.rtl().rule_i, 0, 8 * sizeof bench.rtl().rule_i, constant);
    run(bench);
  }
};

TEST_F(lockstep_router, matches_systemc_with_4_stages_and_table) {
  by_table<Vrouter_table_s4>(tb::table_router(4, false), 5, 4, 16);
}
TEST_F(lockstep_router, matches_systemc_with_4_stages_and_3_ports_of_2_vcs) {
  by_table<Vrouter_table_s4>(tb::table_router(4, false), 3, 2, 5);
}
TEST_F(lockstep_router, matches_systemc_with_4_stages_and_2_ports_of_1_vc_of_1_flit) {
  by_table<Vrouter_table_s4>(tb::table_router(4, false), 2, 1, 1);
}
TEST_F(lockstep_router, matches_systemc_with_4_stages_and_layers_selected_at_source) {
  by_table<Vrouter_table_s4>(tb::table_router(4, false), 4, 4, 6, 2);
}
TEST_F(lockstep_router, matches_systemc_with_4_stages_and_cut_through) {
  by_table<Vrouter_table_s4_cut_through>(tb::table_router(4, true), 5, 4, 7);
}
TEST_F(lockstep_router, matches_systemc_with_3_stages_and_table) {
  by_table<Vrouter_table_s3>(tb::table_router(3, false), 5, 4, 8);
}
TEST_F(lockstep_router, matches_systemc_with_3_stages_and_4_ports_of_3_vcs) {
  by_table<Vrouter_table_s3>(tb::table_router(3, false), 4, 3, 2);
}

/// With one different table entry, the report names the module of the first head that meets it.
TEST_F(lockstep_router, report_names_the_module_where_the_difference_begins) {
  const tb::router_shape s = tb::table_router(4, false);
  router_traffic traffic;
  traffic.nodes = 4;
  traffic.depths = {8, 8, 8, 8};
  const table_rule table(std::vector<route>(4, route{1, 1, 0, 0}));
  router_bench<64, Vrouter_table_s4> bench("bench", s, parameters_of(s, 4, 8), route_rule(table), traffic, true,
                                           random);
  tb::put_table(bench.rtl().rule_i, s, traffic.nodes, 1, [](unsigned, unsigned, node_id n, unsigned) {
    return route{1, n == 3 ? 2U : 1U, 0, 0};
  });
  EXPECT_THAT(bench.run(1000, 0.5, 1), testing::HasSubstr("route_computation.route_o.vcs of port")) << seed_note();
}

/// Several routers of one kind: each run has another place in the network and other depths of the next buffers.
class lockstep_random_router : public lockstep_router, public testing::WithParamInterface<unsigned> {
 protected:
  lockstep_random_router() { random = rng(test_seed() + 1000 * GetParam()); }

  /// One of \p count variations: consecutive runs use them in turn, starting at one that the seed selects.
  unsigned variation(unsigned count) const { return static_cast<unsigned>((test_seed() + GetParam()) % count); }

  template <unsigned PayloadBits, class Model>
  void in_grid(const tb::router_shape& s, const grid_rule& rule, bool synchronous_reset = false) {
    std::uint32_t routers = 1;
    std::uint64_t here = 0;
    for (unsigned d = 0; d < rule.dimensions; ++d) {
      routers *= rule.size[d];
      here |= std::uint64_t{rule.here[d]} << 16 * d;
    }
    router_traffic traffic;
    traffic.nodes = routers * rule.nodes;
    traffic.synchronous_reset = synchronous_reset;
    by_rule<PayloadBits, Model>(s, rule, here, traffic);
  }

  /// A router of a level of a tree with \p nodes nodes.
  template <class Model>
  void in_tree(const tb::router_shape& s, tree_rule rule, unsigned nodes, unsigned path_id_count = 1) {
    const unsigned below = rule.span * rule.children;
    rule.first = variation(nodes / below) * below;
    router_traffic traffic;
    traffic.nodes = nodes;
    traffic.path_id_count = path_id_count;
    by_rule<64, Model>(s, rule, rule.first, traffic);
  }

  /// A router of a hypercube.
  template <class Model>
  void in_cube(const tb::router_shape& s, cube_rule rule) {
    rule.here = variation(1U << rule.dimensions);
    router_traffic traffic;
    traffic.nodes = rule.nodes << rule.dimensions;
    by_rule<64, Model>(s, rule, rule.here, traffic);
  }

  /// A router in a grid of \p shape; the runs cover every coordinate of each dimension.
  grid_rule grid(std::vector<std::uint32_t> shape, std::vector<std::uint8_t> order) {
    grid_rule rule;
    rule.dimensions = static_cast<unsigned>(shape.size());
    std::uint32_t stride = 1;
    for (unsigned d = 0; d < rule.dimensions; ++d) {
      rule.size[d] = shape[d];
      rule.stride[d] = stride;
      stride *= shape[d];
      rule.here[d] = variation(shape[d]);
      rule.order[d] = order[d];
    }
    return rule;
  }
};
INSTANTIATE_TEST_SUITE_P(draw, lockstep_random_router, testing::Range(0U, 8U));

TEST_P(lockstep_random_router, matches_systemc_with_4_stages_and_table_of_exact_size) {
  tb::router_shape s;
  s.ports = 3, s.vcs = 2, s.depth = 4, s.output_depth = 5, s.pipeline = 4, s.user_bits = 16;
  s.destinations = 20, s.path_id_count = 2;
  by_table<Vrouter_small_table_s4>(s, s.ports, s.vcs, s.depth, s.path_id_count);
}

TEST_P(lockstep_random_router, matches_systemc_with_4_stages_islip_and_wavefront) {
  tb::router_shape s;
  s.ports = 4, s.vcs = 3, s.depth = 4, s.output_depth = 5, s.pipeline = 4, s.user_bits = 16;
  s.narrow = true, s.destinations = 20, s.path_id_count = 2;
  s.vc_allocator.kind = allocator_kind::Islip, s.vc_allocator.iterations = 2;
  s.switch_allocator.kind = allocator_kind::Wavefront;
  by_table<Vrouter_kinds_s4>(s, s.ports, s.vcs, s.depth, s.path_id_count);
}

TEST_P(lockstep_random_router, matches_systemc_with_3_stages_fair_wavefront_output_first_and_cut_through) {
  tb::router_shape s;
  s.ports = 3, s.vcs = 2, s.depth = 4, s.output_depth = 5, s.pipeline = 3, s.cut_through = true, s.user_bits = 16;
  s.destinations = 20, s.path_id_count = 2;
  s.vc_allocator.kind = allocator_kind::WavefrontFair;
  s.switch_allocator.kind = allocator_kind::SeparableOutputFirst, s.switch_allocator.arbiter = arbiter_kind::Matrix;
  by_table<Vrouter_kinds_s3_cut_through>(s, s.ports, s.vcs, s.depth, s.path_id_count);
}

TEST_P(lockstep_random_router, matches_systemc_with_5_stages_matrix_arbiters_and_islip) {
  tb::router_shape s;
  s.ports = 3, s.vcs = 3, s.depth = 4, s.output_depth = 5, s.pipeline = 5, s.user_bits = 16;
  s.destinations = 20, s.path_id_count = 2;
  s.vc_allocator.arbiter = arbiter_kind::Matrix;
  s.switch_allocator.kind = allocator_kind::Islip, s.switch_allocator.iterations = 3;
  by_table<Vrouter_kinds_s5>(s, s.ports, s.vcs, s.depth, s.path_id_count);
}

TEST_P(lockstep_random_router, matches_systemc_with_7_stages_in_a_torus_and_synchronous_reset) {
  tb::router_shape s;
  s.narrow = true;
  s.vcs = 3, s.depth = 3, s.output_depth = 4, s.pipeline = 7, s.user_bits = 16, s.destinations = 0;
  grid_rule rule = grid({4, 5}, {1, 0});
  rule.rings = true;
  rule.vcs = first_vcs(3);
  in_grid<64, Vrouter_torus_s7>(s, rule, true);
}

TEST_P(lockstep_random_router, matches_systemc_with_3_stages_in_a_row_2_classes_and_network_coding) {
  tb::router_shape s;
  s.ports = 4, s.vcs = 6, s.classes = 2, s.depth = 4, s.output_depth = 5, s.pipeline = 3, s.words = 4;
  s.code = true, s.user_bits = 16, s.destinations = 0;
  grid_rule rule = grid({5}, {0});
  rule.nodes = 2;
  rule.vcs = first_vcs(2);  // of three
  in_grid<128, Vrouter_row_classes_s3>(s, rule);
}

TEST_P(lockstep_random_router, matches_systemc_with_5_stages_in_a_one_way_ring_and_cut_through) {
  tb::router_shape s;
  s.ports = 4, s.vcs = 2, s.depth = 3, s.output_depth = 3, s.pipeline = 5, s.cut_through = true, s.user_bits = 16;
  s.destinations = 0;
  grid_rule rule = grid({6}, {0});
  rule.rings = rule.one_way = true;
  rule.local_ports = 2;
  rule.vcs = first_vcs(2);
  in_grid<64, Vrouter_ring_s5_cut_through>(s, rule);
}

TEST_P(lockstep_random_router, matches_systemc_with_9_stages_source_routing_and_cut_through) {
  tb::router_shape s;
  s.ports = 3, s.vcs = 3, s.depth = 5, s.output_depth = 5, s.pipeline = 9, s.cut_through = true, s.words = 1;
  s.user_bits = 16, s.path_id_bits = 64, s.destinations = 0;
  router_traffic traffic;
  traffic.longest = s.depth;
  traffic.source_routed = true;
  traffic.depths = depths_of(s, s.ports, s.depth);
  source_rule rule;
  rule.vcs = first_vcs(3);
  router_bench<32, Vrouter_source_s9_cut_through> bench("bench", s, parameters_of(s, s.vcs, s.depth), route_rule(rule),
                                                        traffic, random.chance(0.5), random);
  run(bench);
}

TEST_P(lockstep_random_router, matches_systemc_with_4_stages_in_a_fat_tree) {
  tb::router_shape s;
  s.vcs = 2, s.depth = s.output_depth = 4, s.user_bits = 16, s.destinations = 0;
  tree_rule rule;
  rule.children = 3, rule.span = 4, rule.parents = 2, rule.divisor = 3;
  rule.vcs = first_vcs(2);
  in_tree<Vrouter_tree_s4>(s, rule, 36);
}

TEST_P(lockstep_random_router, matches_systemc_with_3_stages_in_a_random_fat_tree_with_2_classes) {
  tb::router_shape s;
  s.ports = 7, s.classes = 2, s.depth = 3, s.output_depth = 3, s.pipeline = 3, s.user_bits = 16, s.path_id_bits = 5;
  s.destinations = 0;
  tree_rule rule;
  rule.up = ascent::Random;
  rule.children = 2, rule.span = 5, rule.child_ports = 2, rule.parents = 3, rule.divisor = 3;
  rule.vcs = first_vcs(1);  // of two
  in_tree<Vrouter_tree_by_path_id_s3>(s, rule, 30, 27);
}

TEST_P(lockstep_random_router, matches_systemc_with_4_stages_in_a_hypercube) {
  tb::router_shape s;
  s.ports = 6, s.vcs = 2, s.depth = s.output_depth = 4, s.user_bits = 16, s.destinations = 0;
  cube_rule rule;
  rule.dimensions = 3, rule.nodes = 3;
  rule.vcs = first_vcs(2);
  in_cube<Vrouter_cube_s4>(s, rule);
}

TEST_P(lockstep_random_router, matches_systemc_with_5_stages_in_a_hypercube_and_cut_through) {
  tb::router_shape s;
  s.vcs = 3, s.depth = 3, s.output_depth = 3, s.pipeline = 5, s.cut_through = true, s.user_bits = 16;
  s.destinations = 0;
  cube_rule rule;
  rule.dimensions = 3, rule.local_ports = 2;
  rule.vcs = first_vcs(3);
  in_cube<Vrouter_cube_s5_cut_through>(s, rule);
}

}  // namespace
}  // namespace weft::lockstep
