// SPDX-License-Identifier: Apache-2.0
/// Invariants of every topology and every routing that users can select.
#include "weft/topology/kinds.h"

#include "support/random_plan.h"
#include "unit/topology/generated.h"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "weft/topology/generators/k_ary_n_fly.h"

namespace weft {
namespace {

std::string page(const std::string& name) {
  std::ifstream in(WEFT_SOURCE_DIR "/docs/03_reference/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The first defect of a network, also a wrong number of nodes or routes that are not as short as its routing promises.
std::string find_defect(const network_plan& plan) {
  const topology t = make_network(plan);
  if (t.nodes.size() != plan.kind->count_nodes(plan)) return "count_nodes() returns another number of nodes";
  if (plan.routing->shortest) return find_defect(t, plan.network.vcs);
  const std::string broken = error_of([&] { check_structure(t, plan.network.vcs); });
  return broken.empty() ? describe_cycle(t, find_dependency_cycle(t, plan.network.vcs)) : broken;
}

TEST(unit_topology_kinds, every_topology_and_own_routing_is_deadlock_free) {
  const std::uint64_t seed = test_seed();
  for (const topology_kind* kind : generated_kinds()) {
    rng d(seed);
    std::set<const routing_kind*> seen;
    for (int i = 0; i < 40; ++i) {
      network_options network;
      network.vcs = 1;
      const network_plan plan = random_plan(d, *kind, 30, network);
      seen.insert(plan.routing);
      ASSERT_EQ(find_defect(plan), "") << describe(plan) << ", WEFT_SEED=" << seed;
    }
    EXPECT_TRUE(seen.count(kind->usual)) << kind->name;
  }
}

TEST(unit_topology_kinds, general_routing_routes_every_topology_or_states_why_not) {
  const std::uint64_t seed = test_seed();
  for (const routing_kind* routing : graph_routings()) {
    for (const topology_kind* kind : generated_kinds()) {
      rng d(seed);
      unsigned routed = 0;
      std::string reason;
      for (int i = 0; i < 200 && routed < 5; ++i) {
        network_plan plan = random_plan(d, *kind, 20);
        plan.routing = routing;
        plan.network.vcs = MaxVcs;
        try {
          const topology t = make_network(plan);
          ASSERT_EQ(error_of([&] { check_structure(t, MaxVcs); }), "") << describe(plan) << ", WEFT_SEED=" << seed;
          ++routed;
        } catch (const std::invalid_argument& e) {
          reason = e.what();
          EXPECT_NE(reason, "") << describe(plan);
        }
      }
      // All links of a butterfly go one way.
      const bool one_way = reason.find("some links go one way; use shortest") != std::string::npos;
      EXPECT_TRUE(routed > 0 || (kind == &k_ary_n_fly_topology() && one_way)) << kind->name << ", " << routing->name;
    }
  }
}

TEST(unit_topology_kinds, names_are_unique_and_shared_keys_agree) {
  std::set<std::string> names;
  for (const routing_kind* r : routing_kinds()) EXPECT_TRUE(names.insert(r->name).second) << r->name;
  names.clear();
  std::map<std::string, const topology_key*> keys;
  for (const topology_kind* kind : topology_kinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_GT(std::count(kind->routings.begin(), kind->routings.end(), kind->usual), 0) << kind->name;
    for (const topology_key& key : kind->keys) {
      const topology_key& first = *keys.emplace(key.name, &key).first->second;
      EXPECT_EQ(first.value.index(), key.value.index()) << key.name;
      EXPECT_EQ(first.unit, key.unit) << key.name;
    }
  }
}

TEST(unit_topology_kinds, rejects_routings_of_other_topologies) {
  for (const topology_kind* kind : generated_kinds())
    for (const routing_kind* routing : routing_kinds()) {
      if (routing->route || routing->extend || std::count(kind->routings.begin(), kind->routings.end(), routing) > 0)
        continue;
      network_plan plan{kind, routing};
      plan.topology = kind->defaults;
      EXPECT_NE(error_of([&] { make_network(plan); }), "") << kind->name << ", " << routing->name;
    }
}

TEST(unit_topology_kinds, distances_match_the_declared_hop_grid) {
  rng d(1);
  for (const topology_kind* kind : generated_kinds()) {
    for (int i = 0; kind->hops && i < 10; ++i) {
      const network_plan plan = random_plan(d, *kind, 40);
      const std::optional<hop_grid> grid = kind->hops(plan.topology);
      if (!grid || grid->sides.size() > grid_rule::MaxDimensions) continue;
      grid_parameters p;
      p.shape = grid->sides;
      p.rings = grid->rings;
      p.nodes = plan.topology.nodes_per_router;
      const topology_metrics f = compute_metrics(make_network(plan)), same = compute_metrics(make_grid(p));
      EXPECT_EQ(f.routers, same.routers) << describe(plan);
      EXPECT_EQ(f.diameter, same.diameter) << describe(plan);
      EXPECT_DOUBLE_EQ(f.mean_distance, same.mean_distance) << describe(plan);
    }
  }
}

TEST(unit_topology_kinds, documentation_lists_every_kind) {
  const std::string routings = page("routing.md"), topologies = page("topology.md");
  for (const routing_kind* r : routing_kinds())
    EXPECT_NE(routings.find("| `" + r->name + "` |"), std::string::npos) << r->name;
  for (const topology_kind* kind : topology_kinds())
    EXPECT_NE(topologies.find("| `" + kind->name + "` |"), std::string::npos) << kind->name;
}

}  // namespace
}  // namespace weft
