// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/fat_tree.h"

#include "unit/topology/generated.h"
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/wiring.h"

namespace weft {
namespace {

using numbers = std::vector<std::uint32_t>;
using lists = std::vector<std::vector<router_id>>;

topology tree_of(fat_tree_shape shape, ascent up = ascent::DestinationModulo, unsigned nic_ports = 1) {
  fat_tree_parameters p;
  p.shape = std::move(shape);
  p.up = up;
  p.options.nic_ports = nic_ports;
  return make_fat_tree(p);
}

std::string tree_rejection(const std::function<void(fat_tree_parameters&)>& spoil) {
  fat_tree_parameters p;
  spoil(p);
  return error_of([&] { make_fat_tree(p); });
}

std::string tree_rejection(numbers children, numbers parents) {
  return tree_rejection([&](auto& p) { p.shape = {children, parents}; });
}

/// M_l or W_l: product of the first \p l numbers of \p list.
std::uint64_t product(const numbers& list, std::size_t l) {
  return std::accumulate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(l), std::uint64_t{1},
                         std::multiplies<>());
}

std::uint64_t product(const numbers& list) { return product(list, list.size()); }

/// The smallest W_l / M_{l-1}, times N / 2; l = 1 stands for the channels of nodes with several ports.
double bisection_of(const fat_tree_shape& s) {
  double least = s.parents.front() > 1 ? static_cast<double>(s.parents.front()) : 1e9;
  for (std::size_t l = 2; l <= s.children.size(); ++l)
    least =
        std::min(least, static_cast<double>(product(s.parents, l)) / static_cast<double>(product(s.children, l - 1)));
  return least * static_cast<double>(product(s.children)) / 2;
}

/// A random tree of up to 150 nodes.
fat_tree_shape random_tree(std::uint32_t least_children) {
  return *rc::gen::suchThat(
      rc::gen::apply(
          [](std::vector<std::pair<std::uint32_t, std::uint32_t>> levels) {
            fat_tree_shape s;
            for (const auto& [m, w] : levels) s.children.push_back(m), s.parents.push_back(w);
            return s;
          },
          rc::gen::mapcat(rc::gen::inRange(1, 5),
                          [=](int levels) {
                            return rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(
                                static_cast<std::size_t>(levels),
                                rc::gen::pair(rc::gen::inRange(least_children, 5U), rc::gen::inRange(1U, 4U)));
                          })),
      [](const fat_tree_shape& s) {
        const std::uint64_t nodes = product(s.children);
        return nodes > 1 && nodes <= 150 && product(s.parents) <= 50;
      });
}

// ---- The figures of FATTREE ----

TEST(unit_topology_fat_tree, figure_1a_is_ft_4_2_with_8_cores) {
  const fat_tree_shape s = fixed_arity_tree(4, 2);
  EXPECT_EQ(s, (fat_tree_shape{{2, 4}, {1, 2}}));
  const topology t = tree_of(s);
  EXPECT_EQ(t.kind, "fat_tree");
  ASSERT_EQ(t.nodes.size(), 8U);
  EXPECT_EQ(neighbours(t), (lists{{4, 5}, {4, 5}, {4, 5}, {4, 5}, {0, 1, 2, 3}, {0, 1, 2, 3}}));
  for (node_id n = 0; n < 8; ++n) EXPECT_EQ(routers_of_node(t, n), (std::vector<router_id>{n / 2}));
  for (const router_info& r : t.routers) EXPECT_EQ(r.ports, 4U);
  EXPECT_EQ(t.routers[0].port_names, (std::vector<std::string>{"local0", "local1", "up0", "up1"}));
  EXPECT_EQ(t.routers[4].port_names, (std::vector<std::string>{"down0", "down1", "down2", "down3"}));
}

TEST(unit_topology_fat_tree, figure_1b_is_gft_2_3_3_with_9_cores) {
  const fat_tree_shape s = generalised_tree(2, 3, 3);
  EXPECT_EQ(s, (fat_tree_shape{{3, 3}, {3, 3}}));
  const topology t = tree_of(s);
  ASSERT_EQ(t.nodes.size(), 9U);
  for (node_id n = 0; n < 9; ++n)
    EXPECT_EQ(routers_of_node(t, n), (std::vector<router_id>{n / 3 * 3, n / 3 * 3 + 1, n / 3 * 3 + 2}));
  lists expected;
  for (router_id r = 0; r < 9; ++r) expected.push_back({9 + r % 3, 12 + r % 3, 15 + r % 3});
  for (router_id r = 0; r < 9; ++r) expected.push_back({r % 3, 3 + r % 3, 6 + r % 3});
  EXPECT_EQ(neighbours(t), expected);
}

TEST(unit_topology_fat_tree, figure_1c_is_gft_2_4_2_with_16_cores) {
  const topology t = tree_of(generalised_tree(2, 4, 2));
  ASSERT_EQ(t.nodes.size(), 16U);
  for (node_id n = 0; n < 16; ++n) EXPECT_EQ(routers_of_node(t, n), (std::vector<router_id>{n / 4 * 2, n / 4 * 2 + 1}));
  EXPECT_EQ(neighbours(t), (lists{{8, 10},
                                  {9, 11},
                                  {8, 10},
                                  {9, 11},
                                  {8, 10},
                                  {9, 11},
                                  {8, 10},
                                  {9, 11},
                                  {0, 2, 4, 6},
                                  {1, 3, 5, 7},
                                  {0, 2, 4, 6},
                                  {1, 3, 5, 7}}));
}

TEST(unit_topology_fat_tree, figure_1d_is_xgft_2_34_12_with_12_cores) {
  const topology t = tree_of({{3, 4}, {1, 2}});
  ASSERT_EQ(t.nodes.size(), 12U);
  for (node_id n = 0; n < 12; ++n) EXPECT_EQ(routers_of_node(t, n), (std::vector<router_id>{n / 3}));
  EXPECT_EQ(neighbours(t), (lists{{4, 5}, {4, 5}, {4, 5}, {4, 5}, {0, 1, 2, 3}, {0, 1, 2, 3}}));
}

// FATTREE, Table II: the bisection bandwidth allows the total exchange in as many steps as the lower bounds.
TEST(unit_topology_fat_tree, bisections_respect_the_bounds_of_table_ii) {
  const auto steps = [](const fat_tree_shape& s) {
    const auto nodes = static_cast<double>(product(s.children));
    return nodes * nodes / 4 / bisection_of(s);
  };
  EXPECT_EQ(product(fixed_arity_tree(4, 4).children), 32U);
  EXPECT_LE(steps(fixed_arity_tree(4, 2)), 7);
  EXPECT_LE(steps({{3, 4}, {1, 2}}), 11);
  EXPECT_LE(steps(generalised_tree(2, 4, 2)), 8);
  EXPECT_LE(steps(fixed_arity_tree(4, 4)), 31);
}

TEST(unit_topology_fat_tree, bisection_does_not_split_nodes_with_several_routers) {
  const topology_metrics f = compute_metrics(tree_of(generalised_tree(2, 4, 2)));
  EXPECT_EQ(f.bisection_channels, 8U) << "not those of one of the two trees";
  EXPECT_EQ(f.bisection_method, "least of all partitions: 8 | 8 nodes");
  EXPECT_TRUE(f.bisection_exact);
}

// The other bounds of that table: a node receives the data of all others through its w1 ports.
TEST(unit_topology_fat_tree, node_ports_give_the_lower_bounds_of_table_ii) {
  const auto steps = [](const fat_tree_shape& s) {
    const topology t = tree_of(s);
    const std::size_t ports = t.nodes[0].ports.size();
    return (t.nodes.size() - 1 + ports - 1) / ports;
  };
  EXPECT_EQ(steps(fixed_arity_tree(4, 2)), 7U);
  EXPECT_EQ(steps(generalised_tree(2, 3, 3)), 3U);
  EXPECT_EQ(steps({{3, 4}, {1, 2}}), 11U);
  EXPECT_EQ(steps(generalised_tree(2, 4, 2)), 8U);
  EXPECT_EQ(steps(fixed_arity_tree(4, 4)), 31U);
}

// ---- Structure ----

TEST(unit_topology_fat_tree, a_k_ary_n_tree_has_n_levels_of_k_to_the_n_minus_1_routers) {
  const fat_tree_shape s = k_ary_n_tree(4, 3);
  EXPECT_EQ(s, (fat_tree_shape{{4, 4, 4}, {1, 4, 4}}));
  const topology t = tree_of(s);
  EXPECT_EQ(t.nodes.size(), 64U);
  EXPECT_EQ(t.routers.size(), 48U);
  EXPECT_EQ(t.channels.size(), 256U);
  const topology_metrics f = compute_metrics(t);
  EXPECT_EQ(f.diameter, 4U);
  EXPECT_EQ(f.bisection_channels, 32U);
  EXPECT_EQ(f.min_degree, 4U);
  EXPECT_EQ(f.max_degree, 8U);
}

TEST(unit_topology_fat_tree, tree_of_one_level_has_no_channels) {
  const topology t = tree_of({{5}, {2}});
  EXPECT_EQ(t.routers.size(), 2U);
  EXPECT_TRUE(t.channels.empty());
  check_structure(t, 4);
}

TEST(unit_topology_fat_tree, applies_latencies_vcs_and_nic_ports) {
  fat_tree_parameters p;
  p.shape = {{2, 2}, {2, 2}};
  p.options = {3, 2, 2, 6};
  const topology t = make_fat_tree(p);
  for (const channel& c : t.channels) EXPECT_EQ(c.cycles, 3U);
  EXPECT_EQ(t.nodes[3].cycles, 2U);
  EXPECT_EQ(t.nodes[3].ports, (std::vector<port_ref>{{2, 2}, {2, 3}, {3, 2}, {3, 3}}));
  EXPECT_EQ(t.routing[2].answer({5, 0, 3}), (route{3, 0b111111U}));
  EXPECT_EQ(t.routing[2].answer({4, 0, 3}), (route{2, 0b111111U}));
  EXPECT_EQ(find_defect(t, 6), "");
}

TEST(unit_topology_fat_tree, router_coordinates_place_levels_above_their_subtrees) {
  const topology t = tree_of({{3, 4}, {1, 2}});
  std::vector<numbers> places;
  for (const router_info& r : t.routers) places.push_back(r.coordinates);
  EXPECT_EQ(places, (std::vector<numbers>{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 1}, {2, 1}}));
}

