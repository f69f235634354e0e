// SPDX-License-Identifier: Apache-2.0
/// The cost of networks by hand: standing costs, the energy of one packet, and sums.
#include "weft/energy/network_cost.h"

#include "unit/energy/toy_technology.h"
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/topology/generators/grid.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A line of routers with 4 VCs.
topology line(std::uint32_t routers) {
  grid_parameters p{{routers}};
  p.options.vcs = 4;
  return make_grid(p);
}

network_cost cost_of(const topology& graph, const cost_options& options = {}, const router_parameters& router = {}) {
  return {graph, router, {}, 64, parse_technology(ToyTechnology, "toy.yaml"), options};
}

/// No activity on any channel of \p graph.
std::vector<channel_activity> silence(const topology& graph) {
  std::size_t channels = 0;
  for (const router_info& r : graph.routers) channels += r.ports;
  for (const node_attachment& n : graph.nodes) channels += n.ports.size();
  return std::vector<channel_activity>(channels);
}

TEST(unit_energy_network_cost, adds_standing_costs_of_routers_nics_and_links) {
  // Two routers with 2 connected ports and 4 VCs of 8 flits; 64 + 102 + 2 + 3 + 2 + 1 wires a flit.
  const network_cost cost = cost_of(line(2));
  EXPECT_EQ(cost.flit_bits(), 174U);
  EXPECT_EQ(cost.routers().area, 2 * (2 * 4 * 8 * 10 + 2 * 10 + 16 * 5 + 5 + 174 + 100));
  EXPECT_EQ(cost.routers().cycle, 2 * (2 * 4 * 2 + 5));
  EXPECT_EQ(cost.routers().leakage, 2 * 2 * 1000);
  EXPECT_EQ(cost.nics().area, 2 * 3000);
  EXPECT_EQ(cost.nics().cycle, 2 * 7);
  EXPECT_EQ(cost.nics().leakage, 2 * 300);
  EXPECT_EQ(cost.wire_length(), 2);
  EXPECT_EQ(cost.links().area, 2 * (174 + 3));  // a credit has 3 wires
  EXPECT_EQ(cost.links().leakage, 2 * (174 + 3) * 10);
  EXPECT_THAT(cost.notes(), IsEmpty());
}

TEST(unit_energy_network_cost, finds_the_slowest_module) {
  const network_cost cost = cost_of(line(3));
  EXPECT_DOUBLE_EQ(cost.reached_clock(), 1000.0 / 460);
  EXPECT_EQ(cost.slowest(), "input_unit of a router with 2 ports");
  EXPECT_DOUBLE_EQ(cost.clock(), cost.reached_clock());
  EXPECT_EQ(cost_of(line(3), {1, 0, 0.5}).clock(), 0.5);
}

TEST(unit_energy_network_cost, rejects_technologies_without_a_clock_for_the_network) {
  std::string text = ToyTechnology;
  for (std::size_t at = 0; (at = text.find("period: {", at)) != std::string::npos;)
    text.replace(at, text.find('}', at) + 1 - at, "period : {\"log2_vcs\": 100}");
  router_parameters router;
  router.vcs = 1;
  EXPECT_THAT(
      [&] { network_cost(line(2), router, {}, 64, parse_technology(text, "toy.yaml"), {}); },
      testing::ThrowsMessage<std::invalid_argument>(HasSubstr("has a period of 0 ps; expected 0.001 to 1e+09")));
}

TEST(unit_energy_network_cost, spends_clock_and_leakage_without_traffic) {
  const topology graph = line(2);
  const network_cost cost = cost_of(graph, {1, 0, 0.5});
  const energy_account spent = cost.account({silence(graph), 0, 0}, 1000);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Clock), 1000 * (42 + 14));
  // 2,000 ns of 4,000 + 600 + 3,540 nW; 1,000 nW · ns are 1 fJ
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Leakage), 2 * (4000 + 600 + 3540));
  EXPECT_DOUBLE_EQ(spent.total(), spent.of(energy_part::Clock) + spent.of(energy_part::Leakage));
  EXPECT_DOUBLE_EQ(cost.static_power(), spent.total() / 2000 * 1e-3);
}

