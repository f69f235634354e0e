// SPDX-License-Identifier: Apache-2.0
/// Nodes at the same distance from a hotspot get equal shares of it.
#include "support/subprocess.h"
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_observer.h"
#include "weft/pin/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/packet_list.h"

namespace weft {
namespace {

class arrival_counter final : public network_observer {
 public:
  arrival_counter(cycle_t from, cycle_t until) : m_from(from), m_until(until) {}
  void ejected(const flit_event& e, const std::uint64_t*) override { flits += e.cycle >= m_from && e.cycle < m_until; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t) override {
    if (cycle >= m_from && cycle < m_until) ++packets[p.source];
  }

  std::uint64_t flits = 0;
  std::map<node_id, std::uint64_t> packets;

 private:
  cycle_t m_from, m_until;
};

struct contention {
  std::vector<std::uint32_t> shape;
  node_id hotspot;
  std::vector<node_id> contenders;
  std::uint32_t flits;
  router_parameters router;
};

constexpr cycle_t WarmUp = 500, FairCycles = 20000;

std::string describe(const contention& c) {
  return fmt::format("mesh [{}], nodes {} to node {}, {} flits, S {}, {} VCs of {}", fmt::join(c.shape, ", "),
                     fmt::join(c.contenders, ", "), c.hotspot, c.flits, c.router.pipeline, c.router.vcs,
                     c.router.depth);
}

/// Every contender sends to the hotspot as fast as it can. \return `least most flits`: the packets of the contenders
/// with the fewest and the most deliveries, and the flits of all.
std::string contend(const contention& c) {
  std::vector<packet> packets;
  for (const node_id n : c.contenders)
    for (cycle_t t = 0; t < WarmUp + FairCycles; t += c.flits)
      packets.push_back({packets.size(), n, c.hotspot, c.flits, t});
  const topology graph = make_grid({c.shape, {1, 1, 1, c.router.vcs}});
  packet_list_source source(packets, static_cast<std::uint32_t>(graph.nodes.size()), {}, 1);
  arrival_counter counter(WarmUp, WarmUp + FairCycles);
  const auto model = pin::make_model(graph, c.router, {}, {}, source, counter);
  model->run(WarmUp + FairCycles + 1);
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (const node_id n : c.contenders) {
    least = std::min(least, counter.packets[n]);
    most = std::max(most, counter.packets[n]);
  }
  return fmt::format("{} {} {}", least, most, counter.flits);
}

void expect_equal_shares(contention c) {
  for (const unsigned pipeline : {3u, 4u, 9u}) {
    for (const unsigned vcs : {1u, 2u, 4u}) {
      for (const std::uint32_t flits : {1u, 5u}) {
        c.router = {vcs, 16, pipeline, flow_control::Wormhole};
        c.flits = flits;
        std::uint64_t least = 0, most = 0, all = 0;
        std::istringstream(run_in_subprocess_or_throw([&c] { return contend(c); })) >> least >> most >> all;
        // Every output VC serves the VCs of all inputs in round-robin order. So within a window, one input may lead
        // another by one packet for each pair of an input VC and an output VC. This lead does not grow with the
        // window.
        EXPECT_LE(most - least, vcs * vcs) << describe(c) << ": " << least << " to " << most << " packets";
        EXPECT_GT(least, 0u) << describe(c);
        // Work-conserving: the channel to the hotspot is busy in every cycle if enough VCs hide the allocation of
        // the next packet's VC.
        if (vcs == 4) {
          EXPECT_GE(all, FairCycles - 1) << describe(c);
        }
      }
    }
  }
}

TEST(system_fairness, center_of_a_line_serves_2_neighbors_equally) { expect_equal_shares({{3}, 1, {0, 2}, 1, {}}); }
TEST(system_fairness, center_of_a_square_serves_4_neighbors_equally) {
  expect_equal_shares({{3, 3}, 4, {1, 3, 5, 7}, 1, {}});
}
TEST(system_fairness, center_of_a_cube_serves_6_neighbors_equally) {
  expect_equal_shares({{3, 3, 3}, 13, {4, 10, 12, 14, 16, 22}, 1, {}});
}

}  // namespace
}  // namespace weft