RC_GTEST_PROP(unit_topology_fat_tree, every_tree_is_valid_and_acyclic, ()) {
  const unsigned vcs = *rc::gen::inRange(1U, 4U);
  fat_tree_parameters p;
  p.shape = random_tree(1);
  p.up = *rc::gen::element(ascent::DestinationModulo, ascent::Random, ascent::LeastLoaded);
  p.options.nic_ports = *rc::gen::inRange(1U, 3U);
  p.options.vcs = vcs;
  RC_ASSERT(find_defect(make_fat_tree(p), vcs) == "");
}

RC_GTEST_PROP(unit_topology_fat_tree, metrics_match_the_formulas, ()) {
  const fat_tree_shape s = random_tree(2);
  const std::size_t h = s.children.size();
  const std::uint64_t nodes = product(s.children);
  std::uint64_t routers = 0, channels = 0, distances = 0;
  for (std::size_t l = 1; l <= h; ++l) {
    const std::uint64_t below = product(s.children, l), w = product(s.parents, l);
    routers += w * nodes / below;
    if (l > 1) channels += 2 * w * nodes / product(s.children, l - 1);
    distances += 2 * (l - 1) * (below - product(s.children, l - 1));
  }
  const topology t = tree_of(s);
  const topology_metrics f = compute_metrics(t);
  RC_ASSERT(f.nodes == nodes);
  RC_ASSERT(f.routers == routers);
  RC_ASSERT(f.channels == channels);
  RC_ASSERT(f.diameter == 2 * (h - 1));
  RC_ASSERT(std::abs(f.mean_distance - static_cast<double>(distances) / static_cast<double>(nodes - 1)) < 1e-9);
  for (router_id r = 0; r < product(s.parents, 1) * nodes / s.children[0]; ++r)
    RC_ASSERT(t.routers[r].ports == s.children[0] + (h > 1 ? s.parents[1] : 0));
  if (h > 1 && s.children.back() % 2 == 0) RC_ASSERT(static_cast<double>(f.bisection_channels) == bisection_of(s));
}

