// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/run.h"

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

run_plan plan_of(cycle_t measure) {
  run_plan plan;
  plan.warmup = 200;
  plan.measure = measure;
  plan.drain = 2000;
  plan.deadlock_after = 300;
  return plan;
}

/// A run on the fake network.
struct trial {
  run_plan plan = plan_of(3200);
  workload_parameters workload;
  fake_options network;
  run_hooks hooks;

  // Set up by run().
  topology graph;
  std::unique_ptr<packet_source> source;
  std::unique_ptr<measurement> watch;

  run_result run() {
    grid_parameters mesh;
    mesh.shape = {2, 2};
    graph = make_grid(mesh);
    if (!source) source = make_workload(workload, {Nodes, {{2, 2}, 1}, 1});
    measurement_options options;
    options.nodes = Nodes;
    options.warmup = plan.warmup.value_or(Never);
    options.measure = plan.relative_error > 0 ? 0 : plan.measure;
    watch = std::make_unique<measurement>(*source, options);
    fake_network model(Nodes, *source, *watch, network);
    return simulate(plan, graph, *source, model, *watch, hooks);
  }

  void give(std::vector<packet> packets) {
    source = std::make_unique<packet_list_source>(std::move(packets), Nodes, payload_parameters{}, 1);
    plan.warmup = 0;
    plan.measure = 0;
    plan.finite = true;
    plan.least_window = std::nullopt;
  }
};

TEST(unit_experiment_run, ends_when_all_measured_packets_are_delivered) {
  trial t;
  t.workload.injection.load = 0.5;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Complete);
  EXPECT_EQ(result.cycles, 3500u);  // the last measured packets are delivered before the next check
  EXPECT_EQ(t.watch->measured_under_way(), 0u);
  EXPECT_GT(t.watch->packets_under_way(), 0u);  // sources never stop
  EXPECT_EQ(t.watch->latency().count(), t.watch->measured());
  EXPECT_GE(t.watch->latency().min(), 14u);  // 10 cycles for the head, 4 more flits
  EXPECT_NEAR(t.watch->accepted().mean, t.watch->offered().mean, 0.01);
  EXPECT_EQ(t.watch->window_end(), 3400u);
}

TEST(unit_experiment_run, counts_flits_per_channel_in_the_window) {
  trial t;
  const run_result result = t.run();
  ASSERT_EQ(result.window_counts.size(), 1u);
  EXPECT_DOUBLE_EQ(static_cast<double>(result.window_counts[0].flits), t.watch->accepted().mean * 3200 * Nodes);
}

TEST(unit_experiment_run, saturation_is_detected_and_ends_the_run) {
  trial t;
  t.network.interval = 4;  // a node can send 0.25 flits per cycle
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

TEST(unit_experiment_run, one_overloaded_node_is_saturation) {
  trial t;
  t.network.slow_node = 2;
  t.workload.injection.load = 0.3;
  EXPECT_EQ(t.run().how, outcome::Complete);
  t.network.slow_interval = 4;  // it can send 0.25 flits per cycle
  t.source.reset();
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Saturated);
  EXPECT_EQ(result.queues.nodes, std::vector<node_id>{2});
  EXPECT_GT(result.queues.flits, 50);
}

TEST(unit_experiment_run, growth_in_a_short_window_is_undecided) {
  trial t;
  t.network.interval = 4;
  t.plan.measure = 4000;
  const auto outcome_at = [&t](double load, cycle_t least_window) {
    t.workload.injection.load = load;
    t.plan.least_window = least_window;
    t.source.reset();
    const run_result result = t.run();
    EXPECT_EQ(result.window_needed, least_window > 4000 ? least_window : 0);
    return result.how;
  };
  EXPECT_EQ(outcome_at(0.5, 4000), outcome::Saturated);
  EXPECT_EQ(outcome_at(0.5, 4001), outcome::Undecided);
  EXPECT_EQ(t.watch->window_end(), 4200u);
  EXPECT_EQ(outcome_at(0.1, 4001), outcome::Complete);
}

TEST(unit_experiment_run, a_window_of_few_samples_is_too_short) {
  trial t;
  t.network.interval = 4;
  t.workload.injection.load = 1;
  for (const cycle_t measure : {5u, 7u, 8u}) {
    t.plan.measure = measure;
    t.source.reset();
    EXPECT_EQ(t.run().window_needed, measure < 8 ? 8u : 0u) << measure;
  }
}

