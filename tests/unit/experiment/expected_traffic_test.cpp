// SPDX-License-Identifier: Apache-2.0
/// Traffic that is analyzed and not simulated: compared with the formula of isolated packets, the metrics of uniform
/// traffic, and loads that can be counted by hand.
#include "weft/simulation/expected_traffic.h"

#include "support/files.h"
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/configuration/network.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/workload/pattern.h"

namespace weft::experiment {
namespace {

configuration traffic_of(const std::string& topology, const std::string& pattern, const std::string& more = "") {
  return parse_configuration("network: {topology: " + topology + more + "}\nworkload: {pattern: " + pattern +
                                 ", length: {kind: weighted, choices: {1: 1, 5: 3}}}",
                             "traffic.yaml");
}

expected_traffic expected(const configuration& c) {
  const topology graph = build_network(c);
  return expect_traffic(c, graph, find_loads(graph));
}

constexpr const char* Uniform = "{kind: uniform}";

/// The mean of the formula over all ordered pairs of nodes, for packets of one flit.
double mean_latency(const topology& t, const router_parameters& router) {
  double sum = 0;
  for (node_id from = 0; from < t.nodes.size(); ++from) {
    for (node_id to = 0; to < t.nodes.size(); ++to)
      if (to != from) sum += static_cast<double>(zero_load_latency(t, router, from, to, 1));
  }
  return sum / static_cast<double>(t.nodes.size() * (t.nodes.size() - 1));
}

TEST(unit_experiment_expected_traffic, uniform_latency_breakdown_matches_the_formula) {
  for (const char* const topology :
       {"{kind: mesh, shape: [4, 3]}", "{kind: torus, shape: [5, 3]}", "{kind: ring, shape: [6]}",
        "{kind: octagon, nodes_per_router: 2}", "{kind: hierarchical_ring, rings: [3, 4]}"}) {
    SCOPED_TRACE(topology);
    const configuration c = traffic_of(topology, Uniform, ", router: {pipeline: 5}, link: {cycles: 2}");
    const topology_metrics metrics = compute_metrics(build_network(c));
    const expected_traffic e = expected(c);
    EXPECT_NEAR(e.zero_load.sum() - e.zero_load.serialisation, mean_latency(build_network(c), c.router), 1e-9);
    EXPECT_NEAR(e.zero_load.serialisation, 3, 1e-12);
    EXPECT_NEAR(e.zero_load.links, 2 * metrics.mean_route_length, 1e-9);
    EXPECT_NEAR(e.zero_load.routers, 5 * (1 + metrics.mean_route_length), 1e-9);
    EXPECT_EQ(e.zero_load.arrival, 0);
    EXPECT_NEAR(e.ideal_throughput, metrics.ideal_throughput, 1e-9);
  }
}

TEST(unit_experiment_expected_traffic, permutation_latency_is_the_mean_over_its_packets) {
  for (const char* const pattern : {"transpose", "bit_complement", "bit_reversal", "shuffle", "tornado", "neighbour"}) {
    SCOPED_TRACE(pattern);
    const configuration c = traffic_of("{kind: mesh, shape: [4, 4]}", "{kind: " + std::string(pattern) + "}");
    const topology t = build_network(c);
    const traffic_pattern drawn(c.workload.pattern, 16, find_node_placement(t));
    random_stream unused(1, 0, stream_purpose::Schedule);
    double sum = 0;
    for (node_id n = 0; n < 16; ++n)
      sum += static_cast<double>(zero_load_latency(t, c.router, n, drawn.destination(n, unused), 4));
    EXPECT_NEAR(expected(c).zero_load.sum(), sum / 16, 1e-9);
  }
}

TEST(unit_experiment_expected_traffic, throughput_bound_matches_hand_count) {
  const auto bound = [](const char* topology, const char* pattern, const char* more = "") {
    const expected_traffic e = expected(traffic_of(topology, pattern, more));
    return std::make_pair(e.limit, std::lround(1 / e.ideal_throughput * 1000));
  };
  const auto limit = [](const char* what, double load) {
    return std::make_pair(std::string(what), std::lround(load * 1000));
  };
  // The packets of the seven nodes above the corner of an 8x8 mesh all turn at this corner.
  EXPECT_EQ(bound("{kind: mesh, shape: [8, 8]}", "{kind: transpose}"), limit("load of the busiest link", 7));
  EXPECT_EQ(bound("{kind: mesh, shape: [8, 8]}", "{kind: bit_complement}"), limit("load of the busiest link", 4));
  EXPECT_EQ(bound("{kind: torus, shape: [8, 8]}", "{kind: neighbour}"), limit("a node injects no more", 1));
  EXPECT_EQ(bound("{kind: mesh, shape: [4, 4]}", "{kind: hotspot, hotspots: [5], share: 1}"),
            limit("node 5 takes no more", 15));
  // Adaptive routing: the mesh has 48 channels for 4 hops of each of 16 packets, the torus 64 for 2 hops.
  EXPECT_EQ(bound("{kind: torus, shape: [4, 4]}", "{kind: tornado}", ", routing: {algorithm: minimal_adaptive}"),
            limit("a node injects no more", 1));
  EXPECT_EQ(bound("{kind: mesh, shape: [4, 4]}", "{kind: bit_complement}", ", routing: {algorithm: minimal_adaptive}"),
            limit("links for the hops of all packets", 64.0 / 48));
}

/// The only hotspot may not send to itself, so it sends to all other nodes.
TEST(unit_experiment_expected_traffic, hotspot_link_latency_matches_hand_calculation) {
  const auto parts = [](const std::string& pattern) {
    return expected(traffic_of("{kind: mesh, shape: [3, 3]}", pattern)).zero_load;
  };
  const double uniform = parts(Uniform).links,
               hot = parts("{kind: hotspot, hotspots: [4], share: 1, to_self: true}").links;
  const double alone = parts("{kind: hotspot, hotspots: [4], share: 0.5}").links;
  // The center is 4/3 hops from all nodes on average, itself included; for uniform traffic the mean is 2.
  EXPECT_NEAR(uniform, 2, 1e-9);
  EXPECT_NEAR(hot, 12.0 / 9, 1e-9);
  // Eight nodes send half their packets to the center, 1.5 hops away; the center sends all its packets to the others.
  EXPECT_NEAR(alone, (8 * 0.5 * 1.5 + 0.5 * (9 * 2 - 1.5) + 1.5) / 9, 1e-9);
}

/// The expected traffic of a matrix with the lines \p text. \param more further keys of the pattern
expected_traffic of_matrix(const char* topology, const std::string& text, const std::string& more = "",
                           const std::string& network = "") {
  const temporary_file file(text);
  return expected(traffic_of(topology, "{kind: matrix, file: " + file.name() + more + "}", network));
}

std::string equal_rates(node_id nodes) {
  std::string text;
  for (node_id s = 0; s < nodes; ++s)
    for (node_id d = 0; d < nodes; ++d)
      if (s != d) text += fmt::format("{} {} 0.1\n", s, d);
  return text;
}

TEST(unit_experiment_expected_traffic, a_matrix_of_equal_rates_is_uniform_traffic) {
  for (const char* const topology : {"{kind: mesh, shape: [4, 4]}", "{kind: torus, shape: [4, 2], nodes_per_router: 2}",
                                     "{kind: ring, shape: [16]}"}) {
    SCOPED_TRACE(topology);
    const expected_traffic matrix = of_matrix(topology, equal_rates(16)),
                           uniform = expected(traffic_of(topology, Uniform));
    EXPECT_NEAR(matrix.ideal_throughput, uniform.ideal_throughput, 1e-9);
    EXPECT_NEAR(matrix.zero_load.sum(), uniform.zero_load.sum(), 1e-9);
    EXPECT_NEAR(matrix.zero_load.links, uniform.zero_load.links, 1e-9);
  }
}

/// The bound is the mean load of all nodes, and the latency the mean over all packets.
TEST(unit_experiment_expected_traffic, a_matrix_weights_nodes_by_their_loads) {
  constexpr const char* Mesh = "{kind: mesh, shape: [4, 4]}";
  // Node 0 sends three quarters of all flits, so it injects 12 times the mean load.
  const expected_traffic busy = of_matrix(Mesh, "0 1 3\n0 15 3\n3 2 2\n");
  EXPECT_EQ(busy.limit, "node 0 injects no more");
  EXPECT_NEAR(busy.ideal_throughput, 1. / 12, 1e-9);
  EXPECT_NEAR(busy.zero_load.links, (3 * 1 + 3 * 6 + 2 * 1) / 8., 1e-9);
  EXPECT_FALSE(busy.offered.has_value());
  // Three of four flits go to node 12, which receives 12 times the mean load.
  const expected_traffic column = of_matrix(Mesh, "0 12 1\n4 12 1\n8 12 1\n15 14 1\n");
  EXPECT_EQ(column.limit, "node 12 takes no more");
  EXPECT_NEAR(column.ideal_throughput, 4. / 16 / 3, 1e-9);
  // The absolute rates have the same bound. Their mean is the offered load.
  const expected_traffic absolute = of_matrix(Mesh, "0 12 0.1\n4 12 0.1\n8 12 0.1\n15 14 0.1\n", ", rates: absolute");
  EXPECT_NEAR(absolute.ideal_throughput, column.ideal_throughput, 1e-9);
  EXPECT_NEAR(absolute.offered.value(), 0.4 / 16, 1e-12);
  // Node 1 and node 2 share the channel from 2 to 3.
  const expected_traffic line = of_matrix("{kind: mesh, shape: [5]}", "1 3 1\n2 4 1\n");
  EXPECT_EQ(line.limit, "load of the busiest link");
  EXPECT_NEAR(line.ideal_throughput, 0.2, 1e-9);
}

TEST(unit_experiment_expected_traffic, a_matrix_bounds_adaptive_routing_by_hops) {
  const expected_traffic e = of_matrix("{kind: mesh, shape: [4, 4]}", "0 15 1\n15 0 1\n5 6 2\n", "",
                                       ", routing: {algorithm: minimal_adaptive}");
  EXPECT_EQ(e.limit, "node 5 injects no more") << "48 channels suffice for 14 hops of a half and one hop of a half";
  EXPECT_NEAR(e.ideal_throughput, 1. / 8, 1e-9);
}

expected_traffic of_mix(const std::string& traffics, const std::string& topology = "{kind: mesh, shape: [4, 4]}") {
  return expected(parse_configuration(
      "network: {topology: " + topology + "}\nworkload: {traffics: {" + traffics + "}}\n", "mix.yaml"));
}

TEST(unit_experiment_expected_traffic, a_mix_of_one_traffic_has_its_bound_and_latency) {
  for (const char* const pattern : {"uniform", "transpose", "{kind: hotspot, hotspots: [5], share: 0.5}"}) {
    const expected_traffic mix = of_mix(std::string("a: {pattern: ") + pattern + ", injection: 0.02}");
    const expected_traffic alone = expected(parse_configuration(
        std::string("network: {topology: {shape: [4, 4]}}\nworkload: {pattern: ") + pattern + ", injection: 0.02}\n",
        "alone.yaml"));
    EXPECT_NEAR(mix.ideal_throughput, alone.ideal_throughput, 1e-9) << pattern;
    EXPECT_NEAR(mix.zero_load.sum(), alone.zero_load.sum(), 1e-9) << pattern;
    EXPECT_NEAR(mix.offered.value(), 0.02, 1e-12);
  }
}

TEST(unit_experiment_expected_traffic, a_mix_adds_loads_and_averages_latency_over_packets) {
  // Node 0 sends 0.3 flits per cycle to node 3 in a row, node 1 sends 0.1 flits per cycle.
  const expected_traffic mix = of_mix(
      "long: {sources: [0], pattern: {kind: hotspot, hotspots: [3], share: 1}, injection: 0.3, length: 3}, "
      "short: {sources: [1], pattern: {kind: hotspot, hotspots: [3], share: 1}, injection: 0.1, length: 1}, "
      "loop: {injection: {process: request_reply}}",
      "{kind: mesh, shape: [4]}");
  EXPECT_EQ(mix.limit, "node 3 takes no more");
  EXPECT_NEAR(mix.offered.value(), 0.4 / 4, 1e-12);
  EXPECT_NEAR(mix.ideal_throughput, 0.1 / 0.4, 1e-9) << "the sources keep their proportions";
  ASSERT_EQ(mix.of_traffics.size(), 2u) << "a closed loop has no load";
  EXPECT_EQ(mix.of_traffics[0].first, "long");
  // Injection 2, four routers of 4 cycles, three links, ejection 1, two flits behind the head.
  EXPECT_NEAR(mix.of_traffics[0].second, 2 + 4 * 4 + 3 + 1 + 2, 1e-9);
  EXPECT_NEAR(mix.of_traffics[1].second, 2 + 3 * 4 + 2 + 1, 1e-9);
  EXPECT_NEAR(mix.zero_load.sum(), (24. + 17.) / 2, 1e-9) << "both send 0.1 packets per cycle";
}

TEST(unit_experiment_expected_traffic, few_sources_may_send_to_themselves) {
  const expected_traffic mix =
      of_mix("a: {pattern: {kind: uniform, to_self: true}, injection: 0.02, length: 1, sources: [0, 1, 5]}");
  // Mean hops to all 16 nodes from (0,0), (1,0) and (1,1): 3, 2.5 and 2.
  EXPECT_NEAR(mix.zero_load.sum(), 2 + 4 * (1 + 2.5) + 2.5 + 1, 1e-9);
  EXPECT_NEAR(mix.ideal_throughput, 3. / 16, 1e-9) << "a node injects one flit per cycle";
}

}  // namespace
}  // namespace weft::experiment
