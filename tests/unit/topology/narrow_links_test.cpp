// SPDX-License-Identifier: Apache-2.0
/// Channels that are narrower than flits: files, exports, and what the analysis of networks computes of them.
#include "unit/topology/networks.h"
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/analysis/throughput.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/files/drawing.h"
#include "weft/topology/files/export.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/kinds.h"

namespace weft {
namespace {

using testing::HasSubstr;

constexpr const char* Row = R"(
format: weft-topology-1
routers: [a, b, c]
links:
  - {between: [a, b], width: 16}
  - {from: b, to: c, phits: 8, cycles: 2}
  - {from: c, to: b}
nodes: [a, b, c]
routing: {algorithm: up_down, root: a}
)";

std::vector<unsigned> phits_of(const topology& t) {
  std::vector<unsigned> all;
  for (const channel& c : t.channels) all.push_back(c.phits);
  return all;
}

topology narrow_mesh(shape_t shape, unsigned phits) {
  topology t = mesh_of(std::move(shape));
  for (channel& c : t.channels) c.phits = phits;
  return t;
}

TEST(unit_topology_narrow_links, a_file_gives_their_width_or_their_number_of_phits) {
  EXPECT_EQ(phits_of(read_topology(Row, "row.yaml", {4, 64, &up_down_routing()})), (std::vector<unsigned>{4, 4, 8, 1}));
  EXPECT_EQ(phits_of(read_topology(Row, "row.yaml", {4, 0, &up_down_routing()})), (std::vector<unsigned>{1, 1, 8, 1}))
      << "without flits of a known width, the widest link is as wide as a flit";
}

TEST(unit_topology_narrow_links, exports_and_drawings_contain_them) {
  const topology t = read_topology(Row, "row.yaml", {4, 64, &up_down_routing()});
  const read_options how{4, 64, &up_down_routing()};
  EXPECT_EQ(phits_of(read_topology(to_json(t).dump(), "row.json", how)), phits_of(t));
  EXPECT_EQ(phits_of(read_graphml(to_graphml(t), "row.graphml", how)), phits_of(t));
  EXPECT_THAT(to_svg(t), HasSubstr("class=\"link narrow\""));
  EXPECT_THAT(to_svg(t), HasSubstr("narrow ones dashed"));
  EXPECT_EQ(to_svg(mesh_of({2, 2})).find("link narrow"), std::string::npos);
}

TEST(unit_topology_narrow_links, a_graphviz_file_gives_their_number_of_phits) {
  const topology t = read_graphviz("graph { a -- b [phits=5]; b -- c }", "row.gv", {4, 64, &up_down_routing()});
  EXPECT_EQ(phits_of(t), (std::vector<unsigned>{5, 5, 1, 1}));
}

TEST(unit_topology_narrow_links, generated_networks_have_links_of_one_width) {
  for (const topology_kind* const kind : generated_kinds()) {
    network_plan plan{kind, kind->usual};
    plan.topology = kind->defaults;
    plan.network.link_phits = 3;
    const topology t = make_network(plan);
    EXPECT_TRUE(std::all_of(t.channels.begin(), t.channels.end(), [](const channel& c) { return c.phits == 3; }))
        << kind->name;
  }
}

const topology_kind& kind_called(const std::string& name) {
  const auto& all = topology_kinds();
  return **std::find_if(all.begin(), all.end(), [&](const topology_kind* k) { return k->name == name; });
}

/// Number of channels of \p kind with 4 phits and with the phits of the other channels, which is 2.
std::pair<std::size_t, std::size_t> counted(const char* kind, std::uint32_t topology_options::*width) {
  const topology_kind& made = kind_called(kind);
  network_plan plan{&made, made.usual};
  plan.topology = made.defaults;
  plan.topology.*width = 16;
  plan.network.link_phits = 2;
  const topology t = make_network(plan);
  const auto with = [&](unsigned phits) {
    return static_cast<std::size_t>(
        std::count_if(t.channels.begin(), t.channels.end(), [&](const channel& c) { return c.phits == phits; }));
  };
  return {with(4), with(2)};
}

TEST(unit_topology_narrow_links, some_topologies_have_links_with_a_width_of_their_own) {
  EXPECT_EQ(counted("chiplets", &topology_options::die_link_width), std::pair(std::size_t{32}, std::size_t{192}));
  EXPECT_EQ(counted("tsv_mesh", &topology_options::vertical_width).second, std::size_t{4 * 48});
  EXPECT_EQ(counted("dragonfly", &topology_options::global_width), std::pair(std::size_t{72}, std::size_t{9 * 12}));
}

TEST(unit_topology_narrow_links, a_width_must_divide_that_of_a_flit) {
  const topology_kind& chiplets = kind_called("chiplets");
  network_plan plan{&chiplets, chiplets.usual};
  plan.topology = chiplets.defaults;
  plan.topology.die_link_width = 24;
  EXPECT_EQ(error_of([&] { make_network(plan); }),
            "topology: die_link_width is 24; give a divisor of 64, the payload bits of a flit, that is at least 1");
}

/// A triangle: the direct link from a to c has 4 phits and takes 2 cycles; the two others take 2 cycles each.
TEST(unit_topology_narrow_links, routing_by_phits_or_cycles_avoids_them) {
  constexpr const char* Triangle = R"(
format: weft-topology-1
routers: [a, b, c]
links: [{between: [a, b], cycles: 2}, {between: [b, c], cycles: 2}, {between: [a, c], cycles: 2, phits: 4}]
nodes: [a, b, c]
)";
  const auto hops = [&](const char* weight) {
    const std::string text = std::string(Triangle) + "routing: {algorithm: shortest, weight: " + weight + "}\n";
    return route_channels(read_topology(text, "triangle.yaml"), 0, 2).size();
  };
  EXPECT_EQ(hops("hops"), 1U);
  EXPECT_EQ(hops("cycles"), 2U) << "4 cycles instead of 5";
  EXPECT_EQ(hops("phits"), 2U);
}

