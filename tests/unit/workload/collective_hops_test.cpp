// SPDX-License-Identifier: Apache-2.0
/// Hops of collectives, compared with our own numbers.
#include "weft/collectives/communication/collective_hops.h"

#include "collective_support.h"
#include "support.h"
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/collectives/communication/node_groups.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;

collective_parameters coding(std::vector<std::uint32_t> group, algorithm inner) {
  collective_parameters p;
  p.algorithm = algorithm::NetworkCoding;
  p.group = std::move(group);
  p.inner = p.outer = inner;
  return p;
}

/// The closed form; compared with a count of all messages if the network is small.
std::vector<collective_count> counted(const collective_parameters& p, const collective_network& network) {
  std::vector<collective_count> counts = collective_hops(p, network);
  if (network.nodes <= 256) {
    EXPECT_EQ(counts, count_hops(make_collective(p, network), network));
  }
  return counts;
}

std::uint64_t hops_of(algorithm a, const collective_network& network) {
  collective_parameters p;
  p.algorithm = a;
  return total(counted(p, network)).hops;
}

TEST(unit_workload_collective_hops, trees_on_a_32_ary_2_mesh_have_known_hop_counts) {
  const collective_network mesh = grid_network({32, 32});
  EXPECT_EQ(hops_of(algorithm::AllAtOnce, mesh), 22347776u);
  EXPECT_EQ(hops_of(algorithm::Tree, mesh), 2703360u);  // the paper's 2.7 million of Fig. 2
  EXPECT_EQ(hops_of(algorithm::InterleavedTree, mesh), 1523712u);
  EXPECT_EQ(hops_of(algorithm::DoublingTree, mesh), 11523072u);
  EXPECT_EQ(hops_of(algorithm::RankTree, mesh), 4517888u);
  EXPECT_EQ(hops_of(algorithm::NeighbourForwarding, mesh), 1024u * 1023u);
  EXPECT_EQ(hops_of(algorithm::Ring, mesh), 1024u * 1023u);
  EXPECT_EQ(hops_of(algorithm::RecursiveDoubling, mesh), 63488u);
  EXPECT_EQ(hops_of(algorithm::Tree, grid_network({32, 32}, true)), 2703360u);
}

TEST(unit_workload_collective_hops, hops_of_all_at_once_are_the_sum_of_all_distances) {
  for (const std::uint32_t k : {2u, 3u, 5u, 8u, 13u}) {
    const std::uint64_t rows = k * k;  // (N / k)²
    EXPECT_EQ(hops_of(algorithm::AllAtOnce, grid_network({k, k})), 2 * rows * k * (k * k - 1) / 3);
  }
}

TEST(unit_workload_collective_hops, each_coding_step_on_a_32_ary_2_mesh_has_known_counts) {
  const std::vector<collective_count> counts = counted(coding({8, 4}, algorithm::Tree), grid_network({32, 32}));
  const std::vector<collective_count> expected{
      {"B", 31744, 45056}, {"D", 30752, 222208}, {"E", 953312, 1353088}, {"F", 31744, 671744}};
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(total(counts), (collective_count{"total", 1024 * 1023, 2292096}));
}

TEST(unit_workload_collective_hops, hops_of_coding_are_known_for_each_group_size) {
  struct {
    std::vector<std::uint32_t> group;
    std::uint64_t hops;
  } const cases[] = {{{2, 1}, 398464}, {{2, 2}, 250560}, {{4, 2}, 166656}, {{4, 4}, 137280},
                     {{8, 4}, 116000}, {{8, 8}, 123536}, {{16, 8}, 118320}};
  for (const auto& each : cases) {
    EXPECT_EQ(total(counted(coding(each.group, algorithm::Tree), grid_network({16, 16}))).hops, each.hops);
  }
}

