// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/routing/routing_tables.h"

#include "unit/topology/networks.h"
#include <map>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/generators/random_graph.h"

namespace weft {
namespace {

constexpr std::uint32_t Far = 1U << 30;

topology random_regular_graph(std::uint32_t most = 40) {
  random_graph_parameters p;
  p.degree = *rc::gen::inRange<unsigned>(2, 7);
  p.routers = *rc::gen::inRange<std::uint32_t>(p.degree + 1, most);
  if (p.degree % 2 != 0 && p.routers % 2 != 0) ++p.routers;
  p.nodes = *rc::gen::inRange(1U, 3U);
  p.options.nic_ports = *rc::gen::inRange(1U, 3U);
  p.seed = *rc::gen::arbitrary<std::uint64_t>();
  return make_random_graph_unrouted(p);
}

/// A network of routers "0", "1", … with two-way links \p links and one node at each router, on the last port.
topology network_of(std::uint32_t routers, const std::vector<std::pair<router_id, router_id>>& links,
                    bool one_way = false) {
  topology t;
  t.kind = "custom";
  t.routers.resize(routers);
  const auto port = [&](router_id r, const std::string& name) {
    t.routers[r].port_names.push_back(name);
    return port_ref{r, t.routers[r].ports++};
  };
  for (const auto& [a, b] : links) {
    const port_ref from = port(a, "to" + std::to_string(b)), to = port(b, "to" + std::to_string(a));
    t.channels.push_back({from, to, 1});
    if (!one_way) t.channels.push_back({to, from, 1});
  }
  for (router_id r = 0; r < routers; ++r) t.nodes.push_back({{port(r, "local")}, 1, {}});
  return t;
}

/// Length of the shortest path between each two routers, in channels (Floyd and Warshall).
std::vector<std::vector<std::uint32_t>> distances(const topology& t) {
  const std::size_t n = t.routers.size();
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, Far));
  for (std::size_t r = 0; r < n; ++r) d[r][r] = 0;
  for (const channel& c : t.channels) d[c.from.router][c.to.router] = 1;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  return d;
}

/// Lengths of the shortest allowed paths of up*/down* from \p root: first up, then down.
std::vector<std::vector<std::uint32_t>> allowed_distances(const topology& t, router_id root) {
  const std::size_t n = t.routers.size();
  const auto all = distances(t);
  topology up = t, down = t;
  const auto leads_up = [&](const channel& c) {
    return std::make_pair(all[root][c.to.router], c.to.router) <
           std::make_pair(all[root][c.from.router], c.from.router);
  };
  up.channels.clear();
  down.channels.clear();
  for (const channel& c : t.channels) (leads_up(c) ? up : down).channels.push_back(c);
  const auto climb = distances(up), descend = distances(down);
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, Far));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], climb[i][k] + descend[k][j]);
  return d;
}

router_id router_of(const topology& t, node_id n) { return t.nodes[n].ports.front().router; }

void expect_lengths(const topology& t, const std::vector<std::vector<std::uint32_t>>& expected) {
  for (node_id a = 0; a < t.nodes.size(); ++a)
    for (node_id b = 0; b < t.nodes.size(); ++b)
      RC_ASSERT(route_channels(t, a, b).size() == expected[router_of(t, a)][router_of(t, b)]);
}

// ---- up*/down* ----

RC_GTEST_PROP(unit_topology_up_down, paths_are_shortest_allowed_and_deadlock_free, ()) {
  topology t = random_regular_graph();
  const auto root = *rc::gen::inRange<router_id>(0, static_cast<router_id>(t.routers.size()));
  const auto vcs = *rc::gen::inRange(1U, 5U);
  route_up_down(t, vcs, root);
  check_structure(t, vcs);
  RC_ASSERT(find_dependency_cycle(t, vcs).empty());
  expect_lengths(t, allowed_distances(t, root));
  const auto far = distances(t);
  for (node_id a = 0; a < t.nodes.size(); ++a) {
    for (node_id b = 0; b < t.nodes.size(); ++b) {
      bool descends = false;
      for (const std::size_t c : route_channels(t, a, b)) {
        const router_id from = t.channels[c].from.router, to = t.channels[c].to.router;
        const bool up = std::make_pair(far[root][to], to) < std::make_pair(far[root][from], from);
        RC_ASSERT(!(descends && up));
        descends = !up;
      }
    }
  }
}

