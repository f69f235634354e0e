// SPDX-License-Identifier: Apache-2.0
/// The times of pipelines.
#include "weft/core/router_pipeline.h"

#include <tuple>

#include <gtest/gtest.h>

namespace weft {
namespace {

router_parameters with(unsigned pipeline, bool lookahead, speculation_kind speculation) {
  router_parameters p;
  p.pipeline = pipeline;
  p.lookahead_routing = lookahead;
  p.speculation = speculation;
  return p;
}

/// Cycles of RC, cycles to the switch and cycles of ST, and whether SA follows VA in a cycle.
std::tuple<unsigned, unsigned, unsigned, bool> times(const router_parameters& p) {
  const router_pipeline pipeline(p);
  return {pipeline.route_cycles(), pipeline.cycles_to_switch(), pipeline.crossbar_cycles(),
          pipeline.sa_follows_va_in_a_cycle()};
}

TEST(unit_core_router_pipeline, default_shares_a_cycle_only_in_the_shortest_pipeline) {
  EXPECT_EQ(times(with(3, false, speculation_kind::None)), std::tuple(1, 1, 1, true));
  EXPECT_EQ(times(with(4, false, speculation_kind::None)), std::tuple(1, 2, 1, false));
  EXPECT_EQ(times(with(5, false, speculation_kind::None)), std::tuple(1, 2, 2, false));
  EXPECT_EQ(times(with(9, false, speculation_kind::None)), std::tuple(1, 2, 6, false));
}

TEST(unit_core_router_pipeline, lookahead_routing_saves_the_cycle_of_route_computation) {
  EXPECT_EQ(times(with(2, true, speculation_kind::None)), std::tuple(0, 0, 1, true));
  EXPECT_EQ(times(with(3, true, speculation_kind::None)), std::tuple(0, 1, 1, false));
  EXPECT_EQ(times(with(8, true, speculation_kind::None)), std::tuple(0, 1, 6, false));
}

TEST(unit_core_router_pipeline, speculation_shares_a_cycle_in_every_pipeline) {
  EXPECT_EQ(times(with(3, false, speculation_kind::Prioritized)), std::tuple(1, 1, 1, false));
  EXPECT_EQ(times(with(8, false, speculation_kind::MaskedByGrants)), std::tuple(1, 1, 6, false));
  EXPECT_EQ(times(with(2, true, speculation_kind::MaskedByRequests)), std::tuple(0, 0, 1, false));
  EXPECT_EQ(times(with(7, true, speculation_kind::MaskedByRequests)), std::tuple(0, 0, 6, false));
}

TEST(unit_core_router_pipeline, longest_pipeline_has_the_longest_crossbar) {
  for (const bool lookahead : {false, true})
    for (const speculation_kind speculation : {speculation_kind::None, speculation_kind::MaskedByGrants}) {
      router_parameters p = with(4, lookahead, speculation);
      p.pipeline = router_pipeline::longest(p);
      EXPECT_EQ(router_pipeline(p).crossbar_cycles(), MaxCrossbarCycles);
      p.pipeline = router_pipeline::shortest(p);
      EXPECT_EQ(router_pipeline(p).crossbar_cycles(), 1U);
    }
}

}  // namespace
}  // namespace weft
