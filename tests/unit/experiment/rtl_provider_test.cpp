// SPDX-License-Identifier: Apache-2.0
/// What a run requests from providers of RTL, and its error messages without a provider.
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "weft/simulation/run.h"

namespace weft::experiment {
namespace {

constexpr const char* RtlStages = "nic: {compression: {mode: always, implementation: rtl, rtl_nodes: [1]}}";
constexpr const char* RtlNics = "nic: {ejection_depth: 3, implementation: rtl, rtl_nodes: [1, 2]}";
constexpr const char* RtlRouters = "network: {router: {vcs: 2, implementation: rtl, rtl_routers: [1]}}";

/// The error for a network with RTL, or an empty string.
std::string error_of_rtl(const char* text, const rtl_provider& rtl) {
  const configuration c = parse_configuration(text, "x.yaml");
  try {
    experiment(c, nullptr, {}, rtl);
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "";
}

TEST(unit_experiment_rtl_provider, rejects_rtl_without_a_provider) {
  const std::string why =
      "this weft was built without RTL; install verilator and build it with -DWEFT_RTL=ON, or leave the key out";
  EXPECT_EQ(error_of_rtl(RtlStages, {}), "x.yaml:1:51: error: nic.compression.implementation: " + why);
  EXPECT_EQ(error_of_rtl(RtlNics, {}), "x.yaml:1:42: error: nic.implementation: " + why);
  EXPECT_EQ(error_of_rtl(RtlRouters, {}), "x.yaml:1:44: error: network.router.implementation: " + why);
}

TEST(unit_experiment_rtl_provider, stage_provider_receives_parameters_and_nodes_and_may_reject) {
  std::vector<node_id> requested_ids;
  const auto reject = [&requested_ids](const compression_parameters& p,
                                       std::vector<node_id> nodes) -> std::shared_ptr<const pin::external_stages> {
    EXPECT_EQ(p.depth, 512u);
    requested_ids = std::move(nodes);
    throw std::invalid_argument("not this one");
  };
  EXPECT_EQ(error_of_rtl(RtlStages, {reject, nullptr, nullptr}),
            "x.yaml:1:51: error: nic.compression.implementation: not this one");
  EXPECT_EQ(requested_ids, std::vector<node_id>{1});
}

TEST(unit_experiment_rtl_provider, router_provider_receives_the_network_and_routers) {
  std::vector<router_id> requested_ids;
  const auto reject = [&requested_ids](const topology& graph, unsigned payload_bits, const router_parameters& router,
                                       const nic_parameters&,
                                       std::vector<router_id> routers) -> std::shared_ptr<const pin::external_routers> {
    EXPECT_EQ(graph.routers.size(), 64u);
    EXPECT_EQ(payload_bits, 64u);
    EXPECT_EQ(router.vcs, 2u);
    requested_ids = std::move(routers);
    throw std::invalid_argument("not this one");
  };
  EXPECT_EQ(error_of_rtl(RtlRouters, {nullptr, reject, nullptr}),
            "x.yaml:1:44: error: network.router.implementation: not this one");
  EXPECT_EQ(requested_ids, std::vector<router_id>{1});
  EXPECT_EQ(error_of_rtl("network: {topology: {shape: [2, 2]}, router: {implementation: rtl, rtl_routers: [4]}}",
                         {nullptr, reject, nullptr}),
            "x.yaml:1:81: error: network.router.rtl_routers: expected router numbers from 0 to 3, got 4");
}

TEST(unit_experiment_rtl_provider, nic_provider_receives_the_network_and_nodes) {
  std::vector<node_id> requested_ids;
  const auto reject = [&requested_ids](const topology& graph, unsigned payload_bits, const router_parameters& router,
                                       const nic_parameters& nic,
                                       std::vector<node_id> nodes) -> std::shared_ptr<const pin::external_nics> {
    EXPECT_EQ(graph.nodes.size(), 64u);
    EXPECT_EQ(payload_bits, 64u);
    EXPECT_EQ(router.vcs, 4u);
    EXPECT_EQ(nic.ejection_depth, 3u);
    requested_ids = std::move(nodes);
    throw std::invalid_argument("not this one");
  };
  EXPECT_EQ(error_of_rtl(RtlNics, {nullptr, nullptr, reject}), "x.yaml:1:42: error: nic.implementation: not this one");
  EXPECT_EQ(requested_ids, (std::vector<node_id>{1, 2}));
}

}  // namespace
}  // namespace weft::experiment