TEST(unit_topology_up_down, selects_the_root_with_the_least_eccentricity) {
  topology t = network_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {2, 0}});
  topology rooted = t;
  route_up_down(t, 1);
  route_up_down(rooted, 1, 0);  // the eccentricity of all routers is at most 2; 0 is the first
  EXPECT_EQ(t.routing, rooted.routing);
  EXPECT_EQ(t.algorithm, "up_down");
}

TEST(unit_topology_up_down, input_port_selects_the_local_port) {
  random_graph_parameters p;
  p.options.nic_ports = 3;
  const topology t = make_random_graph(p);
  const std::vector<port_ref>& ports = t.nodes[5].ports;
  for (unsigned in = 0; in < 4; ++in) EXPECT_EQ(t.routing[5].answer({in, 0, 5}).port, ports[in % 3].port);
}

TEST(unit_topology_up_down, balances_routes_over_equal_paths) {
  // Eight routers join two others; each of them carries an eighth of the traffic from one side to the other.
  std::vector<std::pair<router_id, router_id>> links;
  for (router_id middle = 2; middle < 10; ++middle) {
    links.emplace_back(0, middle);
    links.emplace_back(1, middle);
  }
  topology t = network_of(10, links);
  for (unsigned i = 0; i < 7; ++i)
    for (const router_id end : {0U, 1U}) {
      t.routers[end].port_names.push_back("extra" + std::to_string(i));
      t.nodes.push_back({{{end, t.routers[end].ports++}}, 1, {}});
    }
  route_up_down(t, 1, 0);
  std::map<router_id, unsigned> by;
  for (node_id b = 0; b < t.nodes.size(); ++b)
    if (router_of(t, b) == 1) ++by[t.channels[route_channels(t, 0, b).front()].to.router];
  EXPECT_EQ(by.size(), 8U);
}

TEST(unit_topology_up_down, rejects_networks_that_it_cannot_route) {
  topology ring = network_of(3, {{0, 1}, {1, 2}, {2, 0}}, true);
  EXPECT_EQ(error_of([&] { route_up_down(ring, 4, 0); }),
            "routing: up*/down* finds no path from router 1 to node 0, since some links go one way; use shortest, "
            "which needs 2 VCs in this network");
  topology parts = network_of(3, {{0, 1}});
  EXPECT_EQ(error_of([&] { route_up_down(parts, 4); }), "routing: node 0 cannot be reached from router 2; add a link");
  topology pair = network_of(2, {{0, 1}});
  EXPECT_EQ(error_of([&] { route_up_down(pair, 4, 2); }),
            "routing: the root is router 2; there are only routers 0 to 1");
  EXPECT_EQ(error_of([&] { route_up_down(pair, 0); }), "routing: vcs is 0; give 1 to 16");
  topology mesh = mesh_of({91, 91});
  EXPECT_EQ(error_of([&] { route_up_down(mesh, 1); }),
            "routing: tables for 8281 routers and 8281 nodes have more than 16777216 entries; make the network "
            "smaller, or number routers and nodes along the tree of up*/down*, depth first, with two-way links");
}

/// A network with two-way links \p links and one-way links \p more.
topology with_one_way_links(std::uint32_t routers, const std::vector<std::pair<router_id, router_id>>& links,
                            const std::vector<std::pair<router_id, router_id>>& more) {
  topology t = network_of(routers, links);
  for (const auto& [a, b] : more) {
    t.routers[a].port_names.push_back("out" + std::to_string(t.channels.size()));
    t.routers[b].port_names.push_back("in" + std::to_string(t.channels.size()));
    t.channels.push_back({{a, t.routers[a].ports++}, {b, t.routers[b].ports++}, 1});
  }
  return t;
}

TEST(unit_topology_up_down, extra_one_way_link_removes_no_path) {
  topology t = with_one_way_links(4, {{0, 1}, {1, 2}, {2, 3}}, {{0, 3}});
  EXPECT_TRUE(allows_up_down(t));
  route_up_down(t, 1);
  EXPECT_NO_THROW(check_structure(t, 1));
  EXPECT_TRUE(find_dependency_cycle(t, 1).empty());
  EXPECT_EQ(route_path(t, 3, 0), (std::vector<router_id>{3, 2, 1, 0}));
  EXPECT_EQ(route_path(t, 0, 3), (std::vector<router_id>{0, 3}));
}