TEST(unit_experiment_run, traffic_that_cannot_saturate_is_not_checked_for_saturation) {
  trial t;
  t.network.interval = 4;
  t.workload.injection.load = 0.3;
  t.plan.least_window = std::nullopt;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Complete);
  EXPECT_FALSE(result.queues.without_limit());
  EXPECT_EQ(result.window_needed, 0u);
}

TEST(unit_experiment_run, the_window_extends_until_saturation_is_certain) {
  trial t;
  t.network.interval = 2;
  t.workload.injection.load = 0.9;
  t.plan.relative_error = 0.0001;
  t.plan.at_most = 1'000'000;
  t.plan.least_window = 30'000;
  EXPECT_EQ(t.run().how, outcome::Saturated);
  EXPECT_GE(t.watch->window_end(), 30'200u);
}

TEST(unit_experiment_run, automatic_warm_up_covers_the_transient) {
  trial t;
  t.plan.warmup = std::nullopt;
  t.network.latency = 1500;  // the number of packets in flight rises for as many cycles
  t.workload.injection.load = 0.5;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Complete);
  ASSERT_TRUE(result.warmup.has_value());
  EXPECT_TRUE(result.warmup->settled);
  EXPECT_GE(result.warmup->transient, 1200u);
  EXPECT_LE(result.warmup->transient, 2000u);
  EXPECT_GE(t.watch->window_first(), 2 * result.warmup->transient);
  EXPECT_EQ(t.watch->window_end(), t.watch->window_first() + 3200);
  EXPECT_EQ(t.watch->latency().count(), t.watch->measured());
}

TEST(unit_experiment_run, reports_a_transient_that_does_not_end) {
  trial t;
  t.plan.warmup = std::nullopt;
  t.network.interval = 4;
  t.workload.injection.load = 0.5;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Saturated);
  EXPECT_FALSE(result.warmup->settled);
  EXPECT_EQ(t.watch->window_first(), 20'100u);
}

TEST(unit_experiment_run, the_window_extends_to_the_requested_relative_error) {
  trial t;
  t.network.interval = 2;
  t.workload.injection.load = 0.4;
  t.plan.measure = 1000;
  t.plan.at_most = 10'000'000;
  cycle_t last = 0;
  for (const double error : {0.1, 0.03, 0.01}) {
    t.plan.relative_error = error;
    t.source.reset();
    const run_result result = t.run();
    EXPECT_EQ(result.how, outcome::Complete);
    ASSERT_TRUE(t.watch->latency_interval().half_width.has_value()) << error;
    EXPECT_LE(*t.watch->latency_interval().half_width, 1.05 * error * t.watch->latency().mean());
    const cycle_t window = t.watch->window_end() - t.watch->window_first();
    EXPECT_GT(window, last);
    EXPECT_EQ(t.watch->latency().count(), t.watch->measured());
    last = window;
  }
}