TEST(unit_workload_collective_hops, hops_of_coding_are_known_for_each_placement) {
  struct {
    std::vector<std::uint32_t> sides;
    bool torus;
    std::vector<std::uint32_t> group;
    algorithm inner, outer;
    intermediate_placement placement;
    std::uint64_t counterpart, nearest;  ///< hops, for each sender of plain data
  } const cases[] = {
      {{16, 16},
       false,
       {2, 8},
       algorithm::InterleavedTree,
       algorithm::InterleavedTree,
       intermediate_placement::Centre,
       128448,
       119488},
      {{16, 16},
       false,
       {2, 8},
       algorithm::AllAtOnce,
       algorithm::AllAtOnce,
       intermediate_placement::Mirror,
       301248,
       292288},
      {{16, 16},
       true,
       {8, 2},
       algorithm::InterleavedTree,
       algorithm::InterleavedTree,
       intermediate_placement::Centre,
       123328,
       110016},
      {{8, 8}, true, {4, 2}, algorithm::AllAtOnce, algorithm::AllAtOnce, intermediate_placement::Mirror, 10224, 9328},
      {{8, 8},
       true,
       {4, 4},
       algorithm::NeighbourForwarding,
       algorithm::AllAtOnce,
       intermediate_placement::Centre,
       5644,
       5004},
  };
  for (const auto& each : cases) {
    collective_parameters p = coding(each.group, each.inner);
    p.outer = each.outer;
    p.placement = each.placement;
    EXPECT_EQ(total(counted(p, grid_network(each.sides, each.torus))).hops, each.counterpart);
    p.plain = plain_sender::Nearest;
    EXPECT_EQ(total(counted(p, grid_network(each.sides, each.torus))).hops, each.nearest);
  }
}

/// The minimum of the hops of steps D and E (all-at-once) over all intermediates in a row of six, in groups of three.
TEST(unit_workload_collective_hops, optimal_intermediates_minimize_the_hops_of_all_at_once) {
  const collective_network row = grid_network({6});
  std::uint32_t least = 1000;
  for (node_id a = 0; a < 3; ++a) {
    for (node_id b = 3; b < 6; ++b) {
      std::uint32_t sum = 2 * 2 * row.distance(a, b);                             // D: two XORs in each direction
      for (node_id n = 0; n < 6; ++n) sum += 2 * row.distance(n < 3 ? a : b, n);  // E: two XORs
      least = std::min(least, sum);
    }
  }
  collective_parameters p = coding({3}, algorithm::AllAtOnce);
  p.placement = intermediate_placement::Optimum;
  const std::vector<collective_count> counts = counted(p, row);
  EXPECT_EQ(hops_of(counts, "D") + hops_of(counts, "E"), least);
}

/// Hops divided by N (N - 1) for the best group shape with powers of two as sides.
double best(collective_parameters p, std::uint32_t k) {
  double least = 1e9;
  for (std::uint32_t a = 1; a <= k; a *= 2) {
    for (std::uint32_t b = 1; b <= k; b *= 2) {
      if (a * b == 1 || a * b == k * k) continue;
      p.group = {a, b};
      const double nodes = k * k;
      const auto hops = static_cast<double>(total(collective_hops(p, grid_network({k, k}))).hops);
      least = std::min(least, hops / (nodes * (nodes - 1)));
    }
  }
  return least;
}

TEST(unit_workload_collective_hops, best_group_shapes_give_known_hop_counts) {
  struct {
    std::uint32_t k;
    double all_at_once, tree, coding, uncoded;
  } const cases[] = {
      {8, 5.33, 1.714, 1.488, 1.333}, {16, 10.67, 2.133, 1.628, 1.443}, {32, 21.33, 2.581, 1.744, 1.533}};
  for (const auto& each : cases) {
    const collective_network mesh = grid_network({each.k, each.k});
    const double floor = static_cast<double>(mesh.nodes) * (mesh.nodes - 1);
    const auto of = [&](algorithm a) { return static_cast<double>(hops_of(a, mesh)) / floor; };
    EXPECT_NEAR(of(algorithm::AllAtOnce), each.all_at_once, 0.005);
    EXPECT_NEAR(of(algorithm::Tree), each.tree, 0.0005);
    EXPECT_NEAR(best(coding({}, algorithm::Tree), each.k), each.coding, 0.0005);
    collective_parameters uncoded = coding({}, algorithm::Tree);
    uncoded.algorithm = algorithm::Hierarchy;
    EXPECT_NEAR(best(uncoded, each.k), each.uncoded, 0.0005);
  }
}

constexpr algorithm Trees[] = {algorithm::AllAtOnce, algorithm::Tree, algorithm::InterleavedTree,
                               algorithm::DoublingTree, algorithm::NeighbourForwarding};