RC_GTEST_PROP(unit_topology_up_down, connects_all_nodes_if_two_way_links_connect_all_routers, ()) {
  const auto routers = *rc::gen::inRange<std::uint32_t>(2, 25);
  std::vector<std::pair<router_id, router_id>> tree, more;
  for (router_id r = 1; r < routers; ++r) tree.emplace_back(r, *rc::gen::inRange<router_id>(r > 5 ? r - 5 : 0, r));
  std::vector<unsigned> degree(routers, 1);
  for (const auto& [a, b] : tree) ++degree[a], ++degree[b];
  for (auto i = *rc::gen::inRange(0U, 2 * routers); i > 0; --i) {
    const auto a = *rc::gen::inRange<router_id>(0, routers), b = *rc::gen::inRange<router_id>(0, routers);
    if (a == b || degree[a] > 14 || degree[b] > 14) continue;
    more.emplace_back(a, b);
    ++degree[a], ++degree[b];
  }
  topology t = with_one_way_links(routers, tree, more);
  RC_ASSERT(allows_up_down(t));
  route_up_down(t, 1);
  check_structure(t, 1);
  RC_ASSERT(find_dependency_cycle(t, 1).empty());
  route_by_default(t, 1);
  RC_ASSERT(t.algorithm == "up_down");
}

// ---- Default routing ----

TEST(unit_topology_default_routing, is_shortest_when_one_way_links_prevent_up_down) {
  for (const std::uint32_t routers : {3U, 5U, 8U}) {
    std::vector<std::pair<router_id, router_id>> links;
    for (router_id r = 0; r < routers; ++r) links.emplace_back(r, (r + 1) % routers);
    topology ring = network_of(routers, links, true);
    EXPECT_FALSE(allows_up_down(ring));
    const unsigned layers = *count_layers(ring);
    route_by_default(ring, layers);
    EXPECT_EQ(ring.algorithm, "shortest");
    EXPECT_NO_THROW(check_structure(ring, layers));
    EXPECT_TRUE(find_dependency_cycle(ring, layers).empty());
    EXPECT_EQ(error_of([&] { route_by_default(ring, layers - 1); }),
              "routing: shortest paths without deadlock need " + std::to_string(layers) +
                  " VCs in this network, but vcs is " + std::to_string(layers - 1) + "; give " +
                  std::to_string(layers) + " to 16");
  }
}

TEST(unit_topology_default_routing, suggests_alternatives_when_no_routing_fits) {
  std::vector<std::pair<router_id, router_id>> links;
  for (router_id r = 0; r < 40; ++r) links.emplace_back(r, (r + 1) % 40);
  topology ring = network_of(40, links, true);
  EXPECT_EQ(error_of([&] { route_by_default(ring, 4); }),
            "routing: shortest paths do not fit in 16 layers of VCs, and the longest path has 39 hops, each of which "
            "needs its own VC, but a port has at most 16 VCs; make links two-way, or give the routes as a table");
  EXPECT_EQ(error_of([&] { route_up_down(ring, 4); }),
            "routing: up*/down* finds no path from router 1 to node 0, since some links go one way, and shortest needs "
            "more than 16 VCs; make links two-way, or give the routes as a table");
  topology rooted = with_one_way_links(5, {{0, 1}}, {{1, 2}, {2, 0}, {2, 3}, {3, 1}, {0, 4}, {4, 1}});
  EXPECT_EQ(
      error_of([&] { route_up_down(rooted, 4, 4); }),
      "routing: up*/down* finds no path from router 1 to node 4, since some links go one way; choose another root "
      "than router 4");
}

// ---- Shortest paths in layers ----

RC_GTEST_PROP(unit_topology_shortest, paths_are_shortest_and_deadlock_free, ()) {
  topology t = random_regular_graph(24);
  const unsigned layers = route_shortest_layered(t, MaxVcs);
  RC_ASSERT(layers >= 1U && layers <= 4U);
  const auto expected = distances(t);
  for (const unsigned vcs : {layers, MaxVcs}) {
    RC_ASSERT(route_shortest_layered(t, vcs) == layers);
    check_structure(t, vcs);
    RC_ASSERT(find_dependency_cycle(t, vcs).empty());
    expect_lengths(t, expected);
  }
}

/// Number of VCs of each layer.
std::vector<unsigned> sizes_of(const topology& t, unsigned vcs) {
  const table_rule& table = *t.routing.front().as<table_rule>();
  std::vector<unsigned> sizes;
  for (unsigned l = 0; l < table.layers(); ++l)
    sizes.push_back(count_members(layer_of({0, first_vcs(vcs)}, l, table.layers(), table.vcs_of_layer(l)).vcs));
  return sizes;
}