TEST(unit_experiment_run, the_window_has_a_maximum_length) {
  trial t;
  t.network.interval = 2;
  t.plan.relative_error = 0.0001;
  t.plan.at_most = 5000;
  EXPECT_EQ(t.run().how, outcome::Complete);
  EXPECT_EQ(t.watch->window_end(), 5200u);
  t.workload.injection.load = 0.9;  // no latency interval to wait for
  t.plan.at_most = 1'000'000;
  t.source.reset();
  EXPECT_EQ(t.run().how, outcome::Saturated);
  EXPECT_LT(t.watch->window_end(), 20'000u);
}

TEST(unit_experiment_run, intervals_add_up_to_the_run) {
  trial t;
  t.plan.interval = 170;
  t.workload.injection.load = 0.4;
  const run_result result = t.run();
  ASSERT_EQ(result.series.size(), 20u);  // all complete ones until the window ends in cycle 3400
  std::uint64_t received = 0, carried = 0;
  for (const time_series::entry& e : result.series) {
    received += e.flits_received;
    carried += e.channels.at(0);
    EXPECT_NEAR(static_cast<double>(e.flits_created) / 170 / Nodes, 0.4, 0.25);
    if (e.packets_delivered > 0) {
      EXPECT_GE(static_cast<double>(e.latency_sum) / static_cast<double>(e.packets_delivered), 14);
    }
  }
  EXPECT_EQ(received, carried);
  EXPECT_LE(received, t.watch->totals_before(Never).flits_received);
  EXPECT_NEAR(static_cast<double>(received), 0.4 * 3400 * Nodes, 0.1 * 0.4 * 3400 * Nodes);
}

TEST(unit_experiment_run, queues_are_summed_over_the_samples_of_each_interval) {
  trial t;
  t.plan.interval = 250;
  t.network.buffered = {0, 3, 1};
  EXPECT_TRUE(t.run().series.at(0).queues.empty());
  t.plan.queues = true;
  t.source.reset();
  const run_result result = t.run();
  ASSERT_FALSE(result.series.empty());
  for (const time_series::entry& e : result.series) {
    EXPECT_GE(e.samples, 3u);
    EXPECT_EQ(e.queues, (std::vector<std::uint32_t>{0, 3 * e.samples, e.samples}));
  }
}

TEST(unit_experiment_run, a_drain_limit_ends_a_run_that_is_not_saturated) {
  trial t;
  t.network.latency = 5000;
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::NotDrained);
  EXPECT_EQ(result.cycles, 5400u);
}

TEST(unit_experiment_run, a_network_that_collapses_late_in_the_window_is_saturated) {
  trial t;
  t.network.slow_interval = 4;
  t.network.collapsed_from = 3000;
  t.workload.injection.load = 0.5;
  for (const cycle_t drain : {8000u, 100'000u}) {
    t.plan.drain = drain;
    t.source.reset();
    const run_result result = t.run();
    EXPECT_EQ(result.how, outcome::Saturated);
    EXPECT_FALSE(result.queues.nodes.empty());
    EXPECT_GT(result.queues_until, t.watch->window_end());
    EXPECT_EQ(t.watch->window_end(), 3400u);
  }
}

TEST(unit_experiment_run, stuck_packets_with_growing_queues_are_a_deadlock) {
  trial t;
  t.network.interval = 4;
  t.workload.injection.load = 0.5;
  t.network.waiting = {{0, 2, 0, 10, blocked_packet::reason::Credit, 0, 0b1},  // each packet waits for the next one
                       {1, 1, 0, 11, blocked_packet::reason::Credit, 2, 0b1},
                       {3, 3, 0, 12, blocked_packet::reason::Credit, 1, 0b1},
                       {2, 0, 0, 13, blocked_packet::reason::Credit, 3, 0b1}};
  EXPECT_EQ(t.run().how, outcome::Saturated);  // routing excludes deadlock, so the packets wait only temporarily
  t.plan.may_deadlock = true;
  t.source.reset();
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Deadlock);
  EXPECT_EQ(result.ring.size(), 4u);
  ASSERT_GE(result.explanation.size(), 5u);
  EXPECT_EQ(result.explanation[0],
            "4 packets have not moved for 300 cycles, though others have: they wait for each other");
}

TEST(unit_experiment_run, detects_and_explains_a_deadlock) {
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
  EXPECT_EQ(t.watch->window_end(), 900u);  // the measurement counts up to this cycle
}

TEST(unit_experiment_run, an_idle_network_is_not_a_deadlock) {
  trial t;
  t.give({{1, 0, 3, 5, 10}, {2, 1, 2, 1, 5000}});
  EXPECT_EQ(t.run().how, outcome::Complete);
  EXPECT_EQ(t.watch->latency().count(), 2u);
}

TEST(unit_experiment_run, delivers_a_packet_list_completely) {
  trial t;
  t.give({{1, 0, 3, 5, 10}, {2, 0, 2, 100, 20}, {3, 2, 2, 1, 950}});
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Complete);
  EXPECT_EQ(result.cycles, 1000u);
  EXPECT_EQ(t.watch->measured(), 3u);
  EXPECT_EQ(t.watch->latency().count(), 3u);
}

