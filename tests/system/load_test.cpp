// SPDX-License-Identifier: Apache-2.0
/// How a network responds to load: it accepts a low load in full, and never more than its channels can carry.
#include "support/network_case.h"
#include "support/subprocess.h"
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/topology/analysis/metrics.h"

namespace weft {
namespace {

/// Counts the flits that are created and delivered from a given cycle on.
class flow_meter final : public network_observer {
 public:
  explicit flow_meter(cycle_t from) : m_from(from) {}
  void created(const packet& p) override { created_flits += p.created >= m_from ? p.flits : 0; }
  void ejected(const flit_event& e, const std::uint64_t*) override { delivered_flits += e.cycle >= m_from; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t) override {
    if (cycle < m_from) return;
    latency += static_cast<double>(cycle - p.created);
    ++packets;
  }

  std::uint64_t created_flits = 0, delivered_flits = 0, packets = 0;
  double latency = 0;

 private:
  cycle_t m_from;
};

struct flow {
  double offered = 0;   ///< flits created per node and cycle
  double accepted = 0;  ///< flits delivered per node and cycle
  double latency = 0;   ///< mean of the packets delivered, cycles
  double busiest = 0;   ///< flits per cycle of the busiest output port
};

/// Measures \p c for \p cycles cycles after \p warm_up cycles.
flow measure(const network_case& c, cycle_t warm_up, cycle_t cycles) {
  const std::string text = run_in_subprocess_or_throw([&] {
    flow_meter meter(warm_up);
    built_case built(c, meter);
    built.model().run(warm_up);
    std::vector<channel_count> before = built.model().channel_counts();
    built.model().run(cycles);
    std::uint64_t busiest = 0;
    const std::vector<channel_count> after = built.model().channel_counts();
    for (std::size_t i = 0; i < after.size(); ++i) busiest = std::max(busiest, after[i].flits - before[i].flits);
    const double all = static_cast<double>(cycles) * c.nodes();
    return fmt::format(
        "{} {} {} {}", static_cast<double>(meter.created_flits) / all, static_cast<double>(meter.delivered_flits) / all,
        meter.latency / static_cast<double>(meter.packets), static_cast<double>(busiest) / static_cast<double>(cycles));
  });
  flow f;
  std::istringstream(text) >> f.offered >> f.accepted >> f.latency >> f.busiest;
  return f;
}

network_case uniform(std::vector<std::uint32_t> shape, double load, std::uint32_t flits) {
  network_case c;
  c.graph = make_grid({std::move(shape)});
  c.workload.injection.load = load;
  c.workload.length.flits = flits;
  return c;
}

const std::vector<std::uint32_t> Shapes[] = {{8}, {4, 4}, {5, 3}, {3, 3, 3}, {2, 2, 2, 2}, {8, 8}};

/// Upper bound for uniform traffic, in flits per node and cycle.
double bound(const network_case& c) { return compute_metrics(c.graph).ideal_throughput; }

TEST(system_load, network_accepts_the_full_offered_load_when_it_is_low) {
  constexpr cycle_t LoadCycles = 8000;
  for (const auto& shape : Shapes) {
    for (const std::uint32_t flits : {1u, 5u}) {
      network_case c = uniform(shape, 0.25 * std::min(1.0, bound(uniform(shape, 0, flits))), flits);
      const double load = c.workload.injection.load;
      const flow f = measure(c, 500, LoadCycles);
      // Packets created in a node and cycle are a Bernoulli variable with the mean load / flits.
      const double trials = static_cast<double>(LoadCycles) * c.nodes();
      const double sigma = flits * std::sqrt(load / flits * (1 - load / flits) / trials);
      EXPECT_NEAR(f.offered, load, 5 * sigma) << describe(c);
      // Packets in flight at both ends of the measurement: some flits per node, with the same
      // distribution.
      const double under_way = 2 * load * 200 / static_cast<double>(LoadCycles);
      EXPECT_NEAR(f.accepted, f.offered, 5 * sigma + under_way) << describe(c);
      EXPECT_GT(f.accepted, 0.01);
    }
  }
}

TEST(system_load, throughput_at_saturation_stays_below_the_bound) {
  for (const auto& shape : Shapes) {
    for (const std::uint32_t flits : {1u, 5u}) {
      for (const unsigned vcs : {1u, 4u}) {
        network_case c = uniform(shape, 1, flits);
        c.graph = make_grid({shape, {1, 1, 1, vcs}});
        c.router.vcs = vcs;
        const flow f = measure(c, 1500, 1500);
        EXPECT_LE(f.accepted, bound(c)) << describe(c);
        EXPECT_LE(f.busiest, 1) << describe(c);
        // Not far below either, or something stalls; a router without VCs reaches a third of the bound.
        EXPECT_GE(f.accepted, (vcs == 1 ? 0.25 : 0.5) * bound(c)) << describe(c);
      }
    }
  }
}

TEST(system_load, throughput_and_latency_grow_with_load) {
  flow last;
  std::vector<flow> flows;
  for (const double load : {0.05, 0.15, 0.25, 0.35, 0.45, 0.6, 0.8, 1.0}) {
    const flow f = measure(uniform({6, 6}, load, 4), 1000, 3000);
    EXPECT_GE(f.accepted, last.accepted * 0.97) << "load " << load;  // beyond saturation it stays constant
    EXPECT_GE(f.latency, last.latency) << "load " << load;
    flows.push_back(last = f);
  }
  EXPECT_LT(flows.front().latency, 40);
  EXPECT_NEAR(flows.front().accepted, flows.front().offered, 0.01);
  EXPECT_LT(flows.back().accepted, flows.back().offered);
  EXPECT_GT(flows.back().latency, 5 * flows.front().latency);
}

}  // namespace
}  // namespace weft
