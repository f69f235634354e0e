// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/formulas.h"

#include "unit/schedule/costs.h"
#include "unit/schedule/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/topology/analysis/bisection.h"

namespace weft::schedule {
namespace {

using kind = network_family::kind;
using testing::HasSubstr;

/// The papers' values for one collective, found by source and text.
class printed {
 public:
  printed(network_family family, const topology& t, port_rule ports, bool combining = false)
      : m_family(std::move(family)), m_network(t, ports), m_combining(combining) {}

  papers_formula all(operation what, const std::string& source, const std::string& text = "") const {
    return find(all_to_all(what, m_network.nodes()), source, text);
  }
  papers_formula one(operation what, node_id root, const std::string& source, const std::string& text = "") const {
    return find(one_to_all(what, root, m_network.nodes()), source, text);
  }
  papers_formula find(const collective& requested, const std::string& source, const std::string& text = "",
                      const std::optional<octagon_cuts>& cuts = {}) const {
    const problem p{m_network, requested, path_rule::Minimal, m_combining};
    for (const papers_formula& f : papers_formulas(m_family, p, cuts)) {
      if (f.source == source && f.text.find(text) != std::string::npos) return f;
    }
    ADD_FAILURE() << "nothing of " << source << ", " << text;
    return {};
  }
  std::vector<papers_threshold> thresholds(operation what) const {
    return papers_thresholds(m_family, {m_network, all_to_all(what, m_network.nodes())});
  }