TEST(unit_workload_collective_hops, optimal_placement_takes_no_more_hops_than_any_other) {
  for (const bool torus : {false, true}) {
    for (const algorithm tree : Trees) {
      for (const std::uint32_t a : {1u, 2u, 3u, 4u, 8u}) {
        collective_parameters p = coding({a, 4}, tree);
        const auto hops = [&](intermediate_placement placement) {
          p.placement = placement;
          return total(counted(p, grid_network({8, 8}, torus))).hops;
        };
        const std::uint64_t optimum = hops(intermediate_placement::Optimum);
        if (a == 3) continue;  // in unequal groups the hops have other weights
        for (const auto other :
             {intermediate_placement::Corner, intermediate_placement::Centre, intermediate_placement::Mirror}) {
          EXPECT_LE(optimum, hops(other)) << a << (torus ? " torus " : " mesh ") << static_cast<int>(tree);
        }
      }
    }
  }
}

/// Hops of a broadcast from index \p root of \p grid.
std::uint64_t tree_hops(algorithm a, const node_grid& grid, std::uint32_t root, const collective_network& network) {
  std::uint64_t hops = 0;
  for (const tree_send& s : broadcast_trees(a, grid, network).from(root))
    hops += network.distance(grid.nodes[s.from], grid.nodes[s.to]);
  return hops;
}

/// Hops of one datum of each group to all others and within them, minimized over all coordinates of the intermediates.
std::uint64_t least_hops(algorithm tree, const std::vector<std::uint32_t>& group, const collective_network& network) {
  collective_parameters p = coding(group, tree);
  p.placement = intermediate_placement::Corner;
  node_groups made = make_groups(all_nodes(network), group, p, network);
  const std::uint32_t columns = network.shape[0] / group[0], rows = network.shape[1] / group[1];
  std::vector<std::uint32_t> at(columns + rows, 0);  // for each column and row of groups, the coordinate in the group
  std::uint64_t least = ~std::uint64_t{0};
  const auto next = [&] {
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (++at[i] < group[i < columns ? 0 : 1]) return true;
      at[i] = 0;
    }
    return false;
  };
  do {
    std::uint64_t hops = 0;
    for (std::uint32_t g = 0; g < made.size(); ++g) {
      const std::uint32_t index = at[g % columns] + at[columns + g / columns] * group[0];
      made.between.nodes[g] = made.groups[g].nodes[index];
      hops += (made.size() - 1) * tree_hops(tree, made.groups[g], index, network);
    }
    for (std::uint32_t g = 0; g < made.size(); ++g) hops += tree_hops(tree, made.between, g, network);
    least = std::min(least, hops);
  } while (next());
  return least;
}

TEST(unit_workload_collective_hops, optimal_intermediates_minimize_the_hops_of_trees) {
  struct {
    std::vector<std::uint32_t> shape, group;
  } const cases[] = {{{8, 4}, {4, 2}}, {{8, 8}, {2, 2}}, {{8, 8}, {4, 8}}, {{6, 6}, {3, 2}}, {{16, 2}, {4, 2}}};
  for (const bool torus : {false, true}) {
    for (const algorithm tree : Trees) {
      for (const auto& each : cases) {
        const collective_network network = grid_network(each.shape, torus);
        collective_parameters p = coding(each.group, tree);
        p.placement = intermediate_placement::Optimum;
        const std::vector<collective_count> counts = counted(p, network);
        const std::uint64_t packets = std::uint64_t{each.group[0]} * each.group[1] - 1;
        EXPECT_EQ(hops_of(counts, "D") + hops_of(counts, "E"), packets * least_hops(tree, each.group, network))
            << testing::PrintToString(each.shape) << (torus ? " torus, groups " : " mesh, groups ")
            << testing::PrintToString(each.group) << ", algorithm " << static_cast<int>(tree);
      }
    }
  }
}

