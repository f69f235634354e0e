// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/run.h"

#include "unit/experiment/fake_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/workload.h"

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr node_id Nodes = 4;

/// An experiment on the fake network.
struct trial {
  run_plan plan{200, 3200, 2000, 300, false};
  workload_parameters workload;
  fake_options network;
  run_hooks hooks;

  // What came of it.
  topology graph;
  std::unique_ptr<packet_source> source;
  std::unique_ptr<measurement> watch;

  run_result run() {
    grid_parameters mesh;
    mesh.shape = {2, 2};
    graph = make_grid(mesh);
    if (!source) source = make_workload(workload, {Nodes, {2, 2}, 1});
    measurement_options options;
    options.nodes = Nodes;
    options.warmup = plan.warmup;
    options.measure = plan.measure;
    watch = std::make_unique<measurement>(*source, options);
    fake_network model(Nodes, *source, *watch, network);
    return simulate(plan, graph, *source, model, *watch, hooks);
  }

  void give(std::vector<packet> packets) {
    source = std::make_unique<packet_list_source>(std::move(packets), Nodes, payload_parameters{}, 1);
    plan.warmup = plan.measure = 0;
    plan.finite = true;
  }
};

TEST(unit_experiment_run, ends_when_all_measured_packets_are_delivered) {
  trial t;
  t.workload.injection.load = 0.5;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Complete);
  EXPECT_EQ(result.cycles, 3500u);  // the last measured packets are delivered within one beat
  EXPECT_EQ(t.watch->measured_under_way(), 0u);
  EXPECT_GT(t.watch->packets_under_way(), 0u);  // sources never stop
  EXPECT_EQ(t.watch->latency().count(), t.watch->measured());
  EXPECT_GE(t.watch->latency().min(), 14u);  // 10 for the head, 4 more flits
  EXPECT_NEAR(t.watch->accepted().mean, t.watch->offered().mean, 0.01);
  EXPECT_EQ(t.watch->window_end(), 3400u);
}

TEST(unit_experiment_run, counts_what_channels_carry_in_the_window) {
  trial t;
  const run_result result = t.run();
  ASSERT_EQ(result.window_counts.size(), 1u);
  EXPECT_DOUBLE_EQ(static_cast<double>(result.window_counts[0].flits), t.watch->accepted().mean * 3200 * Nodes);
}

TEST(unit_experiment_run, saturation_is_recognised_and_ends_the_run) {
  trial t;
  t.network.interval = 4;  // a node can send 0.25 flits a cycle
  for (const double load : {0.3, 0.5, 1.0}) {
    t.workload.injection.load = load;
    t.plan.measure = 4000;
    t.source.reset();
    const run_result result = t.run();
    EXPECT_EQ(result.how, outcome::Saturated) << load;
    EXPECT_EQ(result.cycles, 4200u);
    EXPECT_NEAR(t.watch->accepted().mean, 0.25, 0.005);
  }
  for (const double load : {0.01, 0.1, 0.2}) {
    t.workload.injection.load = load;
    t.source.reset();
    EXPECT_EQ(t.run().how, outcome::Complete) << load;
  }
}

