// SPDX-License-Identifier: Apache-2.0
/// A thousand isolated packets in networks with links of different latencies take the time of topology/zero_load.h.
#include "support/random.h"
#include "system/oracle_support.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/router_pipeline.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/generators/chiplets.h"
#include "weft/topology/generators/express_mesh.h"
#include "weft/topology/generators/k_ary_n_fly.h"
#include "weft/topology/generators/tsv_mesh.h"

namespace weft {
namespace {

/// The first of 1,000 packets that does not take the time of the formula; empty if there is none.
std::string first_off_formula(const topology& graph) {
  constexpr cycle_t Pause = 400;  // more than any packet takes
  unsigned slowest = 1;
  for (const channel& c : graph.channels) slowest = std::max(slowest, c.cycles);
  router_parameters router;
  router.vcs = 4;
  router.depth = streaming_depth(router_pipeline(router).crossbar_cycles(), slowest);
  rng d(7);
  std::vector<packet> packets;
  const auto last = static_cast<std::uint32_t>(graph.nodes.size() - 1);
  while (packets.size() < 1000)
    packets.push_back(
        {packets.size(), d.between(0, last), d.between(0, last), d.between(1, 9), packets.size() * Pause});
  const auto run = oracle::run(oracle::level::Engine, graph, router, packets, packets.size() * Pause);
  if (run.answers.size() != packets.size()) return fmt::format("{} packets arrived", run.answers.size());
  for (const packet_answer& a : run.answers) {
    const packet& p = packets[a.id];
    const cycle_t expected = zero_load_latency(graph, router, p.source, p.destination, p.flits);
    if (a.tail_delivered - p.created != expected)
      return fmt::format("{} flits from node {} to node {}: {} cycles; expected {} by the formula", p.flits, p.source,
                         p.destination, a.tail_delivered - p.created, expected);
  }
  return {};
}

TEST(system_isolated_packets, between_dies_take_the_time_of_the_formula) {
  chiplets_parameters p;
  p.links_per_side = 2;
  p.die_link_cycles = 7;
  EXPECT_EQ(first_off_formula(make_chiplets(p)), "");
  p.links_per_side = 0;
  p.interposer = {3, 2};
  EXPECT_EQ(first_off_formula(make_chiplets(p)), "");
}

TEST(system_isolated_packets, in_an_express_mesh_take_the_time_of_the_formula) {
  express_mesh_parameters p;
  p.shape = {8, 4};
  p.express_cycles = 5;
  EXPECT_EQ(first_off_formula(make_express_mesh(p)), "");
}

TEST(system_isolated_packets, in_a_mesh_with_tsvs_take_the_time_of_the_formula) {
  tsv_mesh_parameters p;
  p.vertical_cycles = 3;
  EXPECT_EQ(first_off_formula(make_tsv_mesh(p)), "");
}

TEST(system_isolated_packets, in_a_butterfly_take_the_time_of_the_formula) {
  k_ary_n_fly_parameters p;
  p.arity = 4;
  EXPECT_EQ(first_off_formula(make_k_ary_n_fly(p)), "");
}

}  // namespace
}  // namespace weft
