// SPDX-License-Identifier: Apache-2.0
/// An isolated packet takes exactly the time that topology/zero_load.h documents.
#include "weft/topology/analysis/zero_load.h"

#include "support/subprocess.h"
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_observer.h"
#include "weft/core/router_pipeline.h"
#include "weft/pin/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/packet_list.h"

namespace weft {
namespace {

struct pipeline_case {
  unsigned cycles;
  bool lookahead = false;
  speculation_kind speculation = speculation_kind::None;
};

constexpr pipeline_case Pipelines[] = {{3},
                                       {4},
                                       {5},
                                       {6},
                                       {7},
                                       {9},
                                       {2, true},
                                       {3, true},
                                       {8, true},
                                       {3, false, speculation_kind::Prioritized},
                                       {8, false, speculation_kind::MaskedByGrants},
                                       {2, true, speculation_kind::MaskedByRequests},
                                       {4, true, speculation_kind::Prioritized}};

std::string describe(const pipeline_case& p) {
  return fmt::format(
      "S{}{}{}", p.cycles, p.lookahead ? "_lookahead" : "",
      p.speculation == speculation_kind::None ? "" : fmt::format("_speculation_{}", static_cast<int>(p.speculation)));
}

router_parameters router_with(const pipeline_case& p) {
  router_parameters router;
  router.pipeline = p.cycles;
  router.lookahead_routing = p.lookahead;
  router.speculation = p.speculation;
  return router;
}

class latency_recorder final : public network_observer {
 public:
  void delivered(const packet& p, cycle_t cycle, std::uint32_t) override { latency[p.id] = cycle - p.created; }

  std::map<packet_id, cycle_t> latency;
};

struct isolated_packets {
  grid_parameters mesh;
  router_parameters router;
  unsigned ejection_depth = 0;
  std::vector<std::uint32_t> lengths;
  cycle_t pause = 300;  ///< from one packet to the next, more than any packet takes
};

/// Sends a packet of every length from every node to every node, one at a time, and gives each to \p check, with its
/// latency. \return the first error, or `ok <packets>`.
template <class Check>
std::string send_isolated(const isolated_packets& l, Check check) {
  const topology graph = make_grid(l.mesh);
  const auto nodes = static_cast<node_id>(graph.nodes.size());
  std::vector<packet> packets;
  for (const std::uint32_t flits : l.lengths)
    for (node_id from = 0; from < nodes; ++from)
      for (node_id to = 0; to < nodes; ++to)
        packets.push_back({packets.size(), from, to, flits, packets.size() * l.pause});
  packet_list_source source(packets, nodes, {}, 1);
  latency_recorder recorder;
  const auto model = pin::make_model(graph, l.router, {1000, l.ejection_depth}, {}, source, recorder);
  model->run((packets.size() + 1) * l.pause);
  if (recorder.latency.size() != packets.size())
    return fmt::format("{} of {} packets delivered", recorder.latency.size(), packets.size());
  for (const packet& p : packets) {
    const cycle_t expected = zero_load_latency(graph, l.router, p.source, p.destination, p.flits);
    const cycle_t latency = recorder.latency[p.id];
    if (!check(p, latency, expected))
      return fmt::format("{} flits from node {} to node {}: {} cycles; expected {} by the formula", p.flits, p.source,
                         p.destination, latency, expected);
  }
  return fmt::format("ok {}", packets.size());
}

class system_zero_load : public testing::TestWithParam<pipeline_case> {};

TEST_P(system_zero_load, latency_equals_the_formula) {
  for (const unsigned link : {1u, 2u, 3u, 4u}) {
    for (const unsigned node_link : {1u, 2u, 3u}) {
      for (const unsigned ejection_depth : {0u, 12u}) {
        isolated_packets l;
        l.mesh = {{3, 2, 2}, {link, node_link, 1, 2}};
        l.router = router_with(GetParam());
        l.router.vcs = 2;
        l.router.depth = streaming_depth(router_pipeline(l.router).crossbar_cycles(), std::max(link, node_link));
        l.ejection_depth = std::max(ejection_depth, ejection_depth == 0 ? 0 : l.router.depth);
        l.lengths = {1, 2, 5, 16};
        const std::string result = run_in_subprocess_or_throw([&l] {
          return send_isolated(l, [](const packet&, cycle_t latency, cycle_t formula) { return latency == formula; });
        });
        EXPECT_EQ(result, "ok 576") << describe(GetParam()) << ", link " << link << ", node link " << node_link
                                    << ", ejection depth " << l.ejection_depth;
      }
    }
  }
}

TEST(system_zero_load, with_store_and_forward_equals_the_formula) {
  for (const bool lookahead : {false, true}) {
    isolated_packets l;
    l.mesh = {{3, 2, 2}, {2, 1, 1, 2}};
    l.router.pipeline = lookahead ? 3 : 4;
    l.router.lookahead_routing = lookahead;
    l.router.flow = flow_control::StoreAndForward;
    l.router.vcs = 2;
    l.router.depth = 16;
    l.lengths = {1, 2, 5, 16};
    const std::string result = run_in_subprocess_or_throw([&l] {
      return send_isolated(l, [](const packet&, cycle_t latency, cycle_t formula) { return latency == formula; });
    });
    EXPECT_EQ(result, "ok 576") << "lookahead " << lookahead;
  }
}

TEST_P(system_zero_load, streaming_depth_is_the_least_depth_at_full_speed) {
  for (const unsigned link : {1u, 2u, 3u, 4u}) {
    isolated_packets l;
    l.mesh = {{3}, {link, 1, 1, 1}};
    l.router = router_with(GetParam());
    l.router.vcs = 1;
    l.lengths = {64};
    // From this depth on, a long packet between neighbors and beyond is as fast as the formula…
    l.router.depth = streaming_depth(router_pipeline(l.router).crossbar_cycles(), link);
    EXPECT_EQ(run_in_subprocess_or_throw([&l] {
                return send_isolated(
                    l, [](const packet&, cycle_t latency, cycle_t formula) { return latency == formula; });
              }),
              "ok 9")
        << describe(GetParam()) << ", link " << link;
    // …and with one flit less it is slower. (Within one router no such channel is used.)
    --l.router.depth;
    EXPECT_EQ(run_in_subprocess_or_throw([&l] {
                return send_isolated(l, [](const packet& p, cycle_t latency, cycle_t formula) {
                  return p.source == p.destination || latency > formula;
                });
              }),
              "ok 9")
        << describe(GetParam()) << ", link " << link << ", one flit less";
  }
}

INSTANTIATE_TEST_SUITE_P(pipeline, system_zero_load, testing::ValuesIn(Pipelines),
                         [](const auto& s) { return describe(s.param); });

TEST(system_zero_load, one_flit_takes_2_plus_5h_cycles_with_4_pipeline_stages) {
  isolated_packets l;
  l.mesh = {{4, 3}};
  l.lengths = {1};
  const std::string result = run_in_subprocess_or_throw([&l] {
    return send_isolated(l, [](const packet& p, cycle_t latency, cycle_t) {
      const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
      const unsigned h = 1 + apart(p.source % 4, p.destination % 4) + apart(p.source / 4, p.destination / 4);
      return latency == 2 + 5 * h;
    });
  });
  EXPECT_EQ(result, "ok 144");
}

}  // namespace
}  // namespace weft