TEST(unit_workload_collective_hops, coding_inside_groups_has_seven_steps) {
  const collective_network mesh = grid_network({16, 16});
  collective_parameters p = coding({8, 4}, algorithm::Tree);
  EXPECT_EQ(total(counted(p, mesh)).hops, 116000u);
  p.subgroups = {{4, 2}};
  const std::vector<collective_count> counts = counted(p, mesh);
  ASSERT_EQ(counts.size(), 7u);
  EXPECT_EQ(counts[0].step, "B.B");
  EXPECT_EQ(counts[6].step, "F");
  EXPECT_EQ(total(counts).messages, 256u * 255u);
}

TEST(unit_workload_collective_hops, each_group_combines_only_its_own_sources) {
  const collective_network mesh = grid_network({8, 8});
  collective_parameters p = coding({4, 4}, algorithm::Tree);
  p.sources = {0, 1, 2, 7};  // three sources in the first group, one in the second
  const std::vector<collective_count> counts = counted(p, mesh);
  ASSERT_EQ(counts.size(), 4u);
  EXPECT_EQ(counts[0].messages, 4u * 15);      // B
  EXPECT_EQ(counts[1].messages, 2u * 3);       // D: two XORs to three groups
  EXPECT_EQ(counts[2].messages, 2u * 3 * 15);  // E
  EXPECT_EQ(counts[3].messages, 2u * 48);      // F
  EXPECT_EQ(total(counts).messages, 4u * 63);
}

TEST(unit_workload_collective_hops, coding_beats_no_coding_on_an_octagon_with_groups_of_four) {
  const collective_network octagon = octagon_network();
  const auto least = [&](algorithm a) {
    std::uint64_t hops = 1000;
    for (unsigned with_0 = 1; with_0 < 256; with_0 += 2) {  // the nodes of the first group
      if (__builtin_popcount(with_0) != 4) continue;
      collective_parameters p = coding({}, algorithm::AllAtOnce);
      p.algorithm = a;
      p.placement = intermediate_placement::Optimum;
      p.groups.resize(2);
      for (node_id n = 0; n < 8; ++n) p.groups[(with_0 >> n) & 1 ? 0 : 1].push_back(n);
      hops = std::min(hops, total(count_hops(make_collective(p, octagon), octagon)).hops);
    }
    return hops;
  };
  EXPECT_EQ(least(algorithm::NetworkCoding), 70u);
  EXPECT_EQ(least(algorithm::Hierarchy), 72u);
}

TEST(unit_workload_collective_hops, coding_saves_one_message_on_the_shared_path) {
  const collective_network mesh = grid_network({3, 2});  // HNC Fig. 1: S1, IS, S2 above D1, ID, D2
  collective_parameters p;
  p.sources = {0, 2};
  p.receivers = {3, 5};
  p.relays = {1, 4};
  p.algorithm = algorithm::Butterfly;
  const std::vector<collective_count> coded{{"direct", 4, 4}, {"shared", 1, 1}, {"out", 2, 2}};
  EXPECT_EQ(count_hops(make_collective(p, mesh), mesh), coded);
  p.algorithm = algorithm::ButterflyUncoded;
  const std::vector<collective_count> uncoded{{"direct", 4, 4}, {"shared", 2, 2}, {"out", 2, 2}};
  EXPECT_EQ(count_hops(make_collective(p, mesh), mesh), uncoded);
}

TEST(unit_workload_collective_hops, grouped_algorithms_count_65536_nodes) {
  const collective_network mesh = grid_network({256, 256});
  for (const auto& group : std::vector<std::vector<std::uint32_t>>{{1, 2}, {16, 16}, {256, 128}}) {
    for (const algorithm of : {algorithm::Hierarchy, algorithm::NetworkCoding, algorithm::NetworkCodingDirect,
                               algorithm::SpreadIntermediates}) {
      collective_parameters p = coding(group, algorithm::NeighbourForwarding);
      p.algorithm = of;
      EXPECT_EQ(total(collective_hops(p, mesh)).messages, 65536ull * 65535);
    }
  }
}

TEST(unit_workload_collective_hops, rejects_operations_without_a_formula) {
  collective_parameters p;
  p.operation = collective_operation::Scatter;
  expect_error<std::invalid_argument>(
      [&] {
        collective_hops(p, grid_network({4, 4}));
      },
      "hops: there is no formula; expected a broadcast to all nodes of a mesh or torus, groups given by their shape, "
      "and no butterfly; generate the messages and count them instead");
}

}  // namespace
}  // namespace weft
