// SPDX-License-Identifier: Apache-2.0
/// What a run asks of those who have RTL, and what it says where nobody does.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "weft/experiment/run/run.h"

namespace weft::experiment {
namespace {

constexpr const char* RtlStages = "nic: {compression: {mode: always, implementation: rtl, rtl_nodes: [1]}}";
constexpr const char* RtlNics = "nic: {ejection_depth: 3, implementation: rtl, rtl_nodes: [1, 2]}";
constexpr const char* RtlRouters = "network: {router: {vcs: 2, implementation: rtl, rtl_routers: [1]}}";

/// What is wrong with a network that is to have RTL.
std::string error_of_rtl(const char* text, const rtl_provider& rtl) {
  const configuration c = parse_configuration(text, "x.yaml");
  try {
    experiment(c, nullptr, {}, rtl);
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "";
}

TEST(unit_experiment_rtl_provider, without_a_provider_rtl_is_refused) {
  const std::string why =
      "this weft was built without RTL; install verilator and build it with -DWEFT_RTL=ON, or leave the key out";
  EXPECT_EQ(error_of_rtl(RtlStages, {}), "x.yaml:1:51: error: nic.compression.implementation: " + why);
  EXPECT_EQ(error_of_rtl(RtlNics, {}), "x.yaml:1:42: error: nic.implementation: " + why);
  EXPECT_EQ(error_of_rtl(RtlRouters, {}), "x.yaml:1:44: error: network.router.implementation: " + why);
}

TEST(unit_experiment_rtl_provider, the_provider_is_told_what_and_for_which_nodes_and_may_refuse) {
  std::vector<node_id> asked;
  const auto refuse = [&asked](const compression_parameters& p,
                               std::vector<node_id> nodes) -> std::shared_ptr<const pin::foreign_stages> {
    EXPECT_EQ(p.depth, 512u);
    asked = std::move(nodes);
    throw std::invalid_argument("not this one");
  };
  EXPECT_EQ(error_of_rtl(RtlStages, {refuse, nullptr, nullptr}),
            "x.yaml:1:51: error: nic.compression.implementation: not this one");
  EXPECT_EQ(asked, std::vector<node_id>{1});
}

TEST(unit_experiment_rtl_provider, the_provider_is_told_of_which_network_and_which_routers) {
  std::vector<router_id> asked;
  const auto refuse = [&asked](const topology& graph, unsigned payload_bits, const router_parameters& router,
                               const nic_parameters&,
                               std::vector<router_id> routers) -> std::shared_ptr<const pin::foreign_routers> {
    EXPECT_EQ(graph.routers.size(), 64u);
    EXPECT_EQ(payload_bits, 64u);
    EXPECT_EQ(router.vcs, 2u);
    asked = std::move(routers);
    throw std::invalid_argument("not this one");
  };
  EXPECT_EQ(error_of_rtl(RtlRouters, {nullptr, refuse, nullptr}),
            "x.yaml:1:44: error: network.router.implementation: not this one");
  EXPECT_EQ(asked, std::vector<router_id>{1});
  EXPECT_EQ(error_of_rtl("network: {topology: {shape: [2, 2]}, router: {implementation: rtl, rtl_routers: [4]}}",
                         {nullptr, refuse, nullptr}),
            "x.yaml:1:81: error: network.router.rtl_routers: expected routers 0 to 3, got 4");
}

TEST(unit_experiment_rtl_provider, the_provider_is_told_of_which_network_and_which_nics) {
  std::vector<node_id> asked;
  const auto refuse = [&asked](const topology& graph, unsigned payload_bits, const router_parameters& router,
                               const nic_parameters& nic,
                               std::vector<node_id> nodes) -> std::shared_ptr<const pin::foreign_nics> {
    EXPECT_EQ(graph.nodes.size(), 64u);
    EXPECT_EQ(payload_bits, 64u);
    EXPECT_EQ(router.vcs, 4u);
    EXPECT_EQ(nic.ejection_depth, 3u);
    asked = std::move(nodes);
    throw std::invalid_argument("not this one");
  };
  EXPECT_EQ(error_of_rtl(RtlNics, {nullptr, nullptr, refuse}), "x.yaml:1:42: error: nic.implementation: not this one");
  EXPECT_EQ(asked, (std::vector<node_id>{1, 2}));
}

}  // namespace
}  // namespace weft::experiment