// ---- Routing ----

RC_GTEST_PROP(unit_topology_fat_tree, packets_go_up_to_a_nearest_common_ancestor_and_down, ()) {
  const topology t = tree_of(random_tree(2));
  const auto source = *rc::gen::inRange<node_id>(0, static_cast<node_id>(t.nodes.size()));
  const auto destination = *rc::gen::inRange<node_id>(0, static_cast<node_id>(t.nodes.size()));
  const std::vector<router_id> path = route_path(t, source, destination);
  const std::size_t top = path.size() / 2;
  RC_ASSERT(path.size() % 2 == 1);
  for (std::size_t i = 0; i < path.size(); ++i)
    RC_ASSERT(t.routers[path[i]].coordinates[1] == (i <= top ? i : path.size() - 1 - i));
}

/// The router at which a packet turns from up to down.
router_id summit(const topology& t, port_ref in, node_id destination, std::uint64_t path_id) {
  const wiring wires(t);
  for (;;) {
    const route requested = t.routing[in.router].answer({in.port, 0, destination, path_id});
    const port_end end = wires.output({in.router, requested.port});
    if (end.what == port_end::kind::Node || t.channels[end.index].to.router < in.router) return in.router;
    in = t.channels[end.index].to;
  }
}

TEST(unit_topology_fat_tree, destination_modulo_fixes_the_root_of_each_destination) {
  const topology t = tree_of(k_ary_n_tree(3, 3));
  std::set<router_id> roots;
  for (node_id d = 0; d < 27; ++d) {
    std::set<router_id> used;
    for (node_id s = 0; s < 27; ++s)
      if (s / 9 != d / 9) used.insert(summit(t, t.nodes[s].ports[0], d, 0));
    EXPECT_EQ(used.size(), 1U) << "to node " << d;
    roots.insert(*used.begin());
  }
  EXPECT_EQ(roots.size(), 9U);
}

