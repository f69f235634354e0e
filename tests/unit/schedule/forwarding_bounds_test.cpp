// SPDX-License-Identifier: Apache-2.0
// Bounds of store and forward, groups of automorphisms and spanning trees, compared with the literature or with a count
// by hand.
#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"

#include "forwarding_networks.h"
#include <set>

#include <gtest/gtest.h>

#include "weft/collectives/schedule/forwarding/routes.h"
#include "weft/collectives/schedule/forwarding/symmetry.h"
#include "weft/collectives/schedule/forwarding/trees.h"

namespace weft::schedule {
namespace {

std::size_t bound_of(const link_graph& graph, collective_kind what, unsigned chunks = 1, node_id root = 0) {
  return round_bounds(make_forwarding(graph, what, chunks, root)).front().rounds;
}

TEST(unit_schedule_forwarding_bounds, account_for_received_chunks_and_distance) {
  EXPECT_EQ(bound_of(dgx1(), collective_kind::Allgather, 6), 7U);  // 42 chunks over bandwidth 6
  EXPECT_EQ(bound_of(links_of(ring(8)), collective_kind::Allgather), 4U);
  EXPECT_EQ(bound_of(links_of(mesh({4, 4})), collective_kind::Allgather), 8U);
  EXPECT_EQ(bound_of(links_of(hypercube(6)), collective_kind::Allgather), 11U);
  EXPECT_EQ(bound_of(links_of(mesh({4, 4})), collective_kind::Scatter, 1, 0), 8U);  // corner
  EXPECT_EQ(bound_of(links_of(mesh({4, 4})), collective_kind::Scatter, 1, 5), 4U);  // inner
  EXPECT_EQ(bound_of(with_ports(links_of(ring(8)), 1), collective_kind::Allgather), 7U);
  EXPECT_EQ(least_steps(make_forwarding(dgx1(), collective_kind::Alltoall)).rounds, 2U);
}

TEST(unit_schedule_forwarding_bounds, account_for_a_narrow_cut) {
  // Two triangles joined by one link in each direction, which three chunks must cross.
  link_graph graph{"triangles", 6, {}, {}};
  for (node_id side : {0U, 3U}) {
    for (node_id a = 0; a < 3; ++a) {
      for (node_id b = 0; b < 3; ++b) {
        if (a != b) graph.links.push_back({side + a, side + b, 4});
      }
    }
  }
  graph.links.push_back({0, 3, 1});
  graph.links.push_back({3, 0, 1});
  EXPECT_EQ(bound_of(graph, collective_kind::Allgather, 5), 15U);
}

TEST(unit_schedule_forwarding_bounds, divided_flow_bound_matches_known_values) {
  const auto flow = [](const link_graph& graph, bool symmetric) {
    const forwarding_problem p = make_forwarding(graph, collective_kind::Alltoall);
    return divided_flow_bound(p, symmetric ? symmetries_of(p).front() : no_symmetry(p));
  };
  EXPECT_NEAR(flow(dgx1(), false).rounds, 8.0 / 3, 1e-5);
  EXPECT_NEAR(flow(dgx1(), true).rounds, 8.0 / 3, 1e-5);
  EXPECT_EQ(flow(dgx1(), false).bound.rounds, 3U);
  EXPECT_EQ(flow(links_of(mesh({4, 4})), true).bound.rounds, 16U);
  EXPECT_EQ(flow(links_of(mesh({3, 3})), false).bound.rounds, 6U);
  EXPECT_EQ(flow(links_of(h_rings({4, 4})), true).bound.rounds, 32U);
  EXPECT_THROW(divided_flow_bound(make_forwarding(dgx1(), collective_kind::Allgather), {}), std::invalid_argument);
}

TEST(unit_schedule_forwarding_symmetry, groups_map_links_to_links_and_move_every_node) {
  for (const link_graph& graph :
       {links_of(torus({4, 4})), links_of(mesh({4, 4})), dgx1(), links_of(h_rings({4, 4})), links_of(ring(6))}) {
    const forwarding_problem p = make_forwarding(graph, collective_kind::Alltoall);
    const auto symmetries = symmetries_of(p);
    ASSERT_FALSE(symmetries.empty()) << graph.name;
    for (const chunk_symmetry& s : symmetries) {
      EXPECT_EQ(graph.nodes % s.order(), 0U);
      EXPECT_EQ(s.chunk_representatives.size() * s.order(), p.list.size());
      for (std::size_t g = 1; g < s.order(); ++g) {
        for (node_id n = 0; n < graph.nodes; ++n) EXPECT_NE(s.nodes[g][n], n);
        for (link_id l = 0; l < graph.links.size(); ++l) {
          const graph_link &from = graph.links[l], &to = graph.links[s.links[g][l]];
          EXPECT_EQ(to.from, s.nodes[g][from.from]);
          EXPECT_EQ(to.to, s.nodes[g][from.to]);
          EXPECT_EQ(to.bandwidth, from.bandwidth);
        }
      }
    }
  }
}

TEST(unit_schedule_forwarding_symmetry, finds_the_full_translation_groups) {
  EXPECT_EQ(free_groups(links_of(torus({4, 4}))).front().size(), 16U);
  EXPECT_EQ(free_groups(links_of(hypercube(4))).front().size(), 16U);
  EXPECT_EQ(free_groups(dgx1()).front().size(), 4U);
  EXPECT_TRUE(free_groups(links_of(mesh({3, 3}))).empty());  // every automorphism fixes the middle node
}

TEST(unit_schedule_forwarding_trees, reach_the_throughput_of_the_minimum_cut) {
  const auto per_chunk = [](const link_graph& graph) {
    return tree_throughput(make_forwarding(graph, collective_kind::Allgather));
  };
  EXPECT_EQ(per_chunk(dgx1()), (round_ratio{7, 6}));
  EXPECT_EQ(per_chunk(links_of(ring(8))), (round_ratio{7, 2}));
  EXPECT_EQ(per_chunk(links_of(mesh({4, 4}))), (round_ratio{15, 2}));
  EXPECT_EQ(per_chunk(links_of(h_rings({4, 4}))), (round_ratio{15, 2}));
  EXPECT_EQ(tree_throughput(make_forwarding(dgx1(), collective_kind::Broadcast)), (round_ratio{1, 6}));
}

/// Each node has as many spanning trees as chunks, and no link is used in more rounds than available.
TEST(unit_schedule_forwarding_trees, are_packed_into_the_fewest_rounds) {
  for (const auto& [graph, chunks, rounds] :
       {std::make_tuple(dgx1(), 6U, 7U), std::make_tuple(links_of(ring(8)), 2U, 7U),
        std::make_tuple(links_of(mesh({4, 4})), 2U, 15U), std::make_tuple(links_of(mesh({3, 3})), 1U, 4U)}) {
    const forwarding_problem p = make_forwarding(graph, collective_kind::Allgather, chunks);
    const auto trees = packed_trees(p, rounds);
    EXPECT_EQ(load_of(p, trees), rounds) << graph.name;
    for (std::size_t c = 0; c < trees.size(); ++c) {
      std::set<node_id> reached{p.list[c].holders.front()};
      for (const route_link& r : trees[c]) {
        EXPECT_EQ(reached.count(graph.links[r.link].from), 1U);
        EXPECT_TRUE(reached.insert(graph.links[r.link].to).second);
      }
      EXPECT_EQ(reached.size(), graph.nodes);
    }
    EXPECT_EQ(violations_of(p, in_time(p, trees, 1)), "");
    EXPECT_THROW(packed_trees(p, rounds - 1), std::invalid_argument);
  }
}

}  // namespace
}  // namespace weft::schedule