TEST(unit_experiment_run, saturation_by_hand) {
  const auto samples = [](std::uint64_t start, std::uint64_t step) {
    std::vector<std::uint64_t> waiting;
    for (std::uint64_t i = 0; i < 40; ++i) waiting.push_back(start + i * step);
    return waiting;
  };
  // Quarter means of 0, 10, 20, …: 45, 145, 245, 345. Growth 300.
  EXPECT_TRUE(is_saturated(samples(0, 10), 10'000, 5, 60));
  EXPECT_FALSE(is_saturated(samples(0, 10), 10'000, 5, 61));  // less than one packet a node
  EXPECT_TRUE(is_saturated(samples(0, 10), 19'999, 5, 4));
  EXPECT_FALSE(is_saturated(samples(0, 10), 20'001, 5, 4));    // less than 2 % of what was offered
  EXPECT_FALSE(is_saturated(samples(1000, 0), 10'000, 5, 4));  // long queues that do not grow
  std::vector<std::uint64_t> dip = samples(0, 10);
  std::fill(dip.begin() + 20, dip.begin() + 30, 100);
  EXPECT_FALSE(is_saturated(dip, 10'000, 5, 4));
  EXPECT_FALSE(is_saturated({1, 2, 3}, 1, 1, 1));
}

TEST(unit_experiment_run, a_drain_limit_ends_a_run_that_is_not_saturated) {
  trial t;
  t.network.latency = 5000;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::NotDrained);
  EXPECT_EQ(result.cycles, 5400u);
}

TEST(unit_experiment_run, a_deadlock_is_found_and_told) {
  trial t;
  t.network.stuck_from = 600;
  t.network.waiting = {{1, 1, 2, 77, blocked_packet::reason::Credit, 2, 0b100}};
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Deadlock);
  EXPECT_EQ(result.cycles, 900u);
  ASSERT_GE(result.explanation.size(), 3u);
  EXPECT_THAT(result.explanation[0], StartsWith("no flit moved from cycle 600 to 900, "));
  EXPECT_EQ(result.explanation[1], "router 1 (1,0) -x, VC 2: packet 77 waits for a credit of +y, VC 2");
  EXPECT_THAT(result.explanation[2], HasSubstr(" packets in the source queue"));
  EXPECT_EQ(t.watch->window_end(), 900u);  // what was measured until then counts
}

TEST(unit_experiment_run, an_idle_network_is_no_deadlock) {
  trial t;
  t.give({{1, 0, 3, 5, 10}, {2, 1, 2, 1, 5000}});
  EXPECT_EQ(t.run().how, outcome::Complete);
  EXPECT_EQ(t.watch->latency().count(), 2u);
}

TEST(unit_experiment_run, a_packet_list_is_delivered_whole) {
  trial t;
  t.give({{1, 0, 3, 5, 10}, {2, 0, 2, 100, 20}, {3, 2, 2, 1, 950}});
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Complete);
  EXPECT_EQ(result.cycles, 1000u);
  EXPECT_EQ(t.watch->measured(), 3u);
  EXPECT_EQ(t.watch->latency().count(), 3u);
}

TEST(unit_experiment_run, a_packet_list_may_be_measured_in_part) {
  trial t;
  t.give({{1, 0, 3, 5, 10}, {2, 0, 2, 5, 120}, {3, 2, 2, 1, 950}});
  t.plan.warmup = 100;
  t.plan.measure = 100;
  EXPECT_EQ(t.run().how, outcome::Complete);
  EXPECT_EQ(t.watch->measured(), 1u);
  EXPECT_EQ(t.watch->packets_under_way(), 0u);
}

TEST(unit_experiment_run, a_user_may_stop_it) {
  trial t;
  int asked = 0;
  t.hooks.stop = [&] { return ++asked > 5; };
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Interrupted);
  EXPECT_EQ(result.cycles, 500u);
  EXPECT_EQ(t.watch->window_end(), result.cycles);
}

TEST(unit_experiment_run, tells_how_far_it_is) {
  trial t;
  t.workload.injection.load = 0.5;
  std::vector<run_phase> phases;
  cycle_t last = 0;
  t.hooks.progress = [&](const run_progress& p) {
    if (phases.empty() || phases.back() != p.phase) phases.push_back(p.phase);
    EXPECT_GT(p.now, last);
    last = p.now;
    EXPECT_EQ(p.end_of_window, 3400u);
  };
  t.run();
  EXPECT_THAT(phases, testing::ElementsAre(run_phase::WarmUp, run_phase::Measure, run_phase::Drain));
}

TEST(unit_experiment_run, a_fault_of_the_network_ends_the_run) {
  const auto error_with = [](auto change) {
    trial t;
    t.give({{1, 0, 3, 5, 10}, {2, 1, 2, 3, 20}});
    change(t.network);
    const run_result result = t.run();
    EXPECT_EQ(result.how, outcome::Corrupt);
    return result.explanation.empty() ? std::string() : result.explanation.front();
  };
  EXPECT_THAT(error_with([](fake_options& o) { o.flips_bit_of = 1; }),
              StartsWith("cycle 24: node 3 received flit 4 of packet 1 with payload 0x"));
  EXPECT_EQ(error_with([](fake_options& o) { o.misleads = 2; }),
            "cycle 30: node 3 received flit 0 of packet 2, which is for node 2");
  EXPECT_EQ(error_with([](fake_options& o) { o.swaps_flits_of = 2; }),
            "cycle 30: node 2 received flit 1 of packet 2, expected flit 0");
}

TEST(unit_experiment_run, no_traffic_is_a_run_too) {
  trial t;
  t.workload.injection.load = 0;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Complete);
  EXPECT_EQ(result.cycles, 3400u);
  EXPECT_EQ(t.watch->measured(), 0u);
}

TEST(unit_experiment_run, builds_the_network_of_its_configuration) {
  const topology graph = build_network(
      parse_configuration("network: {topology: {shape: [3, 2]}, link: 2}\nnic: {ports: 2, link_cycles: 3}", "x.yaml"));
  EXPECT_EQ(graph.routers.size(), 6u);
  EXPECT_EQ(graph.channels.front().cycles, 2u);
  EXPECT_EQ(graph.nodes.front().ports.size(), 2u);
  EXPECT_EQ(graph.nodes.front().cycles, 3u);
}

/// What is wrong with a network of which a NIC is to have RTL.
std::string error_of_rtl(const stage_provider& rtl_stages) {
  const configuration c =
      parse_configuration("nic: {compression: {mode: always, implementation: rtl, rtl_nodes: [1]}}", "x.yaml");
  try {
    experiment(c, nullptr, {}, rtl_stages);
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "";
}

TEST(unit_experiment_run, without_a_provider_rtl_is_refused) {
  EXPECT_EQ(
      error_of_rtl(nullptr),
      "x.yaml:1:51: error: nic.compression.implementation: this weft was built without RTL; install verilator and "
      "build it with -DWEFT_RTL=ON, or leave the key out");
}

TEST(unit_experiment_run, the_provider_is_told_what_and_for_which_nodes_and_may_refuse) {
  std::vector<node_id> asked;
  const auto refuse = [&asked](const compression_parameters& p,
                               std::vector<node_id> nodes) -> std::shared_ptr<const pin::foreign_stages> {
    EXPECT_EQ(p.depth, 512u);
    asked = std::move(nodes);
    throw std::invalid_argument("not this one");
  };
  EXPECT_EQ(error_of_rtl(refuse), "x.yaml:1:51: error: nic.compression.implementation: not this one");
  EXPECT_EQ(asked, std::vector<node_id>{1});
}

}  // namespace
}  // namespace weft::experiment
