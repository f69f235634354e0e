// SPDX-License-Identifier: Apache-2.0
/// The packets of nodes whose loads and destinations a traffic matrix gives.
#include "support.h"
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/workload/length.h"
#include "weft/workload/node_injection.h"
#include "weft/workload/pattern.h"
#include "weft/workload/workload.h"

namespace weft {
namespace {

using fields_t = std::tuple<packet_id, node_id, node_id, std::uint32_t, cycle_t>;

/// The first packets of all nodes, before cycle \p end.
std::vector<fields_t> packets(const workload_parameters& parameters, std::uint32_t nodes, cycle_t end) {
  const auto source = make_workload(parameters, {nodes, {}, 5});
  std::vector<fields_t> all;
  for (node_id n = 0; n < nodes; ++n) {
    while (source->next_creation(n) < end) {
      const packet p = source->pop(n);
      all.emplace_back(p.id, p.source, p.destination, p.flits, p.created);
    }
  }
  return all;
}

/// Packets of 4 flits by the matrix in a file.
workload_parameters traffic_by(const temporary_file& file, double load, matrix_rates rates = matrix_rates::Relative) {
  workload_parameters p;
  p.pattern.kind = &find_pattern("matrix");
  p.pattern.file = file.path();
  p.pattern.rates = rates;
  p.injection.load = load;
  p.length.flits = 4;
  return p;
}

std::string equal_rates(std::uint32_t nodes, double rate) {
  std::string text;
  for (node_id s = 0; s < nodes; ++s)
    for (node_id d = 0; d < nodes; ++d)
      if (s != d) text += fmt::format("{} {} {}\n", s, d, rate);
  return text;
}

/// In every cycle, source s creates a packet to destination d with the probability rate / length, whatever it did
/// before. So the number of packets of a pair has a binomial distribution, and the bound is five standard deviations.
TEST(unit_workload_matrix_traffic, every_pair_has_its_rate) {
  constexpr std::uint32_t Nodes = 6;
  constexpr cycle_t Cycles = 400'000;
  const double rates[Nodes][Nodes] = {{0, 0.1, 0.002, 0, 0.05, 0}, {0, 0, 0, 0, 0, 0}, {0.3, 0.3, 0.3, 0.3, 0.3, 0.3},
                                      {0, 0, 0, 0.01, 0, 0},       {1, 2, 0, 0, 0, 1}, {1e-3, 0, 0, 0, 0, 0.4}};
  std::string text;
  double sum = 0;
  for (const auto& row : rates) {
    for (node_id d = 0; d < Nodes; ++d) {
      text += fmt::format("{}{}", row[d], d + 1 < Nodes ? "," : "\n");
      sum += row[d];
    }
  }
  const temporary_file file(text);
  // The first traffic has the rates as they are. The second one scales them to the mean load of 0.4.
  for (const auto& [kind, scale] :
       {std::pair(matrix_rates::Absolute, 1.), std::pair(matrix_rates::Relative, 0.4 * Nodes / sum)}) {
    std::vector<std::uint64_t> counted(Nodes * Nodes);
    for (const fields_t& p : packets(traffic_by(file, 0.4, kind), Nodes, Cycles))
      ++counted[std::get<1>(p) * Nodes + std::get<2>(p)];
    double flits = 0;
    for (node_id s = 0; s < Nodes; ++s) {
      for (node_id d = 0; d < Nodes; ++d) {
        const double p = rates[s][d] * scale / 4, count = static_cast<double>(counted[s * Nodes + d]);
        EXPECT_NEAR(count, p * Cycles, 5 * std::sqrt(p * (1 - p) * Cycles)) << s << " to " << d;
        flits += 4 * count;
      }
    }
    EXPECT_NEAR(flits / Nodes / Cycles, sum * scale / Nodes,
                5 * 4 * std::sqrt(sum * scale / 4 * Cycles) / Nodes / Cycles);
  }
}

TEST(unit_workload_matrix_traffic, bursts_have_the_load_of_each_node) {
  constexpr cycle_t Cycles = 4'000'000;
  constexpr double Burst = 10, Peak = 2;
  const temporary_file file("0 1 0.1\n1 0 0.4\n1 2 0.4\n3 3 2\n");
  workload_parameters parameters = traffic_by(file, 0, matrix_rates::Absolute);
  parameters.injection.kind = injection_kind::OnOff;
  parameters.injection.peak = Peak;
  parameters.injection.mean_burst = Burst;
  std::vector<double> counted(4);
  for (const fields_t& p : packets(parameters, 4, Cycles)) ++counted[std::get<1>(p)];
  const double loads[] = {0.1, 0.8, 0, 2};
  for (node_id n = 0; n < 4; ++n)  // see on_off_reaches_its_load
    EXPECT_NEAR(counted[n], loads[n] / 4 * Cycles, 5 * std::sqrt(loads[n] / 4 * Cycles * (1 + 2 * Burst * Peak))) << n;
}

/// With equal rates, nodes create packets in the same cycles as in uniform traffic.
TEST(unit_workload_matrix_traffic, equal_rates_create_packets_in_the_cycles_of_uniform_traffic) {
  constexpr std::uint32_t Nodes = 7;
  const temporary_file file(equal_rates(Nodes, 0.1));
  const workload_parameters matrix = traffic_by(file, 0.3);
  workload_parameters uniform = matrix;
  uniform.pattern = {};
  const auto by_matrix = packets(matrix, Nodes, 2000), by_uniform = packets(uniform, Nodes, 2000);
  ASSERT_EQ(by_matrix.size(), by_uniform.size());
  for (std::size_t i = 0; i < by_matrix.size(); ++i) {
    EXPECT_EQ(std::get<0>(by_matrix[i]), std::get<0>(by_uniform[i]));
    EXPECT_EQ(std::get<4>(by_matrix[i]), std::get<4>(by_uniform[i]));
    EXPECT_NE(std::get<1>(by_matrix[i]), std::get<2>(by_matrix[i]));
  }
}

TEST(unit_workload_matrix_traffic, a_permutation_has_the_packets_of_the_pattern_permutation) {
  const temporary_file rates("0 2 5\n1 0 5\n2 1 5\n"), map("0 2\n1 0\n2 1\n");
  workload_parameters permutation = traffic_by(map, 0.3);
  permutation.pattern.kind = &find_pattern("permutation");
  const auto expected = packets(permutation, 3, 2000);
  EXPECT_GT(expected.size(), 300u);
  EXPECT_EQ(packets(traffic_by(rates, 0.3), 3, 2000), expected);
}

/// The packets of a node depend on its own row only.
TEST(unit_workload_matrix_traffic, other_rows_do_not_change_the_packets_of_a_node) {
  const temporary_file one("1 0 0.3\n1 2 0.1\n"), more("0 2 0.7\n1 0 0.3\n1 2 0.1\n2 1 0.01\n");
  std::vector<fields_t> of_node;
  for (const fields_t& p : packets(traffic_by(more, 0, matrix_rates::Absolute), 3, 5000))
    if (std::get<1>(p) == 1) of_node.push_back(p);
  EXPECT_GT(of_node.size(), 300u);
  EXPECT_EQ(packets(traffic_by(one, 0, matrix_rates::Absolute), 3, 5000), of_node);
}

/// A load does not change the order of the destinations.
TEST(unit_workload_matrix_traffic, the_load_does_not_change_the_destinations) {
  const temporary_file file("0 1 0.3\n0 2 0.1\n0 0 0.2\n1 0 0.2\n");
  const auto low = make_workload(traffic_by(file, 0.1), {3, {}, 5}),
             high = make_workload(traffic_by(file, 0.7), {3, {}, 5});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(low->pop(0).destination, high->pop(0).destination);
}

TEST(unit_workload_matrix_traffic, too_high_loads_name_the_node_and_the_highest_load) {
  const temporary_file file("0 1 1\n2 1 6\n3 0 1\n");  // node 2 has three times the mean load
  const auto expect = [](const workload_parameters& p, const std::string& message) {
    expect_error<std::invalid_argument>([&] { make_workload(p, {4, {}, 1}); }, message);
  };
  expect(traffic_by(file, 1.5),
         "injection: node 2 has a load of 4.5 flits per cycle at a load of 1.5; with packets of 4 flits on average, it "
         "needs 1.125 packets per cycle, but a node creates at most one; lower load to at most 1.33333, or send longer "
         "packets");
  EXPECT_NO_THROW(make_workload(traffic_by(file, 4. / 3), {4, {}, 1}));
  EXPECT_NO_THROW(make_workload(traffic_by(file, 1.33333), {4, {}, 1}));
  expect(
      traffic_by(file, 0.1, matrix_rates::Absolute),
      "injection: node 2 has a load of 6 flits per cycle; with packets of 4 flits on average, it needs 1.5 packets per "
      "cycle, but a node creates at most one; lower the sum of its rates to at most 4, or send longer packets");
  workload_parameters bursts = traffic_by(file, 0.2);
  bursts.injection.kind = injection_kind::OnOff;
  bursts.injection.peak = 0.5;
  expect(
      bursts,
      "injection on_off: peak (0.5) must be at least the load of every node, but node 2 has a load of 0.6 at a load of "
      "0.2; raise peak, or lower load to at most 0.166666");
  bursts.pattern.rates = matrix_rates::Absolute;
  expect(bursts,
         "injection on_off: peak (0.5) must be at least the load of every node, but node 2 has a load of 6; raise "
         "peak, or "
         "lower the sum of its rates to at most 0.5");
}

TEST(unit_workload_matrix_traffic, the_correlation_time_is_that_of_the_slowest_node) {
  const temporary_file file("0 1 0.1\n2 1 0.4\n");
  const traffic_pattern pattern(traffic_by(file, 0, matrix_rates::Absolute).pattern, 3, {});
  injection_parameters bursts;
  bursts.kind = injection_kind::OnOff;
  bursts.mean_burst = 100;
  bursts.peak = 0.5;
  EXPECT_DOUBLE_EQ(correlation_time(bursts, pattern, 3), 80);  // 100 (1 - 0.1 / 0.5), not that of the silent node
}

TEST(unit_workload_matrix_traffic, nodes_without_rates_send_nothing) {
  const temporary_file file("0 1 1\n2 0 1\n1 0 0\n");
  const auto source = make_workload(traffic_by(file, 0.3), {4, {}, 1});
  EXPECT_NE(source->next_creation(0), Never);
  EXPECT_EQ(source->next_creation(1), Never);
  EXPECT_EQ(source->next_creation(3), Never);
  EXPECT_EQ(make_workload(traffic_by(file, 0), {4, {}, 1})->next_creation(0), Never) << "load 0";
}

}  // namespace
}  // namespace weft
