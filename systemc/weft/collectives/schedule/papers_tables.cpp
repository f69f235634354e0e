// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>

#include "weft/collectives/schedule/papers_formulas_parts.h"
#include "weft/collectives/schedule/papers_numbers.h"

namespace weft::schedule {
namespace {

using table_kind = network_family::kind;

/// A row of FATTREE Table II: the steps of OAB, AAB, OAS and AAS. OAB and OAS depend on the number of ports of the
/// source, in ascending order.
struct fat_tree_row {
  table_kind what;
  std::array<std::uint32_t, 4> sizes;    ///< x first, or children by level; 0: unused
  std::array<std::uint32_t, 4> parents;  ///< for a fat tree
  std::array<std::size_t, 3> oab, oas;   ///< on trees the same for all; on meshes for sources with 2, 3, 4 ports
  std::size_t aab, aas;
};

constexpr std::array<fat_tree_row, 11> TableTwo{{
    {table_kind::FatTree, {2, 4}, {1, 2}, {3, 3, 3}, {7, 7, 7}, 7, 7},
    {table_kind::FatTree, {3, 3}, {3, 3}, {2, 2, 2}, {3, 3, 3}, 3, 3},
    {table_kind::FatTree, {3, 4}, {1, 2}, {4, 4, 4}, {11, 11, 11}, 12, 15},
    {table_kind::FatTree, {4, 4}, {2, 2}, {3, 3, 3}, {8, 8, 8}, 8, 8},
    {table_kind::FatTree, {2, 2, 2, 4}, {1, 2, 2, 2}, {6, 6, 6}, {31, 31, 31}, 33, 33},
    {table_kind::FatTree, {4, 8}, {1, 4}, {6, 6, 6}, {31, 31, 31}, 33, 33},
    {table_kind::Mesh, {4, 2}, {}, {3, 3, 3}, {4, 4, 4}, 4, 8},
    {table_kind::Mesh, {3, 3}, {}, {2, 2, 2}, {4, 3, 2}, 4, 6},
    {table_kind::Mesh, {4, 3}, {}, {3, 2, 2}, {6, 4, 3}, 6, 12},
    {table_kind::Mesh, {4, 4}, {}, {3, 2, 2}, {8, 6, 4}, 8, 17},
    {table_kind::Mesh, {8, 4}, {}, {4, 3, 3}, {16, 11, 8}, 16, 64},
}};

bool has_sizes(const std::vector<std::uint32_t>& sizes, const std::array<std::uint32_t, 4>& row) {
  const auto end = std::find(row.begin(), row.end(), 0U);
  return std::equal(sizes.begin(), sizes.end(), row.begin(), end);
}

/// Whether the row describes the network; meshes also match with their sides exchanged.
bool is_of(const network_family& family, const fat_tree_row& row) {
  if (family.what != row.what || family.nodes_per_router > 1) return false;
  if (row.what == table_kind::FatTree)
    return has_sizes(family.sizes, row.sizes) && has_sizes(family.parents, row.parents);
  const std::vector<std::uint32_t> turned(family.sizes.rbegin(), family.sizes.rend());
  return has_sizes(family.sizes, row.sizes) || has_sizes(turned, row.sizes);
}

papers_formula reached_in(const char* table, std::size_t steps) {
  return {table, papers_formula::claim::Reached, "printed", {steps, steps}};
}

void add_fat_tree_row(const network_family& family, const problem& p, std::vector<papers_formula>& all) {
  const auto row = std::find_if(TableTwo.begin(), TableTwo.end(), [&](const auto& r) { return is_of(family, r); });
  if (row == TableTwo.end()) return;
  // FATTREE's networks use all ports: on meshes as many as the node's router has channels, on trees w1.
  const unsigned least = family.what == table_kind::FatTree ? family.parents[0] : 2;
  for (node_id n = 0; n < p.network.nodes(); ++n) {
    if (p.network.ports_out(n) < least) return;
  }
  const bool broadcast = p.requested.what == operation::Broadcast;
  if (pattern_of(p.requested, p.network.nodes()) == pattern::OneToAll) {
    const std::size_t i = std::clamp(ports_of(p), 2U, 4U) - 2;
    all.push_back(reached_in("FATTREE Table II", (broadcast ? row->oab : row->oas)[i]));
    return;
  }
  all.push_back(reached_in("FATTREE Table II", broadcast ? row->aab : row->aas));
  if (!broadcast && has_sizes(family.parents, {2, 2})) {
    all.back().holds = false;
    all.back().remark = "impossible: subtrees of four send 48 messages over 4 channels, in 12 steps; so is Table VI";
  }
}

/// OCTAGON Table 2, on the fat Octagon with one port.
void add_octagon_rows(const network_family& family, const problem& p, std::vector<papers_formula>& all) {
  if (family.what != table_kind::Octagon || family.sizes != std::vector<std::uint32_t>{8} ||
      family.nodes_per_router != 2 || ports_of(p) != 1) {
    return;
  }
  std::vector<node_id> both;
  std::set_intersection(p.requested.senders.begin(), p.requested.senders.end(), p.requested.receivers.begin(),
                        p.requested.receivers.end(), std::back_inserter(both));
  const std::size_t m = p.requested.senders.size(), n = p.requested.receivers.size(), q = both.size();
  const bool broadcast = p.requested.what == operation::Broadcast;
  const auto add = [&](std::size_t steps, const char* remark, bool holds = true) {
    all.push_back(reached_in("OCTAGON Table 2", steps));
    all.back().remark = remark;
    all.back().holds = holds;
  };
  const char* unsaid = "the paper does not say which eight nodes send, and no set of them gives all of its rows";
  if (m == 16 && n == 16) {
    add(broadcast ? 15 : 17,
        broadcast ? "" : "of shortest paths; the bound is printed as 15, its own formula gives 16");
  } else if (m == 8 && n == 8 && q == 8) {
    if (broadcast || p.paths == path_rule::Any)
      add(7, broadcast ? "" : "of any paths; 10 with shortest ones");
    else
      add(10, "of shortest paths; 7 with others");
  } else if (m == 8 && (n == 16 || q == 0)) {
    if (n != 16 && n != 8) return;
    add(broadcast ? 8 : n == 16 ? 15 : 10, unsaid, !broadcast);
  }
}

}  // namespace

void add_table_entries(const network_family& family, const problem& p, std::vector<papers_formula>& all) {
  if (family.what == table_kind::Ring && family.one_way && p.network.nodes() == 4 &&
      p.requested.what == operation::Scatter && p.requested.senders.size() == 4) {
    all.push_back({"RINGS Table 2 (the first)",
                   papers_formula::claim::LowerBound,
                   "printed",
                   {5, 5},
                   true,
                   "its formula gives 4; distances over channels 6"});
  }
  add_fat_tree_row(family, p, all);
  add_octagon_rows(family, p, all);
}

}  // namespace weft::schedule