// Also if nodes have several parents: w1 must not be a factor of the divisor.
TEST(unit_topology_fat_tree, destination_modulo_balances_the_channels_of_a_level) {
  for (const fat_tree_shape& s :
       {k_ary_n_tree(4, 3), generalised_tree(2, 3, 3), generalised_tree(3, 2, 2), generalised_tree(2, 4, 2)}) {
    const topology t = tree_of(s);
    const std::vector<double> loads = uniform_channel_loads(t);
    const auto nodes = static_cast<double>(t.nodes.size());
    for (std::size_t c = 0; c < loads.size(); ++c) {
      const std::size_t lower = 1 + std::min(t.routers[t.channels[c].from.router].coordinates[1],
                                             t.routers[t.channels[c].to.router].coordinates[1]);
      const auto below = static_cast<double>(product(s.children, lower));
      const double share = below / static_cast<double>(product(s.parents, lower + 1));
      EXPECT_NEAR(loads[c], (nodes - below) / (nodes - 1) * share, 1e-9) << "channel " << c;
    }
  }
}

TEST(unit_topology_fat_tree, random_ascent_path_ids_reach_every_root_once) {
  for (const fat_tree_shape& s : {fat_tree_shape{{2, 3, 2}, {1, 2, 3}}, fat_tree_shape{{2, 2, 2}, {3, 2, 2}}}) {
    const topology t = tree_of(s, ascent::Random);
    EXPECT_EQ(t.algorithm, "random");
    const std::uint64_t ascents = product(s.parents) / s.parents[0];
    const auto far = static_cast<node_id>(t.nodes.size() - 1);
    for (const port_ref in : t.nodes[0].ports) {
      std::set<router_id> roots;
      for (std::uint64_t path_id = 0; path_id < ascents; ++path_id) roots.insert(summit(t, in, far, path_id));
      EXPECT_EQ(roots.size(), ascents);
    }
    EXPECT_EQ(t.nodes[0].path_ids.count, ascents);
    EXPECT_NE(t.nodes[0].path_ids.seed, t.nodes[1].path_ids.seed);
  }
}

TEST(unit_topology_fat_tree, seed_changes_random_path_selection) {
  fat_tree_parameters p;
  p.up = ascent::Random;
  const topology one = make_fat_tree(p);
  p.seed = 2;
  EXPECT_NE(one.nodes[0].path_ids.seed, make_fat_tree(p).nodes[0].path_ids.seed);
}

TEST(unit_topology_fat_tree, least_loaded_routing_offers_every_parent) {
  const topology t = tree_of({{2, 4}, {1, 3}}, ascent::LeastLoaded, 2);
  EXPECT_EQ(t.algorithm, "least_loaded");
  EXPECT_EQ(t.routing[0].answer({0, 0, 7}), (route{0, 0, 0b1110000U, 0b1111U}));
  EXPECT_EQ(t.routing[0].answer({5, 0, 1}), (route{3, 0b1111U}));
}

// ---- Size ----

TEST(unit_topology_fat_tree, supports_65536_nodes) {
  const topology t = tree_of({{8, 8, 8, 8, 16}, {1, 8, 8, 8, 8}});
  EXPECT_EQ(t.nodes.size(), 65536U);
  EXPECT_EQ(t.routers.size(), 36864U);
  EXPECT_NO_THROW(check_structure(t, 4));
}

// ---- Wrong parameters ----