TEST(unit_experiment_run, window_of_a_list_spans_first_packet_to_last_delivery) {
  trial t;
  std::vector<packet> burst;
  for (packet_id id = 0; id < 40; ++id) burst.push_back({id, static_cast<node_id>(id % Nodes), 3, 5, 99});
  t.give(burst);
  EXPECT_EQ(t.run().how, outcome::Complete);
  // Each node sends 10 packets of 5 flits one after the other; each flit is in flight for 10 cycles.
  EXPECT_EQ(t.watch->window_first(), 99u);
  EXPECT_EQ(t.watch->window_end(), 99u + 49 + 10 + 1);
  EXPECT_DOUBLE_EQ(t.watch->accepted().mean, 200. / 60 / Nodes);
  EXPECT_DOUBLE_EQ(t.watch->offered().mean, t.watch->accepted().mean);
  EXPECT_FALSE(t.watch->latency_interval().half_width.has_value());
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

TEST(unit_experiment_run, delivers_packets_outside_the_window_without_measuring) {
  trial t;
  t.give({{1, 0, 3, 5, 10}, {2, 0, 2, 5, 950}});
  t.plan.warmup = 100;
  t.plan.measure = 100;
  EXPECT_EQ(t.run().how, outcome::Empty);
  EXPECT_EQ(t.watch->totals_before(Never).packets_delivered, 2u);
}

/// The packet has 60 flits, and the last flit is delivered in cycle 5 + 10 + 59.
TEST(unit_experiment_run, drain_limit_of_a_list_counts_from_the_last_creation) {
  constexpr cycle_t Created = 5, Delivered = Created + 10 + 59;
  for (const cycle_t measure : {0u, 4u, 20u}) {
    const cycle_t begin = measure > 0 ? std::max<cycle_t>(Created + 1, measure) : Created + 1;
    for (const cycle_t drain : {cycle_t{0}, cycle_t{3}, Delivered - begin, Delivered - begin + 1}) {
      trial t;
      t.give({{1, 0, 3, 1, 2}, {2, 0, 3, 60, Created}});
      t.plan.measure = measure;
      t.plan.drain = drain;
      const run_result result = t.run();
      const bool is_enough = begin + drain > Delivered;
      EXPECT_EQ(result.how, is_enough ? outcome::Complete : outcome::NotDrained) << measure << ", " << drain;
      EXPECT_EQ(result.cycles, begin + drain) << measure << ", " << drain;
    }
  }
}

TEST(unit_experiment_run, stop_hook_interrupts_the_run) {
  trial t;
  int calls = 0;
  t.hooks.stop = [&] { return ++calls > 5; };
  const run_result result = t.run();
  EXPECT_EQ(result.how, outcome::Interrupted);
  EXPECT_EQ(result.cycles, 500u);
  EXPECT_EQ(t.watch->window_end(), result.cycles);
}

TEST(unit_experiment_run, reports_progress) {
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

TEST(unit_experiment_run, a_network_error_ends_the_run) {
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

TEST(unit_experiment_run, a_run_without_traffic_is_not_complete) {
  for (const double load : {0.0, 1e-300, 1e-9}) {
    trial t;
    t.workload.injection.load = load;
    const run_result result = t.run();
    EXPECT_EQ(result.how, outcome::Empty) << load;
    EXPECT_EQ(result.cycles, 3400u);
    EXPECT_EQ(t.watch->measured(), 0u);
  }
}

TEST(unit_experiment_run, load_is_carried_if_the_run_is_complete_and_not_nonstationary) {
  EXPECT_TRUE(carries_load("complete", true));
  EXPECT_TRUE(carries_load("complete", std::nullopt));
  EXPECT_FALSE(carries_load("complete", false));
  for (const char* const how : {"saturated", "undecided", "not_drained", "deadlock", "nothing_measured", ""})
    EXPECT_FALSE(carries_load(how, std::nullopt)) << how;
}

TEST(unit_experiment_run, builds_the_configured_network) {
  const topology graph = build_network(
      parse_configuration("network: {topology: {shape: [3, 2]}, link: 2}\nnic: {ports: 2, link_cycles: 3}", "x.yaml"));
  EXPECT_EQ(graph.routers.size(), 6u);
  EXPECT_EQ(graph.channels.front().cycles, 2u);
  EXPECT_EQ(graph.nodes.front().ports.size(), 2u);
  EXPECT_EQ(graph.nodes.front().cycles, 3u);
}

}  // namespace
}  // namespace weft::experiment