/// Number of routes over the busiest channel of each layer.
std::vector<unsigned> busiest_of(const topology& t, unsigned layers) {
  std::vector<std::vector<unsigned>> routes(layers, std::vector<unsigned>(t.channels.size()));
  for (node_id a = 0; a < t.nodes.size(); ++a)
    for (node_id b = 0; b < t.nodes.size(); ++b)
      for (const std::size_t c : route_channels(t, a, b)) ++routes[layers == 1 ? 0 : t.nodes[a].path_ids(b, 0)][c];
  std::vector<unsigned> most;
  for (const auto& of_channels : routes) most.push_back(*std::max_element(of_channels.begin(), of_channels.end()));
  return most;
}

double most_of_a_vc(const std::vector<unsigned>& routes, const std::vector<unsigned>& vcs) {
  double most = 0;
  for (std::size_t l = 0; l < vcs.size(); ++l) most = std::max(most, static_cast<double>(routes[l]) / vcs[l]);
  return most;
}

/// With spare VCs, no VC of a channel carries more routes than without.
RC_GTEST_PROP(unit_topology_shortest, spare_vcs_go_to_the_busiest_layers, ()) {
  topology t = random_regular_graph(30);
  for (node_attachment& n : t.nodes) n.ports.resize(1);
  const unsigned layers = route_shortest_layered(t, MaxVcs);
  route_shortest_layered(t, layers);
  RC_ASSERT(sizes_of(t, layers) == std::vector<unsigned>(layers, 1));
  const std::vector<unsigned> routes = busiest_of(t, layers);
  std::vector<unsigned> sizes(layers, 1);
  for (unsigned vcs = layers + 1; vcs <= MaxVcs; ++vcs) {
    // The spare VC goes to one of the layers with the most routes per VC.
    route_shortest_layered(t, vcs);
    std::vector<unsigned> now = sizes_of(t, vcs);
    const double before = most_of_a_vc(routes, sizes);
    unsigned more = layers;
    for (unsigned l = 0; l < layers; ++l) {
      RC_ASSERT(now[l] == sizes[l] || (now[l] == sizes[l] + 1 && more == layers));
      if (now[l] != sizes[l]) more = l;
    }
    RC_ASSERT(more < layers);
    RC_ASSERT(static_cast<double>(routes[more]) / sizes[more] == before);
    sizes = now;
    // Moving pairs to other layers does not increase the number of routes per VC.
    RC_ASSERT(most_of_a_vc(busiest_of(t, layers), sizes) <= most_of_a_vc(routes, sizes));
    RC_ASSERT(find_dependency_cycle(t, vcs).empty());
  }
}

TEST(unit_topology_shortest, tree_takes_one_layer) {
  topology t = network_of(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
  EXPECT_EQ(route_shortest_layered(t, 1), 1U);
  EXPECT_TRUE(t.nodes[0].path_ids.by_destination.empty());
  EXPECT_TRUE(find_dependency_cycle(t, 1).empty());
}

TEST(unit_topology_shortest, one_way_ring_takes_several_layers) {
  topology t = network_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, true);
  EXPECT_EQ(route_shortest_layered(t, 3), 3U);
  EXPECT_NO_THROW(check_structure(t, 3));
  EXPECT_TRUE(find_dependency_cycle(t, 3).empty());
  EXPECT_EQ(route_path(t, 1, 0), (std::vector<router_id>{1, 2, 3, 4, 0}));
}

TEST(unit_topology_shortest, graph_of_the_paper_takes_few_layers) {
  random_graph_parameters p;
  p.routers = 64;
  topology t = make_random_graph_unrouted(p);
  EXPECT_LE(route_shortest_layered(t, MaxVcs), 4U);
}

TEST(unit_topology_shortest, error_states_the_required_vcs) {
  topology ring = network_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, true);
  EXPECT_EQ(error_of([&] { route_shortest_layered(ring, 1); }),
            "routing: shortest paths without deadlock need 3 VCs in this network, but vcs is 1; give 3 to 16");
  topology two_way = network_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
  EXPECT_EQ(error_of([&] { route_shortest_layered(two_way, 1); }),
            "routing: shortest paths without deadlock need 2 VCs in this network, but vcs is 1; give 2 to 16, or use "
            "up_down");
  topology parts = network_of(4, {{0, 1}, {2, 3}});
  EXPECT_EQ(error_of([&] { route_shortest_layered(parts, 1); }),
            "routing: node 0 cannot be reached from router 2; add a link");
  topology mesh = mesh_of({33, 32});
  EXPECT_EQ(
      error_of([&] { route_shortest_layered(mesh, 1); }),
      "routing: shortest paths for 1056 routers and 1056 nodes are more than the 1048576 that layers support, and the "
      "longest path has 63 hops, each of which needs its own VC, but a port has at most 16 VCs; use up_down");
}