TEST(unit_topology_narrow_links, a_channel_has_1_to_64_phits) {
  for (const unsigned wrong : {0U, 65U}) {
    topology t = mesh_of({2});
    t.channels[0].phits = wrong;
    EXPECT_EQ(error_of([&] { check_structure(t, 4); }),
              "topology: channel 0 (router 0 (0) +x -> router 1 (1) -x) cuts flits into " + std::to_string(wrong) +
                  " phits; give 1 to 64");
  }
}

// The head arrives k - 1 cycles later on each narrow link. The other flits follow as fast as the links permit, and
// catch up two cycles in each router behind a narrow link.
TEST(unit_topology_narrow_links, zero_load_latency_of_a_path) {
  topology t = mesh_of({4});
  const router_parameters router;
  EXPECT_EQ(zero_load_latency(t, router, 0, 3, 5), 2U + 5U * 4U + 4U);
  for (channel& c : t.channels) c.phits = c.from.router == 1 ? 6 : c.from.router == 2 ? 3 : 1;
  EXPECT_EQ(zero_load_latency(t, router, 0, 3, 1), 2U + 5U * 4U + 5U + 2U);
  EXPECT_EQ(zero_load_latency(t, router, 0, 3, 5), 2U + 5U * 4U + 5U + 2U + 4U * 6U - 2U * 2U);
  EXPECT_EQ(zero_load_latency(t, router, 0, 3, 2), 2U + 5U * 4U + 5U + 2U + 6U - 2U * 2U);
  EXPECT_EQ(zero_load_latency(t, router, 0, 1, 5), 2U + 5U * 2U + 4U);
  EXPECT_EQ(zero_load_latency(t, router, 3, 2, 5), 2U + 5U * 2U + 4U);
  router_parameters shorter;
  shorter.pipeline = 3;
  EXPECT_EQ(zero_load_latency(t, shorter, 0, 3, 5), 2U + 4U * 4U + 5U + 2U + 4U * 6U - 2U * 1U);
}

TEST(unit_topology_narrow_links, zero_load_latency_with_store_and_forward) {
  const topology t = narrow_mesh({3}, 4);
  router_parameters router;
  router.flow = flow_control::StoreAndForward;
  // The packet reaches the first router at one flit per cycle, and the other two at one flit in four cycles.
  EXPECT_EQ(zero_load_latency(t, router, 0, 2, 5), 2U + 5U * 3U + 2U * 3U + 4U + 2U * 4U * 4U + 4U);
}

TEST(unit_topology_narrow_links, throughput_is_divided_by_their_phits) {
  const topology wide = mesh_of({4, 4}), narrow = narrow_mesh({4, 4}, 4);
  const topology_metrics of_wide = compute_metrics(wide, false), of_narrow = compute_metrics(narrow, false);
  EXPECT_DOUBLE_EQ(of_narrow.ideal_throughput, of_wide.max_channel_load > 0 ? 0.25 / of_wide.max_channel_load : 0);
  EXPECT_DOUBLE_EQ(of_narrow.accepted_bound, of_narrow.ideal_throughput);
  EXPECT_EQ(of_narrow.bisection_channels, of_wide.bisection_channels);
  EXPECT_DOUBLE_EQ(of_wide.bisection_flits, static_cast<double>(of_wide.bisection_channels));
  EXPECT_DOUBLE_EQ(of_narrow.bisection_flits, of_wide.bisection_flits / 4);
}

TEST(unit_topology_narrow_links, the_link_that_limits_the_throughput_need_not_have_the_highest_load) {
  topology t = mesh_of({4});
  const double outer = 3.0 / 3, middle = 2.0 * 2 / 3;  // flits per cycle if each node sends one to the other three
  EXPECT_DOUBLE_EQ(compute_metrics(t, false).ideal_throughput, 1 / middle);
  for (channel& c : t.channels)
    if (c.from.router == 0) c.phits = 5;
  EXPECT_DOUBLE_EQ(compute_metrics(t, false).ideal_throughput, 1 / (5 * outer));
  EXPECT_DOUBLE_EQ(capacity_of_all(t), 5 + 1.0 / 5);
}

}  // namespace
}  // namespace weft