TEST(unit_energy_network_cost, one_packet_costs_the_formula) {
  const topology graph = line(2);
  const network_cost cost = cost_of(graph, {3, 0, 0});
  std::vector<channel_activity> activity = silence(graph);
  // A packet of 2 flits from node 0 to node 1: its NIC, router 0 to router 1 (port +x), router 1 to node 1.
  const std::size_t local = graph.nodes[1].ports[0].port, link = graph.channels[0].from.port;
  const std::size_t from_nic = 2 * std::size_t{graph.routers[0].ports};
  ASSERT_EQ(graph.channels[0].from.router, 0U);
  activity[from_nic] = {2, 1, 30, 10};
  activity[link] = {2, 1, 20, 5};
  activity[graph.routers[0].ports + local] = {2, 1, 7, 1};
  const energy_account spent = cost.account({activity, 0, 0}, 0);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Buffers), (2 * 100 + 10 + 40) + (2 * 100 + 10 + 25));
  EXPECT_DOUBLE_EQ(spent.of(energy_part::RouteComputation), 2 * 50);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::VcAllocation), 2 * 70);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::SwitchAllocation), 2 * 2 * 20);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Crossbar), 2 * 2 * 5 + (25 + 8) * 2 * 0.5);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Credits), 2 * 2 * 3);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Links), 25 * 3 * 200 * 0.5);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Nics), 2 * 30 + 2 * 40);
  EXPECT_DOUBLE_EQ(spent.of(energy_part::Clock), 0);
  EXPECT_DOUBLE_EQ(spent.channels[link], spent.of(energy_part::Links));
  const double in_routers = std::accumulate(spent.routers.begin(), spent.routers.end(), 0.0);
  EXPECT_DOUBLE_EQ(in_routers + spent.of(energy_part::Links) + spent.of(energy_part::Nics), spent.total());
}

TEST(unit_energy_network_cost, scales_with_the_supply) {
  const topology graph = line(2);
  std::vector<channel_activity> activity = silence(graph);
  activity[graph.channels[0].from.port] = {10, 2, 100, 10};
  const energy_account usual = cost_of(graph, {1, 1, 1}).account({activity, 0, 0}, 100);
  const energy_account half = cost_of(graph, {1, 0.5, 1}).account({activity, 0, 0}, 100);
  for (std::size_t i = 0; i + 1 < EnergyParts; ++i) EXPECT_DOUBLE_EQ(half.parts[i], usual.parts[i] / 4) << i;
  EXPECT_DOUBLE_EQ(half.of(energy_part::Leakage), usual.of(energy_part::Leakage) / 2);
}

TEST(unit_energy_network_cost, clocks_only_written_words_with_clock_gating) {
  std::string text = ToyTechnology;
  const std::string plain = "cycle: {\"ports * vcs\": 2}";
  text.replace(text.find(plain), plain.size(), "cycle: {\"ports * vcs\": 2, \"ports * vcs * depth\": 7}");
  const topology graph = line(2);
  const auto account_of = [&](bool clock_gating) {
    const network_cost cost(graph, {}, {}, 64, parse_technology(text, "toy.yaml"), {1, 0, 1, clock_gating});
    std::vector<channel_activity> activity = silence(graph);
    activity[graph.channels[0].from.port] = {10, 2, 0, 0};
    return cost.account({activity, 0, 0}, 100);
  };
  // Each of 2 routers has 64 words of 7 fJ a cycle; 10 flits are written.
  const double usual = account_of(false).of(energy_part::Clock), gated = account_of(true).of(energy_part::Clock);
  EXPECT_DOUBLE_EQ(usual - gated, 2 * 64 * 7 * 100 - 10 * 7);
}

TEST(unit_energy_network_cost, notes_extrapolation_and_other_kinds) {
  router_parameters router;
  router.depth = 16;
  router.pipeline = 3;
  router.flow = flow_control::VirtualCutThrough;
  EXPECT_THAT(cost_of(line(2), {}, router).notes(),
              ElementsAre("depth = 16 is outside the fitted range from 4 to 8: the costs are extrapolated",
                          HasSubstr("wormhole"), HasSubstr("pipeline of 4 stages")));
}

TEST(unit_energy_network_cost, measures_links_in_the_layout) {
  grid_parameters ring{{5}};
  ring.rings = true;
  ring.options.vcs = 4;
  grid_parameters torus{{4, 4}};
  torus.rings = true;
  torus.options.vcs = 4;
  EXPECT_GE(cost_of(make_grid(ring)).wire_length(), 10);
  // Each of 8 rings has 3 links of 1 and one of 3, each way.
  EXPECT_EQ(cost_of(make_grid(torus), {0.5, 0, 0}).wire_length(), 0.5 * 8 * 2 * (3 + 3));
}

}  // namespace
}  // namespace weft