RC_GTEST_PROP(unit_topology_shortest, reports_fewest_vcs_for_any_vc_count, ()) {
  const topology links = random_regular_graph(24);
  const auto make = [&](unsigned vcs) {
    topology t = links;
    route_shortest_layered(t, vcs);
    return t;
  };
  const unsigned least = least_vcs(make, MaxVcs);
  RC_ASSERT(make(MaxVcs).least_vcs == least);
  RC_ASSERT(make(least).least_vcs == least);
}

TEST(unit_topology_shortest, reaches_node_at_two_routers_through_the_nearer_one) {
  topology t = network_of(4, {{0, 1}, {1, 2}, {2, 3}});
  t.routers[0].port_names.emplace_back("second");
  t.nodes[3].ports.push_back({0, t.routers[0].ports++});
  for (const unsigned vcs : {1U, 4U}) {
    route_shortest_layered(t, vcs);
    EXPECT_NO_THROW(check_structure(t, vcs));
    EXPECT_EQ(route_path(t, 1, 3), (std::vector<router_id>{1, 0}));
    EXPECT_EQ(route_path(t, 2, 3), (std::vector<router_id>{2, 3}));
  }
}

// ---- Tables ----

/// Routes of a ring of four routers, all in the same direction.
std::vector<table_entry> round_the_ring(const topology& t) {
  std::vector<table_entry> entries;
  for (router_id r = 0; r < 4; ++r)
    for (node_id d = 0; d < 4; ++d)
      if (d != r) entries.push_back({r, d, t.channels[2 * r].from.port, first_vcs(2)});
  return entries;
}

TEST(unit_topology_table, routes_by_its_entries) {
  topology t = network_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  route_from_table(t, round_the_ring(t), 2);
  EXPECT_NO_THROW(check_structure(t, 2));
  EXPECT_EQ(route_path(t, 3, 2), (std::vector<router_id>{3, 0, 1, 2}));
  EXPECT_EQ(t.algorithm, "table");
  EXPECT_FALSE(find_dependency_cycle(t, 2).empty());
}

std::string table_rejection(const std::function<void(std::vector<table_entry>&)>& spoil) {
  topology t = network_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  std::vector<table_entry> entries = round_the_ring(t);
  spoil(entries);
  return error_of([&] { route_from_table(t, entries, 2); });
}

TEST(unit_topology_table, rejects_invalid_entries) {
  EXPECT_EQ(table_rejection([](auto& e) { e[2].at = 4; }),
            "routing: the route at router 4 to node 3: there is no router 4, expected 0 to 3");
  EXPECT_EQ(table_rejection([](auto& e) { e[2].to = 9; }),
            "routing: the route at router 0 to node 9: there is no node 9, expected 0 to 3");
  EXPECT_EQ(table_rejection([](auto& e) { e[2].port = 3; }),
            "routing: the route at router 0 to node 3: it has no port 3, expected 0 to 2");
  EXPECT_EQ(table_rejection([](auto& e) { e[2].vcs = 0; }),
            "routing: the route at router 0 to node 3: no VC is admissible; give at least one");
  EXPECT_EQ(table_rejection([](auto& e) { e[2].vcs = 4; }),
            "routing: the route at router 0 to node 3: it admits VCs beyond the 2 VCs of a port; give lower VCs");
  EXPECT_EQ(table_rejection([](auto& e) { e[2].to = 2; }), "routing: the route at router 0 to node 2 is given twice");
  EXPECT_EQ(table_rejection([](auto& e) { e.pop_back(); }),
            "routing: router 3 has no route to node 2, but packets from node 3 to that node arrive there; add a route");
  EXPECT_EQ(table_rejection([](auto& e) { e[0].port = 2; }),
            "routing: router 0 sends packets for node 1 out by local, where node 0 is");
  EXPECT_EQ(table_rejection([](auto& e) { e[3].port = 0; }),  // valid: router 1 sends packets for node 0 back
            "");
  EXPECT_EQ(table_rejection([](auto& e) { e[4].port = 0; }),  // at router 1, for node 2
            "routing: packets from node 0 to node 2 follow a loop: router 0, router 1, router 0");
}