TEST(unit_topology_fat_tree, rejects_impossible_parameters_with_a_remedy) {
  EXPECT_EQ(tree_rejection({}, {}),
            "topology: a fat tree has 0 levels; give children and parents a number for each level, such as [4, 4] and "
            "[1, 4]");
  EXPECT_EQ(tree_rejection({4, 4}, {1}),
            "topology: children [4, 4] has 2 levels and parents [1] has 1; give both a number for each level");
  EXPECT_EQ(tree_rejection({4, 0}, {1, 4}), "topology: children [4, 0] has a 0; every number must be at least 1");
  EXPECT_EQ(tree_rejection({4, 4}, {0, 4}), "topology: parents [0, 4] has a 0; every number must be at least 1");
  EXPECT_EQ(tree_rejection({1, 1}, {1, 4}),
            "topology: children [1, 1] make one node; a network needs at least 2, such as [2]");
  EXPECT_EQ(tree_rejection({16, 16, 16, 16, 16, 16}, {1, 1, 1, 1, 1, 1}),
            "topology: children [16, 16, 16, 16, 16, 16] make more than 1048576 nodes; choose smaller numbers or fewer "
            "levels");
  EXPECT_EQ(tree_rejection({4294967295U, 4294967295U, 4294967295U}, {1, 1, 1}),
            "topology: children [4294967295, 4294967295, 4294967295] make more than 1048576 nodes; choose smaller "
            "numbers or fewer levels");
  EXPECT_EQ(tree_rejection({2, 2, 2, 2, 2, 2, 2}, {1, 14, 14, 14, 14, 14, 14}),
            "topology: children [2, 2, 2, 2, 2, 2, 2] and parents [1, 14, 14, 14, 14, 14, 14] make more than 1048576 "
            "routers; choose fewer parents or levels");
  EXPECT_EQ(tree_rejection({10, 4}, {1, 7}),
            "topology: routers of level 1 have 17 ports, 10 down and 7 up, and may have at most 16; lower children[0] "
            "or parents[1]");
  EXPECT_EQ(tree_rejection({4, 17}, {1, 4}),
            "topology: routers of level 2 have 17 ports, 17 down and 0 up, and may have at most 16; lower children[1]");
  EXPECT_EQ(tree_rejection([](auto& p) { p.options.nic_ports = 4; }),
            "topology: routers of level 1 have 20 ports, 16 down and 4 up, and may have at most 16; lower nic.ports or "
            "children[0] or parents[1]");
  EXPECT_EQ(tree_rejection({2}, {17}),
            "topology: nodes have 17 ports, 1 to each of 17 routers, and may have at most 16; lower parents[0]");
  EXPECT_EQ(tree_rejection([](auto& p) { p.options.nic_ports = 0; }), "topology: nic.ports is 0; give at least 1");
  EXPECT_EQ(tree_rejection([](auto& p) { p.options.vcs = 0; }), "topology: vcs is 0; give 1 to 16");
  EXPECT_EQ(tree_rejection([](auto& p) { p.options.vcs = 17; }), "topology: vcs is 17; give 1 to 16");
  EXPECT_EQ(tree_rejection([](auto& p) { p.options.link_cycles = 0; }),
            "topology: link_cycles is 0; a channel takes at least 1 cycle");
  EXPECT_EQ(tree_rejection([](auto& p) { p.options.node_cycles = 0; }),
            "topology: node_cycles is 0; a channel takes at least 1 cycle");
  EXPECT_EQ(error_of([] { fixed_arity_tree(5, 2); }),
            "topology: FT(m, h) has m = 5 ports; give an even number of at least 2");
  EXPECT_EQ(error_of([] { k_ary_n_tree(2, 0); }), "topology: a fat tree has 0 levels; give 1 to 20");
  EXPECT_EQ(error_of([] { generalised_tree(21, 2, 2); }), "topology: a fat tree has 21 levels; give 1 to 20");
}

TEST(unit_topology_fat_tree, with_one_parent_is_a_tree) {
  for (const auto& [k, n] : {std::pair(2U, 5U), {3U, 3U}, {4U, 2U}}) {
    const topology t = tree_of({numbers(n, k), numbers(n, 1)});
    const auto nodes = static_cast<std::uint32_t>(product(numbers(n, k)));
    EXPECT_EQ(t.nodes.size(), nodes);
    EXPECT_EQ(t.routers.size(), (nodes - 1) / (k - 1));
    EXPECT_EQ(t.channels.size(), 2 * (nodes - k) / (k - 1));
    EXPECT_EQ(compute_metrics(t).diameter, 2 * (n - 1));
    EXPECT_EQ(find_defect(t, 6), "");
  }
}

TEST(unit_topology_fat_tree, with_single_children_at_one_router_is_a_star) {
  const topology t = tree_of({{1, 9}, {1, 1}});
  EXPECT_EQ(t.routers.size(), 10U);
  EXPECT_EQ(neighbours(t)[9], (std::vector<router_id>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(compute_metrics(t).diameter, 2U);
}

}  // namespace
}  // namespace weft
