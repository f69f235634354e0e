// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/workload.h"

#include "support.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "weft/workload/pattern.h"

namespace weft {
namespace {

workload_parameters at_load(double load, std::uint32_t flits = 5) {
  workload_parameters p;
  p.injection.load = load;
  p.length.flits = flits;
  return p;
}

workload_context network(std::uint32_t nodes, std::uint64_t seed = 1) {
  workload_context context;
  context.nodes = nodes;
  context.seed = seed;
  return context;
}

/// The fields of a packet as a tuple, for comparisons.
auto fields(const packet& p) { return std::make_tuple(p.id, p.source, p.destination, p.flits, p.created); }
using fields_t = decltype(fields(packet{}));

/// The packets of \p node created before \p end.
std::vector<fields_t> packets(packet_source& source, node_id node, cycle_t end) {
  std::vector<fields_t> taken;
  while (source.next_creation(node) < end) {
    const cycle_t announced = source.next_creation(node);
    taken.push_back(fields(source.pop(node)));
    EXPECT_EQ(std::get<4>(taken.back()), announced);
  }
  return taken;
}

TEST(unit_workload_workload, creates_the_configured_load) {
  constexpr std::uint32_t Nodes = 64;
  constexpr cycle_t Cycles = 20000;
  for (const double load : {0.05, 0.4, 1.0}) {
    const auto source = make_workload(at_load(load), network(Nodes));
    double created = 0;
    for (node_id node = 0; node < Nodes; ++node) created += static_cast<double>(packets(*source, node, Cycles).size());
    const double trials = Nodes * Cycles, p = load / 5;
    EXPECT_NEAR(created, trials * p, 5 * std::sqrt(trials * p * (1 - p))) << "load " << load;
  }
}

TEST(unit_workload_workload, packet_id_encodes_the_node_and_its_packet_count) {
  const auto source = make_workload(at_load(0.5), network(10));
  for (const node_id node : {3u, 9u}) {
    const auto taken = packets(*source, node, 1000);
    ASSERT_GT(taken.size(), 50u);
    for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(std::get<0>(taken[i]), i * 10 + node);
  }
}

TEST(unit_workload_workload, packets_do_not_depend_on_call_order) {
  const auto by_node = make_workload(at_load(0.5), network(8));
  const auto by_cycle = make_workload(at_load(0.5), network(8));
  std::vector<std::vector<fields_t>> taken(8);
  for (cycle_t cycle = 0; cycle < 1000; ++cycle) {
    for (node_id node = 8; node-- > 0;) {
      while (by_cycle->next_creation(node) == cycle) taken[node].push_back(fields(by_cycle->pop(node)));
    }
  }
  for (node_id node = 0; node < 8; ++node) EXPECT_EQ(packets(*by_node, node, 1000), taken[node]);
}

// Only the destination of a packet depends on the network, not its creation cycle or its length.
TEST(unit_workload_workload, node_traffic_does_not_depend_on_network_size) {
  workload_parameters parameters = at_load(0.5);
  parameters.pattern.kind = &find_pattern("hotspot");
  parameters.pattern.hotspots = {0};
  parameters.pattern.hotspot_share = 1;
  parameters.length.kind = length_kind::Uniform;
  const auto small = make_workload(parameters, network(4));
  const auto large = make_workload(parameters, network(100));
  for (int i = 0; i < 100; ++i) {
    const packet a = small->pop(2), b = large->pop(2);
    EXPECT_EQ(std::tie(a.created, a.flits, a.destination), std::tie(b.created, b.flits, b.destination));
  }
}

TEST(unit_workload_workload, lengths_destinations_and_times_are_independent) {
  workload_parameters lengths = at_load(0.5);
  lengths.length.kind = length_kind::Uniform;
  lengths.length.min = 3;
  lengths.length.max = 7;
  workload_parameters pattern = at_load(0.5);
  pattern.pattern.kind = &find_pattern("bit_reversal");
  const auto plain = make_workload(at_load(0.5), network(16));
  const auto other_lengths = make_workload(lengths, network(16));
  const auto other_pattern = make_workload(pattern, network(16));
  for (int i = 0; i < 100; ++i) {
    const packet p = plain->pop(6), l = other_lengths->pop(6), d = other_pattern->pop(6);
    EXPECT_EQ(std::tie(p.destination, p.created), std::tie(l.destination, l.created));
    EXPECT_EQ(std::tie(p.flits, p.created), std::tie(d.flits, d.created));
  }
}

TEST(unit_workload_workload, the_seed_determines_all_packets) {
  const auto first = make_workload(at_load(0.5), network(16, 1));
  const auto same = make_workload(at_load(0.5), network(16, 1));
  const auto other = make_workload(at_load(0.5), network(16, 2));
  const auto taken = packets(*first, 3, 1000);
  EXPECT_EQ(packets(*same, 3, 1000), taken);
  EXPECT_NE(packets(*other, 3, 1000), taken);
}

// Computed by an independent implementation in Python. Any change here changes the results of every user.
TEST(unit_workload_workload, packets_match_the_reference_implementation) {
  workload_parameters parameters = at_load(0.3);
  parameters.injection.kind = injection_kind::OnOff;
  parameters.injection.mean_burst = 200;  // the probability is so small that digits are drawn one by one
  parameters.length.kind = length_kind::Weighted;
  parameters.length.choices = {{1, 0.7}, {5, 0.3}};
  const auto source = make_workload(parameters, network(64, 42));
  const std::vector<fields_t> expected = {{17, 17, 55, 1, 46},  {81, 17, 23, 1, 48},  {145, 17, 43, 1, 49},
                                          {209, 17, 10, 1, 50}, {273, 17, 8, 1, 54},  {337, 17, 24, 1, 55},
                                          {401, 17, 13, 5, 58}, {465, 17, 41, 1, 61}, {529, 17, 46, 5, 62},
                                          {593, 17, 58, 1, 63}, {657, 17, 6, 1, 64},  {721, 17, 5, 1, 66}};
  for (const fields_t& p : expected) EXPECT_EQ(fields(source->pop(17)), p);
}

TEST(unit_workload_workload, silent_nodes_create_nothing) {
  workload_parameters parameters = at_load(0.5);
  parameters.pattern.kind = &find_pattern("hotspot");
  parameters.pattern.hotspots = {2};
  parameters.pattern.hotspot_share = 1;
  const auto source = make_workload(parameters, network(4));
  EXPECT_EQ(source->next_creation(2), Never);
  EXPECT_NE(source->next_creation(1), Never);
  EXPECT_EQ(make_workload(at_load(0), network(4))->next_creation(1), Never);
}

TEST(unit_workload_workload, payload_depends_only_on_the_packet) {
  const auto source = make_workload(at_load(0.5), network(4));
  packet p = source->pop(1);
  std::uint64_t words[4], again[4];
  source->payload(p, 2, 256, words);
  source->pop(1);
  source->pop(2);
  source->payload(p, 2, 256, again);
  EXPECT_TRUE(std::equal(words, words + 4, again));
  p = source->pop(1);
  source->payload(p, 2, 256, again);
  EXPECT_FALSE(std::equal(words, words + 4, again));
}

TEST(unit_workload_workload, a_packet_list_replaces_generated_traffic) {
  const temporary_file file("8 3 1 0 2\n9 1 1 0 4\n");
  workload_parameters parameters = at_load(1);
  parameters.packet_list = file.path();
  const auto source = make_workload(parameters, network(2));
  EXPECT_EQ(source->next_creation(0), Never);
  const std::vector<fields_t> expected = {{9, 1, 0, 4, 1}, {8, 1, 0, 2, 3}};
  EXPECT_EQ(packets(*source, 1, Never), expected);
}

TEST(unit_workload_workload, propagates_errors_of_every_part) {
  expect_error<std::invalid_argument>([] { make_workload(at_load(0.1), network(0)); },
                                      "workload: the network has no nodes");
  EXPECT_THROW(make_workload(at_load(6), network(4)), std::invalid_argument);
  EXPECT_THROW(make_workload(at_load(0.1, 0), network(4)), std::invalid_argument);
  workload_parameters parameters = at_load(0.1);
  parameters.packet_list = "/nowhere/packets.txt";
  EXPECT_THROW(make_workload(parameters, network(4)), workload_error);
  parameters = at_load(0.1);
  parameters.payload.kind = payload_kind::File;
  parameters.payload.file = "/nowhere/payload.bin";
  EXPECT_THROW(make_workload(parameters, network(4)), workload_error);
  parameters = at_load(0.1);
  parameters.pattern.kind = &find_pattern("tornado");
  EXPECT_THROW(make_workload(parameters, network(4)), std::invalid_argument);
}

TEST(unit_workload_workload, handles_65536_nodes) {
  constexpr std::uint32_t Nodes = 65536;
  const auto source = make_workload(at_load(0.1), network(Nodes));
  std::size_t created = 0;
  for (node_id node = 0; node < Nodes; ++node) created += packets(*source, node, 100).size();
  const double expected = Nodes * 100 * 0.02;
  EXPECT_NEAR(static_cast<double>(created), expected, 5 * std::sqrt(expected));
}

}  // namespace
}  // namespace weft
