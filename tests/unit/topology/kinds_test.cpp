// SPDX-License-Identifier: Apache-2.0
/// What holds of every topology and every routing that users can choose, whichever they are.
#include "weft/topology/kinds.h"

#include "support/random_plan.h"
#include "unit/topology/generated.h"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace weft {
namespace {

std::string page(const std::string& name) {
  std::ifstream in(WEFT_SOURCE_DIR "/docs/03_reference/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whole, free of deadlock, with as many nodes as announced, and with shortest paths where the routing promises them.
std::string flaw_of(const network_plan& plan) {
  const topology t = make_network(plan);
  if (t.nodes.size() != plan.kind->count_nodes(plan)) return "another number of nodes than announced";
  if (plan.routing->shortest) return flaw_of(t, plan.network.vcs);
  const std::string broken = error_of([&] { check_structure(t, plan.network.vcs); });
  return broken.empty() ? describe_cycle(t, find_dependency_cycle(t, plan.network.vcs)) : broken;
}

TEST(unit_topology_kinds, every_topology_with_every_routing_of_its_own_is_whole_and_free_of_deadlock) {
  const std::uint64_t seed = test_seed();
  for (const topology_kind* kind : generated_kinds()) {
    dice d(seed);
    std::set<const routing_kind*> seen;
    for (int i = 0; i < 40; ++i) {
      network_options network;
      network.vcs = 1;
      const network_plan plan = random_plan(d, *kind, 30, network);
      seen.insert(plan.routing);
      ASSERT_EQ(flaw_of(plan), "") << describe(plan) << ", WEFT_SEED=" << seed;
    }
    EXPECT_TRUE(seen.count(kind->usual)) << kind->name;
  }
}

TEST(unit_topology_kinds, a_routing_for_any_network_routes_every_topology_or_says_why_not) {
  const std::uint64_t seed = test_seed();
  for (const routing_kind* routing : graph_routings()) {
    for (const topology_kind* kind : generated_kinds()) {
      dice d(seed);
      unsigned routed = 0;
      for (int i = 0; i < 200 && routed < 5; ++i) {
        network_plan plan = random_plan(d, *kind, 20);
        plan.routing = routing;
        plan.network.vcs = MaxVcs;
        try {
          const topology t = make_network(plan);
          ASSERT_EQ(error_of([&] { check_structure(t, MaxVcs); }), "") << describe(plan) << ", WEFT_SEED=" << seed;
          ++routed;
        } catch (const std::invalid_argument& e) {
          EXPECT_NE(std::string(e.what()), "") << describe(plan);
        }
      }
      EXPECT_GT(routed, 0U) << kind->name << ", " << routing->name;
    }
  }
}

TEST(unit_topology_kinds, names_are_distinct_and_keys_of_one_name_are_alike) {
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

TEST(unit_topology_kinds, a_topology_refuses_routings_of_others) {
  for (const topology_kind* kind : generated_kinds())
    for (const routing_kind* routing : routing_kinds()) {
      if (routing->route || std::count(kind->routings.begin(), kind->routings.end(), routing) > 0) continue;
      network_plan plan{kind, routing};
      plan.topology = kind->defaults;
      EXPECT_NE(error_of([&] { make_network(plan); }), "") << kind->name << ", " << routing->name;
    }
}

TEST(unit_topology_kinds, distances_are_those_of_the_grid_that_a_topology_names) {
  dice d(1);
  for (const topology_kind* kind : generated_kinds()) {
    for (int i = 0; kind->hops && i < 10; ++i) {
      const network_plan plan = random_plan(d, *kind, 40);
      const std::optional<hop_grid> grid = kind->hops(plan.topology);
      if (!grid || grid->sides.size() > grid_rule::MaxDimensions) continue;
      grid_parameters p;
      p.shape = grid->sides;
      p.rings = grid->rings;
      p.nodes = plan.topology.nodes_per_router;
      const topology_figures f = compute_figures(make_network(plan)), same = compute_figures(make_grid(p));
      EXPECT_EQ(f.routers, same.routers) << describe(plan);
      EXPECT_EQ(f.diameter, same.diameter) << describe(plan);
      EXPECT_DOUBLE_EQ(f.mean_distance, same.mean_distance) << describe(plan);
    }
  }
}

TEST(unit_topology_kinds, the_pages_have_all_of_the_lists) {
  const std::string routings = page("routing.md"), topologies = page("topology.md");
  for (const routing_kind* r : routing_kinds())
    EXPECT_NE(routings.find("| `" + r->name + "` |"), std::string::npos) << r->name;
  for (const topology_kind* kind : topology_kinds())
    EXPECT_NE(topologies.find("| `" + kind->name + "` |"), std::string::npos) << kind->name;
}

}  // namespace
}  // namespace weft