// ---- Source routing ----

RC_GTEST_PROP(unit_topology_source, paths_are_of_the_requested_kind, ()) {
  topology t = random_regular_graph(20);
  topology routed = t;
  try {
    route_by_source(routed, 2);
    route_by_source(t, 2, source_paths::UpDown);
  } catch (const std::invalid_argument&) {
    RC_DISCARD("a path of more than eight segments");
  }
  check_structure(routed, 2);
  expect_lengths(routed, distances(routed));
  check_structure(t, 2);
  RC_ASSERT(find_dependency_cycle(t, 2).empty());
}

TEST(unit_topology_source, given_paths_take_precedence) {
  topology t = network_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  route_by_source(t, 1, source_paths::Shortest, {{0, 1, {0, 3, 2, 1}}, {2, 2, {2}}});
  EXPECT_NO_THROW(check_structure(t, 1));
  EXPECT_EQ(route_path(t, 0, 1), (std::vector<router_id>{0, 3, 2, 1}));
  EXPECT_EQ(route_path(t, 1, 0), (std::vector<router_id>{1, 0}));
  EXPECT_EQ(t.algorithm, "source");
}

std::string path_rejection(const std::vector<given_path>& given) {
  topology t = network_of(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  return error_of([&] { route_by_source(t, 1, source_paths::Shortest, given); });
}

TEST(unit_topology_source, rejects_invalid_paths) {
  EXPECT_EQ(path_rejection({{0, 1, {}}}),
            "routing: the path from node 0 to node 1: it goes through no router; name at least one");
  EXPECT_EQ(path_rejection({{0, 2, {0, 2}}}),
            "routing: the path from node 0 to node 2: there is no link from router 0 to router 2");
  EXPECT_EQ(path_rejection({{0, 2, {1, 2}}}),
            "routing: the path from node 0 to node 2: it begins at router 1; node 0 is at router 0");
  EXPECT_EQ(path_rejection({{0, 2, {0, 1}}}),
            "routing: the path from node 0 to node 2: it ends at router 1; node 2 is at router 2");
  EXPECT_EQ(path_rejection({{0, 2, {0, 1, 0, 1, 2}}}),
            "routing: the path from node 0 to node 2: it passes router 0 twice; a path passes a router once");
  EXPECT_EQ(path_rejection({{0, 2, {0, 7}}}),
            "routing: the path from node 0 to node 2: there is no router 7, expected 0 to 3");
  EXPECT_EQ(path_rejection({{0, 4, {0}}}),
            "routing: the path from node 0 to node 4: there is no node 4, expected 0 to 3");
  EXPECT_EQ(path_rejection({{0, 1, {0, 1}}, {0, 1, {0, 1}}}), "routing: the path from node 0 to node 1 is given twice");
}

TEST(unit_topology_source, rejects_paths_that_do_not_fit_the_header) {
  // A row of routers in which packets to the right leave by ports 0 and 1 alternately.
  topology t;
  t.routers.assign(10, {3, {"a", "b", "local"}, {}});
  for (router_id r = 0; r < 10; ++r) {
    if (r < 9) {
      const port_ref from{r, r % 2}, to{r + 1, r % 2};
      t.channels.push_back({from, to, 1});
      t.channels.push_back({to, from, 1});
    }
    t.nodes.push_back({{{r, 2}}, 1, {}});
  }
  EXPECT_EQ(error_of([&] { route_by_source(t, 1); }),
            "routing: the path from node 8 to node 0 through 9 routers does not fit a header of 8 segments (a segment "
            "is up to "
            "16 routers left by the same port); use up_down or shortest");
  EXPECT_NO_THROW(route_by_source(t = mesh_of({10, 2}), 1));
}

TEST(unit_topology_source, rejects_nodes_at_several_routers) {
  topology t = network_of(3, {{0, 1}, {1, 2}});
  t.routers[0].port_names.emplace_back("second");
  t.nodes[2].ports.push_back({0, t.routers[0].ports++});
  EXPECT_EQ(error_of([&] { route_by_source(t, 1); }),
            "routing: node 2 has ports at several routers, but a path begins at one router; use up_down or shortest");
}

}  // namespace
}  // namespace weft