 private:
  network_family m_family;
  step_network m_network;
  bool m_combining;
};

TEST(unit_schedule_formulas, ring_bounds_match_the_paper) {
  // RINGS, first Table 2.
  const printed h16({kind::HierarchicalRing, {4, 4}}, h_rings({4, 4}), OnePort);
  EXPECT_EQ(h16.one(B, 0, "RINGS Table 1").printed, cost(4, 4));
  EXPECT_EQ(h16.all(B, "RINGS Table 1").printed, cost(15, 15));
  EXPECT_EQ(h16.all(S, "RINGS Table 1", "Bc").printed, cost(32, 32));
  EXPECT_EQ(
      printed({kind::HierarchicalRing, {4, 4, 4}}, h_rings({4, 4, 4}), OnePort).all(S, "RINGS Table 1", "Bc").printed,
      cost(512, 512));
  EXPECT_EQ(printed({kind::Mesh, {6, 6}}, mesh({6, 6}), OnePort).all(S, "RINGS Table 1", "Bc").printed, cost(54, 54));
  EXPECT_EQ(printed({kind::Ring, {8}}, ring(8), OnePort).all(S, "RINGS Table 1", "Bc").printed, cost(8, 8));
  const printed one_way({kind::Ring, {4}, {}, true}, ring(4, true), OnePort);
  EXPECT_EQ(one_way.all(S, "RINGS Table 2 (the first)").printed, cost(5, 5));
  EXPECT_THAT(one_way.all(S, "RINGS Table 1", "Bc").remark, HasSubstr("P(P-1)/2 = 6"));
}

TEST(unit_schedule_formulas, flag_bounds_of_the_papers_that_do_not_hold) {
  // FATTREE prints 3 for the corner of a 3x4 mesh, which takes 2 steps.
  const printed mesh_3x4({kind::Mesh, {4, 3}}, mesh({4, 3}), AllPorts);
  EXPECT_EQ(mesh_3x4.one(B, 0, "FATTREE Table I").printed, cost(3, 3));
  EXPECT_FALSE(mesh_3x4.one(B, 0, "FATTREE Table I").holds);
  EXPECT_EQ(mesh_3x4.one(B, 0, "FATTREE Table II").printed, cost(3, 3));
  // Two halves of a ring of 7 are not equal: P^2/(2 Bc) is 7, but a schedule has 6 steps.
  const papers_formula odd = printed({kind::Ring, {7}}, ring(7), OnePort).all(S, "RINGS Table 1", "Bc");
  EXPECT_EQ(odd.printed, cost(7, 7));
  EXPECT_FALSE(odd.holds);
  EXPECT_THAT(odd.remark, HasSubstr("6"));
  // Sums of hops are no bound for trees: FATTREE prints 12 for FT-8, which takes 7 steps.
  const printed tree({kind::FatTree, {2, 4}, {1, 2}}, ft8(), AllPorts);
  EXPECT_EQ(tree.all(S, "FATTREE Table I", "hops").printed, cost(12, 12));
  EXPECT_FALSE(tree.all(S, "FATTREE Table I", "hops").holds);
  EXPECT_TRUE(tree.all(S, "FATTREE Table I", "(P-1)/k").holds);
}

TEST(unit_schedule_formulas, bounds_by_the_bisection_hold_for_the_odd_networks_of_the_paper) {
  // FATTREE prints 6 for a 3x3 mesh, the value for its bisection of 8 channels, and 3 for GFT-9, with 24 channels.
  const printed grid({kind::Mesh, {3, 3}}, mesh({3, 3}), AllPorts);
  EXPECT_EQ(grid.all(S, "FATTREE Table I", "Bc").printed, cost(6, 6));
  EXPECT_TRUE(grid.all(S, "FATTREE Table I", "Bc").holds);
  const printed tree({kind::FatTree, {3, 3}, {3, 3}}, gft9(), AllPorts);
  EXPECT_EQ(tree.all(S, "FATTREE Table I", "Bc").printed, cost(2, 2));
  EXPECT_TRUE(tree.all(S, "FATTREE Table I", "Bc").holds);
}

TEST(unit_schedule_formulas, bisections_equal_those_of_the_topology) {
  const auto expect_equal = [](const network_family& family, const topology& t) {
    EXPECT_EQ(bisection_of(family), 2 * find_bisection(t, recognise_grid(t)).channels)
        << testing::PrintToString(family.sizes);
  };
  using list = std::vector<std::uint32_t>;
  for (const list& shape : {list{2, 4}, list{3, 3}, list{3, 4}, list{4, 8}, list{5, 3}, list{4, 5}, list{3, 3, 3}}) {
    expect_equal({kind::Mesh, shape}, mesh(shape));
  }
  for (const list& shape : {list{3, 3}, list{4, 4}, list{5, 4}}) expect_equal({kind::Torus, shape}, torus(shape));
  for (const std::uint32_t n : {4, 7, 8}) expect_equal({kind::Ring, {n}}, ring(n));
  for (const list& sizes : {list{4, 4}, list{4, 4, 4}}) expect_equal({kind::HierarchicalRing, sizes}, h_rings(sizes));
  const std::vector<std::pair<list, list>> trees{{{2, 4}, {1, 2}}, {{3, 3}, {3, 3}}, {{3, 4}, {1, 2}},
                                                 {{4, 4}, {2, 2}}, {{4, 8}, {1, 4}}, {{2, 3}, {2, 1}}};
  for (const auto& [children, parents] : trees)
    expect_equal({kind::FatTree, children, parents}, fat_tree({children, parents}));
}

TEST(unit_schedule_formulas, remarks_on_trees_state_the_tighter_bound_of_subtrees) {
  const printed gft({kind::FatTree, {4, 4}, {2, 2}}, gft16(), AllPorts);
  EXPECT_EQ(gft.all(S, "FATTREE Table I", "(P-1)/k").printed, cost(8, 8));
  EXPECT_THAT(gft.all(S, "FATTREE Table I", "(P-1)/k").remark, HasSubstr("subtrees need 12"));
  EXPECT_FALSE(gft.all(S, "FATTREE Table II").holds);
  const printed xgft({kind::FatTree, {3, 4}, {1, 2}}, xgft12(), AllPorts);
  EXPECT_THAT(xgft.all(S, "FATTREE Table I", "(P-1)/k").remark, HasSubstr("subtrees need 14"));
  EXPECT_EQ(xgft.all(S, "FATTREE Table II").printed, cost(15, 15));
}

TEST(unit_schedule_formulas, combining_costs_match_the_papers) {
  const printed mesh_8x8({kind::Mesh, {8, 8}}, mesh({8, 8}), OnePort, true);
  EXPECT_EQ(mesh_8x8.all(B, "RINGS Table 2 (the second)").printed, cost(14, 63));
  EXPECT_EQ(mesh_8x8.all(S, "FATTREE Table III").printed, cost(14, 448));
  EXPECT_EQ(mesh_8x8.one(S, 0, "FATTREE Table III").printed, cost(6, 63));
  const printed h16({kind::HierarchicalRing, {4, 4}}, h_rings({4, 4}), OnePort, true);
  EXPECT_EQ(h16.all(B, "RINGS Table 3").printed, cost(7, 47));
  EXPECT_EQ(h16.all(S, "RINGS Table 3").printed, cost(7, 138));
  const printed h64({kind::HierarchicalRing, {4, 4, 4}}, h_rings({4, 4, 4}), OnePort, true);
  EXPECT_EQ(h64.one(B, 0, "RINGS Table 3").printed, cost(6, 6));
  EXPECT_EQ(h64.all(B, "RINGS Table 3").printed, cost(11, 319));
  EXPECT_EQ(h64.all(S, "RINGS Table 3").printed, cost(11, 2658));
  EXPECT_EQ(printed({kind::FatTree, {2, 4}, {1, 2}}, ft8(), AllPorts, true).all(S, "FATTREE Table IV").printed,
            cost(3, 12));
}

TEST(unit_schedule_formulas, non_combining_hierarchical_ring_costs_match_the_paper) {
  const printed h16({kind::HierarchicalRing, {4, 4}}, h_rings({4, 4}), OnePort);
  EXPECT_EQ(h16.all(B, "RINGS Table 3").printed, cost(15, 24));
  EXPECT_FALSE(h16.all(B, "RINGS Table 3").holds);
  EXPECT_EQ(h16.all(S, "RINGS Table 3").printed, cost(51, 51));
  const printed h64({kind::HierarchicalRing, {4, 4, 4}}, h_rings({4, 4, 4}), OnePort);
  EXPECT_EQ(h64.all(B, "RINGS Table 3").printed, cost(63, 144));
  EXPECT_THAT(h64.all(B, "RINGS Table 3").remark, HasSubstr("99/252"));
  EXPECT_EQ(h64.all(S, "RINGS Table 3").printed, cost(819, 819));
}

TEST(unit_schedule_formulas, embedded_mesh_costs_match_known_values) {
  EXPECT_EQ(embedded_mesh_formula(B, true, 4, 3, 1, 2).printed, cost(8, 11));  // XGFT-12; Table VI has 5
  EXPECT_EQ(embedded_mesh_formula(B, true, 3, 3, 1, 1).printed, cost(4, 8));
  EXPECT_EQ(embedded_mesh_formula(S, false, 3, 4, 1, 1).printed, cost(4, 12));  // Table VI: 136 and 808
}

TEST(unit_schedule_formulas, correct_wrong_thresholds_of_the_papers) {
  const printed tree({kind::FatTree, {2, 2, 2, 4}, {1, 2, 2, 2}}, ft32(), AllPorts);
  EXPECT_FALSE(tree.thresholds(B).at(0).holds);
  EXPECT_THAT(tree.thresholds(B).at(0).remark, HasSubstr("faster at any length"));
  const papers_threshold scatter = tree.thresholds(S).at(0);
  ASSERT_TRUE(scatter.holds);
  EXPECT_DOUBLE_EQ(*scatter.holds, 26.0 / (80 - 31));
  EXPECT_DOUBLE_EQ(scatter.printed, 26.0 / (16.0 * (5 - 31)));
  const printed grid({kind::Mesh, {4, 4}}, mesh({4, 4}), AllPorts);
  EXPECT_DOUBLE_EQ(grid.thresholds(S).at(0).printed, *grid.thresholds(S).at(0).holds);
}

TEST(unit_schedule_formulas, many_to_many_octagon_costs_match_the_paper) {
  const printed fat({kind::Octagon, {8}, {}, false, 2}, octagon(8, 2), OnePort);
  EXPECT_EQ(fat.all(S, "OCTAGON Table 1", "Bc").printed, cost(16, 16));
  EXPECT_EQ(fat.all(S, "OCTAGON Table 2").printed, cost(17, 17));
  const collective same{B, {0, 2, 3, 4, 5, 6, 7, 8}, {0, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_EQ(fat.find(same, "OCTAGON Table 1").printed, cost(7, 7));
  EXPECT_EQ(fat.find(same, "OCTAGON Table 2").printed, cost(7, 7));
  // Section 3: nine senders and eleven receivers, four nodes are both; b1 = 5, b2 = 6, b0 = 1.
  collective nine{S, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
  const papers_formula scatter = fat.find(nine, "OCTAGON eq. 6", "", octagon_cuts{5, 6, 1});
  EXPECT_EQ(scatter.printed, cost(13, 13));
  EXPECT_THAT(scatter.remark, HasSubstr(": 12"));
  nine.what = B;
  EXPECT_EQ(fat.find(nine, "OCTAGON eq. 2").printed, cost(9, 9));
}

TEST(unit_schedule_formulas, network_family_is_derived_from_the_network_plan) {
  network_plan plan{&hierarchical_ring_topology(), hierarchical_ring_topology().usual};
  plan.topology.rings = {4, 8};
  const network_family family = family_of(plan);
  EXPECT_EQ(family.what, kind::HierarchicalRing);
  EXPECT_EQ(family.sizes, (std::vector<std::uint32_t>{4, 8}));
  EXPECT_EQ(bisection_of(family), 4U);
  plan.kind = &octagon_topology();
  plan.topology.octagons = 2;
  EXPECT_EQ(bisection_of(family_of(plan)), std::nullopt);
}

}  // namespace
}  // namespace weft::schedule
